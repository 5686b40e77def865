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
use std::sync::OnceLock;

/// The counter of this processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    /// Ticks per second.
    frequency: f64,
}

/// Number and length (in ns) of the windows in which the frequency is measured.
const WINDOWS: usize = 5;
const WINDOW_TIME: u64 = 200_000;
/// The least time since a first reading (in ns) that tells the frequency better than the windows do,
/// although that may have been a bad reading.
const LONG_TIME: u64 = 10_000_000;
/// Largest relative difference of a window from the frequency, which is measured to about 2e-4 in a
/// window.
const MAX_DEVIATION: f64 = 0.005;

/// A measurement of the counter's frequency that has begun.
#[derive(Debug)]
pub(crate) struct FrequencyMeasurement {
    clock: OsClock,
    /// The error is the reason why the counter can't be used.
    first: Result<Reading, &'static str>,
}

/// A reading of the counter and of the operating system's clock at the same time.
#[derive(Debug, Clone, Copy)]
struct Reading {
    counter: Ticks,
    /// In ns.
    os: Ticks,
}

impl FrequencyMeasurement {
    /// Takes the first reading.
    pub(crate) fn begin() -> FrequencyMeasurement {
        let clock = OsClock::new();
        FrequencyMeasurement { clock, first: check().map(|()| Reading::take(&clock)) }
    }

    /// Returns the counter. That takes 0.2 ms if the measurement began at least 10 ms ago, and about
    /// 1 ms otherwise. The error is the reason why the counter can't be used.
    pub(crate) fn end(&self) -> Result<Counter, &'static str> {
        let first = self.first?;
        self.over_long_time(first).map_or_else(|| self.over_windows(), Ok)
    }

    /// Returns the counter with its frequency since the first reading. `None` if that isn't long ago,
    /// or if the frequency is another one now.
    fn over_long_time(&self, first: Reading) -> Option<Counter> {
        let now = Reading::take(&self.clock);
        if now.os.since(first.os).0 < LONG_TIME {
            return None;
        }
        let frequency = now.frequency_since(first);
        let (window, _) = self.window(now);
        agree(window, frequency).then_some(Counter { frequency })
    }

    /// Returns the counter with its frequency in several short windows from now on.
    fn over_windows(&self) -> Result<Counter, &'static str> {
        let mut begin = Reading::take(&self.clock);
        let mut windows = [0.0; WINDOWS];
        for window in &mut windows {
            (*window, begin) = self.window(begin);
        }
        let frequency = stats::median(&windows);
        // A preemption between the two clocks of a reading spoils two windows. The others have to
        // agree.
        let agreeing = windows.iter().filter(|&&window| agree(window, frequency)).count();
        let is_usable = agreeing * 2 > WINDOWS;
        is_usable
            .then_some(Counter { frequency })
            .ok_or("its frequency varies compared with the operating system's clock")
    }

    /// Returns the frequency in a window, and the reading at its end.
    fn window(&self, begin: Reading) -> (f64, Reading) {
        loop {
            let end = Reading::take(&self.clock);
            if end.os.since(begin.os).0 >= WINDOW_TIME {
                return (end.frequency_since(begin), end);
            }
        }
    }
}

impl Reading {
    /// Reads both clocks: the closest of a few pairs of readings.
    fn take(clock: &OsClock) -> Reading {
        let (mut closest, mut reading) = (Ticks(u64::MAX), Reading { counter: Ticks(0), os: Ticks(0) });
        for _ in 0..5 {
            let before = Ticks(arch::start());
            let os = clock.now();
            let distance = Ticks(arch::end()).since(before);
            if distance < closest {
                (closest, reading) = (distance, Reading { counter: Ticks(before.0 + distance.0 / 2), os });
            }
        }
        reading
    }

    /// Returns the frequency of the counter since an earlier reading, in ticks per second.
    fn frequency_since(self, earlier: Reading) -> f64 {
        self.counter.since(earlier.counter).0 as f64 * 1e9 / self.os.since(earlier.os).0 as f64
    }
}

/// Returns the processor's family and model. `None` on architectures other than x86-64.
pub(crate) fn family_and_model() -> Option<(u32, u32)> {
    arch::family_and_model()
}

/// Checks whether the counter can be used, once in a process: in a virtual machine, each question to
/// the processor goes to the host.
fn check() -> Result<(), &'static str> {
    static CHECKED: OnceLock<Result<(), &'static str>> = OnceLock::new();
    *CHECKED.get_or_init(arch::check)
}

/// Returns whether a window may have been measured while the counter had this frequency.
fn agree(window: f64, frequency: f64) -> bool {
    (window / frequency - 1.0).abs() < MAX_DEVIATION
}

impl Counter {
    /// The name of the counter in reports.
    pub(crate) const NAME: &'static str = arch::NAME;

    /// Returns the counter of this processor, with a frequency that another process has measured.
    pub(crate) fn known(frequency: f64) -> Option<Counter> {
        (check().is_ok() && frequency > 0.0).then_some(Counter { frequency })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_advances_if_there_is_one() {
        if let Ok(counter) = FrequencyMeasurement::begin().end() {
            let start = counter.start();
            while counter.end().since(start).0 == 0 {}
            assert!(counter.frequency() > 1e6, "{counter:?}");
        }
    }

    /// Begins a measurement, and waits until it is long.
    fn long_measurement() -> FrequencyMeasurement {
        let measurement = FrequencyMeasurement::begin();
        std::thread::sleep(std::time::Duration::from_nanos(LONG_TIME));
        measurement
    }

    #[test]
    fn a_long_measurement_finds_the_frequency_that_windows_find() {
        let measurement = long_measurement();
        let (Ok(first), Ok(counter)) = (measurement.first, measurement.over_windows()) else { return };
        // Preemptions spoil single readings.
        let mut long = std::iter::repeat_with(|| measurement.over_long_time(first)).take(50).flatten();
        assert!(long.any(|long| agree(long.frequency, counter.frequency)), "{counter:?}");
    }

    #[test]
    fn a_frequency_that_is_not_that_of_now_is_not_taken() {
        let measurement = long_measurement();
        let (Ok(first), Ok(_)) = (measurement.first, measurement.over_windows()) else { return };
        // As if the counter had been 2 % faster before.
        let elapsed = Reading::take(&measurement.clock).counter.since(first.counter).0;
        let faster = Reading { counter: Ticks(first.counter.0 - elapsed / 50), ..first };
        assert!(measurement.over_long_time(faster).is_none());
    }
}
