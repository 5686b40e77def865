//! The files below a folder, read once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Deeper folders are not looked into.
const DEPTH: usize = 16;

/// Files below folders that were asked for.
#[derive(Debug, Default)]
pub(super) struct Listing {
    folders: HashMap<PathBuf, Vec<PathBuf>>,
}

impl Listing {
    /// The files in subfolders of `folder` whose path ends in `tail`.
    pub(super) fn below(&mut self, folder: &Path, tail: &Path) -> Vec<PathBuf> {
        let files = self.folders.entry(folder.to_owned()).or_insert_with(|| {
            let mut files = Vec::new();
            list(folder, DEPTH, &mut files);
            files
        });
        files.iter().filter(|file| file.ends_with(tail)).cloned().collect()
    }
}

/// Adds the `.rs` files in the subfolders of `folder`.
fn list(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for inner in entries(folder).filter(|entry| entry.is_dir() && !entry.is_symlink() && !is_foreign(entry)) {
        files.extend(
            entries(&inner).filter(|entry| entry.extension().is_some_and(|extension| extension == "rs")),
        );
        if depth > 0 {
            list(&inner, depth - 1, files);
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Another target's folder, another package's, a build directory, or a hidden one.
fn is_foreign(folder: &Path) -> bool {
    ["main.rs", "Cargo.toml", "CACHEDIR.TAG"].iter().any(|file| folder.join(file).exists())
        || folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}
