//! The operating system's monotonic clock, in ns.

use super::Ticks;
use std::time::Instant;

/// The time since its creation.
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
        // A u64 holds 584 years in ns.
        Ticks(elapsed.as_secs() * 1_000_000_000 + u64::from(elapsed.subsec_nanos()))
    }
}
