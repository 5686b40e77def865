//! The folder of a workspace's store, in a target directory that several workspaces may share
//! (cargo's `build.target-dir`).
//!
//! The first workspace has `<target>/nanobench` itself, and its path is noted there. So the target
//! directory of a single workspace keeps its form, and stores of earlier versions, which noted
//! nothing, are still found. Any other workspace has a folder of its own in `workspaces/`. If the
//! first one is moved or deleted, the next workspace takes its place.

use super::IoError;
use super::io_error::IoContext as _;
use crate::regular_file;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The file with the path of the workspace that a store belongs to.
const WORKSPACE: &str = "workspace";
/// The limit for its size, in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// Returns the folder of a workspace's store in the folder that all workspaces share.
pub(super) fn find(shared: &Path, workspace: &Path) -> PathBuf {
    let own = own_folder(shared, workspace);
    let first = noted(shared).ok();
    let is_first = match first.as_deref().map(path) {
        Some(first) if first == workspace => true,
        _ if own.is_dir() => false,
        Some(first) => !first.join("Cargo.toml").exists(),
        None => true,
    };
    if is_first { shared.to_owned() } else { own }
}

/// Creates the folder of a workspace's store and notes whose it is. The caller must hold the lock.
pub(super) fn claim(shared: &Path, workspace: &Path) -> Result<(), IoError> {
    let folder = find(shared, workspace);
    fs::create_dir_all(&folder).context("create", &folder)?;
    let note = folder.join(WORKSPACE);
    let text = workspace.as_os_str().as_encoded_bytes();
    if noted(&folder).is_ok_and(|noted| noted == text) {
        return Ok(());
    }
    // To write into a pipe would wait for its reader.
    let _ = fs::remove_file(&note);
    fs::write(&note, text).context("write", &note)
}

fn noted(store: &Path) -> io::Result<Vec<u8>> {
    regular_file::read(&store.join(WORKSPACE), MAX_BYTES)
}

fn own_folder(shared: &Path, workspace: &Path) -> PathBuf {
    let name = workspace.file_name().unwrap_or_default().to_string_lossy();
    let hash = xxh3_64(workspace.as_os_str().as_encoded_bytes());
    shared.join("workspaces").join(format!("{name}-{hash:016x}"))
}

fn path(note: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(note).into_owned())
}
