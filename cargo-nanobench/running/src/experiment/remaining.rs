//! The time and the suspicions that remain in a run, for its progress.

use std::time::Duration;

/// The time and the suspicions that remain in a run.
#[derive(Debug, Clone, Copy)]
pub struct Remaining {
    /// Estimated time until its end.
    pub time: Duration,
    /// Number of benchmarks in which a change is suspected, and neither confirmed nor dismissed.
    pub suspected: usize,
}

impl From<Duration> for Remaining {
    fn from(time: Duration) -> Remaining {
        Remaining { time, suspected: 0 }
    }
}
