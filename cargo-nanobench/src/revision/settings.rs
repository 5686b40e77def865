//! Files of cargo's configuration that apply to the working tree and to every revision of it: those of
//! folders above the working tree, and those in it that git ignores. From a revision's tree, cargo finds
//! only what is above that, and what the revision tracks.

use super::{Error, io_error};
use crate::git::Repository;
use cargo_config2::Walk;
use std::env;
use std::path::{Path, PathBuf};

/// Returns the files that cargo doesn't find from the folder of a revision's package, nearest first.
pub(super) fn of_both(repository: &Repository, package: &Path) -> Result<Vec<PathBuf>, Error> {
    let here =
        env::current_dir().map_err(|error| io_error("find the current folder", Path::new("."), error))?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (here, package, root) = (real(&here), real(package), real(repository.root()));
    let found: Vec<PathBuf> = Walk::new(&package).collect();
    let mut files = Vec::new();
    for file in Walk::new(&here).filter(|file| !found.contains(file)) {
        let is_of_both = match file.strip_prefix(&root) {
            Ok(relative) => repository.ignores(relative)?,
            Err(_) => true,
        };
        files.extend(is_of_both.then_some(file));
    }
    Ok(files)
}

/// Returns values of `--config` with which cargo also reads `files`. Such values take precedence over all
/// files that cargo finds, so those of the revision's tree follow.
pub(super) fn flags(files: &[PathBuf], package: &Path, tree: &Path) -> Vec<String> {
    let own = || Walk::new(package).filter(|file| file.starts_with(tree)).collect::<Vec<_>>();
    let own = if files.is_empty() { Vec::new() } else { own() };
    // The last value wins, and it has to be that of the nearest file.
    own.iter().chain(files).rev().filter_map(|file| file.to_str().map(str::to_owned)).collect()
}
