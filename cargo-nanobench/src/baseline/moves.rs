//! Replacements and removals of folders that never leave one missing.
//!
//! A replacement takes three moves: the old folder to `.replaced-NAME`, the new one to `NAME`, then
//! `.replaced-NAME` to `earlier/NAME`, by a replacement of the same kind, or it is deleted. If that
//! is interrupted, one of the two is complete: readers use `NAME`, else `.replaced-NAME`, and the
//! next process that holds the lock finishes or reverts the replacement ([`recover`]).
//!
//! Not everything can be moved or deleted: files of another user, mounted folders, folders in a
//! lower layer of an overlay. A folder that can't be moved is copied. A folder that can't be
//! deleted gets another name, so that it is in nobody's way. [`prove_replaceable`] finds all other
//! obstacles before a run.

use super::IoError;
use super::io_error::IoContext as _;
use super::layout::{self, JSON, STAGING, create_parent, exists, is_complete};
use crate::warnings::warn_once;
use nanobench::report::escape;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Moves `new` to `folder`. The old content is moved to `previous`, or deleted without one.
pub(super) fn replace(new: &Path, folder: &Path, previous: Option<&Path>) -> Result<(), IoError> {
    let replaced = layout::free_replaced(folder);
    let had_content = exists(folder);
    if had_content {
        move_or_copy(folder, &replaced).context("replace", folder)?;
    }
    if let Err(reason) = fs::rename(new, folder) {
        if had_content {
            move_or_copy(&replaced, folder).context("put back", folder)?;
        }
        return Err(reason).context("write", folder);
    }
    sync_parent(folder);
    if had_content { retire(&replaced, previous) } else { Ok(()) }
}

/// Fails if a folder can't be replaced, which is tried. It may become a copy of itself, at the same
/// place.
pub(super) fn prove_replaceable(folder: &Path) -> Result<(), IoError> {
    if !exists(folder) {
        return Ok(());
    }
    let replaced = layout::free_replaced(folder);
    move_or_copy(folder, &replaced).context("replace", folder)?;
    move_or_copy(&replaced, folder).context("put back", folder)
}

/// Moves the replaced folder to `previous`, or deletes it.
fn retire(replaced: &Path, previous: Option<&Path>) -> Result<(), IoError> {
    let Some(previous) = previous else {
        discard(replaced);
        return Ok(());
    };
    create_parent(previous)?;
    let older = layout::free_replaced(previous);
    let had_content = exists(previous);
    if had_content {
        move_or_copy(previous, &older).context("replace", previous)?;
    }
    move_or_copy(replaced, previous).context("write", previous)?;
    sync_parent(previous);
    if had_content {
        discard(&older);
    }
    Ok(())
}

/// Moves a folder to an empty place.
pub(super) fn rename(folder: &Path, to: &Path) -> Result<(), IoError> {
    create_parent(to)?;
    move_or_copy(folder, to).context("rename", folder)?;
    sync_parent(to);
    sync_parent(folder);
    Ok(())
}

/// Removes a folder in one move. If the process is killed, the rest is ignored.
pub(super) fn remove(folder: &Path) -> Result<(), IoError> {
    let removed = unused(folder, "removed");
    match fs::rename(folder, &removed) {
        Ok(()) => {
            discard(&removed);
            Ok(())
        }
        Err(reason) if may_be_copied(&reason) && delete(folder).is_ok() => Ok(()),
        Err(reason) => Err(reason).context("remove", folder),
    }
}

/// Finishes or reverts the interrupted replacements in `directory`, and deletes staged folders.
/// `previous` returns the place for the old content of a folder. The caller must hold the lock.
pub(super) fn recover(directory: &Path, previous: impl Fn(&str) -> Option<PathBuf>) -> Result<(), IoError> {
    for entry in layout::entries(directory)? {
        let path = directory.join(&entry);
        if let Some((name, _)) = layout::replaced_name(&entry) {
            let folder = directory.join(name);
            if !is_complete(&path) {
                discard(&path);
            } else if is_complete(&folder) {
                // A failure is no reason not to run: the next recovery tries again.
                let _ = retire(&path, previous(name).as_deref());
            } else {
                if exists(&folder) {
                    discard(&folder);
                }
                move_or_copy(&path, &folder).context("put back", &folder)?;
            }
        } else if entry.starts_with(STAGING) {
            // A failure costs disk space only.
            let _ = delete(&path);
        }
    }
    Ok(())
}

/// Moves a folder to an empty place. If the file system refuses that, copies the folder and
/// discards the original.
fn move_or_copy(folder: &Path, to: &Path) -> io::Result<()> {
    let reason = match fs::rename(folder, to) {
        Err(reason) if may_be_copied(&reason) => reason,
        done => return done,
    };
    let copy = unused(to, "copy");
    if let Err(error) = copy_folder(folder, &copy).and_then(|()| fs::rename(&copy, to)) {
        let _ = delete(&copy);
        return Err(if error.kind() == io::ErrorKind::StorageFull { error } else { reason });
    }
    discard(folder);
    if is_complete(folder) {
        // There must not be two of them.
        let _ = delete(to);
        return Err(reason);
    }
    Ok(())
}

/// Returns whether a refused move may be replaced by a copy: between the layers of an overlay, or
/// of a folder that belongs to another user.
fn may_be_copied(reason: &io::Error) -> bool {
    matches!(reason.kind(), io::ErrorKind::CrossesDevices | io::ErrorKind::PermissionDenied)
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            layout::link_or_copy(&from, &to)?;
        }
    }
    Ok(())
}

/// Deletes a folder that nobody needs. If it can't be deleted, gives it a name that nobody reads.
fn discard(folder: &Path) {
    let Err(reason) = delete(folder) else { return };
    make_writable(folder);
    if delete(folder).is_ok() {
        return;
    }
    let aside = unused(folder, "undeletable");
    let place = if fs::rename(folder, &aside).is_ok() { aside } else { folder.to_owned() };
    let place = escape(&place.to_string_lossy());
    warn_once(
        place.clone(),
        format!("`{place}` can't be deleted ({reason}); nothing needs it: delete it, perhaps as its owner"),
    );
}

/// Deletes a file, a folder, or a link but not its target. Succeeds if there is nothing. The data
/// of a run goes first, so that the rest of a folder is never taken for a run.
fn delete(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => {
            match fs::remove_file(path.join(JSON)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::remove_dir_all(path)
        }
        Ok(_) => fs::remove_file(path),
    }
}

/// Makes the folders in a folder writable, as far as they belong to this user.
fn make_writable(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.for_each(|entry| make_writable(&entry.path()));
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Returns an unused place beside a folder that nobody reads, and that recoveries delete.
fn unused(folder: &Path, purpose: &str) -> PathBuf {
    let place = |number: u64| folder.with_file_name(format!("{STAGING}{purpose}-{number}"));
    (0..).map(place).find(|place| !exists(place)).unwrap_or_else(|| place(0))
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
