//! Executables that a thread reads before they are needed.

use super::executable::Executable;
use crate::fingerprint::Fingerprint;
use iced_x86::{Decoder, DecoderOptions};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

/// The limit for the bytes of all executables. It takes about 1 ms to read a megabyte.
const MAX_BYTES: u64 = 8 << 20;

/// Executables that are read while cargo checks the build. Usually, it finds nothing to do, and the
/// benchmarks are in the same executables as before.
#[derive(Debug)]
pub(crate) struct EarlyExecutables(JoinHandle<Vec<KnownExecutable>>);

/// An executable that was read, with the fingerprint of its content.
#[derive(Debug)]
pub(crate) struct KnownExecutable {
    pub(super) fingerprint: Fingerprint,
    pub(super) executable: Executable,
}

impl EarlyExecutables {
    /// Starts to read files with these fingerprints, as many as the limit allows.
    pub(crate) fn start(files: Vec<(Fingerprint, PathBuf)>) -> EarlyExecutables {
        EarlyExecutables(thread::spawn(move || {
            crate::background::enter();
            let mut left = MAX_BYTES;
            let known = files.into_iter().filter_map(|(fingerprint, path)| {
                left = left.checked_sub(path.metadata().ok()?.len())?;
                Some(KnownExecutable { fingerprint, executable: Executable::read(&path)? })
            });
            let known: Vec<KnownExecutable> = known.collect();
            if !known.is_empty() {
                // The first decoder makes the tables of all.
                drop(Decoder::new(64, &[], DecoderOptions::NONE));
            }
            known
        }))
    }

    /// Waits for the executables.
    pub(crate) fn finish(self) -> Vec<KnownExecutable> {
        // A panic was printed already. Everything is read when it is needed then.
        self.0.join().unwrap_or_default()
    }
}
