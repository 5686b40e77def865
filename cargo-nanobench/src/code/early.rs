//! Stored executables that a thread checks and reads before they are needed.

use super::executable::Executable;
use crate::baseline::{IntactCopy, StoredCopy};
use iced_x86::{Decoder, DecoderOptions};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The limit for the bytes of all executables whose machine code is read. That of a megabyte takes
/// about 1 ms.
const MAX_BYTES: u64 = 8 << 20;
/// The time after which cargo most probably builds something, so that the code will be compared with that
/// of another executable. To decode a megabyte takes another 3 ms.
const DECODING_DELAY: Duration = Duration::from_millis(30);

/// Executables that are checked and read while cargo checks the build. Usually, it finds nothing to do,
/// and the benchmarks are in the same executables as before.
#[derive(Debug)]
pub(crate) struct EarlyExecutables {
    intact: Receiver<Vec<IntactCopy>>,
    machine_code: EarlyMachineCode,
}

/// The machine code of intact executables, which may not be read yet.
#[derive(Debug)]
pub(crate) struct EarlyMachineCode {
    known: JoinHandle<Vec<EarlyExecutable>>,
    /// Dropped once the build has ended.
    building: Sender<()>,
}

/// A copy of an executable that was read.
#[derive(Debug)]
pub(crate) struct EarlyExecutable {
    pub(super) copy: IntactCopy,
    pub(super) executable: Executable,
}

impl EarlyExecutables {
    /// Starts to check copies, and to read the machine code of as many as the limit allows.
    pub(crate) fn start(copies: Vec<StoredCopy>) -> EarlyExecutables {
        let (sender, intact) = mpsc::channel();
        let (building, is_building) = mpsc::channel();
        let known = thread::spawn(move || {
            crate::background::enter();
            let copies: Vec<IntactCopy> = copies.into_iter().filter_map(StoredCopy::into_intact).collect();
            // Nobody may be waiting any more.
            drop(sender.send(copies.clone()));
            let mut left = MAX_BYTES;
            let known = copies.into_iter().filter_map(|copy| {
                left = left.checked_sub(copy.path.metadata().ok()?.len())?;
                Some(EarlyExecutable { executable: Executable::read(&copy.path)?, copy })
            });
            let known: Vec<EarlyExecutable> = known.collect();
            if !known.is_empty() {
                // The first decoder makes the tables of all.
                drop(Decoder::new(64, &[], DecoderOptions::NONE));
            }
            if is_building.recv_timeout(DECODING_DELAY) == Err(RecvTimeoutError::Timeout) {
                known.iter().for_each(|early| early.executable.decode());
            }
            known
        });
        EarlyExecutables { intact, machine_code: EarlyMachineCode { known, building } }
    }

    /// Waits for the copies that were found to be intact. Their machine code may take longer.
    pub(crate) fn intact_copies(self) -> (Vec<IntactCopy>, EarlyMachineCode) {
        // A panic was printed already. Without copies, stored figures are compared.
        (self.intact.recv().unwrap_or_default(), self.machine_code)
    }
}

impl EarlyMachineCode {
    /// Waits for the machine code.
    pub(crate) fn finish(self) -> Vec<EarlyExecutable> {
        drop(self.building);
        // A panic was printed already. Everything is read when it is needed then.
        self.known.join().unwrap_or_default()
    }
}
