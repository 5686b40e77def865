//! Counters of one benchmark, read around whole samples.

use super::engine::call_nothing;
use super::{Bencher, CountRequest, Counting, Engine, TimedCode, Timing};
use crate::counters::{Counters, includes_loop};
use crate::model::{Amount, Counts, Sample};
use crate::text::join;

/// Number of times that an empty benchmark is counted. The minimum is its count, since counters
/// also count events that have nothing to do with it.
const EMPTY_RUNS: usize = 3;
/// Number of segments of an empty benchmark that are counted together.
const EMPTY_SEGMENTS: u64 = 16;
/// Number of iterations that show the events of the loop: the difference to twice as many.
const LOOP_ITERATIONS: u64 = 1_000;
/// Divisor for the part of a sample that runs before the first one, as before timed samples.
const WARMUP_DIVISOR: u64 = 10;

/// Reads `counters` around samples of a benchmark. Returns the events of `request.iterations`.
///
/// The events that starting and stopping the counters adds are subtracted from each segment, and
/// those of the loop from each iteration if they are instructions or branches (as in
/// ankerl::nanobench). The cycles of the loop overlap with the work, so they stay, as its time
/// does. Of instructions and branches, those of the short sample that warms up are subtracted, too:
/// the rest contains nothing that a sample does only once, such as loading constants before the
/// loop. `first`: a call of the benchmark.
pub(super) fn count_events(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &CountRequest,
    first: &Bencher,
    counters: Counters,
) -> Option<Vec<Amount>> {
    let names = counters.names();
    if names.is_empty() {
        return None;
    }
    let mut events = Events { engine, counting: Some(Counting::of_events(counters)) };
    let CountRequest { count, samples, sample_iterations, max_kept_results, .. } = *request;
    let of_sample = |iterations| engine.bencher(iterations, count, max_kept_results);
    let segment = events.of_empty_segment(first);
    let iteration = match first.timing {
        Timing::Plain => events.of_empty_iteration(),
        Timing::Controlled | Timing::Manual => vec![0.0; names.len()],
    };
    let short = events.run(of_sample((sample_iterations / WARMUP_DIVISOR).max(1)), benchmark);
    let mut all = Total::nothing(names.len());
    let mut further = Total::nothing(names.len());
    for _ in 0..samples.max(1) {
        let sample = events.run(of_sample(sample_iterations.max(1)), benchmark);
        all.add(1.0, &sample);
        further.add(1.0, &sample);
        further.add(-1.0, &short);
    }
    let mut amounts = Vec::with_capacity(names.len());
    for (place, name) in names.into_iter().enumerate() {
        let includes_loop = includes_loop(&name);
        let of_loop = if includes_loop { iteration[place] } else { 0.0 };
        let counted = if includes_loop && further.iterations > 0.0 { &further } else { &all };
        // An empty segment has an iteration.
        let in_segments = (counted.iterations - counted.segments).max(0.0);
        let own = counted.events[place] - segment[place] * counted.segments - of_loop * in_segments;
        let value = own.max(0.0) / counted.iterations * request.iterations as f64;
        amounts.push(Amount { name, value });
    }
    Some(amounts)
}

/// Returns the events that `counting` has counted in these samples of a benchmark, without those that
/// [`count_events`] subtracts.
#[inline]
pub(crate) fn count_timed(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    counting: Counting,
    samples: &[Sample],
) -> Counts {
    let (names, totals) = (counting.counters().names(), counting.counters().totals());
    let iterations: u64 = samples.iter().map(|sample| sample.iterations).sum();
    let segments: u64 = samples.iter().map(|sample| sample.segments).sum();
    // Without iterations, the benchmark is not called.
    let like = engine.run(benchmark, 0, 1, 1);
    let mut events = Events { engine, counting: Some(counting) };
    let (segment, iteration) = (events.of_empty_segment(&like), events.of_empty_iteration());
    let amount = |(place, name): (usize, String)| {
        let has_loop = includes_loop(&name) && like.timing == Timing::Plain;
        let in_segments = if has_loop { iterations.saturating_sub(segments) } else { 0 };
        let other = segment[place] * segments as f64 + iteration[place] * in_segments as f64;
        Amount { name, value: (totals[place] as f64 - other).max(0.0) }
    };
    let counters = Some(names.into_iter().enumerate().map(amount).collect());
    Counts { iterations, allocations: None, counters }
}

