//! `TimeControl`: pausing the clock from within a benchmark.

use super::segment_hooks::SegmentHooks;
use crate::time::{Clock, Ticks};

/// Pauses and resumes the clock from within a benchmark, to leave parts of it out of the timing.
///
/// A benchmark gets one as a parameter of type `&mut TimeControl`. Each call starts with the clock
/// running.
///
/// The cost of pausing is calibrated and subtracted from the result, up to a remainder of a few
/// nanoseconds for each pause. So don't pause around a few nanoseconds of work: give the function a
/// `count` and loop instead.
///
/// ```
/// use nanobench::{TimeControl, nanobench};
/// use std::collections::HashMap;
/// use std::hint::black_box;
///
/// #[nanobench(count = 1_000)]
/// fn remove(count: usize, tc: &mut TimeControl) {
///     tc.pause();
///     let mut map: HashMap<_, _> = (0..count).map(|i| (i, i.to_string())).collect();
///     tc.resume();
///     for i in 0..count {
///         black_box(map.remove(&i));
///     }
/// }
/// ```
#[derive(Debug)]
pub struct TimeControl {
    clock: Clock,
    /// Start of the current segment; `None` while paused.
    segment_start: Option<Ticks>,
    pub(super) total: SegmentTotals,
    /// `total` at the beginning of the iteration.
    before: SegmentTotals,
    pub(super) hooks: Option<Box<SegmentHooks>>,
}

/// Time with the clock running, and number of segments.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SegmentTotals {
    pub(super) elapsed: u64,
    pub(super) segments: u64,
}

impl TimeControl {
    /// Creates a paused control.
    #[inline]
    pub(super) fn new(clock: Clock, hooks: Option<Box<SegmentHooks>>) -> TimeControl {
        TimeControl {
            clock,
            segment_start: None,
            total: SegmentTotals::default(),
            before: SegmentTotals::default(),
            hooks,
        }
    }

    /// Stops the clock. Does nothing if it is stopped already.
    #[inline]
    pub fn pause(&mut self) {
        if let Some(start) = self.segment_start.take() {
            let end = self.clock.end();
            if let Some(hooks) = &mut self.hooks {
                hooks.after_clock();
            }
            self.total.elapsed += end.since(start).0;
            self.total.segments += 1;
        }
    }

    /// Starts the clock again. Does nothing if it is running.
    ///
    /// In rows with cold caches, it empties them first: what the function did during the pause,
    /// such as making its input, would be warm.
    #[inline]
    pub fn resume(&mut self) {
        if self.segment_start.is_none() {
            if let Some(hooks) = &mut self.hooks {
                hooks.empty_caches();
            }
            self.start();
        }
    }

    /// Empties the caches, outside the timing. Does nothing in rows with warm caches. It is for
    /// functions that loop over an operation: without it, only the first one of a call is cold.
    ///
    /// ```
    /// # use nanobench::{TimeControl, nanobench};
    /// #[nanobench(count = 10, cache = "both")]
    /// fn sum(count: u64, tc: &mut TimeControl) {
    ///     let numbers: Vec<u64> = (0..10_000).collect();
    ///     for _ in 0..count {
    ///         tc.empty_caches();
    ///         std::hint::black_box(numbers.iter().sum::<u64>());
    ///     }
    /// }
    /// ```
    #[inline]
    pub fn empty_caches(&mut self) {
        // Nothing to do: the timing isn't interrupted.
        if self.hooks.as_ref().is_none_or(|hooks| hooks.preparation.caches.is_none()) {
            return;
        }
        if self.segment_start.is_some() {
            self.pause();
            self.resume();
        } else if let Some(hooks) = &mut self.hooks {
            hooks.empty_caches();
        }
    }

    /// Starts the clock, which is stopped.
    #[inline]
    fn start(&mut self) {
        if let Some(hooks) = &mut self.hooks {
            hooks.before_clock();
        }
        self.segment_start = Some(self.clock.start());
    }

    /// Discards the time of this call so far. A running clock keeps running, and a paused one stays
    /// paused.
    #[inline]
    pub fn reset(&mut self) {
        let was_running = self.segment_start.is_some();
        self.pause();
        self.total = self.before;
        if let Some(hooks) = &mut self.hooks {
            hooks.reset_iteration();
        }
        if was_running {
            self.resume();
        }
    }

    /// Runs `work` outside the timing and returns its value. If the clock is paused, it stays
    /// paused.
    #[inline]
    pub fn exclude<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let was_running = self.segment_start.is_some();
        self.pause();
        let value = work();
        if was_running {
            self.resume();
        }
        value
    }

    /// Starts the clock for the next iteration.
    #[inline]
    pub(crate) fn begin_iteration(&mut self) {
        self.before = self.total;
        if let Some(hooks) = &mut self.hooks {
            hooks.prepare_iteration();
        }
        self.start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted::{advance, set_read_cost};

    /// Elapsed ticks and segments of one iteration of `work`.
    fn timed(work: impl FnOnce(&mut TimeControl)) -> (u64, u64) {
        set_read_cost(0);
        let mut control = TimeControl::new(Clock::Scripted, None);
        control.begin_iteration();
        work(&mut control);
        control.pause();
        (control.total.elapsed, control.total.segments)
    }

    #[test]
    fn a_pause_is_left_out() {
        assert_eq!(
            timed(|tc| {
                advance(1);
                tc.pause();
                advance(10);
                tc.resume();
                advance(100);
            }),
            (101, 2)
        );
    }

    #[test]
    fn pausing_or_resuming_twice_does_nothing() {
        assert_eq!(
            timed(|tc| {
                tc.resume();
                advance(1);
                tc.pause();
                tc.pause();
                advance(10);
                tc.resume();
                tc.resume();
                advance(100);
            }),
            (101, 2)
        );
    }

    #[test]
    fn an_iteration_may_end_paused() {
        assert_eq!(
            timed(|tc| {
                advance(1);
                tc.pause();
                advance(10);
            }),
            (1, 1)
        );
    }

    #[test]
    fn reset_forgets_this_iteration_only() {
        set_read_cost(0);
        let mut control = TimeControl::new(Clock::Scripted, None);
        for _ in 0..3 {
            control.begin_iteration();
            advance(10);
            control.pause();
            control.resume();
            advance(10);
            control.reset();
            advance(7);
            control.pause();
        }
        assert_eq!((control.total.elapsed, control.total.segments), (21, 3));
    }

    #[test]
    fn reset_within_a_pause_stays_paused() {
        assert_eq!(
            timed(|tc| {
                advance(1);
                tc.pause();
                tc.reset();
                advance(10);
                tc.resume();
                advance(100);
            }),
            (100, 1)
        );
    }

    #[test]
    fn exclude_returns_the_value_and_respects_a_pause() {
        assert_eq!(
            timed(|tc| {
                advance(1);
                let value = tc.exclude(|| {
                    advance(10);
                    7
                });
                advance(value);
                tc.pause();
                tc.exclude(|| advance(10));
                advance(10);
            }),
            (8, 2)
        );
    }
}
