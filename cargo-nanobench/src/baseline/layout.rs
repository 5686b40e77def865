//! The layout of `<target>/nanobench`, and replacements that never leave a folder missing.
//!
//! ```text
//! lock                            held by the run in progress
//! last/                           the last run, in the same form as a baseline
//! baselines/<name>/baseline.json
//! baselines/<name>/executables/
//! earlier/<name>/                 the previous baseline of that name: `<name>~1`
//! .staging-*                      here and in these folders: being written, read by nobody
//! .replaced-*                     here and in these folders: the old content, during a replacement
//! ```
//!
//! A folder is written as `.staging-*` next to its place, on the same file system, and is complete
//! before it is moved there. A replacement takes three moves: the old folder to `.replaced-NAME`,
//! the new one to `NAME`, then `.replaced-NAME` to `earlier/NAME`, by a replacement of the same
//! kind, or it is deleted. If that is interrupted, one of the two is complete: readers use `NAME`,
//! else `.replaced-NAME`, and the next process that holds the lock finishes or reverts the
//! replacement ([`recover`]). Names don't start with a dot, so none of these folders is a baseline.

use super::IoError;
use super::io_error::IoContext as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file with the data of a run in its folder.
pub(super) const JSON: &str = "baseline.json";
/// The folder of its executables.
pub(super) const EXECUTABLES: &str = "executables";
pub(super) const STAGING: &str = ".staging-";
const REPLACED: &str = ".replaced-";
const REMOVED: &str = ".staging-removed";
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                         # This file is a cache directory tag, see https://bford.info/cachedir/\n";

/// Creates the store's folder. Marks a new target directory as cargo does, so that backups leave it
/// out.
pub(super) fn create(root: &Path) -> Result<(), IoError> {
    let target = root.parent().unwrap_or(root);
    let is_new = !exists(target);
    fs::create_dir_all(root).context("create", root)?;
    if is_new {
        // If this fails, later operations fail with a better message.
        let _ = fs::write(target.join("CACHEDIR.TAG"), CACHE_TAG);
    }
    Ok(())
}

/// The folder of the named baselines.
pub(super) fn baselines(root: &Path) -> PathBuf {
    root.join("baselines")
}

/// The folder of the previous baselines.
pub(super) fn earlier(root: &Path) -> PathBuf {
    root.join("earlier")
}

/// Returns the folder to read: the given one, or during a replacement the old one.
pub(super) fn readable(folder: PathBuf) -> PathBuf {
    let replaced = replaced(&folder);
    if !exists(&folder) && exists(&replaced) { replaced } else { folder }
}

/// Returns the names in `directory`, of folders and files, also of those that are being replaced.
/// Empty if there is no such directory.
pub(super) fn names(directory: &Path) -> Result<Vec<String>, IoError> {
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

/// Moves `new` to `folder`. The old content is moved to `previous`, or deleted without one.
pub(super) fn replace(new: &Path, folder: &Path, previous: Option<&Path>) -> Result<(), IoError> {
    let replaced = replaced(folder);
    let had_content = exists(folder);
    if had_content {
        fs::rename(folder, &replaced).context("replace", folder)?;
    }
    if let Err(reason) = fs::rename(new, folder) {
        if had_content {
            fs::rename(&replaced, folder).context("put back", folder)?;
        }
        return Err(reason).context("write", folder);
    }
    sync_parent(folder);
    if had_content { retire(&replaced, previous) } else { Ok(()) }
}

/// Moves the replaced folder to `previous`, or deletes it.
fn retire(replaced: &Path, previous: Option<&Path>) -> Result<(), IoError> {
    let Some(previous) = previous else {
        // If this fails, the next recovery deletes it.
        let _ = delete(replaced);
        return Ok(());
    };
    create_parent(previous)?;
    replace(replaced, previous, None)
}

/// Moves a folder to an empty place.
pub(super) fn rename(folder: &Path, to: &Path) -> Result<(), IoError> {
    create_parent(to)?;
    fs::rename(folder, to).context("rename", folder)?;
    sync_parent(to);
    sync_parent(folder);
    Ok(())
}

/// Creates the parent of a folder.
pub(super) fn create_parent(folder: &Path) -> Result<(), IoError> {
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).context("create", parent)
}

/// Deletes a folder in one move. If the process is killed, the rest is ignored.
pub(super) fn remove(folder: &Path) -> Result<(), IoError> {
    let removed = folder.with_file_name(REMOVED);
    delete(&removed).context("remove", &removed)?;
    fs::rename(folder, &removed).context("remove", folder)?;
    delete(&removed).context("remove", &removed)
}

/// Finishes or reverts the interrupted replacements in `directory`, and deletes staged folders.
/// `previous` returns the place for the old content of a folder. The caller must hold the lock.
pub(super) fn recover(directory: &Path, previous: impl Fn(&str) -> Option<PathBuf>) -> Result<(), IoError> {
    for entry in entries(directory)? {
        let path = directory.join(&entry);
        if let Some(name) = entry.strip_prefix(REPLACED) {
            let folder = directory.join(name);
            if exists(&folder) {
                // A failure is no reason not to run: the next recovery tries again.
                let _ = retire(&path, previous(name).as_deref());
            } else {
                fs::rename(&path, &folder).context("put back", &folder)?;
            }
        } else if entry.starts_with(STAGING) {
            // A failure costs disk space only.
            let _ = delete(&path);
        }
    }
    Ok(())
}

/// Makes `copy` the same file as `original`, or a copy of it if the file system has no hard links.
pub(super) fn link_or_copy(original: &Path, copy: &Path) -> io::Result<()> {
    fs::hard_link(original, copy).or_else(|_| copy_file(original, copy).map(|_| ()))
}

/// Copies a file and returns its size. Unlike that of `fs::copy`, its error names the original.
pub(super) fn copy_file(original: &Path, copy: &Path) -> io::Result<u64> {
    fs::copy(original, copy)
        .map_err(|error| io::Error::new(error.kind(), format!("{error}, copying `{}`", original.display())))
}

/// Returns the size of a file, or of all files in a folder, in bytes.
pub(super) fn size(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return path.symlink_metadata().map_or(0, |metadata| metadata.len());
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

/// Returns whether `path` exists, even as a dangling link.
pub(super) fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the place of a folder's old content during a replacement.
pub(super) fn replaced(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{REPLACED}{name}"))
}

/// Returns the names of a directory's entries, except those that are not UTF-8: the store writes
/// none.
fn entries(directory: &Path) -> Result<Vec<String>, IoError> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.context("read", directory)?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
    Ok(names.collect::<io::Result<Vec<_>>>().context("read", directory)?.into_iter().flatten().collect())
}

/// Deletes a file, a folder, or a link but not its target. Succeeds if there is nothing.
fn delete(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// Makes a move survive a power failure, on systems that can sync a folder.
fn sync_parent(path: &Path) {
    #[cfg(unix)]
    if let Some(Ok(parent)) = path.parent().map(fs::File::open) {
        let _ = parent.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}
