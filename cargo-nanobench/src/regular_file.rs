//! Reading of files that should be small, and may be anything.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Reads at most `limit` bytes of a file. Opening a pipe would wait for its writer, and a device may
/// be endless, so both are errors.
pub(crate) fn read(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
