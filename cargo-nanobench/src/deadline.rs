//! Deadlines, however far away.

use std::time::{Duration, Instant};

/// Time until a deadline that is never reached.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns the deadline `duration` from now. The clocks of some systems can't represent times that
/// are centuries away.
pub(crate) fn after(duration: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(duration.min(NEVER)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_duration_has_a_deadline() {
        assert!(after(Duration::MAX) > Instant::now() + Duration::from_secs(1 << 31));
    }
}
