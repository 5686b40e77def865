//! The sizes of changes that a comparison distinguishes, and the time that it may take.

use super::evidence::farther_end;
use super::look_schedule::Levels;
use nanobench::measure::Plan;
use nanobench::stats::Interval;
use std::time::Duration;

/// The sizes of changes that a comparison distinguishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    /// Smallest change that is reported, as a share.
    pub(crate) threshold: f64,
    /// A change that is known to be smaller than this share counts as none.
    pub(crate) resolution: f64,
    /// A benchmark is the same only if its average time is known not to have grown by more than
    /// this share, nor shrunk by more than twice this share.
    pub(crate) average_resolution: f64,
    /// Half the width of the interval at which the screening of an unsuspicious benchmark stops at
    /// the earliest.
    pub(crate) precision: f64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { threshold: 0.005, resolution: 0.02, average_resolution: 0.10, precision: f64::INFINITY }
    }
}

impl Rules {
    /// Returns the rules for a run in which figures are wanted as precisely as this. The default
    /// precision of figures is no wish.
    pub(crate) fn with_precision(self, precision: f64) -> Rules {
        let is_wish = precision < Plan::default().precision;
        Rules { precision: if is_wish { precision } else { self.precision }, ..self }
    }

    /// Returns whether figures are wanted more precisely than usual.
    pub(super) fn have_precision(&self) -> bool {
        self.precision.is_finite()
    }

    /// Returns the half width of the interval at which the screening of an unsuspicious benchmark
    /// stops. It is so much smaller than the resolution that a change of half the resolution is
    /// seen.
    pub(super) fn target_precision(&self) -> f64 {
        self.precision.min(self.resolution * 0.35)
    }

    /// Returns the smallest change of the average time that is reported. It is larger than that of
    /// the typical time, because disturbances have a part in the average.
    pub(super) fn min_average_change(&self) -> f64 {
        self.threshold.max(self.average_resolution / 2.0)
    }

    /// Returns the smallest change of the average time of a benchmark that is the same. It is wider
    /// than the limit of growth, which matters more. But an average that may have shrunk by far is
    /// dominated by a few slow calls of the baseline, for which the interval is too narrow.
    pub(super) fn min_same_average(&self) -> f64 {
        -2.0 * self.average_resolution
    }

    pub(super) fn is_precise(&self, half_width: f64) -> bool {
        half_width <= self.target_precision()
    }

    /// Returns whether a change in this interval counts as none: it is within the resolution, or
    /// below the threshold and known precisely. `precision`: half the width of the interval,
    /// ignoring any selection.
    pub(super) fn is_same(&self, interval: Interval, precision: f64) -> bool {
        let bound = farther_end(interval);
        bound <= self.resolution || bound <= self.threshold && self.is_precise(precision)
    }
}

/// The time that one benchmark may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeLimits {
    /// Time of the screening.
    pub(super) screening: Duration,
    /// Time of the screening of a benchmark whose average time is not known well enough, although
    /// its typical time is.
    pub(super) average: Duration,
    /// Time of screening and confirmation together.
    pub(super) total: Duration,
    /// Number of pairs after which a screening may end without a result once its time is up. Slow
    /// benchmarks get this many even beyond their time.
    pub(super) sufficient_pairs: usize,
    /// Number of launches of each side that `same` requires, if the screening has the time for
    /// them.
    pub(super) min_launches: usize,
    /// Number of them that it requires even if the time of the screening is up, but not all of the time.
    pub(super) sufficient_launches: usize,
    /// Number of these launches that are long.
    pub(super) min_long_launches: usize,
    /// A confirmation takes all of its time while it suspects a change, even if the benchmark counts
    /// as the same, too.
    pub(super) is_persistent: bool,
    /// One-sided p-value up to which a large change is confirmed without screening further.
    pub(super) clear_p: f64,
    /// The levels of the looks of a confirmation.
    pub(super) levels: Levels,
    /// The benchmark is most probably the same. If no change is suspected, its run ends as soon as it is,
    /// even if its change isn't known precisely, or if it won't be known to be the same in time.
    pub(super) expects_same: bool,
}

impl TimeLimits {
    /// Returns limits that are this many times as long.
    pub(super) fn extended(self, factor: f64) -> TimeLimits {
        let [screening, average, total] =
            [self.screening, self.average, self.total].map(|time| time.mul_f64(factor));
        TimeLimits { screening, average, total, ..self }
    }

    /// Returns whether so many launches of each side, after this time, suffice for `same`.
    pub(super) fn suffice_launches(&self, launches: usize, spent: Duration) -> bool {
        launches >= self.min_launches
            || spent >= self.screening && launches >= self.sufficient_launches
            || spent >= self.total
    }

    /// Returns limits for a benchmark that should take this time on average with others: half of it
    /// for the screening, as the other half is for confirmations, and twice of it in all.
    pub(super) fn within(self, time: Duration) -> TimeLimits {
        let [screening, average] = [self.screening, self.average].map(|usual| usual.min(time / 2));
        TimeLimits { screening, average, total: self.total.min(time * 2), ..self }
    }
}
