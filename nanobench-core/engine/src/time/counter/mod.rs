//! The processor's own counter of time: the TSC of x86-64, or the virtual counter of aarch64.
//!
//! A reading takes a few instructions instead of a call of the operating system's clock. The
//! counter is used only if it counts at a constant frequency, independently of the core's state.
//! That frequency is measured with the operating system's clock.

// Miri has no assembler.
#[cfg_attr(all(target_arch = "x86_64", not(miri)), path = "x86_64.rs")]
#[cfg_attr(all(target_arch = "aarch64", not(miri)), path = "aarch64.rs")]
#[cfg_attr(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))), path = "none.rs")]
mod arch;

use super::Ticks;
use super::os::OsClock;
use crate::stats;

/// The counter of this processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    /// Ticks per second.
    frequency: f64,
}

/// Number and length (in ns) of the windows in which the frequency is measured.
const WINDOWS: usize = 5;
const WINDOW_TIME: u64 = 200_000;
/// Largest relative difference of a window from the median. The frequency is measured to about 2e-4
/// in a window.
const MAX_DEVIATION: f64 = 0.005;

impl Counter {
    /// The name of the counter in reports.
    pub(crate) const NAME: &'static str = arch::NAME;

    /// Returns the counter of this processor, and measures its frequency in about 1 ms. The error
    /// is the reason why the counter can't be used.
    pub(crate) fn new() -> Result<Counter, &'static str> {
        arch::check()?;
        let clock = OsClock::new();
        let mut before = read_both(&clock);
        let mut frequencies = [0.0; WINDOWS];
        for frequency in &mut frequencies {
            let mut after = read_both(&clock);
            while after.1.since(before.1).0 < WINDOW_TIME {
                after = read_both(&clock);
            }
            *frequency = after.0.since(before.0).0 as f64 * 1e9 / after.1.since(before.1).0 as f64;
            before = after;
        }
        let frequency = stats::median(&frequencies);
        // A preemption between the two readings of a pair spoils two windows. The others have to
        // agree.
        let is_steady = |&window: &&f64| (window / frequency - 1.0).abs() < MAX_DEVIATION;
        let agreeing = frequencies.iter().filter(is_steady).count();
        let is_usable = agreeing * 2 > WINDOWS;
        is_usable
            .then_some(Counter { frequency })
            .ok_or("its frequency varies compared with the operating system's clock")
    }

    /// Returns the counter of this processor, with a frequency that another process has measured.
    pub(crate) fn known(frequency: f64) -> Option<Counter> {
        (arch::check().is_ok() && frequency > 0.0).then_some(Counter { frequency })
    }

    /// Returns the frequency, in ticks per second.
    pub(crate) fn frequency(&self) -> f64 {
        self.frequency
    }

    /// Reads the counter before the timed code. Nothing that follows starts before the reading.
    #[inline]
    pub(crate) fn start(&self) -> Ticks {
        Ticks(arch::start())
    }

    /// Reads the counter after the timed code. Everything before has ended by then.
    #[inline]
    pub(crate) fn end(&self) -> Ticks {
        Ticks(arch::end())
    }
}

/// Reads the counter and the operating system's clock at the same time: the closest of a few pairs.
fn read_both(clock: &OsClock) -> (Ticks, Ticks) {
    let (mut closest, mut pair) = (Ticks(u64::MAX), (Ticks(0), Ticks(0)));
    for _ in 0..5 {
        let before = Ticks(arch::start());
        let now = clock.now();
        let distance = Ticks(arch::end()).since(before);
        if distance < closest {
            (closest, pair) = (distance, (Ticks(before.0 + distance.0 / 2), now));
        }
    }
    pair
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_advances_if_there_is_one() {
        if let Ok(counter) = Counter::new() {
            let start = counter.start();
            while counter.end().since(start).0 == 0 {}
            assert!(counter.frequency() > 1e6, "{counter:?}");
        }
    }
}
