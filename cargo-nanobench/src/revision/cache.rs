//! The cache of other revisions: the folders of their trees and builds, and how long they are kept.
//!
//! ```text
//! <target>/nanobench/revisions/<commit>/
//!     used                                    written at each use: its age is the folder's
//!     whole                                   written once the tree is complete: the full commit
//!     target/                                 cargo's target directory for this revision
//!     target/package/nanobench-<commit>/      the tree
//! ```
//!
//! The tree is in `target/package` because cargo stops there when it looks for a workspace above.
//! Otherwise a package that was not in a workspace at that revision would be taken for a member of
//! the current one. `<commit>` is short because paths on Windows have to be.

use super::{Error, io_error};
use crate::git::{Commit, Repository, Worktree};
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The limit for the number of revisions. The most recently used ones are kept.
const MAX_REVISIONS: usize = 5;
/// The limit for the time since a revision was used.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The number of digits of the hash in the name of a folder.
const HASH_DIGITS: usize = 12;

/// The revisions of a target directory.
#[derive(Debug)]
pub(super) struct RevisionCache {
    root: PathBuf,
}

/// The folder of one revision.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RevisionFolder {
    path: PathBuf,
}

impl RevisionCache {
    pub(super) fn new(target_directory: &Path) -> Self {
        Self { root: target_directory.join("nanobench").join("revisions") }
    }

    /// Returns the folder of a commit. It may not exist yet.
    pub(super) fn folder(&self, commit: &Commit) -> RevisionFolder {
        RevisionFolder { path: self.root.join(commit.hash.get(..HASH_DIGITS).unwrap_or(&commit.hash)) }
    }

    /// Deletes the revisions beyond the limits, but never `current`. A folder that can't be deleted
    /// is left for the next time.
    pub(super) fn clean(&self, repository: &Repository, current: &RevisionFolder) {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let folders = entries.map(|entry| RevisionFolder { path: entry.path() });
        let others = folders.filter(|folder| folder != current);
        let used = others.map(|folder| (folder.last_used(), folder)).collect();
        for folder in expired(used, SystemTime::now()) {
            let _ = folder.worktree(repository).remove();
            let _ = fs::remove_dir_all(&folder.path);
        }
    }
}

/// Returns the folders to delete, of all but the current one.
fn expired(mut others: Vec<(SystemTime, RevisionFolder)>, now: SystemTime) -> Vec<RevisionFolder> {
    others.sort_by_key(|(used, _)| Reverse(*used));
    let is_old = |used: SystemTime| now.duration_since(used).is_ok_and(|age| age > MAX_AGE);
    let others = others.into_iter().enumerate();
    // The current revision counts towards the limit.
    let expired = others.filter(|(i, (used, _))| i + 1 >= MAX_REVISIONS || is_old(*used));
    expired.map(|(_, (_, folder))| folder).collect()
}

impl RevisionFolder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Cargo's target directory for this revision.
    pub(super) fn target(&self) -> PathBuf {
        self.path.join("target")
    }

    /// The folder that the revision is checked out to.
    pub(super) fn tree(&self) -> PathBuf {
        let commit = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.target().join("package").join(format!("nanobench-{commit}"))
    }

    pub(super) fn worktree<'a>(&self, repository: &'a Repository) -> Worktree<'a> {
        Worktree::new(repository, self.tree(), self.path.join("whole"))
    }

    pub(super) fn mark_used(&self) -> Result<(), Error> {
        let write = fs::create_dir_all(&self.path).and_then(|()| fs::write(self.path.join("used"), ""));
        write.map_err(|error| io_error("write in", &self.path, error))
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
        let folder =
            |&age: &u64| (now - day * age as u32, RevisionFolder { path: PathBuf::from(age.to_string()) });
        let mut deleted = expired(ages_in_days.iter().map(folder).collect(), now);
        deleted.sort_by_key(|folder| folder.path.clone());
        deleted.into_iter().map(|folder| folder.path.display().to_string()).collect()
    }

    #[test]
    fn five_recent_revisions_are_kept() {
        assert!(deleted(&[]).is_empty());
        assert!(deleted(&[3, 1, 2, 4]).is_empty(), "four others");
        assert_eq!(deleted(&[3, 1, 6, 2, 4, 5]), ["5", "6"]);
        assert_eq!(deleted(&[31, 29]), ["31"]);
    }

    #[test]
    fn folder_has_a_short_name_with_the_commit() {
        let hash = "3f2a91c0b1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6";
        let commit = Commit { name: "main".into(), hash: hash.into(), merge_base_with: None };
        let folder = RevisionCache::new(Path::new("target")).folder(&commit);
        assert_eq!(folder.path(), Path::new("target/nanobench/revisions/3f2a91c0b1d2"));
        assert!(folder.tree().parent().is_some_and(|parent| parent.ends_with("target/package")));
    }

    #[test]
    fn revision_that_was_never_used_expires_first() {
        let temp = tempfile::tempdir().unwrap();
        let folder = RevisionFolder { path: temp.path().join("a") };
        assert_eq!(folder.last_used(), SystemTime::UNIX_EPOCH);
        folder.mark_used().unwrap();
        assert!(folder.last_used() > SystemTime::UNIX_EPOCH);
    }
}
