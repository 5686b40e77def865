//! The cache of other revisions: where their trees and builds are, and how long they are kept.
//!
//! ```text
//! <cache of the user>/nanobench/
//!     3f2a91c-<hash>          the tree, with cargo's target directory for it in `target`
//!     3f2a91c-<hash>.used     written at each use: its age is the revision's
//! ```
//!
//! The working tree's `.cargo/config.toml` would apply to a tree below it. The hash is that of the
//! working tree's target directory, whose lock a run holds.

use super::dependencies::Compiled;
use super::{Error, io_error};
use crate::cargo::Unit;
use crate::git::{Commit, Repository, Worktree};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, fs};
use walkdir::WalkDir;
use xxhash_rust::xxh3::xxh3_64;

/// The variable that names another folder for the cache.
const VARIABLE: &str = "NANOBENCH_CACHE";
/// The limit for the number of revisions. The most recently used ones are kept.
const MAX_REVISIONS: usize = 5;
/// The limit for the time since a revision was used.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The limit for the length of a folder's name, in bytes. Most file systems have 255.
const MAX_NAME: usize = 200;
const USED: &str = "used";

/// A revision in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionFolder {
    /// The folder in the cache: the tree, or a folder above it.
    path: PathBuf,
    tree: PathBuf,
    target_directory: PathBuf,
}

/// Returns the folder of the cache.
pub fn root() -> PathBuf {
    let named = env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let named = named.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    named.unwrap_or_else(|| dirs::cache_dir().unwrap_or_else(env::temp_dir).join("nanobench"))
}

/// Returns the revisions that are kept, those of the last use first.
pub fn kept() -> Vec<RevisionFolder> {
    let entries = fs::read_dir(root()).into_iter().flatten().flatten().map(|entry| entry.path());
    let used = entries.filter(|path| path.extension().is_some_and(|extension| extension == USED));
    let mut kept: Vec<RevisionFolder> = used.filter_map(|file| RevisionFolder::read(&file)).collect();
    kept.sort_by_key(|folder| Reverse(folder.last_used()));
    kept
}

/// Returns the size of revisions in bytes. A file with several links counts once.
pub fn size(folders: &[RevisionFolder]) -> u64 {
    let mut seen = HashSet::new();
    let entries = folders.iter().flat_map(|folder| WalkDir::new(&folder.path)).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    let data = files.filter_map(|entry| entry.metadata().ok());
    data.filter(|data| inode(data).is_none_or(|inode| seen.insert(inode))).map(|data| data.len()).sum()
}

