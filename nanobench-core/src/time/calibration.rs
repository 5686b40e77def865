//! What a clock is worth: the smallest step that it shows, and what a reading costs.

use super::{Clock, Ticks};
use crate::model::ClockInfo;
use crate::stats;
use std::hint::black_box;

const BATCHES: usize = 21;
const READS: u64 = 200;
/// Enough for a clock of 1 us at a few ns a reading.
const ATTEMPTS: usize = 10_000;

/// Measures `clock` against itself, in about a tenth of a millisecond for a clock of some 20 ns.
pub(crate) fn describe(clock: &Clock) -> ClockInfo {
    ClockInfo {
        name: clock.name().to_owned(),
        frequency: clock.frequency(),
        resolution: clock.nanoseconds(resolution(clock)),
        read_cost: read_cost(clock),
    }
}

/// The smallest step seen between two readings that differ (as ankerl::nanobench finds it: minimum of 20).
fn resolution(clock: &Clock) -> Ticks {
    let step = || {
        let first = clock.start();
        (0..ATTEMPTS).map(|_| clock.end().since(first)).find(|step| step.0 > 0)
    };
    (0..20).filter_map(|_| step()).min().unwrap_or(Ticks(1))
}

/// Time of one reading in ns: the median over batches, which one preemption does not move.
fn read_cost(clock: &Clock) -> f64 {
    let mut costs = [0.0; BATCHES];
    for cost in &mut costs {
        let start = clock.start();
        for _ in 1..READS {
            black_box(clock.end());
        }
        *cost = clock.nanoseconds(clock.end().since(start)) / READS as f64;
    }
    stats::median(&costs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted;

    #[test]
    fn finds_step_and_cost_of_a_scripted_clock() {
        scripted::set_read_cost(7);
        let info = describe(&Clock::Scripted);
        assert_eq!((info.resolution, info.read_cost), (7.0, 7.0));
    }

    #[test]
    fn a_clock_that_stands_still_has_a_resolution_of_one_tick() {
        scripted::set_read_cost(0);
        assert_eq!(resolution(&Clock::Scripted), Ticks(1));
    }
}
