//! The options of an attribute on a function or a module.

use crate::model::{CacheStates, ThroughputUnit};

/// The options of an attribute that the harness reads.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Exact number of samples.
    pub samples: Option<u64>,
    /// Precision at which sampling stops, in percent.
    pub precision: Option<f64>,
    /// Shortest time for all samples, in ns.
    pub min_time: Option<u64>,
    /// Longest time for all samples, in ns.
    pub max_time: Option<u64>,
    /// Time after which the benchmark is stopped, in ns.
    pub timeout: Option<u64>,
    /// Length of a sample, in ns.
    pub sample_time: Option<u64>,
    /// Exact number of iterations of a sample.
    pub iterations: Option<u64>,
    /// Number of calls before the first timed one.
    pub warmup: Option<u64>,
    /// False for no such calls at all.
    pub prime: Option<bool>,
    /// Smallest change to report, in percent.
    pub threshold: Option<f64>,
    /// Unit of an operation, in the singular.
    pub unit: Option<&'static str>,
    /// Number of units of an operation.
    pub batch: Option<u64>,
    /// Number of operations in a call.
    pub scale: Option<u64>,
    /// Units of its throughput.
    pub throughput: &'static [ThroughputUnit],
    /// The group of the function.
    pub group: Option<&'static str>,
    /// The former name of the function.
    pub was: Option<&'static str>,
    /// Tags to select by.
    pub tags: &'static [&'static str],
    /// Source text of the path of the function to compare with.
    pub baseline: Option<&'static str>,
    /// The complexity fit over its rows.
    pub complexity: Option<Complexity>,
    /// The size of the function's input, for a fit over all functions of its group.
    pub complexity_n: Option<u64>,
    /// The states of the caches to run with.
    pub cache: Option<CacheStates>,
    /// Names of the counters to read. Empty for none.
    pub counters: &'static [&'static str],
    /// Other code to run before each iteration, outside the timing.
    pub between: Option<fn()>,
    /// The numbers of threads to run on: a row for each.
    pub threads: Option<fn() -> Vec<usize>>,
    /// Notes to store with the results.
    pub context: &'static [(&'static str, &'static str)],
}

impl Settings {
    /// No options.
    pub const DEFAULT: Settings = Settings {
        samples: None,
        precision: None,
        min_time: None,
        max_time: None,
        timeout: None,
        sample_time: None,
        iterations: None,
        warmup: None,
        prime: None,
        threshold: None,
        unit: None,
        batch: None,
        scale: None,
        throughput: &[],
        group: None,
        was: None,
        tags: &[],
        baseline: None,
        complexity: None,
        complexity_n: None,
        cache: None,
        counters: &[],
        between: None,
        threads: None,
        context: &[],
    };
}

/// A complexity fit over the rows of a function, or over functions.
#[derive(Debug, Clone, Copy)]
pub struct Complexity {
    /// The user's own complexity, in addition to the usual ones.
    pub custom: Option<Curve>,
}

/// A complexity: its source text, and its value for a size.
pub type Curve = (&'static str, fn(f64) -> f64);

/// Settings of all functions in a module, and of those that name the group.
#[derive(Debug)]
pub struct Group {
    /// `module_path!()` inside the module.
    pub module_path: &'static str,
    /// `group = "..."`, by which functions elsewhere can name it.
    pub name: Option<&'static str>,
    /// True if it is marked `#[ignore]`.
    pub ignored: bool,
    /// The options for all of them.
    pub settings: Settings,
}

/// A group that is being registered.
#[derive(Debug)]
pub struct RegisteredGroup(pub &'static Group);

impl Group {
    /// Returns the name by which functions belong to it.
    pub(crate) fn group_name(&self) -> Option<&'static str> {
        self.name.or(self.settings.group)
    }
}
