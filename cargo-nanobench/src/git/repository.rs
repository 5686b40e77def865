//! A repository and its commits.

use super::Error;
use super::call::Git;
use std::path::{Path, PathBuf};

/// What cargo reads and no benchmark does, as what git is to leave out.
const OF_CARGO: [&str; 2] = [":(exclude,glob)**/Cargo.toml", ":(exclude,glob)**/Cargo.lock"];

/// The repository that a folder is in.
#[derive(Debug)]
pub(crate) struct Repository {
    top: PathBuf,
    below: PathBuf,
}

/// A commit that was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    /// As it was asked for: `main`, `HEAD~1`.
    pub(crate) name: String,
    /// In full.
    pub(crate) hash: String,
    /// Of a merge base: with what.
    pub(crate) with: Option<String>,
}

impl Repository {
    /// Asks git.
    pub(crate) fn of(folder: &Path) -> Result<Repository, Error> {
        let answer = Git::within(folder).args(&["rev-parse", "--show-toplevel", "--show-prefix"]).output();
        let text = answer.map_err(|error| match error {
            Error::Failed { said, .. } => Error::NoRepository { folder: folder.to_owned(), said },
            error => error,
        })?;
        let mut lines = text.lines();
        let mut path = || PathBuf::from(lines.next().unwrap_or_default());
        Ok(Repository { top: path(), below: path() })
    }

    /// Where its files lie.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// The folder that was asked about, as seen from the top of the repository.
    pub(crate) fn below(&self) -> &Path {
        &self.below
    }

    /// Whether what is checked out is this commit, and no tracked file differs from it.
    pub(crate) fn is_at(&self, commit: &Commit) -> Result<bool, Error> {
        let head = self.git().args(&["rev-parse", "HEAD"]).answer()?;
        let changes = self.git().args(&["status", "--porcelain", "--untracked-files=no"]).answer()?;
        Ok(head.is_some_and(|head| head == commit.hash) && changes.is_none())
    }

    /// The tracked files that differ from this commit, as seen from the top, but for manifests and lockfiles.
    pub(crate) fn files_differing_from(&self, commit: &Commit) -> Result<Vec<PathBuf>, Error> {
        // A file that was moved is two that differ.
        let names = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", &commit.hash, "--", "."];
        let names = self.git().args(&names).args(&OF_CARGO).output()?;
        Ok(names.split_terminator('\0').map(PathBuf::from).collect())
    }

    /// Whether only the last commits are there.
    pub(super) fn is_shallow(&self) -> bool {
        let answer = self.git().args(&["rev-parse", "--is-shallow-repository"]).answer();
        answer.is_ok_and(|answer| answer.as_deref() == Some("true"))
    }

    pub(super) fn git(&self) -> Git {
        // No lock is taken for a mere question, so that nothing that goes on there is disturbed.
        Git::within(&self.top).arg("--no-optional-locks")
    }
}

impl Commit {
    /// The first digits of the hash, as many as people read.
    pub(crate) fn short(&self) -> &str {
        self.hash.get(..7).unwrap_or(&self.hash)
    }
}
