//! Where the trees and builds of other revisions are, and how long they stay.
//!
//! ```text
//! <target>/nanobench/revisions/<commit>/
//!     used                                    written at each use: its age is the folder's
//!     whole                                   there once the tree is: the commit in full
//!     target/                                 cargo's target directory for this revision
//!     target/package/nanobench-<commit>/      the tree
//! ```
//!
//! The tree lies in `target/package` because that is where cargo stops to look for a workspace above: a package that
//! was none's member then must not be taken for a member of the one that is here now. `<commit>` is short, as paths on
//! Windows have to be; the mark has it in full.

use super::{Error, io};
use crate::git::{Commit, Repository, Worktree};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// So many revisions are kept, those that were used last.
const KEPT: usize = 5;
/// And none that was not used for so long.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Digits of a hash in the name of a folder.
const DIGITS: usize = 12;

/// All of a target directory.
#[derive(Debug)]
pub(super) struct Kept {
    root: PathBuf,
}

/// One revision's.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Kept {
    pub(super) fn below(target_directory: &Path) -> Kept {
        Kept { root: target_directory.join("nanobench").join("revisions") }
    }

    /// The folder of a commit, which needn't be there yet.
    pub(super) fn folder(&self, commit: &Commit) -> Folder {
        Folder { path: self.root.join(commit.hash.get(..DIGITS).unwrap_or(&commit.hash)) }
    }

    /// Deletes what was not used for long, and what is more than so many; never `current`. What can't be deleted now is
    /// next time.
    pub(super) fn clean(&self, repository: &Repository, current: &Folder) {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let others = entries.map(|entry| Folder { path: entry.path() }).filter(|folder| folder != current);
        let used = others.map(|folder| (folder.last_used(), folder)).collect();
        for folder in too_old(used, SystemTime::now()) {
            let _ = folder.worktree(repository).remove();
            let _ = fs::remove_dir_all(&folder.path);
        }
    }
}

/// Which of the others to delete.
fn too_old(mut others: Vec<(SystemTime, Folder)>, now: SystemTime) -> Vec<Folder> {
    others.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
    let is_old = |used: SystemTime| now.duration_since(used).is_ok_and(|age| age > AGE);
    // The current one is kept, too.
    let surplus = |(i, (used, folder)): (usize, (SystemTime, Folder))| {
        (i + 1 >= KEPT || is_old(used)).then_some(folder)
    };
    others.into_iter().enumerate().filter_map(surplus).collect()
}

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Cargo's target directory for it.
    pub(super) fn target(&self) -> PathBuf {
        self.path.join("target")
    }

    /// The tree.
    pub(super) fn tree(&self) -> PathBuf {
        let commit = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.target().join("package").join(format!("nanobench-{commit}"))
    }

    pub(super) fn worktree<'a>(&self, repository: &'a Repository) -> Worktree<'a> {
        Worktree::new(repository, self.tree(), self.path.join("whole"))
    }

    pub(super) fn mark_used(&self) -> Result<(), Error> {
        let write = fs::create_dir_all(&self.path).and_then(|()| fs::write(self.path.join("used"), ""));
        write.map_err(|error| io("write in", &self.path, error))
    }

    fn last_used(&self) -> SystemTime {
        let modified = fs::metadata(self.path.join("used")).and_then(|metadata| metadata.modified());
        modified.unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deleted(ages_in_days: &[u64]) -> Vec<String> {
        let now = SystemTime::now();
        let day = Duration::from_secs(24 * 60 * 60);
        let folder = |&age: &u64| (now - day * age as u32, Folder { path: PathBuf::from(age.to_string()) });
        let mut deleted = too_old(ages_in_days.iter().map(folder).collect(), now);
        deleted.sort_by_key(|folder| folder.path.clone());
        deleted.into_iter().map(|folder| folder.path.display().to_string()).collect()
    }

    #[test]
    fn five_are_kept_with_the_current_one_and_none_that_is_old() {
        assert!(deleted(&[]).is_empty());
        assert!(deleted(&[3, 1, 2, 4]).is_empty(), "four others");
        assert_eq!(deleted(&[3, 1, 6, 2, 4, 5]), ["5", "6"]);
        assert_eq!(deleted(&[31, 29]), ["31"]);
    }

    #[test]
    fn a_folder_is_short_and_says_which_commit() {
        let hash = "3f2a91c0b1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6";
        let commit = Commit { name: "main".into(), hash: hash.into(), with: None };
        let folder = Kept::below(Path::new("target")).folder(&commit);
        assert_eq!(folder.path(), Path::new("target/nanobench/revisions/3f2a91c0b1d2"));
        assert!(folder.tree().parent().is_some_and(|parent| parent.ends_with("target/package")));
    }

    #[test]
    fn what_was_cut_short_before_it_was_used_is_the_first_to_go() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder { path: temp.path().join("a") };
        assert_eq!(folder.last_used(), SystemTime::UNIX_EPOCH);
        folder.mark_used().unwrap();
        assert!(folder.last_used() > SystemTime::UNIX_EPOCH);
    }
}
