//! The evidence of the last comparison, with which `--more` goes on.

use super::io_error::IoContext as _;
use super::{Error, IoError, LockedStore, Store, layout};
use crate::regular_file;
use serde::{Serialize, de::DeserializeOwned};
use std::fs;
use std::io::{self, BufWriter, Write as _};
use tempfile::NamedTempFile;

/// The limit for the size of the file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

impl Store {
    /// Returns the evidence of the last comparison; `None` without one that this version can read.
    pub(crate) fn evidence<T: DeserializeOwned>(&self) -> Option<T> {
        let text = regular_file::read(&self.root().join(layout::EVIDENCE), MAX_BYTES).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

impl LockedStore<'_> {
    /// Keeps the evidence of a comparison in place of that of the last one.
    pub(crate) fn keep_evidence(&self, evidence: &impl Serialize) -> Result<(), IoError> {
        let path = self.store.root().join(layout::EVIDENCE);
        let write = || -> io::Result<()> {
            let mut file = NamedTempFile::new_in(self.store.root())?;
            let mut buffer = BufWriter::new(&mut file);
            serde_json::to_writer(&mut buffer, evidence)?;
            buffer.flush()?;
            drop(buffer);
            file.persist(&path)?;
            Ok(())
        };
        write().context("write", &path)
    }

    /// Deletes the evidence of the last comparison: another one has taken place.
    pub(crate) fn drop_evidence(&self) -> Result<(), Error> {
        let path = self.store.root().join(layout::EVIDENCE);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context("delete", &path)?,
            _ => {}
        }
        Ok(())
    }
}