/// Executes marks around the segments of samples. Returns the number of segments of each, as
/// `CountRequest::has_marks` describes. `first`: a call of the benchmark.
pub(super) fn mark_calls(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &CountRequest,
    first: &Bencher,
    marks: Counters,
) -> Vec<Amount> {
    let CountRequest { count, sample_iterations: iterations, max_kept_results, ref counters, .. } = *request;
    let of_sample = |iterations| engine.bencher(iterations, count, max_kept_results);
    let prepared = first.preparation();
    let mut events = Events { engine, counting: Some(Counting::of_events(marks)) };
    let mut empty_segment = |bencher: &mut Bencher| {
        bencher.prepare(prepared);
        bencher.separate_iterations();
        call_nothing_like(bencher, first);
    };
    let samples = [
        events.run(of_sample(1), &mut empty_segment),
        events.run(of_sample(1 + iterations), &mut |bencher| call_nothing_like(bencher, first)),
        {
            // Calls that warm up.
            engine.run(benchmark, iterations, count, max_kept_results);
            events.run(of_sample(iterations), benchmark)
        },
        events.run(of_sample(2 * iterations), benchmark),
    ];
    let name = join(&mut counters.iter().map(String::as_str), "");
    let mut segments = Vec::new();
    for sample in &samples {
        segments.push(Amount { name: name.clone(), value: sample.events.iter().sum() });
    }
    segments
}

/// The events of some iterations.
struct Total {
    segments: f64,
    iterations: f64,
    /// A value for each counter.
    events: Vec<f64>,
}

impl Total {
    /// Returns zero of each counter.
    fn nothing(counters: usize) -> Total {
        Total { segments: 0.0, iterations: 0.0, events: vec![0.0; counters] }
    }

    fn add(&mut self, factor: f64, other: &Total) {
        self.segments += factor * other.segments;
        self.iterations += factor * other.iterations;
        self.events.iter_mut().zip(&other.events).for_each(|(sum, events)| *sum += factor * events);
    }
}

/// Calls an empty benchmark in the loop that `first` ran in: that which keeps results and inputs
/// starts and stops the counters with other instructions.
fn call_nothing_like(bencher: &mut Bencher, first: &Bencher) {
    if first.timing == Timing::Plain && first.kept_values.are_kept() {
        (TimedCode::get().call_kept_nothing)(bencher);
    } else {
        call_nothing(bencher, first.timing);
    }
}

/// Counts events.
struct Events<'a> {
    engine: &'a Engine,
    /// `None` while a bencher has it.
    counting: Option<Counting>,
}

