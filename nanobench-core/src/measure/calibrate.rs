//! Finding out how often to call a benchmark so that a sample is long enough for the clock.

use super::{Bencher, Calibration, CalibrationRequest, Count, Engine};

/// An iteration of a function that takes a count gets at least this long, where the harness chooses the count: long
/// beside the call and the clock (SoftWx's Bench takes 1 ms, with a coarser clock).
const COUNTED_ITERATION: f64 = 10_000.0;
/// How far the count of an earlier run may be from a good one.
const COUNTS_APART: u64 = 100;
/// Results that are kept until they are dropped outside the timing, and inputs that are made ahead: as many as take
/// about this long to compute or to make and drop, in ns. What takes memory takes time to make, so this keeps them in
/// the caches, where a caller who makes one and uses it would have them. What the calibrated cost of the clock leaves in so
/// much time is well below a thousandth of it.
const CHUNK_TIME: f64 = 5_000.0;
const SETUP_TIME: f64 = 20_000.0;
/// And no more than this, for those that take next to no time.
const MOST_KEPT: f64 = 512.0;
/// The largest count and the largest number of iterations that are tried.
const MOST: u64 = 1_000_000_000;

/// Something that takes longer than this, in ns, with all that is left out of its timing, is not called again just to
/// calibrate.
const SLOW: f64 = 200_000_000.0;
/// Nor is what takes this many times the wanted length of a sample. Where only the first call was so slow, the samples
/// show it, and the calibration is repeated.
const LONG: f64 = 10.0;
/// A sample takes no longer than this many times its wanted length with all that is left out of its timing.
const MOST_WALL: f64 = 40.0;

/// Calibrates for samples of the wanted length.
///
/// Grows the number of iterations until a sample is long enough. A length is believed only when it is seen twice
/// (the shorter of two), so that one preemption can't end the search early.
pub(super) fn calibrate(
    engine: &Engine,
    run: &mut dyn FnMut(&mut Bencher),
    count: Count,
    order: &CalibrationRequest,
) -> Calibration {
    let fixed = match count {
        Count::None => Some(1),
        Count::Fixed(count) => Some(count),
        Count::Auto => None,
    };
    // The first calls pay for caches, page faults and lazy initialisation, so they are no measurement.
    let first = engine.first_run(run, order.warmup.max(1), fixed.unwrap_or(1));
    let count = fixed.unwrap_or_else(|| agreed_count(order.count, good_count(engine, run)));
    let of_first = IterationTimes::of(engine, &first);
    let is_long = of_first.call() > SLOW || of_first.timed > LONG * order.sample_time;
    // How long many calls take in a row is not to be told from the first one, where their number is given, either.
    let most = order.iterations.unwrap_or(MOST);
    let found =
        if is_long || most <= 1 { of_first } else { of_enough(engine, run, count, order.sample_time, most) };
    let iterations = order.iterations.unwrap_or_else(|| found.iterations_for(order.sample_time)).max(1);
    Calibration {
        count,
        iterations,
        max_kept_results: found.max_kept_results().min(iterations),
        iteration_ticks: engine.ticks(found.timed),
        iteration_wall_time: found.wall,
        segment_cost: engine.segment_cost(&first),
        first_call: first.sample(),
        throughput: first.amounts(),
    }
}

/// How long an iteration takes, in ns.
#[derive(Debug, Clone, Copy)]
struct IterationTimes {
    /// With the clock running.
    timed: f64,
    /// The same on one thread: of several that take turns, each is at it for a part of that.
    on_thread: f64,
    /// What it leaves out of its timing.
    aside: f64,
    /// From its beginning to its end.
    wall: f64,
}

impl IterationTimes {
    fn of(engine: &Engine, run: &Bencher) -> IterationTimes {
        let of_one = |ticks| engine.nanoseconds(ticks) / run.iterations() as f64;
        IterationTimes {
            timed: of_one(run.elapsed()),
            on_thread: of_one(run.elapsed_on_thread()),
            aside: of_one(run.aside()),
            wall: of_one(run.wall()),
        }
    }

    /// With all that is left out of its timing. Not the wall time: of a short order on several threads, that is mostly what starting
    /// them takes, which does not grow with the number of calls.
    fn call(&self) -> f64 {
        self.timed + self.aside
    }

    /// How many results and inputs a thread may keep at a time.
    fn max_kept_results(&self) -> u64 {
        let (results, inputs) = (CHUNK_TIME / self.on_thread.max(1.0), SETUP_TIME / self.aside.max(1.0));
        results.min(inputs).clamp(1.0, MOST_KEPT) as u64
    }

