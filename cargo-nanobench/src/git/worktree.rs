//! A worktree of one commit, apart from what the user works on.
//!
//! Nothing is ever reset or cleaned in place: a tree that is not whole is deleted, and made again. So a mistake about
//! where it is can't touch the user's own files.

use super::call::Git;
use super::{Commit, Error, Repository};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for a commit's files.
#[derive(Debug)]
pub(crate) struct Worktree<'a> {
    repository: &'a Repository,
    tree: PathBuf,
    /// A file beside the tree that is there once the tree is whole.
    mark: PathBuf,
}

impl<'a> Worktree<'a> {
    /// The tree in this folder, which needn't be there yet.
    pub(crate) fn new(repository: &'a Repository, tree: PathBuf, mark: PathBuf) -> Worktree<'a> {
        Worktree { repository, tree, mark }
    }

    /// Makes the tree hold the commit, its submodules too, unless it does.
    pub(crate) fn check_out(&self, commit: &Commit) -> Result<(), Error> {
        if self.is_whole(commit) {
            return Ok(());
        }
        self.remove().map_err(|error| self.cannot("delete", error))?;
        let parent = self.tree.parent().unwrap_or(&self.tree);
        fs::create_dir_all(parent).map_err(|error| self.cannot("create the folder of", error))?;
        // By force: git still knows a tree whose folder was deleted, by `cargo clean` for one.
        let add = self.repository.git().args(&["worktree", "add", "--detach", "--force", "--quiet"]);
        add.arg(&self.tree).arg(&commit.hash).output()?;
        self.submodules(commit)?;
        fs::write(&self.mark, &commit.hash).map_err(|error| self.cannot("finish", error))
    }

    /// Deletes the tree, and what git knows of it.
    pub(crate) fn remove(&self) -> io::Result<()> {
        gone(fs::remove_file(&self.mark))?;
        gone(fs::remove_dir_all(&self.tree))?;
        // Only now: git deletes no tree that is damaged, and forgets one that is not there. That it knows of none is fine.
        let _ = self.repository.git().args(&["worktree", "remove", "--force"]).arg(&self.tree).answer();
        Ok(())
    }

    /// Whether it was made to its end, and has stayed as it was. Cargo may have brought lockfiles up to date.
    fn is_whole(&self, commit: &Commit) -> bool {
        let marked = fs::read_to_string(&self.mark).is_ok_and(|hash| hash == commit.hash);
        if !marked || !self.tree.join(".git").is_file() {
            return false;
        }
        let head = self.git().args(&["rev-parse", "HEAD"]).answer();
        let status =
            ["status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude,glob)**/Cargo.lock"];
        head.is_ok_and(|head| head.as_ref() == Some(&commit.hash))
            && self.git().args(&status).output().is_ok_and(|changes| changes.is_empty())
    }

    /// Whether git tracks this file, which is named from the top.
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
            Err(Error::Failed { said, .. }) => Err(Error::Submodules { name: commit.name.clone(), said }),
            result => result.map(|_| ()),
        }
    }

    fn git(&self) -> Git {
        Git::at_the_top(&self.tree)
    }

    fn cannot(&self, what: &'static str, source: io::Error) -> Error {
        Error::File { what, path: self.tree.clone(), source }
    }
}

/// What is not there any more needn't be deleted.
fn gone(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
