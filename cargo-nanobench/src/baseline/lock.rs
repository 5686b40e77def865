//! One run at a time in a target directory.
//!
//! Two runs at once would disturb each other's figures and replace each other's last run. The lock is the
//! operating system's own, so that it ends with the process that holds it, however that ends.

use super::Error;
use super::error::At as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How often a run that waits looks again, and looks whether it was interrupted.
const PAUSE: Duration = Duration::from_millis(100);

/// Held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock at `path`. Where another run holds it, calls `waiting` once and waits, until it is free or
    /// `interrupted` says so.
    ///
    /// Some network file systems have no locks: there, runs go without, as cargo's own do.
    pub(super) fn take(
        path: &Path,
        waiting: impl FnOnce(),
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Self, Error> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.at("open", path)?;
        let mut waiting = Some(waiting);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = waiting.take() {
                        waiting();
                    }
                    if interrupted() {
                        return Err(Error::Interrupted);
                    }
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::Error(error)) => match error.kind() {
                    io::ErrorKind::Unsupported => return Ok(Lock { _file: file }),
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error).at("lock", path),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_second_run_says_once_that_it_waits_and_goes_on_when_the_first_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = Lock::take(&path, || panic!("nobody holds it"), &|| false).unwrap();
        let (waits, is_waiting) = mpsc::channel();
        let second = thread::spawn({
            let path = path.clone();
            move || Lock::take(&path, || waits.send(()).unwrap(), &|| false)
        });
        is_waiting.recv().unwrap();
        assert!(!second.is_finished());
        drop(first);
        second.join().unwrap().unwrap();
        assert!(is_waiting.recv().is_err(), "it says so once");
    }

    #[test]
    fn an_interrupt_ends_the_waiting_and_leaves_the_lock_to_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = Lock::take(&path, || (), &|| false).unwrap();
        assert!(matches!(Lock::take(&path, || (), &|| true), Err(Error::Interrupted)));
        assert!(matches!(Lock::take(&path, || (), &|| true), Err(Error::Interrupted)));
        drop(held);
        Lock::take(&path, || panic!("nobody holds it"), &|| true).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone").join("lock");
        let error = Lock::take(&path, || (), &|| false).unwrap_err().to_string();
        assert!(error.starts_with("cannot open `") && error.contains("gone"), "{error}");
    }
}
