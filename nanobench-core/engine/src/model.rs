//! The data that the harness, the protocol, the store and the reports share: plain values.

mod row_id;
mod sampling_options;

pub use row_id::{CacheState, CacheStates, RowId, RunConditions};
pub use sampling_options::SamplingOptions;

use crate::option_table::option_table;
use crate::record::{record, words};

macro_rules! declare {
    (attribute $attribute:tt run $run:tt counters $counters:tt) => {
        /// The names of all counters.
        pub const COUNTERS: [&str; 7] = $counters;
    };
}
option_table!(declare);

/// Marks around counted segments, in place of a counter: breakpoints, for a process that executes
/// the instructions in between one by one.
pub const STEP_MARKS: &str = "step-marks";

/// A mark of [`STEP_MARKS`], whose number is in the first register of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepMark {
    /// The segment begins.
    Begin,
    /// The segment ends.
    End,
    /// There are no more marks.
    Done,
}

impl StepMark {
    /// Returns the mark with this number.
    #[inline]
    pub fn from_number(number: u64) -> Option<StepMark> {
        [StepMark::Begin, StepMark::End, StepMark::Done].into_iter().find(|mark| *mark as u64 == number)
    }
}

/// Marks around counted segments, in place of a counter: requests to valgrind's callgrind, which
/// writes the counts of each segment to a file.
pub const CALLGRIND_MARKS: &str = "callgrind-marks";

record! {
    /// Description of a benchmark: everything that is known before it runs.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct BenchmarkSpec {
        /// Its identity, unique within an executable.
        pub id: RowId,
        /// The function's own name, if `name = "..."` shows another.
        pub rust_name: Option<String>,
        /// The former name of the function: `was = "..."`.
        pub was: Option<String>,
        /// The doc comment, without the leading space of each line. Empty without one.
        pub description: String,
        /// The source file as the compiler names it.
        pub file: String,
        /// Line of the function's name in `file`, from 1.
        pub line: u32,
        /// The benchmark is marked `#[ignore]`.
        pub ignored: bool,
        /// The function takes a `count`.
        pub takes_count: bool,
        /// The function takes an input, which is hidden from the optimiser. `None` if it takes
        /// none.
        pub takes_input: Option<bool>,
        /// `count = N` of the attribute.
        pub count: Option<u64>,
        /// Number of calls in an iteration: `unroll = N`, or 1.
        pub unroll: u64,
        /// The number and length of its samples. `None` if nothing sets them.
        pub sampling: Option<SamplingOptions>,
        /// Time, in ns, after which the benchmark is stopped: `timeout = "..."`.
        pub timeout: Option<u64>,
        /// Smallest change to report, as a share: `threshold = N`.
        pub threshold: Option<f64>,
        /// Unit of an operation, in the singular: `unit = "..."`. `None` for `op`.
        pub unit: Option<String>,
        /// Number of units in a call: `batch` times `scale`.
        pub batch: Option<u64>,
        /// Units of its throughput. Calibration finds the amounts.
        pub throughput: Option<Vec<ThroughputUnit>>,
        /// Its group: `group = "..."`.
        pub group: Option<String>,
        /// Its tags, including those of its groups.
        pub tags: Option<Vec<String>>,
        /// The row that this one is compared with in each run.
        pub baseline: Option<RowId>,
        /// The reason why the row has no `baseline`, although its function names one.
        pub relation_error: Option<String>,
        /// Its input for a complexity fit over the rows of its function.
        pub complexity: Option<ComplexityInput>,
        /// Number of bytes that are written to empty the caches before each iteration, if any.
        pub wipe_size: Option<u64>,
        /// Counters that are read for it in samples of their own, without those that can't be read
        /// here.
        pub counters: Option<Vec<String>>,
        /// Notes in order: `context(key = value)`.
        pub context: Option<Vec<KeyValue>>,
        /// The reason why it can't run, such as a panic in its `args`.
        pub problem: Option<String>,
        /// The place of its code, if the program passes it to the harness.
        pub code: Option<PassedCode>,
    }
}

record! {
    /// The places of code in an executable: distances from the function of the harness that takes
    /// benchmarks, modulo 2^64.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct PassedCode {
        /// The function that calls the benchmark.
        pub row: u64,
        /// The function around the code that passes it, such as a target of a group.
        pub target: Option<u64>,
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
    /// The size of a benchmark's input, for a complexity fit.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ComplexityInput {
        /// The size.
        pub n: f64,
        /// Index of its label among those of the row. `None` if it is a fixed size of the function,
        /// of which the fit is over all functions of its group.
        pub label: Option<u64>,
        /// The value of the user's own complexity, if there is one.
        pub custom: Option<CustomCurve>,
    }
}

record! {
    /// A user's own complexity at one size.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct CustomCurve {
        /// Its source text.
        pub name: String,
        /// Its value, if that is finite.
        pub value: Option<f64>,
        /// The reason why it has no value.
        pub problem: Option<String>,
    }
}

record! {
    /// A key and its value.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct KeyValue {
        /// The key.
        pub key: String,
        /// Its value.
        pub value: String,
    }
}

record! {
    /// The clock of a launch.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct ClockInfo {
        /// `os`, or the processor's counter: `tsc`, `cntvct`.
        pub name: String,
        /// Ticks per second.
        pub frequency: f64,
        /// Smallest step between two different readings, in ns.
        pub resolution: f64,
        /// Cost of a reading, in ns.
        pub read_cost: f64,
        /// Cycles of the core that a link of the reference chain takes. `None` if that isn't known of
        /// the processor.
        pub cycles_per_link: Option<u64>,
    }
}

