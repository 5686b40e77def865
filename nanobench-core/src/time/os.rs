//! The operating system's monotonic clock, in ns.

use super::Ticks;
use std::time::Instant;

/// Counts ns from the moment when it was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OsClock {
    origin: Instant,
}

impl OsClock {
    pub(crate) fn new() -> OsClock {
        OsClock { origin: Instant::now() }
    }

    #[inline]
    pub(crate) fn now(&self) -> Ticks {
        let elapsed = self.origin.elapsed();
        // 584 years of ns fit.
        Ticks(elapsed.as_secs() * 1_000_000_000 + u64::from(elapsed.subsec_nanos()))
    }
}
