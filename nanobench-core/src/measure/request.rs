//! What is asked of whoever holds a benchmark, and what comes back.

use crate::model::{Amount, Sample};
use crate::record::record;

record! {
    /// An order to find out how to call a benchmark.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct CalibrationRequest {
        /// How long a sample should be, in ns.
        pub sample_time: f64,
        /// So many iterations in a sample, whatever time they take.
        pub iterations: Option<u64>,
        /// Replaces the count that the harness would look for.
        pub count: Option<u64>,
        /// Calls before the first one that counts.
        pub warmup: u64,
    }
}

record! {
    /// How a benchmark is to be called for samples of the wanted length.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Calibration {
        /// What the function gets as `count`: operations in an iteration.
        pub count: u64,
        /// Iterations of a sample.
        pub iterations: u64,
        /// How many results may be kept at a time.
        pub max_kept_results: u64,
        /// About how long an iteration takes, in ticks of the clock, as the samples have it.
        pub iteration_ticks: f64,
        /// The same with all that is left out of the timing, in ns.
        pub iteration_wall_time: f64,
        /// As in [`SampleBatch`].
        pub segment_cost: f64,
        /// The first call of all.
        pub first_call: Sample,
        /// How much of what an iteration has a throughput of.
        pub throughput: Option<Vec<Amount>>,
    }
}

impl Calibration {
    /// About how long a sample takes, with all that is left out of its timing, in ns.
    pub fn sample_wall_time(&self) -> f64 {
        (self.iteration_wall_time * self.iterations as f64).max(1.0)
    }

    /// How many iterations are enough to count what one does; `None` for what takes too long to be called again for that.
    pub fn counting_iterations(&self) -> Option<u64> {
        /// Counted calls take about this long together, in ns.
        const TOGETHER: f64 = 5e6;
        const MOST: f64 = 32.0;
        /// What a call may take, in ns.
        const LONGEST: f64 = 1e9;
        let iterations = (TOGETHER / self.iteration_wall_time).clamp(1.0, MOST) as u64;
        (self.iteration_wall_time <= LONGEST).then_some(iterations)
    }

    /// How much of what an iteration has a throughput of, in which the function's body stands so often.
    pub fn iteration_throughput(&self, unroll: u64) -> Option<Vec<Amount>> {
        // What is told is that of a call.
        let of_iteration = |amount: &Amount| Amount { value: amount.value * unroll as f64, ..amount.clone() };
        self.throughput.as_ref().map(|amounts| amounts.iter().map(of_iteration).collect())
    }

    /// The first call as what was taken.
    pub fn first(&self) -> SampleBatch {
        SampleBatch { segment_cost: self.segment_cost, samples: vec![self.first_call] }
    }
}

record! {
    /// An order for samples.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SampleRequest {
        /// How many.
        pub samples: u64,
        /// Calls of the benchmark function in each.
        pub iterations: u64,
        /// No more than these; else up to a fifth more, at random, so that nothing periodic keeps step.
        pub exact_iterations: bool,
        /// What the function gets as `count`.
        pub count: u64,
        /// How many results may be kept at a time.
        pub max_kept_results: u64,
        /// The round of the first one; each further one is a round of its own.
        pub round: u64,
        /// Of the random numbers: the same seed and round give the same number of iterations.
        pub seed: u64,
    }
}

record! {
    /// What came of a [`SampleRequest`].
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct SampleBatch {
        /// What starting and stopping the clock once leaves in the samples, in ns.
        pub segment_cost: f64,
        /// In the order in which they were taken.
        pub samples: Vec<Sample>,
    }
}

impl SampleBatch {
    /// Adds what the same process took later.
    pub fn append(&mut self, later: SampleBatch) {
        self.segment_cost = later.segment_cost;
        self.samples.extend(later.samples);
    }
}

/// What takes orders for one benchmark: the engine in this process, or a harness process at the other end
/// of a channel.
pub trait Sampler {
    /// What can go wrong on the way.
    type Error;

    /// Finds out how to call the benchmark.
    fn calibrate(&mut self, order: &CalibrationRequest) -> Result<Calibration, Self::Error>;

    /// Takes samples.
    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Self::Error>;
}
