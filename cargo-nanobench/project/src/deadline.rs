//! Deadlines, however far away.

use std::time::{Duration, Instant};

/// Time until a deadline that is never reached.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns the deadline `duration` from now. The clocks of some systems can't represent times that
/// are centuries away.
pub fn after(duration: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(duration.min(NEVER)).unwrap_or(now)
}

/// A timeout that is running.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimit {
    /// The whole time.
    pub timeout: Duration,
    /// The end of what is left of it.
    pub deadline: Instant,
}

impl TimeLimit {
    /// Starts a timeout of which `spent` is used up.
    pub fn new(timeout: Duration, spent: Duration) -> TimeLimit {
        TimeLimit { timeout, deadline: after(timeout.saturating_sub(spent)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_duration_has_a_deadline() {
        assert!(after(Duration::MAX) > Instant::now() + Duration::from_secs(1 << 31));
    }
}
