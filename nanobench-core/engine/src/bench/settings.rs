//! The settings of a run.

use crate::configuration::Configuration;
use crate::measure::Count;
use std::time::Duration;

/// The names of the counters among [`Measure`](super::Measure), in its order.
pub(super) const COUNTERS: [&str; 6] =
    ["page-faults", "cycles", "context-switches", "instructions", "branches", "branch-misses"];

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

    /// Returns the origin of the count of a closure that takes one.
    #[inline]
    pub(super) fn count(&self) -> Count {
        if self.count == 0 { Count::Auto } else { Count::Fixed(self.count) }
    }

    /// Returns the length of an epoch, in ns.
    #[inline]
    pub(super) fn epoch_time(&self, clock_resolution: f64) -> f64 {
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9;
        (clock_resolution * self.clock_resolution_multiple as f64)
            .max(nanoseconds(self.min_epoch_time))
            .min(nanoseconds(self.max_epoch_time))
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
        }
    }
}
