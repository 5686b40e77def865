//! Calibration: finding the number of calls that makes a sample long enough for the clock.

use super::kept_values::KeptValues;
use super::{Bencher, Calibration, CalibrationRequest, Count, Engine};

/// Shortest iteration, in ns, for a count that the harness chooses: long compared with the call and
/// the clock. (SoftWx's Bench takes 1 ms, with a coarser clock.)
const MIN_COUNTED_ITERATION_TIME: f64 = 10_000.0;
/// Largest factor between the requested count and the best one. A count beyond that is replaced.
const MAX_COUNT_FACTOR: u64 = 100;
/// Factor by which calls must be slower with more results kept, so that fewer are kept. With
/// several large ones, an allocator may return memory to the operating system, and get it anew,
/// each time.
const KEPT_RESULTS_SLOWDOWN: f64 = 1.5;
/// Largest factor from a number of iterations that was timed to that of a sample. A tenth of a sample
/// is long compared with the clock, and a sample needn't have an exact length.
const MAX_EXTRAPOLATION: u64 = 10;
/// Largest count, and largest number of iterations, to try.
const MAX_ITERATIONS: u64 = 1_000_000_000;

/// A call that takes longer than this, in ns, including everything outside the timing, is not
/// repeated for the calibration, except once if it was only the first call's set-up that took long.
const MAX_REPEATED_CALL_TIME: f64 = 200_000_000.0;
/// A call that takes longer than this many samples is not repeated for the calibration, either. If
/// only the first call was that slow, the samples show it, and the calibration is repeated.
const MAX_REPEATED_CALL_SAMPLES: f64 = 10.0;
/// Length of a sample, including everything outside the timing, in multiples of the requested
/// length, from which on the timed part gets shorter.
const WALL_TIME_FACTOR: f64 = 4.0;
/// Shortest timed part of such a sample, as a share of the requested length, so that it stays long
/// compared with the clock.
const MIN_TIMED_SHARE: f64 = 0.1;
/// Longest sample, including everything outside the timing, in multiples of the requested length.
const MAX_WALL_TIME_FACTOR: f64 = 40.0;

/// Calibrates a benchmark for samples of the requested length.
///
/// Increases the number of iterations until a sample is long enough. Each length is measured twice,
/// and the shorter one counts, so that one preemption can't end the search early.
pub(crate) fn calibrate(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    count: Count,
    request: &CalibrationRequest,
) -> Calibration {
    let fixed_count = match count {
        Count::None => Some(1),
        Count::Fixed(count) => Some(count),
        Count::Auto => None,
    };
    let is_known = request.sample_time == 0.0 && request.iterations.is_some();
    // The first calls pay for caches, page faults and lazy initialisation, so their time serves
    // only as a first guess.
    let calls = request.warmup.max(u64::from(!is_known));
    let mut first = engine.bencher(calls, fixed_count.unwrap_or(1), 1).with_throughput();
    first.run(benchmark);
    let count = fixed_count.unwrap_or_else(|| usable_count(request.count, best_count(engine, benchmark)));
    let is_long = |times: &IterationTimes| times.timed > MAX_REPEATED_CALL_SAMPLES * request.sample_time;
    let mut first_times = IterationTimes::new(engine, &first);
    if !is_known && !is_long(&first_times) && first_times.call() > MAX_REPEATED_CALL_TIME {
        // Perhaps it made a fixture, or a value that all calls share.
        first_times = IterationTimes::new(engine, &engine.run(benchmark, 1, count, 1));
    }
    let is_slow = is_long(&first_times) || first_times.call() > MAX_REPEATED_CALL_TIME;
    // The first call says little about the time of the following ones, so more calls are timed even
    // if their number is given.
    let max_iterations = request.iterations.unwrap_or(MAX_ITERATIONS);
    let (times, max_kept_results) = if calls == 0 {
        // As many as for a call that allocates a little memory.
        (first_times, KeptValues { results_own_memory: true, ..first.kept_values }.max_number(100.0, 100.0))
    } else if is_known || is_slow || max_iterations <= 1 {
        (first_times, first_times.max_kept_results())
    } else {
        times_in_a_sample(engine, benchmark, count, request.sample_time, max_iterations)
    };
    let iterations = request.iterations.unwrap_or_else(|| times.iterations_for(request.sample_time)).max(1);
    Calibration {
        count,
        iterations,
        max_kept_results: max_kept_results.min(iterations),
        iteration_ticks: engine.ticks(times.timed),
        iteration_wall_time: times.wall,
        segment_cost: engine.segment_cost(&first),
        first_call: first.to_sample(),
        returns_value: first.returns_value,
        throughput: first.into_throughput(),
    }
}

/// Times of an iteration, in ns.
#[derive(Debug, Clone, Copy)]
struct IterationTimes {
    /// Time with the clock running.
    timed: f64,
    /// Time with the clock running on one thread. It is shorter than `timed` for threads that take
    /// turns.
    thread_timed: f64,
    /// Time outside the timing.
    untimed: f64,
    /// Time from the beginning to the end.
    wall: f64,
    kept_values: KeptValues,
}

impl IterationTimes {
    fn new(engine: &Engine, bencher: &Bencher) -> IterationTimes {
        let per_iteration = |ticks| engine.nanoseconds(ticks) / bencher.iterations as f64;
        IterationTimes {
            timed: per_iteration(bencher.elapsed()),
            thread_timed: per_iteration(bencher.thread_elapsed()),
            untimed: per_iteration(bencher.untimed()),
            wall: per_iteration(bencher.wall_time()),
            kept_values: bencher.kept_values,
        }
    }

