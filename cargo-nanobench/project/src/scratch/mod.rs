//! Folders that exist as long as a run needs them. A run that is killed leaves its folders behind,
//! and the next one deletes them.
//!
//! A folder in use is locked by the process that made it. The operating system releases the lock
//! when the process ends in any way, so a folder whose lock is free is left over, whatever its age.

#[cfg(target_os = "linux")]
mod left_processes;

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The start of the names of all folders.
const PREFIX: &str = "nanobench-";
/// The locked file in a folder.
const LOCK: &str = "nanobench.lock";
/// Its name before it is locked.
const UNLOCKED: &str = "nanobench.unlocked";

/// The folders in which this process has tidied up.
static TIDIED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The number of attempts to create a folder. Another run that tidies up may take a folder without a
/// lock for one that was left.
const ATTEMPTS: u32 = 8;

/// A folder that only its owner may enter. Dropping this value deletes it.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    /// `None` on file systems without locks.
    lock: Option<File>,
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        delete(&self.path, self.lock.take());
    }
}

impl ScratchFolder {
    /// Creates a folder below `parent`. The first call for a parent deletes what killed runs have
    /// left there.
    pub fn create_in(parent: &Path) -> io::Result<ScratchFolder> {
        let mut attempts = 1..=ATTEMPTS;
        let (path, lock) = loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            match lock(folder.path()) {
                Err(error) if is_taken(&error) && attempts.next().is_some() => {}
                // Without locks, as on some network file systems, nobody can tell whether the
                // folder is in use, so nobody else deletes it.
                locked => break (folder.keep(), locked.ok()),
            }
        };
        if TIDIED.lock().unwrap_or_else(PoisonError::into_inner).insert(parent.to_owned()) {
            tidy(parent, &path);
        }
        Ok(ScratchFolder { path, lock })
    }

    /// Deletes what killed runs have left below `parent`, unless that was done.
    pub fn tidy_in(parent: &Path) {
        let is_tidied = TIDIED.lock().unwrap_or_else(PoisonError::into_inner).contains(parent);
        if !is_tidied && folders_of_runs(parent).next().is_some() {
            // A folder of this run tells whose the others have to be.
            drop(ScratchFolder::create_in(parent));
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Locks a folder. The lock gets its name once it is held: no other run sees it free.
fn lock(folder: &Path) -> io::Result<File> {
    let unlocked = folder.join(UNLOCKED);
    let file = OpenOptions::new().write(true).create_new(true).open(&unlocked)?;
    file.try_lock()?;
    fs::rename(unlocked, folder.join(LOCK))?;
    Ok(file)
}

/// Returns whether a folder could not be locked because another run deletes it.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::WouldBlock)
}

/// Deletes a folder that nobody uses. The lock goes last: it marks the folder as one of a run as
/// long as there is anything in it, and this process may be killed in between.
fn delete(folder: &Path, lock: Option<File>) {
    delete_content(folder);
    // Windows deletes no open file. If another run takes the lock now, both delete the same.
    drop(lock);
    let _ = fs::remove_file(folder.join(LOCK));
    let _ = fs::remove_dir(folder);
}

/// Deletes all but the lock.
fn delete_content(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name() == LOCK {
            continue;
        }
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// Deletes the folders below `parent` that killed runs of the owner of `own` have left. Anything
/// that can't be deleted stays.
fn tidy(parent: &Path, own: &Path) {
    let Ok(own_data) = fs::symlink_metadata(own) else { return };
    for folder in folders_of_runs(parent).filter(|folder| folder != own) {
        tidy_folder(&folder, &own_data);
    }
}

/// Returns the folders below `parent` that are named as those of runs.
fn folders_of_runs(parent: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let is_named_so =
        |entry: &DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|file_type| file_type.is_dir());
    entries.filter(move |entry| is_named_so(entry) && is_folder(entry)).map(|entry| entry.path())
}

fn tidy_folder(folder: &Path, own: &Metadata) {
    // A link could lead anywhere, and folders of others are for them to delete.
    let is_own = |data: Metadata| data.is_dir() && is_same_owner(&data, own);
    if !fs::symlink_metadata(folder).is_ok_and(is_own) {
        return;
    }
    let open = |name| OpenOptions::new().write(true).open(folder.join(name)).ok();
    let Some(lock) = open(LOCK).or_else(|| open(UNLOCKED)) else {
        // A run was killed before it had made the lock, or after it had deleted it. Only an empty
        // folder can be deleted so.
        if is_name(folder) {
            let _ = fs::remove_dir(folder);
        }
        return;
    };
    if lock.try_lock().is_ok() {
        #[cfg(target_os = "linux")]
        left_processes::end_started_for(folder);
        delete(folder, Some(lock));
    }
}

/// Returns whether a folder has a name as runs give it: the prefix and six letters or digits.
fn is_name(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()?.strip_prefix(PREFIX));
    name.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(unix)]
