//! Requests to the process that holds a benchmark, and the replies.

use crate::model::{Amount, CALLGRIND_MARKS, STEP_MARKS, Sample};
use crate::record::record;

/// Divisor for the part of a sample that runs untimed before the samples of a request.
const WARMUP_DIVISOR: u64 = 10;

record! {
    /// A request to find out how to call a benchmark.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct CalibrationRequest {
        /// Length of a sample, in ns. With 0, the number of iterations has to be given, and the benchmark
        /// is only called to warm up, and to find a count.
        pub sample_time: f64,
        /// Number of iterations in a sample, however long they take.
        pub iterations: Option<u64>,
        /// Count to use instead of letting the harness find one.
        pub count: Option<u64>,
        /// Number of calls before the first one that is timed.
        pub warmup: u64,
    }
}

record! {
    /// Parameters with which samples of a benchmark have the requested length.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Calibration {
        /// `count` that the function gets: operations in an iteration.
        pub count: u64,
        /// Iterations of a sample.
        pub iterations: u64,
        /// Largest number of results to keep at a time.
        pub max_kept_results: u64,
        /// Approximate time of an iteration with the clock running, in ticks.
        pub iteration_ticks: f64,
        /// Approximate wall time of an iteration, including everything outside the timing, in ns.
        pub iteration_wall_time: f64,
        /// Segment cost, as in [`SampleBatch`].
        pub segment_cost: f64,
        /// The very first call, as a sample.
        pub first_call: Sample,
        /// Throughput of a call, or of one operation of its `count`.
        pub throughput: Option<Vec<Amount>>,
        /// False if the function returns nothing. `None` if that is unknown.
        pub returns_value: Option<bool>,
    }
}

impl Calibration {
    /// Returns the approximate wall time of a sample, including everything outside the timing, in
    /// ns. A few fast calls take less than the reference chains and the other work beside them.
    #[inline]
    pub fn sample_wall_time(&self) -> f64 {
        const WORK_BESIDE: f64 = 20_000.0;
        (self.iteration_wall_time * self.iterations as f64).max(WORK_BESIDE)
    }

    /// Returns the request to count allocations and these counters. `None` for a benchmark that is
    /// too slow to be called again for that.
    #[inline]
    pub fn count_request(&self, counters: Vec<String>) -> Option<CountRequest> {
        /// Time for all counted iterations, in ns.
        const COUNTING_TIME: f64 = 5e6;
        const MAX_ITERATIONS: f64 = 32.0;
        const MAX_SAMPLES: f64 = 8.0;
        /// Longest iteration for which events are counted, in ns.
        const MAX_ITERATION_TIME: f64 = 1e9;
        let in_time = (COUNTING_TIME / self.iteration_wall_time).max(1.0);
        let sample_iterations = in_time.min(self.iterations as f64);
        (self.iteration_wall_time <= MAX_ITERATION_TIME).then(|| CountRequest {
            iterations: in_time.min(MAX_ITERATIONS) as u64,
            count: self.count,
            samples: (in_time / sample_iterations).min(MAX_SAMPLES) as u64,
            sample_iterations: sample_iterations as u64,
            max_kept_results: self.max_kept_results,
            counters,
        })
    }

    /// Returns the throughput of an iteration that contains the body of the function `unroll`
    /// times, each with `count` operations.
    #[inline]
    pub fn iteration_throughput(&self, unroll: u64) -> Option<Vec<Amount>> {
        let operations = self.count as f64 * unroll as f64;
        let per_iteration = |amount: &Amount| Amount { value: amount.value * operations, ..amount.clone() };
        self.throughput.as_ref().map(|amounts| amounts.iter().map(per_iteration).collect())
    }
}

record! {
    /// A request to count allocations and events. None of it is timed.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct CountRequest {
        /// Number of iterations in which allocations are counted, each by itself.
        pub iterations: u64,
        /// `count` that the function gets.
        pub count: u64,
        /// Number of samples in which `counters` are read.
        pub samples: u64,
        /// Number of iterations in such a sample.
        pub sample_iterations: u64,
        /// Largest number of results to keep at a time in such a sample.
        pub max_kept_results: u64,
        /// Counters to read.
        pub counters: Vec<String>,
    }
}

impl CountRequest {
    /// Returns whether another process counts, between marks. The reply then has the number of
    /// segments of each of four samples: of an empty benchmark with one iteration, of one with
    /// `sample_iterations` more, and of this benchmark with `sample_iterations` and twice as many.
    pub(crate) fn has_marks(&self) -> bool {
        matches!(&self.counters[..], [name] if *name == STEP_MARKS || *name == CALLGRIND_MARKS)
    }
}

record! {
    /// A request for samples.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SampleRequest {
        /// Number of samples.
        pub samples: u64,
        /// Calls of the benchmark function in a sample.
        pub iterations: u64,
        /// Every sample has exactly `iterations` calls. Otherwise, samples have up to a fifth more,
        /// at random, so that they don't synchronise with periodic disturbances.
        pub exact_iterations: bool,
        /// `count` that the function gets.
        pub count: u64,
        /// Largest number of results to keep at a time.
        pub max_kept_results: u64,
        /// Round of the first sample. Each further sample is in the next round.
        pub round: u64,
        /// Seed of the random numbers. The same seed and round give the same number of iterations.
        pub seed: u64,
        /// The reply has the waiting time of each sample.
        pub measure_waiting: bool,
    }
}

record! {
    /// The reply to a [`SampleRequest`].
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct SampleBatch {
        /// Time that starting and stopping the clock once adds to a sample, in ns.
        pub segment_cost: f64,
        /// Time of an iteration of an empty benchmark, in ns: the shortest of those timed beside
        /// the samples. `None` for samples that take much longer.
        pub empty_loop: Option<f64>,
        /// Samples in the order in which they were taken.
        pub samples: Vec<Sample>,
        /// Part of the time of each sample in which other programs had the processor that the
        /// benchmark waited for, in ns: not more than it certainly was. `None` if it was not
        /// requested, or is unknown.
        pub waited: Option<Vec<u64>>,
        /// Time of the calls before the first sample, in ns. The time for which other programs had the
        /// processor is no part of it if the waiting times of the samples were requested, and are
        /// known.
        pub warmup_time: f64,
    }
}

impl SampleRequest {
    /// Returns the number of calls before the first sample.
    pub fn warmup_iterations(&self) -> u64 {
        self.iterations / WARMUP_DIVISOR
    }
}

impl SampleBatch {
    /// Appends a later batch of the same process.
    #[inline]
    pub fn append(&mut self, later: SampleBatch) {
        self.warmup_time += later.warmup_time;
        self.segment_cost = later.segment_cost;
        self.empty_loop = shorter(self.empty_loop, later.empty_loop);
        self.waited = match (self.waited.take(), later.waited) {
            (Some(waited), Some(later)) => Some([waited, later].concat()),
            (None, later) if self.samples.is_empty() => later,
            _ => None,
        };
        self.samples.extend(later.samples);
    }
}

/// Returns the shorter of two times, if there is any.
pub(super) fn shorter(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// A source of samples of one benchmark: the engine of this process, or a harness process at the
/// other end of a channel.
pub trait Sampler {
    /// The reason why a request fails.
    type Error;

    /// Finds out how to call the benchmark.
    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Self::Error>;

    /// Takes samples.
    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Self::Error>;
}
