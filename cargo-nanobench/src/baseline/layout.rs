//! Where things are below `<target>/nanobench`, and the moves that never leave a place with nothing.
//!
//! ```text
//! lock                            held by the run in progress
//! last/                           the last run, in the same form as a baseline
//! baselines/<name>/baseline.json
//! baselines/<name>/executables/
//! earlier/<name>/                 what had that name before: `<name>~1`
//! .staging-*                      here and in these folders: being written; nobody reads it
//! .replaced-*                     the same: what was in a place, while it is exchanged
//! ```
//!
//! A folder is written as `.staging-*` beside its place, on the same file system, and is complete before it is
//! moved there. Replacing takes three moves: the old one to `.replaced-NAME`, the new one to `NAME`, then
//! `.replaced-NAME` to `earlier/NAME`, by an exchange of the same kind, or it is deleted. Whenever that is cut short, one of
//! the two is there whole: readers take `NAME`, else `.replaced-NAME`, and the next one who holds the lock finishes the
//! exchange or takes it back ([`tidy`]). A name can't start with a dot, so none of these is ever a baseline's own.

use super::Error;
use super::error::At as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const STAGING: &str = ".staging-";
const REPLACED: &str = ".replaced-";
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                         # This file is a cache directory tag, see https://bford.info/cachedir/\n";
const REMOVED: &str = ".staging-removed";

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

/// The folder of those whose names were taken by others.
pub(super) fn earlier(root: &Path) -> PathBuf {
    root.join("earlier")
}

/// The folder to read: the place's own, or in the middle of an exchange the one that is being replaced.
pub(super) fn current(folder: PathBuf) -> PathBuf {
    let replaced = replaced(&folder);
    if !exists(&folder) && exists(&replaced) { replaced } else { folder }
}

/// The names of all that is in `directory`, folders or not, also of those in the middle of an exchange. None where there
/// is no such directory.
pub(super) fn names(directory: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in entries(directory)? {
        let name = entry.strip_prefix(REPLACED).unwrap_or(&entry);
        if !name.starts_with('.') {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Moves the folder `new` to its place. What is there goes to the place `before`, or is deleted where there is none.
pub(super) fn exchange(new: &Path, folder: &Path, before: Option<&Path>) -> Result<(), Error> {
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
    if was_there { retire(&replaced, before) } else { Ok(()) }
}

/// What becomes of the folder `replaced` when another has its place.
fn retire(replaced: &Path, before: Option<&Path>) -> Result<(), Error> {
    let Some(before) = before else {
        // What can't be deleted now is when the store is tidied.
        let _ = delete(replaced);
        return Ok(());
    };
    create_parent(before)?;
    exchange(replaced, before, None)
}

/// Moves a folder to a place where nothing is.
pub(super) fn rename(folder: &Path, to: &Path) -> Result<(), Error> {
    create_parent(to)?;
    fs::rename(folder, to).at("rename", folder)?;
    sync_parent(to);
    sync_parent(folder);
    Ok(())
}

/// Creates the folder that a place is in.
pub(super) fn create_parent(folder: &Path) -> Result<(), Error> {
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).at("create", parent)
}

/// Deletes a folder so that it is gone at once: what a kill leaves of it is in nobody's way.
pub(super) fn remove(folder: &Path) -> Result<(), Error> {
    let removed = folder.with_file_name(REMOVED);
    delete(&removed).at("remove", &removed)?;
    fs::rename(folder, &removed).at("remove", folder)?;
    delete(&removed).at("remove", &removed)
}

/// Finishes, or takes back, what killed runs left half done in `directory`. `before` says where what was in a folder of it
/// goes, if anywhere. Only for who holds the lock.
pub(super) fn tidy(directory: &Path, before: impl Fn(&str) -> Option<PathBuf>) -> Result<(), Error> {
    for entry in entries(directory)? {
        let path = directory.join(&entry);
        if let Some(name) = entry.strip_prefix(REPLACED) {
            let folder = directory.join(name);
            if exists(&folder) {
                // What can't be moved on now is when the next one looks: no reason not to run.
                let _ = retire(&path, before(name).as_deref());
            } else {
                fs::rename(&path, &folder).at("put back", &folder)?;
            }
        } else if entry.starts_with(STAGING) {
            // Left-overs cost room and nothing else: one that can't be deleted is no reason not to run.
            let _ = delete(&path);
        }
    }
    Ok(())
}

/// The size of all files in a folder, or of the file that is in its place, in bytes.
pub(super) fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return folder.symlink_metadata().map_or(0, |metadata| metadata.len());
    };
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

pub(super) fn replaced(folder: &Path) -> PathBuf {
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
