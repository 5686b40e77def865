//! The options of an attribute on a function or a module.

use crate::model::{CacheStates, SamplingOptions, ThroughputUnit};
use crate::option_table::option_table;
use std::sync::OnceLock;

/// Returns the type of a field, by the kind of the option.
macro_rules! field {
    (number) => { Option<u64> };
    (amount) => { Option<u64> };
    (duration) => { Option<u64> };
    (percentage) => { Option<f64> };
    (flag) => { Option<bool> };
    (text) => { Option<&'static str> };
    (words) => { &'static [&'static str] };
    (pairs) => { &'static [(&'static str, &'static str)] };
    (caches) => { Option<CacheStates> };
    (complexity) => { Option<Complexity> };
    (threads) => { Option<fn() -> Vec<usize>> };
    (function) => { Option<fn()> };
    (condition) => { Option<fn() -> bool> };
}

/// Returns the value of a field without the option.
macro_rules! unset {
    (words) => {
        &[]
    };
    (pairs) => {
        &[]
    };
    ($other:ident) => {
        None
    };
}

macro_rules! declare {
    (
        attribute {
            code $code:tt
            settings { $($name:ident: $kind:ident $bound:tt $place:tt $doc:literal;)* }
            sampling { $($sampling:ident: $number:ident $range:tt $stand:tt $meaning:literal;)* }
        }
        run $run:tt
        counters $counters:tt
    ) => {
        /// The options of an attribute that the harness reads. Times are in ns, and percentages are shares.
        #[derive(Debug, Clone, Copy)]
        pub struct Settings {
            $(#[doc = $doc] pub $name: field!($kind),)*
            $(#[doc = $meaning] pub $sampling: field!($number),)*
            /// Units of the throughput, by `bytes`, `chars` and `items`.
            pub throughput: &'static [ThroughputUnit],
            /// Amounts that each iteration works on, unless the benchmark itself reports others.
            pub amounts: Option<fn() -> Vec<(ThroughputUnit, u64)>>,
            /// Returns the settings to use instead, for values that are known only at run time.
            pub late: Option<fn() -> &'static Settings>,
        }

        impl Settings {
            /// No options.
            pub const DEFAULT: Settings =
                Settings {
                    $($name: unset!($kind),)*
                    $($sampling: None,)*
                    throughput: &[],
                    amounts: None,
                    late: None,
                };

            /// Returns the settings to use.
            pub(crate) fn resolved(&self) -> &Settings {
                self.late.map_or(self, |late| late())
            }

            /// Returns the options for the number and length of samples.
            pub(crate) fn sampling(&self) -> SamplingOptions {
                SamplingOptions { $($sampling: self.$sampling,)* }
            }
        }
    };
}
option_table!(declare);

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

static OVERRIDES: OnceLock<&'static Settings> = OnceLock::new();

/// Overrides the settings of all benchmarks of the process, once.
pub fn override_settings(settings: Settings) {
    _ = OVERRIDES.set(Box::leak(Box::new(settings)));
}

/// Returns the settings that override those of all benchmarks.
pub(crate) fn overrides() -> Option<&'static Settings> {
    OVERRIDES.get().copied()
}
