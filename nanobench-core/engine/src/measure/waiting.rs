//! The time that a sample waits while another program has its processor.

use super::{Bencher, Engine, Timing};
use crate::counters::Waits;
use crate::time::Ticks;

/// The state before a sample.
#[derive(Debug)]
pub(super) struct Waiting {
    begin: Ticks,
    waits: Waits,
}

impl Waiting {
    /// Begins before a sample. `None` if the system doesn't tell how long a thread waits.
    pub(super) fn begin(engine: &Engine) -> Option<Waiting> {
        let begin = engine.now();
        Some(Waiting { begin, waits: engine.waits()? })
    }

    /// Ends after the sample that `bencher` took. Returns by how much other programs certainly
    /// extended the time of the sample, in ns. `None` if that is unknown.
    ///
    /// The system doesn't tell when within the sample the thread waited. It may have waited outside
    /// the timing, at most as long as all of that took; and for other threads of this process or
    /// for its children, whose work is the benchmark's own, at most for as long as they ran.
    pub(super) fn end(self, engine: &Engine, bencher: &Bencher) -> Option<u64> {
        let after = engine.waits()?;
        let wall_time = engine.nanoseconds(engine.now().since(self.begin));
        // A clock of the benchmark's own need not show the waiting time.
        if bencher.timing == Timing::Manual {
            return None;
        }
        let elapsed = engine.nanoseconds(bencher.elapsed());
        let untimed = (wall_time - elapsed).max(0.0);
        let waited = after.waited.saturating_sub(self.waits.waited) as f64;
        let others = after.other_cpu_time.saturating_sub(self.waits.other_cpu_time) as f64;
        Some((waited - untimed - others).clamp(0.0, elapsed) as u64)
    }
}