record! {
    /// The clock's costs, which an engine calibrates in a few milliseconds before it measures.
    ///
    /// Another process on the same machine can use the same calibration. Both then subtract the
    /// same costs.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ClockCalibration {
        /// The clock.
        pub clock: ClockInfo,
        /// Overhead of starting and stopping the clock around a plain loop, in ns.
        pub plain_segment: f64,
        /// Overhead of starting and stopping the clock with a `TimeControl`, in ns.
        pub controlled_segment: f64,
        /// Cost of an iteration of an empty benchmark, in ns.
        pub empty_loop: f64,
        /// The overheads with their spread.
        pub overheads: Option<Overheads>,
        /// Overhead of a segment after work before each iteration, such as emptying the caches, in
        /// ns. `None` unless another process measured it for the only row that this one serves.
        pub prepared_segment: Option<f64>,
    }
}

record! {
    /// The overheads that figures contain, or that are subtracted from them.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Overheads {
        /// An iteration of an empty benchmark. Figures contain it.
        pub empty_loop: Overhead,
        /// A step of an empty loop over the `count`, which the benchmark itself writes. Figures
        /// contain it.
        pub count_loop: Overhead,
        /// Starting and stopping the clock with a `TimeControl`. It is subtracted.
        pub time_control: Overhead,
    }
}

record! {
    /// A time in ns that is measured several times.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Overhead {
        /// Median.
        pub median: f64,
        /// The 5 % quantile.
        pub low: f64,
        /// The 95 % quantile.
        pub high: f64,
    }
}

record! {
    /// One timed run, in raw integers. All figures are computed from them.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Sample {
        /// Number of iterations.
        pub iterations: u64,
        /// Time with the clock running, in ticks. It includes the overhead of the clock.
        pub elapsed: u64,
        /// Number of segments, each of which adds `Launch::segment_cost` to `elapsed`. Overlapping
        /// segments of several threads count once. 0 for a benchmark with a clock of its own.
        pub segments: u64,
        /// Time of 12,000 links, in ticks, according to the reference chains right before and after
        /// it. It shows the speed of the core at that moment.
        pub reference: u64,
        /// Number of its round. Samples that were taken next to each other in time, one of each
        /// side, share it.
        pub round: u64,
    }
}

record! {
    /// All samples of one benchmark from one process, which share its memory layout and its clock.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Launch {
        /// The clock of `samples`.
        pub clock: ClockInfo,
        /// Overhead of starting and stopping the clock once, in ns. It is calibrated in this
        /// process with the code that times the benchmark.
        pub segment_cost: f64,
        /// Cost of an iteration of an empty benchmark in this process, in ns: beside the samples,
        /// if those are nearly as short, or else when the clock was calibrated. It is not
        /// subtracted from `samples`, as most benchmarks hide it.
        pub empty_loop: f64,
        /// The samples, in the order of time.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub samples: Vec<Sample>,
    }
}

record! {
    /// All samples of one benchmark in one run.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Measurement {
        /// The `count` of the function, or 1.
        pub count: u64,
        /// Number of calls in an iteration.
        pub unroll: u64,
        /// Number of units in a call: `batch` times `scale`.
        pub batch: Option<u64>,
        /// Amounts that an iteration works on.
        pub throughput: Option<Vec<Amount>>,
        /// Allocations and counters.
        pub counts: Option<Counts>,
        /// False if the function returns nothing. `None` if that is unknown.
        pub returns_value: Option<bool>,
        /// Times of the very first call in fresh processes, per operation, in ns. `None` unless they
        /// are requested.
        pub first_calls: Option<Vec<f64>>,
        /// The timeout, in ns, that ended the sampling before the plan was fulfilled.
        pub timed_out: Option<u64>,
        /// The launches, in the order of time.
        pub launches: Vec<Launch>,
    }
}

impl Measurement {
    /// Returns the number of operations in an iteration, at most as many as an integer holds.
    pub fn operations(&self) -> u64 {
        self.count.saturating_mul(self.unroll).saturating_mul(self.batch.unwrap_or(1))
    }
}

record! {
    /// An amount of a unit.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Amount {
        /// The unit in the singular, such as `byte`, or the name of a counter, such as
        /// `page-faults`.
        pub name: String,
        /// The amount.
        pub value: f64,
    }
}

record! {
    /// Allocations and counters of iterations that were not timed.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Counts {
        /// Number of iterations.
        pub iterations: u64,
        /// Allocations of all iterations together, if the counting allocator is installed.
        pub allocations: Option<Allocations>,
        /// Counters of as many iterations, from samples with more of them.
        pub counters: Option<Vec<Amount>>,
    }
}

impl Counts {
    /// Returns the total of the counter with this name.
    pub fn counter(&self, name: &str) -> Option<f64> {
        let counter = self.counters.iter().flatten().find(|counter| counter.name == name)?;
        Some(counter.value)
    }
}

record! {
    /// Requests to the allocator.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Allocations {
        /// Number of new blocks.
        pub allocations: u64,
        /// Number of freed blocks.
        pub deallocations: u64,
        /// Number of blocks that grew or shrank.
        pub reallocations: u64,
        /// Bytes of new blocks, and bytes by which resized blocks grew.
        pub bytes: u64,
        /// Maximum number of bytes that one iteration added to the heap at a time.
        pub peak: u64,
    }
}