impl Events<'_> {
    /// Runs a benchmark with totals that start at zero.
    fn run(&mut self, mut bencher: Bencher, benchmark: &mut dyn FnMut(&mut Bencher)) -> Total {
        if let Some(mut counting) = self.counting.take() {
            counting.clear();
            bencher.set_counting(counting);
        }
        bencher.run(benchmark);
        self.counting = bencher.take_counting();
        let mut events = Vec::new();
        if let Some(counting) = &self.counting {
            counting.counters().totals().iter().for_each(|total| events.push(*total as f64));
        }
        Total { segments: bencher.segments as f64, iterations: bencher.iterations as f64, events }
    }

    /// Returns the events of a segment of an empty benchmark with one iteration, which is timed and
    /// has caches like `first`.
    fn of_empty_segment(&mut self, first: &Bencher) -> Vec<f64> {
        let prepared = first.preparation();
        // Emptying the caches takes milliseconds.
        let segments = if prepared.is_some() { 1 } else { EMPTY_SEGMENTS };
        let mut empty = |bencher: &mut Bencher| {
            bencher.prepare(prepared);
            bencher.separate_iterations();
            call_nothing_like(bencher, first);
        };
        self.least(segments, &mut empty)
    }

    /// Returns the events of a further iteration of an empty benchmark in a segment.
    fn of_empty_iteration(&mut self) -> Vec<f64> {
        let mut empty = |bencher: &mut Bencher| call_nothing(bencher, Timing::Plain);
        let once = self.least(LOOP_ITERATIONS, &mut empty);
        let mut iteration = self.least(2 * LOOP_ITERATIONS, &mut empty);
        for (twice, once) in iteration.iter_mut().zip(&once) {
            *twice = (2.0 * *twice - once).max(0.0);
        }
        iteration
    }

    /// Returns the least events of an iteration in a few runs.
    fn least(&mut self, iterations: u64, empty: &mut dyn FnMut(&mut Bencher)) -> Vec<f64> {
        let mut least: Vec<f64> = Vec::new();
        for _ in 0..EMPTY_RUNS {
            let Total { events, .. } = self.run(self.engine.bencher(iterations, 1, 1), empty);
            least.resize(events.len(), f64::INFINITY);
            least.iter_mut().zip(events).for_each(|(least, events)| *least = least.min(events));
        }
        least.iter_mut().for_each(|events| *events /= iterations as f64);
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::scripted;
    use crate::measure::count;
    use crate::measure::{Caches, Preparation};
    use crate::time::Clock;
    use std::cell::Cell;

    const REQUEST: CountRequest = CountRequest {
        iterations: 4,
        count: 1,
        samples: 3,
        sample_iterations: 1_000,
        max_kept_results: 7,
        counters: Vec::new(),
    };

    /// Counts a benchmark, and returns the events of a call.
    fn counted(request: &CountRequest, mut benchmark: impl FnMut(&mut Bencher)) -> f64 {
        let engine = Engine::with_clock(Clock::Scripted);
        let counters = scripted::counters("branch-misses");
        let counts = count(&engine, &mut benchmark, request, counters);
        let amounts = counts.counters.unwrap();
        assert_eq!(amounts.len(), 1);
        amounts[0].value / counts.iterations as f64
    }

    #[test]
    fn a_sample_is_counted_as_a_whole_and_warm() {
        let calls = Cell::new(0);
        // The first calls are slow, as with branches to be learnt: one before everything else, those
        // whose allocations are counted, and a tenth of a sample before the first one.
        let learning = |bencher: &mut Bencher| {
            bencher.call(|_| {
                calls.set(calls.get() + 1);
                scripted::add(if calls.get() <= 1 + REQUEST.iterations + 100 { 50 } else { 2 });
            });
        };
        let starts = scripted::starts();
        assert_eq!(counted(&REQUEST, learning), 2.0);
        let empty_runs = EMPTY_RUNS as u64 * (EMPTY_SEGMENTS + 2);
        assert_eq!(scripted::starts() - starts, empty_runs + 1 + REQUEST.samples);
        assert_eq!(calls.get(), 1 + REQUEST.iterations + 100 + 3 * 1_000);
    }

    #[test]
    fn starting_and_stopping_is_subtracted_from_each_segment() {
        let boxes = |bencher: &mut Bencher| {
            bencher.call(|_| {
                scripted::add(3);
                Box::new(1)
            });
        };
        assert_eq!(counted(&REQUEST, boxes), 3.0, "a segment for each 7 results");
        let excluded = |bencher: &mut Bencher| {
            bencher.call_controlled(|_, tc| {
                scripted::add(2);
                tc.exclude(|| scripted::add(100));
            });
        };
        assert_eq!(counted(&REQUEST, excluded), 2.0);
        let cold = |bencher: &mut Bencher| {
            bencher.prepare(Preparation { caches: Some(Caches::with_size(Some(1 << 12))), between: None });
            bencher.call(|_| scripted::add(5));
        };
        assert_eq!(counted(&CountRequest { sample_iterations: 5, ..REQUEST }, cold), 5.0);
    }

    #[test]
    fn a_reset_discards_events() {
        let reset = |bencher: &mut Bencher| {
            bencher.call_controlled(|_, tc| {
                scripted::add(100);
                tc.reset();
                scripted::add(1);
            });
        };
        assert_eq!(counted(&REQUEST, reset), 1.0);
    }

    #[test]
    fn the_loop_is_part_of_instructions_and_branches_only() {
        assert!(includes_loop("instructions") && includes_loop("branches"));
        assert!(!includes_loop("cycles") && !includes_loop("branch-misses"));
        let engine = Engine::with_clock(Clock::Scripted);
        let counting = Some(Counting::of_events(scripted::counters("instructions")));
        let mut events = Events { engine: &engine, counting };
        // The empty loop has no scripted events, so the further iterations are made up here.
        let segment = events.of_empty_segment(&engine.bencher(1, 1, 1));
        assert_eq!(segment, [scripted::SEGMENT as f64]);
        assert_eq!(events.of_empty_iteration(), [0.0]);
    }
    #[test]
    fn work_that_a_sample_does_once_is_subtracted_from_instructions() {
        let engine = Engine::with_clock(Clock::Scripted);
        for (name, expected) in [("instructions", 7.0), ("cycles", 7.5)] {
            let mut benchmark = |bencher: &mut Bencher| {
                let once = Cell::new(500);
                bencher.call(|_| scripted::add(7 + once.take()));
            };
            let counts = count(&engine, &mut benchmark, &REQUEST, scripted::counters(name));
            let value = counts.counters.unwrap()[0].value / counts.iterations as f64;
            assert_eq!(value, expected, "{name}");
        }
    }
}
