//! The record of settings from before: a file for the whole machine, so that the next call of any
//! user finds it.

use super::Error;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The changes of a machine's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The time since the system was started. Settings of Linux end with it.
    pub(super) boot: Option<String>,
    pub(super) owner: Owner,
    /// In the order in which they are made. Some may not have been made.
    pub(super) changes: Vec<Change>,
}

/// A setting from before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) key: String,
    pub(super) before: String,
}

/// The end of the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Owner {
    /// The process that holds the lock. Without one, it was killed.
    Process,
    /// `tune --restore`.
    User,
}

/// The file of the record, and the lock of the process that changes settings.
pub(super) struct RecordFile {
    folder: PathBuf,
}

/// Held while a process changes settings. The system frees it when the process ends.
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that another thread is just starting has the file open until its program runs, so closing
        // it here wouldn't free the lock. If this fails, closing does, a moment later.
        let _ = self.file.unlock();
    }
}

impl RecordFile {
    /// Returns the record of the machine whose files are below `root`.
    pub(super) fn below(root: &Path) -> RecordFile {
        let folder = match std::env::var_os("ProgramData") {
            Some(folder) if cfg!(windows) => PathBuf::from(folder).join("cargo-nanobench"),
            _ => root.join("var/lib/cargo-nanobench"),
        };
        RecordFile { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("tuned.json")
    }

    pub(super) fn exists(&self) -> bool {
        self.path().exists()
    }

    /// Takes the lock, unless another process holds it.
    pub(super) fn lock(&self) -> Result<Lock, Error> {
        let path = self.folder.join("tuned.lock");
        let error = |source| Error::Record { action: "lock", path: path.clone(), source };
        fs::create_dir_all(&self.folder).map_err(error)?;
        let file = match OpenOptions::new().write(true).create(true).truncate(false).open(&path) {
            // Any user may find out whether the process of another one still runs.
            Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => File::open(&path),
            opened => opened,
        };
        let file = file.map_err(error)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { file }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse),
            Err(TryLockError::Error(source)) => Err(error(source)),
        }
    }

    /// Returns the record. `None` if there is none, or if it is of an earlier boot.
    pub(super) fn read(&self, boot: Option<&str>) -> Result<Option<Record>, Error> {
        let path = self.path();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| Error::Record { action: "read", path: path.clone(), source })?,
        };
        let record: Record = serde_json::from_str(&text).map_err(|source| Error::Damaged { path, source })?;
        Ok(Some(record).filter(|record| record.boot.as_deref() == boot))
    }

    /// Writes the record. It is on the disk when this returns.
    pub(super) fn write(&self, record: &Record) -> Result<(), Error> {
        let path = self.path();
        let error = |source| Error::Record { action: "write", path: path.clone(), source };
        let text = serde_json::to_string_pretty(record).map_err(io::Error::from).map_err(error)?;
        // A record is there as a whole or not at all.
        let next = self.folder.join("tuned.json.next");
        let mut file = File::create(&next).map_err(error)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(error)?;
        fs::rename(&next, &path).and_then(|()| sync_folder(&self.folder)).map_err(error)
    }

    /// Removes the record, if there is one.
    pub(super) fn remove(&self) -> Result<(), Error> {
        match fs::remove_file(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| sync_folder(&self.folder)).map_err(|source| Error::Record {
                action: "remove",
                path: self.path(),
                source,
            }),
        }
    }
}

/// Writes the names in a folder to the disk.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
