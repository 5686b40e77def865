//! The data that the harness, the protocol, the store and the reports share. Plain values: nothing here
//! measures, computes or prints.

mod row_id;

pub use row_id::{CacheState, CacheStates, RowId, RunConditions};

use crate::record::{record, words};

record! {
    /// What is known of a marked function before it is run.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct BenchmarkSpec {
        /// Its identity, unique within an executable.
        pub id: RowId,
        /// The function's own name, if `name = "..."` shows another.
        pub rust_name: Option<String>,
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
        /// `threshold = N`: changes up to so many percent are not called.
        pub threshold: Option<f64>,
        /// `unit = "..."`: what an operation is one of, in the singular; `op` without it.
        pub unit: Option<String>,
        /// `batch` times `scale`: how many of its unit a benchmark does where others do one.
        pub batch: Option<u64>,
        /// What it has a throughput of: `byte`, `char`, `item`. How much of each, a calibration tells.
        pub throughput: Option<Vec<ThroughputUnit>>,
        /// `group = "..."`.
        pub group: Option<String>,
        /// `tags = [..]`, those of its groups too.
        pub tags: Option<Vec<String>>,
        /// The row that this one is compared with in each run.
        pub baseline: Option<RowId>,
        /// Why there is none, though the function names another that has rows.
        pub unpaired: Option<String>,
        /// For a fit of its complexity, with the other rows of its function.
        pub complexity: Option<ComplexityInput>,
        /// Number of bytes that are written to empty the caches before each iteration, if they are emptied.
        pub wipe_size: Option<u64>,
        /// `context(key = value)`, in order.
        pub context: Option<Vec<KeyValue>>,
        /// Why it can't be run: its arguments could not be made, or the baseline that it names is none.
        pub problem: Option<String>,
    }
}

words! {
    /// Unit of a throughput.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ThroughputUnit {
        /// `bytes = ..`
        Byte = "byte",
        /// `chars = ..`
        Char = "char",
        /// `items = ..`
        Item = "item",
    }
}

record! {
    /// How large the input of a benchmark is.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ComplexityInput {
        /// The numeric argument.
        pub n: f64,
        /// Index of its label among those of the row.
        pub label: u64,
        /// Of a complexity of the user's own.
        pub custom: Option<CustomCurve>,
    }
}

record! {
    /// A complexity of the user's own, at one size.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct CustomCurve {
        /// As it is written.
        pub name: String,
        /// Its value, where that is a finite number.
        pub value: Option<f64>,
        /// Why it has none.
        pub problem: Option<String>,
    }
}

record! {
    /// A key and what belongs to it.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct KeyValue {
        /// The key.
        pub key: String,
        /// Its value.
        pub value: String,
    }
}

record! {
    /// The clock that a launch was timed with.
    #[derive(Debug, Clone, Default, PartialEq)]
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
    /// What an engine finds out about its clock before it measures, which takes it some ms. Another process of the same
    /// machine can be told instead, and then both take the same costs out.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ClockCalibration {
        /// The clock.
        pub clock: ClockInfo,
        /// What starting and stopping the clock around a plain loop leaves in the time between, in ns.
        pub plain_segment: f64,
        /// The same with a `TimeControl`.
        pub controlled_segment: f64,
        /// What an iteration of an empty benchmark takes, in ns.
        pub empty_loop: f64,
    }
}

record! {
    /// One timed run. Integers as they were counted; what they mean is computed from them later.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Sample {
        /// Calls of the benchmark function.
        pub iterations: u64,
        /// Time with the clock running, in ticks, with the cost of reading it still in.
        pub elapsed: u64,
        /// How often the clock was started and stopped. Each time leaves `Launch::segment_cost` in `elapsed`.
        /// Of several threads, what overlaps counts once, as it does there.
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
        pub empty_loop: f64,
        /// In the order in which they were taken.
        pub samples: Vec<Sample>,
    }
}

record! {
    /// All samples of one benchmark in one run.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Measurement {
        /// What the function got as `count`, or 1.
        pub count: u64,
        /// How often the function's body stands in an iteration.
        pub unroll: u64,
        /// `batch` times `scale`.
        pub batch: Option<u64>,
        /// How much of what an iteration has a throughput of.
        pub throughput: Option<Vec<Amount>>,
        /// What was counted beside the timing.
        pub counted: Option<Counts>,
        /// In the order in which they ran.
        pub launches: Vec<Launch>,
    }
}

impl Measurement {
    /// Operations in an iteration.
    pub fn operations(&self) -> u64 {
        self.count * self.unroll * self.batch.unwrap_or(1)
    }
}

record! {
    /// A number of something.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Amount {
        /// What is counted, in the singular: `byte`, `item`; of counters their names: `page-faults`.
        pub name: String,
        /// How many.
        pub value: f64,
    }
}

record! {
    /// What was counted in some iterations that were not timed.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Counts {
        /// How many.
        pub iterations: u64,
        /// All of them together, where the counting allocator is installed.
        pub allocations: Option<Allocations>,
        /// All of them together.
        pub counters: Option<Vec<Amount>>,
    }
}

record! {
    /// What was asked of the allocator.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Allocations {
        /// New blocks.
        pub allocations: u64,
        /// Blocks given back.
        pub deallocations: u64,
        /// Blocks grown or shrunk.
        pub reallocations: u64,
        /// Bytes of new blocks, and by which others grew.
        pub bytes: u64,
        /// The most that one iteration held at a time beyond what was there before it, in bytes.
        pub peak: u64,
    }
}
