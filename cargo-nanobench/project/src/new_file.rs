//! New files that take their place once they are complete.

use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// The start of the names of files that are not complete.
pub const PREFIX: &str = ".nanobench-";

/// Creates a file in a folder, with the permissions of any new file. Those of temporary files would be
/// private.
pub fn create_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
