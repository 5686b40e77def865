//! The sizes of changes that a comparison distinguishes, and the time that it may take.

use crate::effort::LAUNCHES_OF_SAME_CODE;
use nanobench::measure::Plan;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The sizes of changes that a comparison distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Smallest change that is reported, as a share.
    pub threshold: f64,
    /// A change that is known to be smaller than this share counts as none.
    pub resolution: f64,
    /// A benchmark is the same only if its average time is known not to have grown by more than
    /// this share, nor shrunk by more than twice this share.
    pub average_resolution: f64,
    /// Half the width of the interval at which the run of an unsuspicious benchmark stops at the earliest.
    /// `None` if no precision is wanted.
    pub precision: Option<f64>,
    /// A gate lets a change up to this share pass, so that it should be known on which side of it a change
    /// is.
    pub max_passing: Option<f64>,
    /// Somebody has set the threshold, so that a change is only shown if it is known to be larger.
    pub tests_threshold: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            threshold: 0.005,
            resolution: 0.02,
            average_resolution: 0.10,
            precision: None,
            max_passing: None,
            tests_threshold: false,
        }
    }
}

impl Rules {
    /// Returns the rules for a run in which figures are wanted as precisely as this. The default
    /// precision of figures is no wish.
    pub fn with_precision(self, precision: f64) -> Rules {
        let is_wish = precision < Plan::default().precision;
        Rules { precision: Some(precision).filter(|_| is_wish).or(self.precision), ..self }
    }

    /// Returns whether figures are wanted more precisely than usual.
    pub fn have_precision(&self) -> bool {
        self.precision.is_some()
    }

    /// Returns the half width of the interval at which the run of an unsuspicious benchmark stops: if its
    /// change is half the resolution, that is seen.
    pub fn target_precision(&self) -> f64 {
        self.precision.unwrap_or(f64::INFINITY).min(self.resolution / 2.0)
    }

    /// Returns the smallest change of the average time that is reported. It is larger than that of
    /// the typical time, because disturbances have a part in the average.
    pub fn min_average_change(&self) -> f64 {
        self.threshold.max(self.average_resolution / 5.0)
    }

    /// Returns the smallest change of the average time of a benchmark that is the same. It is wider
    /// than the limit of growth, which matters more. But an average that may have shrunk by far is
    /// dominated by a few slow calls of the baseline, for which the interval is too narrow.
    pub fn min_same_average(&self) -> f64 {
        -2.0 * self.average_resolution
    }
}

/// The time that one benchmark may take.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimits {
    /// Time of an unsuspicious benchmark, even if its change isn't known precisely.
    pub usual: Duration,
    /// Time after which it is `unsure`.
    pub total: Duration,
    /// Number of pairs that slow benchmarks get even beyond their time.
    pub sufficient_pairs: usize,
    /// Number of launches of each side that `same` requires, if there is the usual time for them.
    pub min_launches: usize,
    /// Number of these launches that are long.
    pub min_long_launches: usize,
    /// Nothing is known to differ. The run ends as soon as the benchmark is the same, even if its change
    /// isn't known precisely, or if it won't be known to be the same in time.
    pub expects_same: bool,
}

impl TimeLimits {
    /// Returns limits that are this many times as long.
    pub fn extended(self, factor: f64) -> TimeLimits {
        let [usual, total] = [self.usual, self.total].map(|time| time.mul_f64(factor));
        TimeLimits { usual, total, ..self }
    }

    /// Returns whether so many launches of each side, after this time, suffice for `same`.
    pub fn suffice_launches(&self, launches: usize, spent: Duration) -> bool {
        // On a busy machine, the usual time may end after a few.
        let of_usual_time = self.min_launches.min(LAUNCHES_OF_SAME_CODE);
        launches >= self.min_launches
            || spent >= self.usual && launches >= of_usual_time
            || spent >= self.total
    }

    /// Returns limits for a benchmark that should take this time on average with others: half of it
    /// if it is unsuspicious, and twice of it in all.
    pub fn within(self, time: Duration) -> TimeLimits {
        TimeLimits { usual: self.usual.min(time / 2), total: self.total.min(time * 2), ..self }
    }
}
