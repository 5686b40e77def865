//! The lock that allows one run at a time in a target directory.
//!
//! Two runs at once would disturb each other's figures and replace each other's last run. The
//! operating system releases the lock when its process ends in any way.

use super::Error;
use super::io_error::IoContext as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The interval between two attempts to take the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Takes the lock at `path`, which is released when the file is dropped. If another run holds it,
/// calls `on_wait` once and waits until the lock is free or `interrupted` returns true.
///
/// On file systems without locks, runs continue without one, as in cargo.
pub(super) fn acquire(
    path: &Path,
    on_wait: impl FnOnce(),
    interrupted: &dyn Fn() -> bool,
) -> Result<File, Error> {
    acquire_with(File::try_lock, path, on_wait, interrupted)
}

fn acquire_with(
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    path: &Path,
    on_wait: impl FnOnce(),
    interrupted: &dyn Fn() -> bool,
) -> Result<File, Error> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.context("open", path)?;
    let mut on_wait = Some(on_wait);
    loop {
        match try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                if let Some(on_wait) = on_wait.take() {
                    on_wait();
                }
                if interrupted() {
                    return Err(Error::Interrupted);
                }
                thread::sleep(POLL_INTERVAL);
            }
            Err(TryLockError::Error(error)) => match error.kind() {
                _ if has_no_locks(&error) => return Ok(file),
                io::ErrorKind::Interrupted => {}
                _ => return Ok(Err(error).context("lock", path)?),
            },
        }
    }
}

/// Returns whether an error means that the file system has no locks. For a network file system
/// whose server has none, the standard library has no kind of error.
fn has_no_locks(error: &io::Error) -> bool {
    const NO_LOCKS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 37 } else { 77 };
    const WINDOWS_INVALID_FUNCTION: i32 = 1;
    let code = if cfg!(windows) { WINDOWS_INVALID_FUNCTION } else { NO_LOCKS };
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn second_run_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = acquire(&path, || panic!("nobody holds it"), &|| false).unwrap();
        let (waits, is_waiting) = mpsc::channel();
        let second = thread::spawn({
            let path = path.clone();
            move || acquire(&path, || waits.send(()).unwrap(), &|| false)
        });
        is_waiting.recv().unwrap();
        assert!(!second.is_finished());
        drop(first);
        second.join().unwrap().unwrap();
        assert!(is_waiting.recv().is_err(), "it reports that once");
    }

    #[test]
    fn interrupt_ends_the_wait_and_keeps_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = acquire(&path, || (), &|| false).unwrap();
        assert!(matches!(acquire(&path, || (), &|| true), Err(Error::Interrupted)));
        assert!(matches!(acquire(&path, || (), &|| true), Err(Error::Interrupted)));
        drop(held);
        acquire(&path, || panic!("nobody holds it"), &|| true).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn file_system_without_locks_needs_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let acquired = |code| {
            let refuse = |_: &File| Err(TryLockError::Error(io::Error::from_raw_os_error(code)));
            acquire_with(refuse, &path, || panic!("nobody holds it"), &|| false)
        };
        let [no_locks, not_implemented, not_supported, damaged] = [37, 38, 95, 5];
        for code in [no_locks, not_implemented, not_supported] {
            acquired(code).unwrap();
        }
        assert!(acquired(damaged).unwrap_err().to_string().contains("cannot lock"));
    }

    #[test]
    fn error_names_a_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone").join("lock");
        let error = acquire(&path, || (), &|| false).unwrap_err().to_string();
        assert!(error.starts_with("cannot open `") && error.contains("gone"), "{error}");
    }
}
