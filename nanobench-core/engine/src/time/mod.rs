//! The clock that the engine uses, and its resolution and cost on this machine.

mod calibration;
mod counter;
mod os;
#[cfg(test)]
pub(crate) mod scripted;

use crate::record::words;
pub(crate) use calibration::{describe, time_readings};
use counter::Counter;
pub(crate) use counter::{FrequencyMeasurement, family_and_model};
use os::OsClock;
use std::time::Duration;

words! {
    /// A clock that users select.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Timer {
        /// The operating system's clock.
        Os = "os",
        /// The processor's counter, on any architecture.
        Tsc = "tsc",
    }
}

/// A point in time or a duration, in ticks of one [`Clock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Ticks(pub(crate) u64);

impl Ticks {
    /// Returns the time from `earlier` to `self`. Zero if the clock went backwards.
    #[inline]
    pub(crate) fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }
}

/// The clock of a process. It is an enum, so that reading it takes a predicted branch instead of an
/// indirect call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// The operating system's monotonic clock.
    Os(OsClock),
    /// The processor's own counter.
    Counter(Counter),
    /// A clock that tests advance.
    #[cfg(test)]
    Scripted,
}

impl Clock {
    /// Returns the operating system's clock, which is always available and needs no calibration.
    pub(crate) fn os() -> Clock {
        Clock::Os(OsClock::new())
    }

    /// Returns the best clock of this machine: the processor's counter, or else the operating
    /// system's clock. Takes about 1 ms to measure the frequency of the counter.
    pub(crate) fn best() -> Clock {
        Clock::best_of(&FrequencyMeasurement::begin())
    }

    fn best_of(measurement: &FrequencyMeasurement) -> Clock {
        measurement.end().map_or_else(|_| Clock::os(), Clock::Counter)
    }

    /// Returns the clock that the user selects, by default the best one.
    ///
    /// # Errors
    /// Says why the clock can't be used.
    pub(crate) fn with_timer(
        timer: Option<Timer>,
        measurement: &FrequencyMeasurement,
    ) -> Result<Clock, String> {
        match timer {
            None => Ok(Clock::best_of(measurement)),
            Some(Timer::Os) => Ok(Clock::os()),
            Some(Timer::Tsc) => measurement
                .end()
                .map(Clock::Counter)
                .map_err(|why| format!("can't use the processor's counter: {why}; use --timer os")),
        }
    }

    /// Returns the clock of this name, with a frequency that another process has measured. `None`
    /// if this machine doesn't have it.
    pub(crate) fn known(name: &str, frequency: f64) -> Option<Clock> {
        match name {
            "os" => Some(Clock::os()),
            Counter::NAME => Counter::known(frequency).map(Clock::Counter),
            _ => None,
        }
    }

    /// Reads the clock before the timed code.
    #[inline]
    pub(crate) fn start(&self) -> Ticks {
        match self {
            Clock::Os(clock) => clock.now(),
            Clock::Counter(counter) => counter.start(),
            #[cfg(test)]
            Clock::Scripted => scripted::now(),
        }
    }

    /// Reads the clock after the timed code.
    #[inline]
    pub(crate) fn end(&self) -> Ticks {
        match self {
            Clock::Counter(counter) => counter.end(),
            other => other.start(),
        }
    }

    /// Returns the frequency, in ticks per second.
    pub(crate) fn frequency(&self) -> f64 {
        match self {
            Clock::Counter(counter) => counter.frequency(),
            _ => 1e9,
        }
    }

    /// Returns the name of the clock in reports.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Clock::Os(_) => "os",
            Clock::Counter(_) => Counter::NAME,
            #[cfg(test)]
            Clock::Scripted => "scripted",
        }
    }

    /// Converts a duration to ticks.
    pub(crate) fn ticks(&self, duration: Duration) -> Ticks {
        Ticks((duration.as_nanos() as f64 * self.frequency() / 1e9).round() as u64)
    }

    /// Converts ticks to ns.
    pub(crate) fn nanoseconds(&self, ticks: Ticks) -> f64 {
        ticks.0 as f64 * 1e9 / self.frequency()
    }
}