    /// How many make up a sample of `sample_time` ns.
    fn iterations_for(&self, sample_time: f64) -> u64 {
        let affordable = MOST_WALL * sample_time / self.call().max(f64::MIN_POSITIVE);
        let wanted = sample_time / self.timed.max(f64::MIN_POSITIVE);
        (wanted.min(affordable).round() as u64).clamp(1, MOST)
    }
}

/// The lengths in a run that is long enough for a sample of `sample_time` ns, or has `most` iterations.
fn of_enough(
    engine: &Engine,
    run: &mut dyn FnMut(&mut Bencher),
    count: u64,
    sample_time: f64,
    most: u64,
) -> IterationTimes {
    let (mut iterations, mut chunk) = (1, 1);
    loop {
        let found = shortest(engine, run, iterations, count, chunk);
        chunk = found.max_kept_results();
        // A tenth more than needed, not to miss by a hair the next time.
        let wanted = found.iterations_for(1.1 * sample_time);
        if found.iterations_for(sample_time) <= iterations || iterations == most {
            return found;
        }
        // Ten times as many at most, as a short time says little.
        iterations = wanted.clamp(iterations * 2, iterations * 10).min(most);
    }
}

/// The count of an earlier run, unless it has become far too large or too small.
fn agreed_count(earlier: Option<u64>, good: u64) -> u64 {
    let is_near = |&count: &u64| {
        count <= good.saturating_mul(COUNTS_APART) && good <= count.saturating_mul(COUNTS_APART)
    };
    earlier.filter(is_near).unwrap_or(good)
}

/// The smallest power of ten with which an iteration is long beside the call and the clock. Powers of ten, as
/// SoftWx's Bench takes them, so that runs agree on it.
fn good_count(engine: &Engine, run: &mut dyn FnMut(&mut Bencher)) -> u64 {
    let mut count = 1;
    loop {
        let found = shortest(engine, run, 1, count, 1);
        if count == MOST || found.timed >= COUNTED_ITERATION || found.call() >= MOST_WALL * COUNTED_ITERATION
        {
            return count;
        }
        count *= 10;
    }
}

