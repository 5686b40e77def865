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
/// On network file systems without locks, runs continue without one, as in cargo.
pub(super) fn acquire(
    path: &Path,
    on_wait: impl FnOnce(),
    interrupted: &dyn Fn() -> bool,
) -> Result<File, Error> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.context("open", path)?;
    let mut on_wait = Some(on_wait);
    loop {
        match file.try_lock() {
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
                io::ErrorKind::Unsupported => return Ok(file),
                io::ErrorKind::Interrupted => {}
                _ => return Ok(Err(error).context("lock", path)?),
            },
        }
    }
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

    #[test]
    fn error_names_a_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone").join("lock");
        let error = acquire(&path, || (), &|| false).unwrap_err().to_string();
        assert!(error.starts_with("cannot open `") && error.contains("gone"), "{error}");
    }
}
