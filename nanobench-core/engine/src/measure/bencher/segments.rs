//! Segments of a sample: iterations between two readings of the clock.

use super::Bencher;
use crate::time::Ticks;
use std::mem;

/// Largest number of iterations that a warm-up precedes: the first of more has little weight.
const MAX_WARMED_ITERATIONS: u64 = 20;

impl Bencher {
    /// Lets an iteration that is not timed come first, unless there are many. A closure that uses memory
    /// for the first time in each sample waits for the system to provide it. A library with long
    /// samples hardly times that.
    pub fn warm_up(&mut self) {
        // The first call is reported, and counts are exact.
        self.warms_up =
            self.iterations <= MAX_WARMED_ITERATIONS && !self.needs_throughput && self.hooks.is_none();
    }

    /// Runs the hooks of a segment, right before the clock starts.
    #[inline(always)]
    pub(super) fn begin_segment(&mut self) {
        if let Some(hooks) = &mut self.hooks {
            hooks.begin_segment();
        }
    }

    /// Records a segment that was timed from `start` to `end`.
    #[inline(always)]
    pub(super) fn end_segment(&mut self, start: Ticks, end: Ticks) {
        if let Some(hooks) = &mut self.hooks {
            hooks.end_segment(start, end);
        }
        self.elapsed += end.since(start).0;
        self.segments += 1;
    }

    /// Reads the clock, right before the first iteration of a segment.
    #[inline(always)]
    pub fn start_clock(&self) -> Ticks {
        self.clock.start()
    }

    /// Ends the segment that began at `start`, right after its last iteration, and begins the next one.
    /// Returns its number of iterations, or 0 if none are left.
    #[inline(always)]
    pub fn next_segment(&mut self, start: Ticks) -> u64 {
        let end = self.clock.end();
        self.begin_next_segment(start, end)
    }

    // The callers of the next two methods are compiled for each benchmark, so the methods do
    // as much as possible.

    /// Begins the first segment of a loop. Returns its number of iterations, or 0 if there are none.
    #[inline(never)]
    pub fn first_segment(&mut self) -> u64 {
        self.remaining = self.iterations;
        if self.warms_up { 1 } else { self.begin_remaining() }
    }

    /// Ends a segment that was timed from `start` to `end`, and begins the next one. Returns its
    /// number of iterations, or 0 if none are left.
    #[inline(never)]
    pub(super) fn begin_next_segment(&mut self, start: Ticks, end: Ticks) -> u64 {
        if !mem::take(&mut self.warms_up) {
            self.end_segment(start, end);
        }
        self.begin_remaining()
    }

    fn begin_remaining(&mut self) -> u64 {
        let iterations = self.max_segment_iterations.min(self.remaining);
        self.remaining -= iterations;
        if iterations > 0 {
            self.begin_segment();
        }
        iterations
    }
}
