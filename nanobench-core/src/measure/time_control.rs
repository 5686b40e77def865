//! `TimeControl`: what a benchmark leaves out of its own timing.

use super::segment_hooks::SegmentHooks;
use crate::time::{Clock, Ticks};

/// Stops and starts the clock from within a benchmark, to leave out what is not to be measured.
///
/// Its own cost is calibrated and taken out of the figure. What is left of it after that is some ns a pause, so a
/// pause around work of a few ns measures the clock: give the function a `count` and loop instead.
///
/// ```
/// use nanobench::{TimeControl, nanobench};
/// use std::hint::black_box;
///
/// #[nanobench(count = 1_000)]
/// fn remove(count: usize, tc: &mut TimeControl) {
///     tc.pause();
///     let mut map: std::collections::HashMap<_, _> = (0..count).map(|i| (i, i.to_string())).collect();
///     tc.resume();
///     for i in 0..count {
///         black_box(map.remove(&i));
///     }
/// }
/// ```
#[derive(Debug)]
pub struct TimeControl {
    clock: Clock,
    /// When the running segment began; `None` while paused.
    since: Option<Ticks>,
    total: Account,
    /// `total` when the iteration began.
    before: Account,
    around: Option<Box<SegmentHooks>>,
}

/// Time with the clock running, and in how many segments.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    elapsed: u64,
    segments: u64,
}

impl TimeControl {
    /// A control whose clock stands still.
    pub(super) fn new(clock: Clock, around: Option<Box<SegmentHooks>>) -> TimeControl {
        TimeControl { clock, since: None, total: Account::default(), before: Account::default(), around }
    }

    /// Stops the clock. Does nothing where it is stopped already.
    #[inline]
    pub fn pause(&mut self) {
        if let Some(since) = self.since.take() {
            let end = self.clock.end();
            if let Some(around) = &mut self.around {
                around.stop();
            }
            self.total.elapsed += end.since(since).0;
            self.total.segments += 1;
        }
    }

    /// Starts the clock again. Does nothing where it runs. An iteration begins with the clock running.
    #[inline]
    pub fn resume(&mut self) {
        if self.since.is_none() {
            if let Some(around) = &mut self.around {
                around.start();
            }
            self.since = Some(self.clock.start());
        }
    }

    /// Forgets what this iteration has been timed for until now. A running clock runs on, a paused one
    /// stays paused.
    #[inline]
    pub fn reset(&mut self) {
        let running = self.since.is_some();
        self.pause();
        self.total = self.before;
        if let Some(around) = &mut self.around {
            around.forget();
        }
        if running {
            self.resume();
        }
    }

    /// Runs `work` outside the timing and returns its value. Within a pause the pause goes on afterwards.
    #[inline]
    pub fn exclude<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let running = self.since.is_some();
        self.pause();
        let value = work();
        if running {
            self.resume();
        }
        value
    }

    /// Starts the clock for the next iteration.
    #[inline]
    pub(crate) fn begin_iteration(&mut self) {
        self.before = self.total;
        if let Some(around) = &mut self.around {
            around.ready();
        }
        self.resume();
    }

    /// Gives back what it was made with.
    pub(super) fn into_around(self) -> Option<Box<SegmentHooks>> {
        self.around
    }

    /// Time with the clock running, up to the last pause.
    pub(crate) fn elapsed(&self) -> Ticks {
        Ticks(self.total.elapsed)
    }

    /// How often the clock ran, up to the last pause.
    pub(crate) fn segments(&self) -> u64 {
        self.total.segments
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
        (control.elapsed().0, control.segments())
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
        assert_eq!((control.elapsed(), control.segments()), (Ticks(21), 3));
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
