//! The result of one run.

use super::settings::{COUNTERS, Settings};
use crate::model::{KeyValue, Measurement, Sample};
use crate::stats;
use crate::summary::{self, Summary};
use std::cmp::Ordering;

/// A quantity that is measured in each epoch. All but the iterations are per iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Time, in seconds: `elapsed`.
    Elapsed,
    /// Number of iterations: `iterations`.
    Iterations,
    /// Page faults: `pagefaults`.
    PageFaults,
    /// Cycles of the processor: `cpucycles`.
    CpuCycles,
    /// Context switches: `contextswitches`.
    ContextSwitches,
    /// Instructions: `instructions`.
    Instructions,
    /// Branch instructions: `branchinstructions`.
    BranchInstructions,
    /// Mispredicted branches: `branchmisses`.
    BranchMisses,
}

impl Measure {
    /// All measures, with their names in templates.
    const ALL: [(&'static str, Measure); 8] = [
        ("elapsed", Measure::Elapsed),
        ("iterations", Measure::Iterations),
        ("pagefaults", Measure::PageFaults),
        ("cpucycles", Measure::CpuCycles),
        ("contextswitches", Measure::ContextSwitches),
        ("instructions", Measure::Instructions),
        ("branchinstructions", Measure::BranchInstructions),
        ("branchmisses", Measure::BranchMisses),
    ];

    /// Returns the measure with this name in templates.
    #[inline]
    pub fn from_name(name: &str) -> Option<Measure> {
        Measure::ALL.into_iter().find_map(|(known, measure)| (known == name).then_some(measure))
    }

    /// Returns the index among the counters. `None` for time and iterations.
    #[inline]
    pub(super) fn counter(self) -> Option<usize> {
        (self as usize).checked_sub(Measure::PageFaults as usize)
    }
}

/// One timed run of many iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Epoch {
    pub(super) iterations: u64,
    /// Time of an iteration, in seconds.
    pub(super) elapsed: f64,
}

/// The result of one run of a [`Bench`](super::Bench).
#[derive(Debug, Clone)]
pub struct BenchResult {
    /// Settings of the run. The count of the closure is part of the batch.
    pub(super) settings: Settings,
    /// The raw samples.
    pub(super) measurement: Measurement,
    pub(super) epochs: Vec<Epoch>,
    /// Events of an iteration, in the order of [`COUNTERS`]. They are counted apart from the
    /// epochs.
    pub(super) counters: [Option<f64>; COUNTERS.len()],
    /// In seconds.
    pub(super) clock_resolution: f64,
    /// An iteration takes less than this time, in seconds, which can't be told from nothing.
    pub(super) limit: Option<f64>,
    /// Time of the baseline / time, if the run is compared.
    pub(super) relative: Option<f64>,
    /// Time of a step of an empty loop over the count, in seconds. `None` without a count.
    pub(super) count_step: Option<f64>,
    /// The counters that can't be read here, each with the reason.
    pub(super) unreadable: Vec<KeyValue>,
}

impl BenchResult {
    /// Creates the result of a measurement. The batch of the settings is the number of operations
    /// in one of the measurement's.
    #[inline]
    pub(super) fn new(mut settings: Settings, measurement: Measurement) -> BenchResult {
        let operations = measurement.operations() as f64;
        let times = summary::times(&measurement);
        let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
        let epoch = |(sample, time): (&Sample, f64)| Epoch {
            iterations: sample.iterations,
            elapsed: time.max(0.0) * operations / 1e9,
        };
        let epochs = samples.zip(times).map(epoch).collect();
        let counters = COUNTERS.map(|name| {
            let counts = measurement.counts.as_ref()?;
            let amount = counts.counters.iter().flatten().find(|amount| amount.name == name)?;
            Some(amount.value / counts.iterations as f64)
        });
        let summary = Summary::from_measurement(&measurement).filter(|summary| summary.below_resolution);
        settings.batch *= operations;
        BenchResult {
            clock_resolution: measurement
                .launches
                .first()
                .map_or(0.0, |launch| launch.clock.resolution / 1e9),
            limit: summary.map(|summary| summary.resolution * operations / 1e9),
            relative: None,
            count_step: None,
            unreadable: Vec::new(),
            settings,
            measurement,
            epochs,
            counters,
        }
    }

