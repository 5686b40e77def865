//! The resolution of a clock, and the cost of reading it.

use super::{Clock, Ticks};
use crate::measure::TimedCode;
use crate::model::ClockInfo;
use crate::stats;
use std::hint::black_box;

/// Number of batches, and of readings in a batch, to measure the cost of a reading.
const BATCHES: usize = 21;
const READS_PER_BATCH: u64 = 200;
/// Number of steps of the clock to look at.
const STEPS: usize = 20;
/// Largest number of readings until the clock steps: enough for a resolution of 1 us at a few
/// nanoseconds per reading.
const MAX_READS_PER_STEP: usize = 10_000;

/// Measures the resolution and the cost of `clock`, in about 0.1 ms for a clock that is read in 20
/// ns.
pub(crate) fn describe(clock: &Clock) -> ClockInfo {
    ClockInfo {
        name: clock.name().to_owned(),
        frequency: clock.frequency(),
        resolution: clock.nanoseconds(resolution(clock)),
        read_cost: read_cost(clock),
        cycles_per_link: None,
    }
}

/// Returns the smallest step between two readings that differ (as in ankerl::nanobench: the minimum
/// of 20).
fn resolution(clock: &Clock) -> Ticks {
    let mut smallest = None;
    for _ in 0..STEPS {
        let first = clock.start();
        for _ in 0..MAX_READS_PER_STEP {
            let step = clock.end().since(first);
            if step.0 > 0 {
                smallest = Some(smallest.map_or(step, |smallest: Ticks| smallest.min(step)));
                break;
            }
        }
    }
    smallest.unwrap_or(Ticks(1))
}

/// Returns the time of one reading in ns: the median of several batches, which a single preemption
/// doesn't affect.
fn read_cost(clock: &Clock) -> f64 {
    let mut costs = [0.0; BATCHES];
    for cost in &mut costs {
        let time = (TimedCode::get().time_clock_readings)(clock);
        *cost = clock.nanoseconds(time) / READS_PER_BATCH as f64;
    }
    stats::median(&costs)
}

/// Returns the time of a batch of readings.
#[inline]
pub(crate) fn time_readings(clock: &Clock) -> Ticks {
    let start = clock.start();
    for _ in 1..READS_PER_BATCH {
        black_box(clock.end());
    }
    clock.end().since(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted;

    #[test]
    fn the_step_and_cost_of_a_scripted_clock_are_found() {
        scripted::set_read_cost(7);
        let info = describe(&Clock::Scripted);
        assert_eq!((info.resolution, info.read_cost), (7.0, 7.0));
    }

    #[test]
    fn a_stopped_clock_has_a_resolution_of_one_tick() {
        scripted::set_read_cost(0);
        assert_eq!(resolution(&Clock::Scripted), Ticks(1));
    }
}
