//! The settings of a run.

use super::Column;
use crate::configuration::Configuration;
use crate::measure::Count;
use std::time::Duration;

/// The names of the counters among [`Measure`](super::Measure), in its order.
pub(super) const COUNTERS: [&str; 6] =
    ["page-faults", "cycles", "context-switches", "instructions", "branches", "branch-misses"];

/// Factor by which an epoch may be longer than intended: up to a fifth by the additional iterations,
/// and a little by the choice of their number.
const MAX_ADDITIONAL: f64 = 1.3;

/// The settings of a run. Their meaning is documented at the methods of [`Bench`](super::Bench).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settings {
    pub(super) title: String,
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) batch: f64,
    pub(super) context: Vec<(String, String)>,
    pub(super) complexity_n: Option<f64>,
    /// The unit of times in the table, in seconds, and its name.
    pub(super) time_unit: (f64, String),
    pub(super) clock_resolution_multiple: u64,
    pub(super) epochs: u64,
    pub(super) min_epoch_time: Duration,
    pub(super) max_epoch_time: Duration,
    pub(super) min_epoch_iterations: u64,
    /// 0 if the other limits decide.
    pub(super) epoch_iterations: u64,
    pub(super) warmup: u64,
    pub(super) relative: bool,
    /// The counters to read, in the order of [`COUNTERS`].
    pub(super) counters: [bool; COUNTERS.len()],
    /// 0 if calibration chooses it.
    pub(super) count: u64,
    pub(super) hidden_columns: Vec<Column>,
    /// The keys of the context that have a column.
    pub(super) context_columns: Vec<String>,
}

impl Settings {
    /// Returns the default settings, changed by the environment.
    #[inline]
    pub(super) fn from_environment() -> Settings {
        Settings::default().changed_by(&Configuration::from_environment())
    }

    /// Returns these settings with those of the configuration that are set.
    #[inline]
    pub(super) fn changed_by(self, from: &Configuration) -> Settings {
        let settings = self;
        Settings {
            epochs: from.epochs.unwrap_or(settings.epochs),
            min_epoch_time: from.min_epoch_time.unwrap_or(settings.min_epoch_time),
            max_epoch_time: from.max_epoch_time.unwrap_or(settings.max_epoch_time),
            min_epoch_iterations: from.min_epoch_iterations.unwrap_or(settings.min_epoch_iterations),
            epoch_iterations: from.epoch_iterations.unwrap_or(settings.epoch_iterations),
            warmup: from.warmup.unwrap_or(settings.warmup),
            clock_resolution_multiple: from
                .clock_resolution_multiple
                .unwrap_or(settings.clock_resolution_multiple),
            ..settings
        }
    }

    /// Returns whether a column isn't hidden.
    #[inline]
    pub(super) fn shows(&self, column: Column) -> bool {
        !self.hidden_columns.contains(&column)
    }

    /// Returns the origin of the count of a closure that takes one.
    #[inline]
    pub(super) fn count(&self) -> Count {
        if self.count == 0 { Count::Auto } else { Count::Fixed(self.count) }
    }

    /// Returns the number of iterations in an epoch, if it is set.
    #[inline]
    pub(super) fn exact_iterations(&self) -> Option<u64> {
        Some(self.epoch_iterations).filter(|&iterations| iterations > 0)
    }

    /// Returns the shortest and the longest time of an epoch, in ns.
    #[inline]
    pub(super) fn epoch_time_limits(&self) -> [f64; 2] {
        [self.min_epoch_time, self.max_epoch_time].map(|time| time.as_secs_f64() * 1e9)
    }

    /// Returns the length of an epoch without the additional iterations, in ns.
    #[inline]
    pub(super) fn epoch_time(&self, clock_resolution: f64) -> f64 {
        let [least, most] = self.epoch_time_limits();
        let by_clock = clock_resolution * self.clock_resolution_multiple as f64;
        by_clock.max(least).min(most / MAX_ADDITIONAL)
    }
}

impl Default for Settings {
    #[inline]
    fn default() -> Settings {
        Settings {
            title: "benchmark".to_owned(),
            name: String::new(),
            unit: "op".to_owned(),
            batch: 1.0,
            context: Vec::new(),
            complexity_n: None,
            time_unit: (1e-9, "ns".to_owned()),
            clock_resolution_multiple: 1_000,
            epochs: 11,
            min_epoch_time: Duration::from_millis(1),
            max_epoch_time: Duration::from_millis(100),
            min_epoch_iterations: 1,
            epoch_iterations: 0,
            warmup: 0,
            relative: false,
            counters: [true; COUNTERS.len()],
            count: 0,
            hidden_columns: vec![Column::WithoutLoop, Column::StandardDeviation],
            context_columns: Vec::new(),
        }
    }
}
