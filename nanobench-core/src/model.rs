//! The data that the harness, the protocol, the store and the reports share. Plain values: nothing here
//! measures, computes or prints.

use crate::record::record;

record! {
    /// What is known of a marked function before it is run.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Benchmark {
        /// Module path below the crate's root and name, joined by `::`: `hashing::short_keys`. Unique within
        /// an executable; package and target are put before it by whoever knows them.
        pub path: String,
        /// The doc comment, as written, without the leading space of each line. Empty where there is none.
        pub description: String,
        /// The source file as the compiler names it.
        pub file: String,
        /// Line of the attribute in `file`, from 1.
        pub line: u32,
        /// Marked `#[ignore]`: runs only where asked for.
        pub ignored: bool,
        /// The function takes a `count`.
        pub counted: bool,
        /// `count = N` of the attribute.
        pub count: Option<u64>,
        /// How often the function's body stands in an iteration: `unroll = N`, or 1.
        pub unroll: u64,
        /// `samples = N`: exactly so many.
        pub samples: Option<u64>,
        /// `sample_time = "..."`: length of a sample, in ns.
        pub sample_time: Option<u64>,
        /// `iterations = N`: exactly so many in a sample.
        pub iterations: Option<u64>,
        /// `warmup = N`: calls before the first one that is looked at; 0 for `prime = false`.
        pub warmup: Option<u64>,
    }
}

record! {
    /// The clock that a launch was timed with.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ClockInfo {
        /// `os`, or the processor's counter: `tsc`, `cntvct`.
        pub name: String,
        /// Ticks a second.
        pub frequency: f64,
        /// Smallest step between two readings that differ, in ns.
        pub resolution: f64,
        /// What one reading takes, in ns.
        pub read_cost: f64,
    }
}

record! {
    /// One timed run. Integers as they were counted; what they mean is computed from them later.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Sample {
        /// Calls of the benchmark function.
        pub iterations: u64,
        /// Time with the clock running, in ticks, with the cost of reading it still in.
        pub elapsed: u64,
        /// How often the clock was started and stopped. Each time leaves `Launch::segment_cost` in `elapsed`.
        pub segments: u64,
        /// What the reference chains right before and after it took together, in ticks: how fast the core ran just then.
        pub reference: u64,
        /// Which round of the run it belongs to: samples that were taken next to each other in time, one a
        /// side, share a number.
        pub round: u64,
    }
}

record! {
    /// All samples of one benchmark from one process life. They share its memory layout and its clock.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Launch {
        /// The clock of `samples`.
        pub clock: ClockInfo,
        /// What starting and stopping the clock once leaves in the time between, in ns, calibrated in this
        /// process with the code that the benchmark is timed with.
        pub segment_cost: f64,
        /// What an iteration of an empty benchmark takes in this process, in ns: the loop itself, which is not taken
        /// out of `samples`, as most benchmarks hide it.
        pub nothing: f64,
        /// In the order in which they were taken.
        pub samples: Vec<Sample>,
    }
}

record! {
    /// All samples of one benchmark in one run.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Measurement {
        /// What the function got as `count`, or 1.
        pub count: u64,
        /// How often the function's body stands in an iteration.
        pub unroll: u64,
        /// In the order in which they ran.
        pub launches: Vec<Launch>,
    }
}

impl Measurement {
    /// Operations in an iteration.
    pub fn operations(&self) -> u64 {
        self.count * self.unroll
    }
}
