//! The number of bytes that may be decompressed from an archive. It is granted for one part at a
//! time, so that no reader can take more memory, time or disk space than that part may need.

use super::archive::ArchiveFlaw;
use flate2::read::GzDecoder;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::rc::Rc;
use tar::{Archive, Entries, Entry};

/// The limit for the header of an entry, with the padding before it and with a long name, which the
/// reader keeps in memory.
const HEADER: u64 = 16 << 10;
/// Entries are padded to multiples of this many bytes.
const BLOCK: u64 = 512;

/// The kind of the error of a reader whose allowance is used up. Those who wrap errors keep their kinds.
const EXCEEDED: io::ErrorKind = io::ErrorKind::FileTooLarge;

/// The bytes that may still be decompressed.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance(Rc<Cell<u64>>);

/// A decompressed file that fails when the allowance is used up.
pub(super) struct Decompressed {
    decoder: GzDecoder<BufReader<File>>,
    allowance: Allowance,
}

impl Allowance {
    /// Opens a compressed archive that can be read as far as is allowed.
    pub(super) fn archive(&self, file: File) -> Archive<Decompressed> {
        let decoder = GzDecoder::new(BufReader::new(file));
        Archive::new(Decompressed { decoder, allowance: self.clone() })
    }

    /// Reads the next header.
    pub(super) fn next<'a, R: Read>(
        &self,
        entries: &mut Entries<'a, R>,
    ) -> Result<Option<Entry<'a, R>>, ArchiveFlaw> {
        self.allow(HEADER);
        Ok(entries.next().transpose()?)
    }

    /// Allows this many bytes and their padding, in place of what was allowed before.
    pub(super) fn allow(&self, bytes: u64) {
        self.0.set(bytes.saturating_add(BLOCK));
    }
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowance = &self.allowance.0;
        let length = buffer.len().min(usize::try_from(allowance.get()).unwrap_or(usize::MAX));
        if length == 0 && !buffer.is_empty() {
            return Err(io::Error::new(EXCEEDED, "it is larger than allowed"));
        }
        let read = self.decoder.read(&mut buffer[..length])?;
        allowance.set(allowance.get() - read as u64);
        Ok(read)
    }
}

/// Returns whether reading failed because the allowance was used up.
pub(super) fn is_exceeded(error: &io::Error) -> bool {
    error.kind() == EXCEEDED
}
