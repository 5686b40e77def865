//! What goes on around the segments of an order, beside reading the clock: nothing for most.

use super::threads::SpinBarrier;
use super::{Caches, Counting};
use crate::time::Ticks;
use std::sync::Arc;

/// What is done before and after the clock runs.
#[derive(Debug, Default)]
pub(super) struct SegmentHooks {
    /// Emptied before each iteration.
    pub(super) caches: Option<&'static Caches>,
    /// Where the threads that run at once wait for one another.
    pub(super) meeting: Option<Arc<SpinBarrier>>,
    /// Counts while the clock runs.
    pub(super) counting: Option<Counting>,
    /// From when to when each segment went, where there is a meeting before it.
    pub(super) segments: Vec<(Ticks, Ticks)>,
    /// How long that waiting took.
    pub(super) waited: u64,
}

// All of these stand beside timed code that most often has no use for them.
impl SegmentHooks {
    /// Before the clock starts for an iteration, or for all of them.
    #[cold]
    pub(super) fn ready(&mut self) {
        if let Some(caches) = self.caches {
            caches.empty();
        }
        if let Some(counting) = &mut self.counting {
            counting.begin_iteration();
        }
        if let Some(meeting) = &self.meeting {
            self.waited += meeting.wait().0;
        }
    }

    /// The same, with the start itself.
    #[cold]
    pub(super) fn begin(&mut self) {
        self.ready();
        self.start();
    }

    /// The clock is about to start.
    #[cold]
    pub(super) fn start(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.start();
        }
    }

    /// The clock has stopped.
    #[cold]
    pub(super) fn stop(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.stop();
        }
    }

    /// The clock has run from `start` to `end`, for calls that no `TimeControl` interrupts.
    #[cold]
    pub(super) fn end(&mut self, start: Ticks, end: Ticks) {
        self.stop();
        if self.meeting.is_some() {
            self.segments.push((start, end));
        }
    }

    /// What this iteration has done until now counts for nothing. The clock is stopped.
    #[cold]
    pub(super) fn forget(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.forget();
        }
    }
}