#[cfg(unix)]
fn inode(data: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Deletes the revisions beyond the limits, but never `current`. One that can't be deleted is left for
/// the next time.
pub(super) fn clean(current: &RevisionFolder) {
    let now = SystemTime::now();
    // The current revision counts towards the limit.
    let mut number = 1;
    for folder in kept().into_iter().filter(|folder| folder != current) {
        number += usize::from(folder.is_of(&current.target_directory));
        let is_old = now.duration_since(folder.last_used()).is_ok_and(|age| age > MAX_AGE);
        if is_old || folder.is_of(&current.target_directory) && number > MAX_REVISIONS {
            let _ = folder.remove();
        }
    }
}

impl RevisionFolder {
    /// Returns the folder of a commit for a target directory. It may not exist yet. `working_tree` is the
    /// root of the repository's.
    pub(super) fn new(commit: &Commit, target_directory: &Path, working_tree: &Path) -> RevisionFolder {
        let hash = xxh3_64(target_directory.as_os_str().as_encoded_bytes()) >> 32;
        let path = root().join(format!("{}-{hash:08x}", commit.short()));
        let tree = alike(&path, working_tree);
        let folders = path.components().count();
        let path = tree.components().take(folders).collect();
        RevisionFolder { path, tree, target_directory: target_directory.to_owned() }
    }

    /// Reads the file that notes a use.
    fn read(used: &Path) -> Option<RevisionFolder> {
        let text = fs::read_to_string(used).ok()?;
        let (tree, target_directory) = text.split_once('\n')?;
        let path = used.with_extension("");
        Some(RevisionFolder { path, tree: tree.into(), target_directory: target_directory.into() })
    }

    /// Notes a use, before anything is written.
    pub(super) fn mark_used(&self) -> Result<(), Error> {
        let text = format!("{}\n{}", self.tree.display(), self.target_directory.display());
        let write = fs::create_dir_all(root()).and_then(|()| fs::write(self.used(), text));
        write.map_err(|error| io_error("write", &self.used(), error))
    }

    fn used(&self) -> PathBuf {
        self.path.with_extension(USED)
    }

    pub fn last_used(&self) -> SystemTime {
        let modified = fs::metadata(self.used()).and_then(|metadata| metadata.modified());
        modified.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// The first digits of its commit.
    pub fn commit(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        name.split('-').next().unwrap_or_default().to_owned()
    }

    /// Returns whether it was built for this target directory.
    pub fn is_of(&self, target_directory: &Path) -> bool {
        self.target_directory == target_directory
    }

    /// The folder in the cache.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that the revision is checked out to.
    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    /// Cargo's target directory for this revision.
    pub(super) fn target(&self) -> PathBuf {
        self.tree.join("target")
    }

    pub(super) fn worktree<'a>(&self, repository: &'a Repository) -> Worktree<'a> {
        Worktree::new(repository, self.tree.clone())
    }

    /// Keeps the units of its build that other revisions may share.
    pub(super) fn keep_units(&self, units: Vec<Unit>) {
        let mut compiled = Compiled { units, ..self.compiled() };
        compiled.retain_foreign();
        // Without them, more is compiled.
        let _ = fs::write(self.units(), serde_json::to_vec(&compiled.units).unwrap_or_default());
    }

    /// Returns its build, with the kept units.
    pub(super) fn compiled(&self) -> Compiled {
        let units = fs::read(self.units()).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let units = units.unwrap_or_default();
        Compiled { units, build_directory: self.target(), top: self.tree.clone() }
    }

    fn units(&self) -> PathBuf {
        self.target().join("nanobench-units.json")
    }

    /// Deletes the revision. Its last use goes last: it names what is left after an interrupt.
    pub fn remove(&self) -> Result<(), Error> {
        let removed = match fs::remove_dir_all(&self.path) {
            Err(error) if self.path.exists() => Err(error),
            _ => fs::remove_file(self.used()),
        };
        removed.map_err(|error| io_error("delete", &self.path, error))
    }
}

/// Returns a folder at or below `shortest` that is as deep as `other` and whose path is as long, if
/// `shortest` isn't deeper or longer: the compiler puts paths into executables.
fn alike(shortest: &Path, other: &Path) -> PathBuf {
    let depth = |path: &Path| path.components().count();
    let mut alike = shortest.to_owned();
    alike.extend(vec!["_"; depth(other).saturating_sub(depth(shortest))]);
    let missing = other.as_os_str().len().saturating_sub(alike.as_os_str().len());
    let mut name = alike.file_name().unwrap_or_default().to_owned();
    name.push("_".repeat(missing.min(MAX_NAME)));
    alike.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_as_deep_and_long_as_the_working_tree_if_they_can_be() {
        let alike = |other: &str| alike(Path::new("/cache/id"), Path::new(other));
        assert_eq!(alike("/some/tree"), Path::new("/cache/id_"));
        assert_eq!(alike("/home/me/src/tree"), Path::new("/cache/id/_/_____"));
        assert_eq!(alike("/w"), Path::new("/cache/id"), "neither");
        assert_eq!(alike("/a-long-name"), Path::new("/cache/id___"), "the length alone");
        assert_eq!(alike("/a/b/c/d"), Path::new("/cache/id/_/_"), "the depth alone");
        let name = alike(&format!("/a/{}", "b".repeat(250))).file_name().map_or(0, std::ffi::OsStr::len);
        assert!((MAX_NAME..255).contains(&name));
    }
}
