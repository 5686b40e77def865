//! The processor's own counter of time: the TSC of x86-64, the virtual counter of aarch64.
//!
//! One reading is a few instructions, where the operating system's clock is a call. It is used only where it counts at a
//! constant rate whatever the core does, and that rate is measured against the operating system's clock.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), path = "none.rs")]
mod arch;

use super::Ticks;
use super::os::OsClock;
use crate::stats;
use std::fmt;

/// A counter with its rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    /// Ticks a second.
    frequency: f64,
}

/// Why the counter can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, clippy::allow_attributes, reason = "each architecture has reasons of its own")]
pub(crate) enum Unavailable {
    /// This architecture has none that we know.
    Unknown,
    /// There is no instruction that reads it in order.
    NotOrdered,
    /// Its rate follows the core's, or it stops when the core sleeps.
    NotInvariant,
    /// It did not keep step with the operating system's clock.
    Unsteady,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unavailable::Unknown => "there is none on this architecture",
            Unavailable::NotOrdered => "the processor has no rdtscp",
            Unavailable::NotInvariant => "the processor does not promise that it counts at a constant rate",
            Unavailable::Unsteady => "it does not keep step with the operating system's clock",
        })
    }
}

/// Number and length (in ns) of the windows in which the rate is measured.
const WINDOWS: usize = 5;
const WINDOW: u64 = 500_000;
/// How far the windows may be apart, as a share. A counter at a constant rate is measured to some 1e-4 in a window.
const STEADY: f64 = 0.005;

impl Counter {
    /// How reports name it.
    pub(crate) const NAME: &'static str = arch::NAME;

    /// The counter of this processor, its rate measured in about 3 ms.
    pub(crate) fn new() -> Result<Counter, Unavailable> {
        arch::check()?;
        let clock = OsClock::new();
        let mut before = both(&clock);
        let rates: Vec<f64> = (0..WINDOWS)
            .map(|_| {
                let mut after = both(&clock);
                while after.1.since(before.1).0 < WINDOW {
                    after = both(&clock);
                }
                let rate = after.0.since(before.0).0 as f64 * 1e9 / after.1.since(before.1).0 as f64;
                before = after;
                rate
            })
            .collect();
        let frequency = stats::median(&rates);
        // A preemption between the two readings of a pair spoils two windows; the others have to agree.
        let agreeing = rates.iter().filter(|&rate| (rate / frequency - 1.0).abs() < STEADY).count();
        if agreeing * 2 > WINDOWS { Ok(Counter { frequency }) } else { Err(Unavailable::Unsteady) }
    }

    /// The counter of this processor, whose rate another process has measured.
    pub(crate) fn known(frequency: f64) -> Option<Counter> {
        (arch::check().is_ok() && frequency > 0.0).then_some(Counter { frequency })
    }

    /// Ticks a second.
    pub(crate) fn frequency(&self) -> f64 {
        self.frequency
    }

    /// Reads it before what is to be timed: nothing that comes after begins earlier.
    #[inline]
    pub(crate) fn start(&self) -> Ticks {
        Ticks(arch::start())
    }

    /// Reads it after what is to be timed: all that comes before has ended.
    #[inline]
    pub(crate) fn end(&self) -> Ticks {
        Ticks(arch::end())
    }
}

/// The counter and the operating system's clock at one moment: the closest of a few pairs.
fn both(clock: &OsClock) -> (Ticks, Ticks) {
    let pair = || {
        let before = Ticks(arch::start());
        let now = clock.now();
        let after = Ticks(arch::end());
        (after.since(before), (Ticks(before.0 + after.since(before).0 / 2), now))
    };
    (0..5).map(|_| pair()).min_by_key(|(apart, _)| *apart).map_or((Ticks(0), Ticks(0)), |(_, pair)| pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_one_it_advances() {
        if let Ok(counter) = Counter::new() {
            let start = counter.start();
            while counter.end().since(start).0 == 0 {}
            assert!(counter.frequency() > 1e6, "{counter:?}");
        }
    }
}
