//! Reading time: the clock that the engine uses, and what it is worth on this machine.

mod calibration;
mod counter;
mod os;
#[cfg(test)]
pub(crate) mod scripted;

pub(crate) use calibration::describe;
use counter::Counter;
use os::OsClock;

/// A point in time or a stretch of it, in ticks of one [`Clock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Ticks(pub(crate) u64);

impl Ticks {
    /// The stretch from `earlier` to `self`. Zero where the clock went backwards.
    #[inline]
    pub(crate) fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }
}

/// The clock of a process. An enum, so that a reading is a predicted branch and never an indirect call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// The operating system's monotonic clock.
    Os(OsClock),
    /// The processor's own counter.
    Counter(Counter),
    /// Time as a test tells it.
    #[cfg(test)]
    Scripted,
}

impl Clock {
    /// The operating system's clock: always there, and at no cost.
    pub(crate) fn os() -> Clock {
        Clock::Os(OsClock::new())
    }

    /// The best clock of this machine: the processor's counter, or else the operating system's. Takes some ms, in
    /// which the rate of the counter is measured.
    pub(crate) fn best() -> Clock {
        Counter::new().map_or_else(|_| Clock::os(), Clock::Counter)
    }

    /// The clock that a user names: `os`, or `tsc` for the processor's counter, whatever that is called.
    pub(crate) fn named(name: &str) -> Result<Clock, String> {
        match name {
            "os" => Ok(Clock::os()),
            "tsc" => Counter::new()
                .map(Clock::Counter)
                .map_err(|why| format!("the processor's counter can't be used: {why}; there is --timer os")),
            _ => Err(format!("there is no timer `{name}`, only `os` and `tsc`")),
        }
    }

    /// The clock of this name, whose rate is known. `None` where there is no such clock.
    pub(crate) fn known(name: &str, frequency: f64) -> Option<Clock> {
        match name {
            "os" => Some(Clock::os()),
            Counter::NAME => Counter::known(frequency).map(Clock::Counter),
            _ => None,
        }
    }

    /// Reads the clock before what is to be timed.
    #[inline]
    pub(crate) fn start(&self) -> Ticks {
        match self {
            Clock::Os(clock) => clock.now(),
            Clock::Counter(counter) => counter.start(),
            #[cfg(test)]
            Clock::Scripted => scripted::now(),
        }
    }

    /// Reads the clock after what is to be timed.
    #[inline]
    pub(crate) fn end(&self) -> Ticks {
        match self {
            Clock::Counter(counter) => counter.end(),
            other => other.start(),
        }
    }

    /// Ticks a second.
    pub(crate) fn frequency(&self) -> f64 {
        match self {
            Clock::Counter(counter) => counter.frequency(),
            _ => 1e9,
        }
    }

    /// How reports name it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Clock::Os(_) => "os",
            Clock::Counter(_) => Counter::NAME,
            #[cfg(test)]
            Clock::Scripted => "scripted",
        }
    }

    /// `ticks` in ns.
    pub(crate) fn nanoseconds(&self, ticks: Ticks) -> f64 {
        ticks.0 as f64 * 1e9 / self.frequency()
    }
}
