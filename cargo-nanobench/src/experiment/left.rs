//! What is left of a run, for its progress.

use std::time::Duration;

/// What is left of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Left {
    /// Estimated time until its end.
    pub(crate) time: Duration,
    /// Number of benchmarks in which a change is suspected, and neither confirmed nor dismissed.
    pub(crate) suspected: usize,
}

impl From<Duration> for Left {
    fn from(time: Duration) -> Left {
        Left { time, suspected: 0 }
    }
}