    /// Returns the time including everything outside the timing. It is not the wall time: for few
    /// calls on several threads, most of that is the time to start the threads, which doesn't grow
    /// with the number of calls.
    fn call(&self) -> f64 {
        self.timed + self.untimed
    }

    /// Returns the largest number of results and inputs that a thread may keep at a time.
    fn max_kept_results(&self) -> u64 {
        self.kept_values.max_number(self.thread_timed, self.untimed)
    }

    /// Returns the number of iterations for a sample of `sample_time` ns.
    fn iterations_for(&self, sample_time: f64) -> u64 {
        let in_wall_time = |factor: f64| factor * sample_time / self.call().max(f64::MIN_POSITIVE);
        let needed = sample_time / self.timed.max(f64::MIN_POSITIVE);
        let affordable = in_wall_time(WALL_TIME_FACTOR).max(MIN_TIMED_SHARE * needed);
        (needed.min(affordable).min(in_wall_time(MAX_WALL_TIME_FACTOR)).round() as u64)
            .clamp(1, MAX_ITERATIONS)
    }
}

/// Increases the number of iterations until they make up a tenth of a sample of `sample_time` ns, or
/// are `max_iterations`. Returns the times with that number, and the number of results to keep.
fn times_in_a_sample(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    count: u64,
    sample_time: f64,
    max_iterations: u64,
) -> (IterationTimes, u64) {
    let (mut iterations, mut kept, mut most_kept) = (1, 1, u64::MAX);
    let mut previous: Option<(IterationTimes, u64)> = None;
    loop {
        let times = shorter_of_two(engine, benchmark, iterations, count, kept);
        if let Some((with_fewer, fewer)) = previous.filter(|(_, previous)| *previous < kept) {
            if times.timed > KEPT_RESULTS_SLOWDOWN * with_fewer.timed {
                most_kept = fewer;
            }
        }
        previous = Some((times, kept));
        let next_kept = times.max_kept_results().min(most_kept);
        // If results own memory, the number that is kept changes the time, so it has to be tried.
        let is_tried = !times.kept_values.results_own_memory || next_kept <= 2 * kept;
        let needed = times.iterations_for(sample_time);
        if is_tried && (needed <= iterations * MAX_EXTRAPOLATION || iterations == max_iterations) {
            let fewer = times.kept_values.fewer_than(next_kept);
            return fewer.map_or((times, next_kept), |fewer| {
                faster_of(engine, benchmark, iterations, count, [fewer, next_kept])
            });
        }
        kept = next_kept;
        if needed > iterations {
            // A tenth more than needed, so that the next try doesn't just miss the length. At most
            // ten times as many, since a short time says little.
            let next = times.iterations_for(1.1 * sample_time);
            iterations = next.clamp(iterations * 2, iterations * 10).min(max_iterations);
        }
    }
}

/// Times the same iterations with each of these numbers of results kept. Returns the shorter times,
/// with their number. A short segment seems slower than a long one, but memory for more results than
/// the allocator has at hand takes longer. The time with one number alone says nothing about that.
fn faster_of(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    iterations: u64,
    count: u64,
    numbers: [u64; 2],
) -> (IterationTimes, u64) {
    let [few, many] = numbers;
    let with_few = shorter_of_two(engine, benchmark, iterations, count, few);
    let with_many = shorter_of_two(engine, benchmark, iterations, count, many);
    if with_few.timed < with_many.timed { (with_few, few) } else { (with_many, many) }
}

/// Returns the requested count, or the best one if the requested count is far too large or too
/// small.
fn usable_count(requested: Option<u64>, best: u64) -> u64 {
    let is_near = |&count: &u64| {
        count <= best.saturating_mul(MAX_COUNT_FACTOR) && best <= count.saturating_mul(MAX_COUNT_FACTOR)
    };
    requested.filter(is_near).unwrap_or(best)
}

/// Returns the smallest power of ten with which an iteration is long compared with the call and the
/// clock. Powers of ten (as in SoftWx's Bench) make runs agree on the count.
fn best_count(engine: &Engine, benchmark: &mut dyn FnMut(&mut Bencher)) -> u64 {
    let mut count = 1;
    loop {
        let times = shorter_of_two(engine, benchmark, 1, count, 1);
        let is_long = times.timed >= MIN_COUNTED_ITERATION_TIME
            || times.call() >= MAX_WALL_TIME_FACTOR * MIN_COUNTED_ITERATION_TIME;
        if is_long || count == MAX_ITERATIONS {
            return count;
        }
        count *= 10;
    }
}

/// Runs the benchmark twice, and returns the shorter times.
fn shorter_of_two(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    iterations: u64,
    count: u64,
    max_kept_results: u64,
) -> IterationTimes {
    let mut times =
        || IterationTimes::new(engine, &engine.run(benchmark, iterations, count, max_kept_results));
    let (first, second) = (times(), times());
    IterationTimes {
        timed: first.timed.min(second.timed),
        thread_timed: first.thread_timed.min(second.thread_timed),
        untimed: first.untimed.min(second.untimed),
        wall: first.wall.min(second.wall),
        kept_values: first.kept_values,
    }
}

#[cfg(test)]
mod tests;
