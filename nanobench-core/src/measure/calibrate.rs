//! Finding out how often to call a benchmark so that a sample is long enough for the clock.

use super::{Count, Engine, Run};
use crate::record::record;

/// An iteration of a function that takes a count gets at least this long, where the harness chooses the count: long
/// beside the call and the clock (SoftWx's Bench takes 1 ms, with a coarser clock).
const COUNTED_ITERATION: f64 = 10_000.0;
/// Results that are kept until they are dropped outside the timing: as many as take about this long, in ns, which
/// bounds their memory while the clock's cost stays below a thousandth.
const CHUNK_TIME: f64 = 50_000.0;
/// The largest count and the largest number of iterations that are tried.
const MOST: u64 = 1_000_000_000;

record! {
    /// How a benchmark is to be called for samples of the wanted length.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Calibration {
        /// What the function gets as `count`: operations in an iteration.
        pub count: u64,
        /// Iterations of a sample.
        pub iterations: u64,
        /// How many results may be kept at a time.
        pub chunk: u64,
        /// About how long an iteration takes, in ns.
        pub iteration_time: f64,
    }
}

/// Calibrates for samples of `sample_time` ns, with `count` where one is given and is asked for.
///
/// Grows the number of iterations until a sample is long enough. A length is believed only when it is seen twice
/// (the shorter of two), so that one preemption can't end the search early. Something that takes longer than
/// `sample_time` by itself is called once more at most.
pub(super) fn calibrate(
    engine: &Engine,
    run: &mut dyn FnMut(&mut Run),
    count: Count,
    sample_time: f64,
) -> Calibration {
    // The first call pays for caches, page faults and lazy initialisation, so it is not a measurement.
    let fixed = match count {
        Count::None => Some(1),
        Count::Fixed(count) => Some(count),
        Count::Auto => None,
    };
    let first = engine.time(run, 1, fixed.unwrap_or(1), 1);
    let count = fixed.unwrap_or_else(|| good_count(engine, run));
    let mut iterations = 1;
    let mut time = if first > sample_time { first } else { shortest(engine, run, 1, count, 1) };
    while time < sample_time && iterations < MOST {
        // Ten times as many at most, as a short time says little; a tenth more than needed, not to miss by a hair.
        let wanted = iterations as f64 * 1.1 * sample_time / time.max(1.0);
        iterations = (wanted as u64).clamp(iterations * 2, iterations * 10).min(MOST);
        time = shortest(engine, run, iterations, count, iterations);
    }
    let iteration_time = time / iterations as f64;
    if time > sample_time {
        iterations = ((sample_time / iteration_time).round() as u64).max(1);
    }
    let chunk = ((CHUNK_TIME / iteration_time.max(1.0)) as u64).clamp(1, iterations);
    Calibration { count, iterations, chunk, iteration_time }
}

/// The smallest power of ten with which an iteration is long beside the call and the clock. Powers of ten, as
/// SoftWx's Bench takes them, so that runs agree on it.
fn good_count(engine: &Engine, run: &mut dyn FnMut(&mut Run)) -> u64 {
    let mut count = 1;
    while count < MOST && shortest(engine, run, 1, count, 1) < COUNTED_ITERATION {
        count *= 10;
    }
    count
}

/// The shorter of two times, in ns.
fn shortest(engine: &Engine, run: &mut dyn FnMut(&mut Run), iterations: u64, count: u64, chunk: u64) -> f64 {
    let chunk = chunk.min(4_096);
    engine.time(run, iterations, count, chunk).min(engine.time(run, iterations, count, chunk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{Clock, scripted};

    fn calibration(count: Count, mut function: impl FnMut(u64)) -> Calibration {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        calibrate(&engine, &mut |run| run.call(&mut function), count, 100_000.0)
    }

    #[test]
    fn a_sample_is_as_long_as_asked_for() {
        for cost in [3, 50, 700, 99_000] {
            let found = calibration(Count::None, |_| scripted::advance(cost));
            let sample = found.iterations as f64 * cost as f64;
            assert!((0.5..1.5).contains(&(sample / 100_000.0)), "{cost} ns: {found:?}");
            assert!((found.iteration_time / cost as f64 - 1.0).abs() < 0.05, "{cost} ns: {found:?}");
        }
    }

    #[test]
    fn one_preemption_does_not_end_it_early() {
        let mut calls = 0;
        let found = calibration(Count::None, |_| {
            calls += 1;
            scripted::advance(if calls == 8 { 5_000_000 } else { 100 });
        });
        assert!((900..1_200).contains(&found.iterations), "{found:?}");
    }

    #[test]
    fn something_slow_is_called_twice_at_most() {
        let mut calls = 0;
        let found = calibration(Count::None, |_| {
            calls += 1;
            scripted::advance(10_000_000);
        });
        assert_eq!((found.iterations, calls), (1, 1));
    }

    #[test]
    fn a_good_count_is_a_power_of_ten_and_long_enough() {
        let found = calibration(Count::Auto, |count| scripted::advance(3 * count));
        assert_eq!(found.count, 10_000);
    }

    #[test]
    fn a_fixed_count_is_kept() {
        let found = calibration(Count::Fixed(7), |count| {
            assert_eq!(count, 7);
            scripted::advance(100);
        });
        assert_eq!(found.count, 7);
    }

    #[test]
    fn nothing_at_all_ends() {
        let engine = Engine::with_clock(Clock::Scripted);
        scripted::set_read_cost(0);
        let found = calibrate(&engine, &mut |_| {}, Count::Auto, 100_000.0);
        assert_eq!((found.count, found.iterations), (MOST, MOST));
    }
}