fn is_same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn is_same_owner(_one: &Metadata, _other: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy_beside(parent: &Path) {
        let own = ScratchFolder::create_in(parent).unwrap();
        tidy(parent, own.path());
    }

    /// Leaves a folder as a killed run does.
    fn leave(parent: &Path) -> PathBuf {
        let left = parent.join("nanobench-left");
        fs::create_dir(&left).unwrap();
        drop(lock(&left).unwrap());
        fs::write(left.join("copy"), "bytes").unwrap();
        left
    }

    #[test]
    fn folders_of_killed_runs_are_deleted_and_those_in_use_stay() {
        let parent = tempfile::tempdir().unwrap();
        let used = ScratchFolder::create_in(parent.path()).unwrap();
        let left = leave(parent.path());
        tidy_beside(parent.path());
        assert!(used.path().join(LOCK).exists() && !left.exists());
        let path = used.path().to_owned();
        fs::create_dir_all(path.join("copies/of")).unwrap();
        drop(used);
        assert!(!path.exists());
    }

    #[test]
    fn only_the_first_folder_below_a_parent_tidies_up() {
        let parent = tempfile::tempdir().unwrap();
        let left = leave(parent.path());
        drop(ScratchFolder::create_in(parent.path()).unwrap());
        assert!(!left.exists());
        let left = leave(parent.path());
        drop(ScratchFolder::create_in(parent.path()).unwrap());
        ScratchFolder::tidy_in(parent.path());
        assert!(left.exists());
        let other = tempfile::tempdir().unwrap();
        let left = leave(other.path());
        ScratchFolder::tidy_in(other.path());
        assert!(!left.exists());
    }

    #[test]
    fn folders_of_other_programs_stay() {
        let parent = tempfile::tempdir().unwrap();
        let other = parent.path().join("nanobench-results");
        fs::create_dir(&other).unwrap();
        tidy_beside(parent.path());
        assert!(other.exists());
    }

    #[test]
    fn folders_of_runs_that_were_killed_while_they_made_or_deleted_them_are_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let [empty, unlocked, used] = ["empty1", "unlock", "inuse1"].map(|name| {
            let folder = parent.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).unwrap();
            folder
        });
        fs::write(unlocked.join(UNLOCKED), "").unwrap();
        let held = File::create(used.join(UNLOCKED)).unwrap();
        held.try_lock().unwrap();
        tidy_beside(parent.path());
        assert!(!empty.exists() && !unlocked.exists() && used.exists());
    }

    #[test]
    fn the_lock_is_deleted_last() {
        let parent = tempfile::tempdir().unwrap();
        let left = leave(parent.path());
        fs::create_dir(left.join("folder")).unwrap();
        delete_content(&left);
        let names: Vec<_> = fs::read_dir(&left).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [LOCK]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (parent, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let left = leave(elsewhere.path());
        std::os::unix::fs::symlink(&left, parent.path().join("nanobench-link")).unwrap();
        tidy_beside(parent.path());
        assert!(left.join("copy").exists());
    }
}
