//! Files whose place may hold anything else, such as a pipe.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a file. Opening a pipe would wait for its writer, and a device may be endless, so both are
/// errors.
pub fn open(file: &Path) -> io::Result<File> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(file)
}

/// Reads at most `limit` bytes of a file that [`open`] opens.
pub fn read(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(file)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
