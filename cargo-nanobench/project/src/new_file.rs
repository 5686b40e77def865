//! New files that take their place once they are complete.

use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Creates a file in a folder, with the permissions of any new file. Those of temporary files would be
/// private.
pub fn create_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".nanobench-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