    /// Returns what it can't be told from, if it takes so little time.
    #[inline]
    pub(super) fn remark(&self) -> Option<&'static str> {
        let step = self.median(Measure::Elapsed) / self.measurement.operations() as f64;
        if self.is_below_resolution() {
            return Some("like an empty closure");
        }
        let empty_loop = self.count_step.filter(|empty| step <= summary::EMPTY_LOOP_MARGIN * empty);
        empty_loop.map(|_| "like an empty loop over the count")
    }

    /// Returns the title of its table.
    #[inline]
    pub fn title(&self) -> &str {
        &self.settings.title
    }

    /// Returns its name.
    #[inline]
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// Returns the unit of an operation.
    #[inline]
    pub fn unit(&self) -> &str {
        &self.settings.unit
    }

    /// Returns the number of operations in an iteration: the batch, times the count of a closure
    /// that takes one.
    #[inline]
    pub fn batch(&self) -> f64 {
        self.settings.batch
    }

    /// Returns the size of the input.
    #[inline]
    pub fn complexity_n(&self) -> Option<f64> {
        self.settings.complexity_n
    }

    /// Returns the context value of this key.
    #[inline]
    pub fn context(&self, key: &str) -> Option<&str> {
        self.settings.context.iter().find_map(|(known, value)| (known == key).then_some(value.as_str()))
    }

    /// Returns `baseline / time`, if the run is compared: over 1 is faster than the baseline.
    #[inline]
    pub fn relative(&self) -> Option<f64> {
        self.relative
    }

    /// Returns whether it takes so little time that it can't be told from an empty closure.
    #[inline]
    pub fn is_below_resolution(&self) -> bool {
        self.limit.is_some()
    }

    /// Returns whether a measure was taken. Counters depend on the system and on
    /// [`performance_counters`](super::Bench::performance_counters).
    #[inline]
    pub fn has(&self, measure: Measure) -> bool {
        measure.counter().is_none_or(|counter| self.counters[counter].is_some())
    }

    /// Returns the number of epochs.
    #[inline]
    pub fn epochs(&self) -> usize {
        self.epochs.len()
    }

    /// Returns the values of a measure, one for each epoch. Counters have the same value in all, as
    /// they are counted apart from the timing. Empty for a measure that was not taken.
    #[inline]
    pub fn values(&self, measure: Measure) -> Vec<f64> {
        (0..self.epochs.len()).filter_map(|epoch| self.value(epoch, measure)).collect()
    }

    /// Returns a measure of an epoch.
    #[inline]
    pub(super) fn value(&self, epoch: usize, measure: Measure) -> Option<f64> {
        let Epoch { iterations, elapsed } = self.epochs[epoch];
        match measure {
            Measure::Elapsed => Some(elapsed),
            Measure::Iterations => Some(iterations as f64),
            _ => self.counters[measure.counter()?],
        }
    }

    /// Returns the median over the epochs, and 0 for a measure that was not taken.
    #[inline]
    pub fn median(&self, measure: Measure) -> f64 {
        self.of(measure, &stats::median)
    }

    /// Returns the mean over the epochs, and 0 for a measure that was not taken.
    #[inline]
    pub fn average(&self, measure: Measure) -> f64 {
        self.of(measure, &stats::mean)
    }

    /// Returns the median absolute percentage error as a fraction: half of the epochs are within
    /// this distance of the median. 0 for a measure that was not taken.
    #[inline]
    pub fn median_absolute_percent_error(&self, measure: Measure) -> f64 {
        self.of(measure, &stats::mdape)
    }

    /// Returns the standard deviation over the epochs, and 0 for a measure that was not taken.
    #[inline]
    pub fn standard_deviation(&self, measure: Measure) -> f64 {
        self.of(measure, &stats::standard_deviation)
    }

    /// Returns the sum over the epochs.
    #[inline]
    pub fn sum(&self, measure: Measure) -> f64 {
        self.values(measure).iter().sum()
    }

    /// Returns the smallest value, and 0 for a measure that was not taken.
    #[inline]
    pub fn minimum(&self, measure: Measure) -> f64 {
        self.of(measure, &|values| values.iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// Returns the largest value, and 0 for a measure that was not taken.
    #[inline]
    pub fn maximum(&self, measure: Measure) -> f64 {
        self.of(measure, &|values| values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Returns the sum of the products of two measures over the epochs:
    /// `sum_product(Measure::Iterations, Measure::Elapsed)` is the total time, in seconds.
    #[inline]
    pub fn sum_product(&self, first: Measure, second: Measure) -> f64 {
        self.values(first).iter().zip(self.values(second)).map(|(first, second)| first * second).sum()
    }

    #[inline]
    fn of(&self, measure: Measure, figure: &dyn Fn(&[f64]) -> f64) -> f64 {
        let values = self.values(measure);
        if values.is_empty() { 0.0 } else { figure(&values) }
    }

    /// Returns the median time of an operation, in seconds.
    #[inline]
    pub fn time_per_operation(&self) -> f64 {
        self.median(Measure::Elapsed) / self.batch()
    }

    /// Returns the median time of an operation in seconds, without an empty loop around the call and
    /// one over the count. Work that the processor executes beside these loops takes longer.
    #[inline]
    pub fn net_time_per_operation(&self) -> f64 {
        let call = self.measurement.launches.first().map_or(0.0, |launch| launch.empty_loop / 1e9);
        let count = self.count_step.unwrap_or(0.0) * self.measurement.operations() as f64;
        (self.median(Measure::Elapsed) - call - count).max(0.0) / self.batch()
    }

    /// Returns the number of operations in all epochs.
    #[inline]
    pub fn operations(&self) -> f64 {
        self.sum(Measure::Iterations) * self.batch()
    }

    /// Compares the times of an operation: `results.sort_by(BenchResult::compare_to)` puts the
    /// fastest first.
    #[inline]
    pub fn compare_to(&self, other: &BenchResult) -> Ordering {
        self.time_per_operation().total_cmp(&other.time_per_operation())
    }
}
