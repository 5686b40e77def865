//! The layout of `<target>/nanobench`, and operations on its files.
//!
//! ```text
//! lock                            held by the run in progress
//! workspace                       the path of the workspace whose store this is
//! workspaces/<name>-<hash>/       the stores of other workspaces, in the same form without a lock
//! compiler, metadata              answers of the compiler and of cargo, kept by `cargo`
//! listings/<hash>                 the listing of a program that takes long to list its benchmarks
//! comparison.json                 the changes that the last comparison has measured
//! evidence.json                   the evidence of the last comparison, with which `--more` goes on
//! names/<name>.json               a pointer to the run with this name and to the previous one
//! runs/<hash>.json                the record of a run, which is never changed
//! blobs/<hash>                    an executable
//! blobs/<hash>.libraries/         its libraries
//! blobs/<hash>.link               its link inputs
//! imports/                        the executables of strangers, in the same form as those in `blobs`
//! ```
//!
//! A run is saved in this order: executables, record, name. So a run that is killed leaves files
//! that no name leads to, which the next one deletes. Of several workspaces in the same target
//! directory, one has the folder itself, the others have theirs in `workspaces/`
//! ([`place`](super::place)).

use super::IoError;
use super::io_error::IoContext as _;
use crate::new_file;
use std::fs::{self, File};
use std::io;
use std::path::Path;

pub(super) const NAMES: &str = "names";
pub(super) const RUNS: &str = "runs";
pub(super) const BLOBS: &str = "blobs";
pub(super) const IMPORTS: &str = "imports";
/// The end of the name of each record and pointer.
pub(super) const JSON: &str = ".json";
/// The folders with all runs of a store of earlier versions.
pub(super) const OLDER: [&str; 3] = ["last", "baselines", "earlier"];
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                         # This file is a cache directory tag, see https://bford.info/cachedir/\n";

/// Creates the folder that all stores of a target directory share. Marks a new target directory as
/// cargo does, so that backups leave it out.
pub(super) fn create(root: &Path) -> Result<(), IoError> {
    let target = root.parent().unwrap_or(root);
    let is_new = !exists(target);
    create_folder(root)?;
    if is_new {
        // If this fails, later operations fail with a better message.
        let _ = fs::write(target.join("CACHEDIR.TAG"), CACHE_TAG);
    }
    Ok(())
}

pub(super) fn create_folder(folder: &Path) -> Result<(), IoError> {
    fs::create_dir_all(folder).context("create", folder)
}

/// Replaces a file in one step: readers find the old content or the new one. The new one is written in the
/// folder `unfinished`, of which each run deletes what a killed one has left.
pub(super) fn replace(
    path: &Path,
    unfinished: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), IoError> {
    let folder = path.parent().unwrap_or(path);
    let replace = || {
        let mut file = new_file::create_in(unfinished)?;
        write(file.as_file_mut())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    replace().context("write", path)?;
    sync(folder);
    Ok(())
}

/// Removes a file, if there is one.
pub(super) fn remove(file: &Path) -> Result<(), IoError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.context("remove", file),
    }
}

/// Makes the new names in a folder survive a power failure, on systems that can sync a folder.
fn sync(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Makes `copy` the same file as `original`, or a copy of it if the file system has no hard links.
pub(super) fn link_or_copy(original: &Path, copy: &Path) -> Result<(), IoError> {
    let _ = fs::remove_file(copy);
    match fs::hard_link(original, copy) {
        Ok(()) => Ok(()),
        Err(_) => replace(copy, copy.parent().unwrap_or(copy), |file| {
            io::copy(&mut File::open(original)?, file).map(|_| ())
        }),
    }
}

/// Copies a file. Unlike that of `fs::copy`, its error names the original.
pub(super) fn copy(original: &Path, copy: &Path) -> io::Result<()> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{error}, copying `{}`", original.display()));
    fs::copy(original, copy).map(|_| ()).map_err(named)
}

/// Deletes a file, a folder, or a link but not its target. A failure costs disk space only.
pub(super) fn delete(path: &Path) {
    let _ = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
}

/// Returns the size of a file, or of all files in a folder, in bytes. Files with holes may claim more in
/// total than a `u64` holds.
pub(super) fn size(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| size(&entry.path())).fold(0, u64::saturating_add)
        }
        metadata => metadata.map_or(0, |metadata| metadata.len()),
    }
}

/// Returns whether `path` exists, even as a dangling link.
pub(super) fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the names of a directory's entries, except those that are not UTF-8: the store writes
/// none.
pub(super) fn entries(directory: &Path) -> Result<Vec<String>, IoError> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.context("read", directory)?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
    Ok(names.collect::<io::Result<Vec<_>>>().context("read", directory)?.into_iter().flatten().collect())
}
