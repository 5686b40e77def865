//! A worktree of one commit, separate from the user's working tree.
//!
//! Nothing is ever reset or cleaned in place: an incomplete tree is deleted and created again. So a
//! wrong path can't affect the user's own files.

use super::command::GitCommand;
use super::{Commit, Error, Repository};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with the files of a commit.
#[derive(Debug)]
pub(crate) struct Worktree<'a> {
    repository: &'a Repository,
    tree: PathBuf,
    /// A file next to the tree that exists once the tree is complete.
    marker: PathBuf,
}

impl<'a> Worktree<'a> {
    /// Creates a worktree in this folder, which may not exist yet. Touches no files.
    pub(crate) fn new(repository: &'a Repository, tree: PathBuf, marker: PathBuf) -> Worktree<'a> {
        Worktree { repository, tree, marker }
    }

    /// Checks the commit out with its submodules, unless the tree is complete already.
    pub(crate) fn check_out(&self, commit: &Commit) -> Result<(), Error> {
        if self.is_complete(commit) {
            return Ok(());
        }
        self.remove().map_err(|error| self.file_error("delete", error))?;
        let parent = self.tree.parent().unwrap_or(&self.tree);
        fs::create_dir_all(parent).map_err(|error| self.file_error("create the folder of", error))?;
        // `--force` is needed if the folder was deleted without git, for example by `cargo clean`.
        let add = self.repository.git().args(&["worktree", "add", "--detach", "--force", "--quiet"]);
        add.arg(&self.tree).arg(&commit.hash).output()?;
        self.submodules(commit)?;
        fs::write(&self.marker, &commit.hash).map_err(|error| self.file_error("finish", error))
    }

    /// Deletes the tree and removes it from the list of git.
    pub(crate) fn remove(&self) -> io::Result<()> {
        ignore_missing(fs::remove_file(&self.marker))?;
        ignore_missing(fs::remove_dir_all(&self.tree))?;
        // git doesn't delete a damaged tree, but removes a missing one from its list. It fails if
        // the tree was not in the list.
        let _ =
            self.repository.git().args(&["worktree", "remove", "--force"]).arg(&self.tree).output_if_any();
        Ok(())
    }

    /// Returns whether the tree was created completely and is unchanged. Cargo may have updated
    /// lockfiles.
    fn is_complete(&self, commit: &Commit) -> bool {
        let is_marked = fs::read_to_string(&self.marker).is_ok_and(|hash| hash == commit.hash);
        if !is_marked || !self.tree.join(".git").is_file() {
            return false;
        }
        let head = self.git().args(&["rev-parse", "HEAD"]).output_if_any();
        let status =
            ["status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude,glob)**/Cargo.lock"];
        head.is_ok_and(|head| head.as_ref() == Some(&commit.hash))
            && self.git().args(&status).output().is_ok_and(|changes| changes.is_empty())
    }

    /// Returns whether git tracks a file, named relative to the root.
    pub(crate) fn tracks(&self, file: &Path) -> Result<bool, Error> {
        let listed = self.git().args(&["--literal-pathspecs", "ls-files", "--"]).arg(file).output()?;
        Ok(!listed.is_empty())
    }

    fn submodules(&self, commit: &Commit) -> Result<(), Error> {
        if !self.tree.join(".gitmodules").is_file() {
            return Ok(());
        }
        let update = self.git().args(&["submodule", "update", "--init", "--recursive", "--quiet"]);
        match update.output() {
            Err(Error::Failed { stderr, .. }) => Err(Error::Submodules { name: commit.name.clone(), stderr }),
            result => result.map(|_| ()),
        }
    }

    fn git(&self) -> GitCommand {
        GitCommand::in_worktree_root(&self.tree)
    }

    fn file_error(&self, action: &'static str, source: io::Error) -> Error {
        Error::File { action, path: self.tree.clone(), source }
    }
}

/// Ignores the error of deleting a missing file.
fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
