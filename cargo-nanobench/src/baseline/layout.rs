//! The layout of `<target>/nanobench`, and replacements that never leave a folder missing.
//!
//! ```text
//! lock                            held by the run in progress
//! workspace                       the path of the workspace whose store this is
//! workspaces/<name>-<hash>/       the stores of other workspaces, in the same form without a lock
//! last/                           the last run, in the same form as a baseline
//! compiler, metadata              answers of the compiler and of cargo, kept by `cargo`
//! comparison.json                 the changes that the last comparison has measured
//! evidence.json                   the evidence of the last comparison, with which `--more` goes on
//! baselines/<name>/baseline.json
//! baselines/<name>/executables/   each with its libraries and link inputs
//! earlier/<name>/                 the previous baseline of that name: `<name>~1`
//! earlier/last/                   the previous run: `last~1`
//! .staging-*                      here and in these folders: being written, read by nobody
//! .replaced-<name>[~<number>]     here and in these folders: the old content, during a replacement
//! ```
//!
//! A folder is written as `.staging-*` next to its place, on the same file system, and is complete
//! before it is moved there ([`moves`](super::moves)). Names don't start with a dot, so none of
//! these folders is a baseline.
//!
//! A target directory may have several workspaces. The first one has the folder itself, the others
//! have theirs in `workspaces/` ([`place`](super::place)).

use super::IoError;
use super::io_error::IoContext as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file with the data of a run in its folder.
pub(super) const JSON: &str = "baseline.json";
/// The file with the changes that the last comparison has measured.
pub(super) const COMPARISON: &str = "comparison.json";
/// The file with the evidence of the last comparison.
pub(super) const EVIDENCE: &str = "evidence.json";
/// The folder of its executables.
pub(super) const EXECUTABLES: &str = "executables";
pub(super) const STAGING: &str = ".staging-";
const REPLACED: &str = ".replaced-";
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
    if is_complete(&folder) { folder } else { old_content(&folder).unwrap_or(folder) }
}

/// Returns the old content of a folder during a replacement.
pub(super) fn old_content(folder: &Path) -> Option<PathBuf> {
    let (parent, name) = (folder.parent()?, folder.file_name()?.to_str()?);
    let entries = entries(parent).unwrap_or_default();
    let numbers = entries.iter().filter_map(|entry| replaced_name(entry)).filter(|(of, _)| *of == name);
    let places = numbers.map(|(_, number)| (number, replaced(folder, number)));
    places.filter(|(_, place)| is_complete(place)).max().map(|(_, place)| place)
}

/// Returns an unused place for the old content of a folder. It has a number if something can't be
/// deleted from the first place.
pub(super) fn free_replaced(folder: &Path) -> PathBuf {
    let mut places = (0..).map(|number| replaced(folder, number));
    places.find(|place| !exists(place)).unwrap_or_else(|| replaced(folder, 0))
}

fn replaced(folder: &Path, number: u64) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let number = if number == 0 { String::new() } else { format!("~{number}") };
    folder.with_file_name(format!("{REPLACED}{name}{number}"))
}

/// Returns the name and number in the name of a place for old content. No baseline has a `~` in its
/// name.
pub(super) fn replaced_name(entry: &str) -> Option<(&str, u64)> {
    let name = entry.strip_prefix(REPLACED)?;
    let numbered = name.rsplit_once('~').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    Some(numbered.unwrap_or((name, 0)))
}

/// Returns whether a folder has the data of a run.
pub(super) fn is_complete(folder: &Path) -> bool {
    exists(&folder.join(JSON))
}

/// Returns the names in `directory`, of folders and files, also of those that are being replaced.
/// Empty if there is no such directory.
pub(super) fn names(directory: &Path) -> Result<Vec<String>, IoError> {
    let mut names = Vec::new();
    for entry in entries(directory)? {
        match replaced_name(&entry) {
            Some((name, _)) if is_complete(&directory.join(&entry)) => names.push(name.to_owned()),
            _ if entry.starts_with('.') => {}
            _ => names.push(entry),
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Creates the parent of a folder.
pub(super) fn create_parent(folder: &Path) -> Result<(), IoError> {
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).context("create", parent)
}

/// Makes `copy` the same file as `original`, or a copy of it if the file system has no hard links.
pub(super) fn link_or_copy(original: &Path, copy: &Path) -> io::Result<()> {
    fs::hard_link(original, copy).or_else(|_| copy_file(original, copy).map(|_| ()))
}

/// Copies a file and returns its size, which `fs::copy` doesn't know in Wine. Unlike that of
/// `fs::copy`, its error names the original.
pub(super) fn copy_file(original: &Path, copy: &Path) -> io::Result<u64> {
    fs::copy(original, copy)
        .and_then(|_| Ok(copy.metadata()?.len()))
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
    total(entries.flatten().map(size))
}

/// Returns the sum of sizes. Files with holes may claim more in total than a `u64` holds.
fn total(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
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

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn sizes_of_files_with_holes_do_not_overflow() {
        assert_eq!(total([3, 4].into_iter()), 7);
        assert_eq!(total([7 << 60; 3].into_iter()), u64::MAX);
    }
}