/// The shorter of two.
fn shortest(
    engine: &Engine,
    run: &mut dyn FnMut(&mut Bencher),
    iterations: u64,
    count: u64,
    chunk: u64,
) -> IterationTimes {
    let mut lengths = || IterationTimes::of(engine, &engine.run(run, iterations, count, chunk));
    let (one, other) = (lengths(), lengths());
    IterationTimes {
        timed: one.timed.min(other.timed),
        on_thread: one.on_thread.min(other.on_thread),
        aside: one.aside.min(other.aside),
        wall: one.wall.min(other.wall),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{Clock, scripted};
    use std::sync::atomic::{AtomicU64, Ordering};

    const ORDER: CalibrationRequest =
        CalibrationRequest { sample_time: 100_000.0, iterations: None, count: None, warmup: 1 };

    fn calibration(count: Count, mut function: impl FnMut(u64)) -> Calibration {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        calibrate(&engine, &mut |run| run.call(&mut function), count, &ORDER)
    }

    #[test]
    fn a_sample_is_as_long_as_asked_for() {
        for cost in [3, 50, 700, 99_000] {
            let found = calibration(Count::None, |_| scripted::advance(cost));
            let sample = found.iterations as f64 * cost as f64;
            assert!((0.5..1.5).contains(&(sample / 100_000.0)), "{cost} ns: {found:?}");
            assert!((found.iteration_ticks / cost as f64 - 1.0).abs() < 0.05, "{cost} ns: {found:?}");
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
    fn something_long_is_called_once() {
        for (cost, expected) in [(1_000_000_000, 1), (10_000_000, 1), (900_000, 3)] {
            let mut calls = 0;
            let found = calibration(Count::None, |_| {
                calls += 1;
                scripted::advance(cost);
            });
            assert_eq!((found.iterations, calls), (1, expected));
        }
    }

    #[test]
    fn a_somewhat_slow_first_call_is_not_believed() {
        let mut calls = 0;
        let found = calibration(Count::None, |_| {
            calls += 1;
            scripted::advance(if calls == 1 { 900_000 } else { 100 });
        });
        assert!((900..1_200).contains(&found.iterations), "{found:?}");
    }

    #[test]
    fn what_is_left_out_of_the_timing_has_a_limit() {
        scripted::set_read_cost(0);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut run = |run: &mut Bencher| {
            run.call_controlled(|_, tc| {
                scripted::advance(50);
                tc.exclude(|| scripted::advance(1_000_000));
            });
        };
        let found = calibrate(&engine, &mut run, Count::None, &ORDER);
        assert_eq!(found.iterations, 4, "4 ms for a sample of 0.1 ms: {found:?}");
        assert_eq!((found.iteration_ticks, found.iteration_wall_time), (50.0, 1_000_050.0));
    }

    /// Calls of 33 ns with set-up on `threads`, all but one of which begin `late` after they have met, as there is no core for
    /// them. Starting them takes `start`.
    fn on_threads(threads: usize, start: u64, late: impl Fn() -> u64 + Sync) -> Calibration {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let next = AtomicU64::new(0);
        let mut run = |run: &mut Bencher| {
            next.store(0, Ordering::Relaxed);
            scripted::advance(start);
            run.run_on_threads(threads, &|run| {
                let late = if next.fetch_add(1, Ordering::Relaxed) == 0 { 0 } else { late() };
                run.call_with_mut(|| scripted::advance(late), |(), _| scripted::advance(33));
            });
        };
        calibrate(&engine, &mut run, Count::None, &ORDER)
    }

    #[test]
    fn more_threads_than_cores_get_samples_of_many_calls() {
        let found = on_threads(3, 30_000_000, || 37_000);
        assert!((900..3_100).contains(&found.iterations) && found.max_kept_results > 40, "{found:?}");
        assert!((33.0..100.0).contains(&found.iteration_ticks), "{found:?}");
    }

    #[test]
    fn threads_that_take_turns_keep_as_much_as_one_alone_does() {
        // No two of them overlap.
        let turns = AtomicU64::new(0);
        let found = on_threads(16, 0, || 100_000 * (1 + turns.fetch_add(1, Ordering::Relaxed) % 15));
        assert!(found.iteration_ticks > 8.0 * 33.0 && found.max_kept_results > 80, "{found:?}");
    }

    #[test]
    fn threads_that_start_late_at_first_do_not_decide_the_length_of_samples() {
        let looks = AtomicU64::new(0);
        let found =
            on_threads(2, 0, || if looks.fetch_add(1, Ordering::Relaxed) < 4 { 8_000_000 } else { 0 });
        assert!((1_500..3_100).contains(&found.iterations), "{found:?}");
    }

    #[test]
    fn a_fixed_number_of_iterations_is_kept() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let order = CalibrationRequest { iterations: Some(5), ..ORDER };
        let found = calibrate(&engine, &mut |run| run.call(|_| scripted::advance(100)), Count::None, &order);
        assert_eq!((found.iterations, found.count), (5, 1));
    }

    #[test]
    fn a_fixed_number_of_iterations_is_not_judged_by_the_first_call() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let order = CalibrationRequest { iterations: Some(1_000), ..ORDER };
        let (mut calls, mut most) = (0_u64, 0);
        let mut run = |run: &mut Bencher| {
            most = most.max(run.iterations());
            run.call(|_| {
                calls += 1;
                scripted::advance(if calls == 1 { 900_000 } else { 20 });
                String::new()
            });
        };
        let found = calibrate(&engine, &mut run, Count::None, &order);
        assert!(found.iteration_wall_time < 100.0 && found.max_kept_results > 50, "{found:?}");
        assert_eq!((found.iterations, most), (1_000, 1_000), "no more than a sample has");
    }

    #[test]
    fn a_good_count_is_a_power_of_ten_and_long_enough() {
        let found = calibration(Count::Auto, |count| scripted::advance(3 * count));
        assert_eq!(found.count, 10_000);
    }

    #[test]
    fn the_count_of_an_earlier_run_is_kept_while_it_is_of_use() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let count = |earlier, cost: u64| {
            let order = CalibrationRequest { count: Some(earlier), ..ORDER };
            let mut run = |run: &mut Bencher| run.call(|count| scripted::advance(cost * count));
            calibrate(&engine, &mut run, Count::Auto, &order).count
        };
        assert_eq!(count(1_000, 3), 1_000, "10,000 would be good");
        assert_eq!(count(1_000_000_000, 60), 1_000, "a minute an iteration");
        assert_eq!(count(1, 3), 10_000, "the call would be in the figure");
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
        let found = calibrate(&engine, &mut |_| {}, Count::Auto, &ORDER);
        assert_eq!((found.count, found.iterations), (MOST, MOST));
    }
}
