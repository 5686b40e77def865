//! Errors of the operating system while the store is read or written.

use nanobench::report::escape;
use std::io;
use std::path::{Path, PathBuf};

/// An operation that the operating system refused.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {reason}\n{}", escape(&.path.to_string_lossy()), advice(.reason))]
pub struct IoError {
    /// The operation: `write`, `copy`.
    pub(super) action: &'static str,
    path: PathBuf,
    reason: io::Error,
}

/// Adds the operation and its path to an error of the operating system.
pub(super) trait IoContext<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, IoError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, IoError> {
        self.map_err(|reason| IoError { action, path: path.to_owned(), reason })
    }
}

fn advice(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or name another target directory: --target-dir DIR"
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            "it may belong to another user, such as root after a run with sudo\nmake it writable (sudo chown, chmod), \
             or name another target directory: --target-dir DIR"
        }
        _ => "repair it, or name another target directory: --target-dir DIR",
    }
}
