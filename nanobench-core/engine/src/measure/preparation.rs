//! Work before each iteration, outside the timing.

use super::Caches;
use std::time::{Duration, Instant};

/// Smallest and largest number of segments that are timed to find their cost.
const MIN_BATCHES: u64 = 7;
const MAX_BATCHES: u64 = 51;
/// Bytes to write for that with cold caches, which takes about 0.1 s.
const CALIBRATION_BYTES: u64 = 1 << 29;
/// Time that other code may take for that.
const CALIBRATION_TIME: Duration = Duration::from_millis(100);

/// Work before each iteration.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Preparation {
    /// Other code, as of the program that runs between two calls.
    pub(crate) between: Option<fn()>,
    /// Caches to empty after that.
    pub(crate) caches: Option<&'static Caches>,
}

impl Preparation {
    /// Returns whether there is anything to do.
    pub(crate) fn is_some(&self) -> bool {
        self.between.is_some() || self.caches.is_some()
    }

    /// Returns whether both leave the processor in the same state.
    pub(super) fn is_same(&self, other: &Preparation) -> bool {
        let size = |of: &Preparation| of.caches.map(Caches::size);
        let address = |of: &Preparation| of.between.map(|between| between as usize);
        size(self) == size(other) && address(self) == address(other)
    }

    /// Returns the number of segments to time for their cost.
    pub(super) fn batches(&self) -> usize {
        let of_caches = self.caches.map_or(MAX_BATCHES, |caches| CALIBRATION_BYTES / caches.size().max(1));
        let of_code = self.between.map_or(MAX_BATCHES, |between| {
            let begin = Instant::now();
            between();
            (CALIBRATION_TIME.as_nanos() / begin.elapsed().as_nanos().max(1)) as u64
        });
        of_caches.min(of_code).clamp(MIN_BATCHES, MAX_BATCHES) as usize
    }
}
