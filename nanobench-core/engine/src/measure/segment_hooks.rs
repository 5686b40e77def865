//! Work around the segments of a sample, in addition to reading the clock. Most benchmarks have
//! none.

use super::Counting;
use super::barrier::SpinBarrier;
use super::coverage::Span;
use super::preparation::Preparation;
use crate::time::Ticks;
use std::sync::Arc;

/// Work before the clock starts and after it stops.
#[derive(Debug, Default)]
pub(super) struct SegmentHooks {
    /// Work before each segment.
    pub(super) preparation: Preparation,
    /// Barrier of the threads that run at once.
    pub(super) barrier: Option<Arc<SpinBarrier>>,
    /// Counters that run while the clock would.
    pub(super) counting: Option<Counting>,
    /// All segments so far, recorded only for threads that run at once.
    pub(super) spans: Vec<Span>,
    /// Time spent at the barrier, in ticks.
    pub(super) waited: u64,
}

// All methods are cold: the timed code around them usually doesn't call them.
impl SegmentHooks {
    /// Prepares one iteration that a `TimeControl` times, or a segment of several iterations.
    #[cold]
    pub(super) fn prepare_iteration(&mut self) {
        if let Some(between) = self.preparation.between {
            between();
        }
        self.empty_caches();
        if let Some(counting) = &mut self.counting {
            counting.begin_iteration();
        }
        if let Some(barrier) = &self.barrier {
            self.waited += barrier.wait().0;
        }
    }

    /// Empties the caches if they should be cold.
    #[cold]
    pub(super) fn empty_caches(&self) {
        if let Some(caches) = self.preparation.caches {
            caches.empty();
        }
    }

    /// Runs right before the clock starts.
    #[cold]
    pub(super) fn before_clock(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.start();
        }
    }

    /// Runs right after the clock has stopped.
    #[cold]
    pub(super) fn after_clock(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.stop();
        }
    }

    /// Begins a segment that no `TimeControl` interrupts.
    #[cold]
    pub(super) fn begin_segment(&mut self) {
        self.prepare_iteration();
        self.before_clock();
    }

    /// Ends a segment that no `TimeControl` interrupts, timed from `start` to `end`.
    #[cold]
    pub(super) fn end_segment(&mut self, start: Ticks, end: Ticks) {
        self.after_clock();
        if self.barrier.is_some() {
            self.spans.push((start, end));
        }
    }

    /// Discards the counts of this iteration so far. The clock is stopped.
    #[cold]
    pub(super) fn reset_iteration(&mut self) {
        if let Some(counting) = &mut self.counting {
            counting.reset_iteration();
        }
    }
}
