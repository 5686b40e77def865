//! The effort that paired runs may take.

use super::decision::TimeLimits;
use std::time::Duration;

/// The effort that paired runs may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Enough to find small changes.
    Thorough,
    /// Little more than the benchmark's own sampling takes. Blocks are short, because a verdict
    /// needs a number of pairs rather than precise ones.
    Brief,
}

impl Pace {
    /// Returns the time that one benchmark may take.
    pub(super) fn limits(self) -> TimeLimits {
        let (screening, total) = match self {
            Pace::Thorough => (800, 3_000),
            Pace::Brief => (200, 600),
        };
        TimeLimits { screening: Duration::from_millis(screening), total: Duration::from_millis(total) }
    }

    /// Returns the time that a block samples, unless starting its processes takes very long. For
    /// thorough runs, it is long relative to the usual start.
    pub(super) fn sampling_time(self) -> Duration {
        match self {
            Pace::Thorough => Duration::from_millis(25),
            Pace::Brief => Duration::from_millis(6),
        }
    }

    /// Returns the additional sampling time of a block during a confirmation. A thorough one needs
    /// many blocks: fewer, longer blocks start fewer processes.
    pub(super) fn extra_confirmation_time(self) -> Duration {
        match self {
            Pace::Thorough => Duration::from_millis(15),
            Pace::Brief => Duration::ZERO,
        }
    }
}
