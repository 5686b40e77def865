//! Where things are below `<target>/nanobench`, and the moves that never leave a place with nothing.
//!
//! ```text
//! lock                            held by the run in progress
//! last/                           the last run, in the same form as a baseline
//! baselines/<name>/baseline.json
//! baselines/<name>/executables/
//! .staging-*, baselines/.staging-*      being written; nobody reads it
//! .replaced-*, baselines/.replaced-*    what was in a place, while it is exchanged
//! ```
//!
//! A folder is written as `.staging-*` beside its place, on the same file system, and is complete before it is
//! moved there. Replacing takes three moves: the old one to `.replaced-NAME`, the new one to `NAME`, then
//! `.replaced-NAME` is deleted. Whenever that is cut short, one of the two is there whole: readers
//! take `NAME`, else `.replaced-NAME`, and the next one who holds the lock finishes the exchange or takes it back
//! ([`tidy`]). A name can't start with a dot, so none of these is ever a baseline's own.

use super::error::At as _;
use super::{BaselineName, Error};
use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const STAGING: &str = ".staging-";
const REPLACED: &str = ".replaced-";
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                         # This file is a cache directory tag, see https://bford.info/cachedir/\n";
const REMOVED: &str = ".staging-removed";

/// Where a run is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where each run goes that is measured to its end.
    Last,
    /// Where it goes when it was asked to be kept.
    Named(BaselineName),
}

impl Place {
    /// Its folder, below the root of the store.
    pub(super) fn folder(&self, root: &Path) -> PathBuf {
        match self {
            Place::Last => root.join("last"),
            Place::Named(name) => baselines(root).join(name.as_ref()),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Last => f.write_str("the last run"),
            Place::Named(name) => write!(f, "baseline `{name}`"),
        }
    }
}

/// Creates the store's own folder. A target directory that isn't there yet is marked as cargo marks one that it
/// creates itself, so that backups leave it out.
pub(super) fn create(root: &Path) -> Result<(), Error> {
    let target = root.parent().unwrap_or(root);
    let is_new = !exists(target);
    fs::create_dir_all(root).at("create", root)?;
    if is_new {
        // A help to others: where it fails, what follows fails with a better message.
        let _ = fs::write(target.join("CACHEDIR.TAG"), CACHE_TAG);
    }
    Ok(())
}

/// The folder of the named ones.
pub(super) fn baselines(root: &Path) -> PathBuf {
    root.join("baselines")
}

/// The folder to read: the place's own, or in the middle of an exchange the one that is being replaced.
pub(super) fn current(folder: PathBuf) -> PathBuf {
    let replaced = replaced(&folder);
    if !exists(&folder) && exists(&replaced) { replaced } else { folder }
}

/// The names of the folders in `directory` that hold something, also of those in the middle of an exchange. None
/// where there is no such directory.
pub(super) fn names(directory: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in entries(directory)? {
        let name = entry.strip_prefix(REPLACED).unwrap_or(&entry);
        if !name.starts_with('.') && directory.join(&entry).is_dir() {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Moves the folder `new` to its place, which may be taken.
pub(super) fn exchange(new: &Path, folder: &Path) -> Result<(), Error> {
    let replaced = replaced(folder);
    let was_there = exists(folder);
    if was_there {
        fs::rename(folder, &replaced).at("replace", folder)?;
    }
    if let Err(reason) = fs::rename(new, folder) {
        if was_there {
            fs::rename(&replaced, folder).at("put back", folder)?;
        }
        return Err(reason).at("write", folder);
    }
    sync_parent(folder);
    // What can't be deleted now is when the store is tidied.
    let _ = delete(&replaced);
    Ok(())
}

/// Deletes a folder so that it is gone at once: what a kill leaves of it is in nobody's way.
pub(super) fn remove(folder: &Path) -> Result<(), Error> {
    let removed = folder.with_file_name(REMOVED);
    delete(&removed).at("remove", &removed)?;
    fs::rename(folder, &removed).at("remove", folder)?;
    delete(&removed).at("remove", &removed)
}

/// Finishes, or takes back, what killed runs left half done in `directory`. Only for who holds the lock.
pub(super) fn tidy(directory: &Path) -> Result<(), Error> {
    for entry in entries(directory)? {
        let path = directory.join(&entry);
        if let Some(name) = entry.strip_prefix(REPLACED) {
            let folder = directory.join(name);
            if !exists(&folder) {
                fs::rename(&path, &folder).at("put back", &folder)?;
                continue;
            }
        } else if !entry.starts_with(STAGING) {
            continue;
        }
        // Left-overs cost room and nothing else: one that can't be deleted is no reason not to run.
        let _ = delete(&path);
    }
    Ok(())
}

/// The size of all files in a folder, in bytes.
pub(super) fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

/// Whether something is there, be it a link that leads nowhere.
pub(super) fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn replaced(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{REPLACED}{name}"))
}

/// Names that are no UTF-8 are nobody's here.
fn entries(directory: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.at("read", directory)?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
    Ok(names.collect::<io::Result<Vec<_>>>().at("read", directory)?.into_iter().flatten().collect())
}

/// Deletes what is at `path`, if anything; a link, not what it leads to.
fn delete(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// Makes a move last through a power cut, where the system has a way to say so.
fn sync_parent(path: &Path) {
    #[cfg(unix)]
    if let Some(Ok(parent)) = path.parent().map(fs::File::open) {
        let _ = parent.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}
