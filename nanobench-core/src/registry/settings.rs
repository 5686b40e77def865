//! What an attribute asks for, on a function or on a module of them.

use crate::model::{CacheStates, ThroughputUnit};

/// The options of an attribute that the harness looks at.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Exactly so many samples.
    pub samples: Option<u64>,
    /// Length of a sample, in ns.
    pub sample_time: Option<u64>,
    /// Exactly so many iterations in a sample.
    pub iterations: Option<u64>,
    /// Calls before the first one that is looked at.
    pub warmup: Option<u64>,
    /// Whether there is such a call at all.
    pub prime: Option<bool>,
    /// Changes up to so many percent don't matter.
    pub threshold: Option<f64>,
    /// What an operation is one of, in the singular.
    pub unit: Option<&'static str>,
    /// How many units an operation does.
    pub batch: Option<u64>,
    /// How often the body stands in the function.
    pub scale: Option<u64>,
    /// What there is a throughput of: `byte`, `char`, `item`.
    pub throughput: &'static [ThroughputUnit],
    /// The group that the function belongs to.
    pub group: Option<&'static str>,
    /// For selecting.
    pub tags: &'static [&'static str],
    /// The path of the function to compare with, as it is written.
    pub baseline: Option<&'static str>,
    /// Its rows are points of a curve.
    pub complexity: Option<Complexity>,
    /// The state of the caches before an iteration.
    pub cache: Option<CacheStates>,
    /// A row for each: on how many threads at once it runs. Asked for when there are to be rows.
    pub threads: Option<fn() -> Vec<usize>>,
    /// Kept with the results.
    pub context: &'static [(&'static str, &'static str)],
}

impl Settings {
    /// Nothing is asked for.
    pub const DEFAULT: Settings = Settings {
        samples: None,
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
        tags: &[],
        baseline: None,
        complexity: None,
        cache: None,
        threads: None,
        context: &[],
    };
}

/// A curve that the times of a function's rows are fitted to.
#[derive(Debug, Clone, Copy)]
pub struct Complexity {
    /// One of the user's own beside the usual ones.
    pub custom: Option<Curve>,
}

/// A curve: as it is written, and its value for a size.
pub type Curve = (&'static str, fn(f64) -> f64);

/// Settings of all functions in a module, or of all that name the group.
#[derive(Debug)]
pub struct Group {
    /// `module_path!()` inside the module.
    pub module_path: &'static str,
    /// `group = "..."`, by which functions elsewhere belong to it, too.
    pub name: Option<&'static str>,
    /// What is asked for all of them.
    pub settings: Settings,
}

/// A group on its way into the collection.
#[derive(Debug)]
pub struct RegisteredGroup(pub &'static Group);

impl Group {
    /// The name by which functions belong to it.
    pub(crate) fn called(&self) -> Option<&'static str> {
        self.name.or(self.settings.group)
    }
}
