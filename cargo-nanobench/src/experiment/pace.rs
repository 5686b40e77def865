//! The pace of sampling, from which the time left is estimated.

use std::ops::{AddAssign, SubAssign};
use std::time::Duration;

/// The wall time of samples beside the time that they were planned to take: other programs on the
/// cores slow a run down, but don't shorten its plan.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Pace {
    planned: f64,
    wall: f64,
}

impl Pace {
    /// Returns the pace of samples that were planned to take this many nanoseconds. It is unknown
    /// if that is nothing.
    pub(super) fn new(planned: f64, wall: Duration) -> Pace {
        if planned > 0.0 { Pace { planned, wall: wall.as_secs_f64() * 1e9 } } else { Pace::default() }
    }

    /// Returns the wall time of samples that are planned to take this long: as planned, as long as
    /// the pace is unknown.
    pub(super) fn wall_time(self, planned: Duration) -> Duration {
        if self.planned == 0.0 {
            return planned;
        }
        let seconds = planned.as_secs_f64() * self.wall / self.planned;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl AddAssign for Pace {
    fn add_assign(&mut self, other: Pace) {
        self.planned += other.planned;
        self.wall += other.wall;
    }
}

impl SubAssign for Pace {
    fn sub_assign(&mut self, other: Pace) {
        self.planned -= other.planned;
        self.wall -= other.wall;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace_so_far() {
        let seconds = Duration::from_secs;
        assert_eq!(Pace::default().wall_time(seconds(7)), seconds(7), "unknown");
        assert_eq!(Pace::new(0.0, seconds(1)), Pace::default(), "a calibration alone");
        let busy = Pace::new(1e9, seconds(6));
        assert_eq!(busy.wall_time(seconds(7)), seconds(42));
        let (mut both, quiet) = (busy, Pace::new(2e9, seconds(3)));
        both += quiet;
        assert_eq!(both.wall_time(seconds(7)), seconds(21));
        both -= quiet;
        assert_eq!(both, busy);
        assert_eq!(busy.wall_time(Duration::MAX), Duration::MAX);
    }
}
