//! The columns of `--stats`, `--launches` and `--first-call`: the statistics of a row, and the
//! parameters of its samples.

use super::RequestedColumns;
use nanobench::model::{Launch, Measurement};
use nanobench::report::{TimeUnit, percent, quantity, time};
use nanobench::stats;
use nanobench::summary::{self, Summary};

/// A statistic of a row. Times are per operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Mean,
    StandardDeviation,
    Min,
    Max,
    /// The 95 % interval of the median.
    Interval,
    /// The number of operations in all samples together.
    Operations,
    /// The time of all samples together.
    Elapsed,
    /// The `count` of the function.
    Count,
    /// The number of units in a step of the count.
    Scale,
    /// The spread of the medians of the launches.
    LaunchSpread,
    /// The fastest and the slowest median of a launch.
    LaunchRange,
    /// The median of the very first calls in fresh processes.
    FirstCall,
}

impl Statistic {
    /// The columns of `--stats`.
    const OF_SAMPLES: [Statistic; 9] = [
        Statistic::Mean,
        Statistic::StandardDeviation,
        Statistic::Min,
        Statistic::Max,
        Statistic::Interval,
        Statistic::Operations,
        Statistic::Elapsed,
        Statistic::Count,
        Statistic::Scale,
    ];

    /// Returns the statistics that flags request.
    pub(super) fn requested(columns: RequestedColumns) -> Vec<Statistic> {
        let mut all = Vec::new();
        all.extend(columns.first_call.then_some(Statistic::FirstCall));
        if columns.launches {
            all.extend([Statistic::LaunchSpread, Statistic::LaunchRange]);
        }
        if columns.statistics {
            all.extend(Statistic::OF_SAMPLES);
        }
        all
    }

    /// Returns the title and the smallest width.
    pub(super) fn title_and_width(self) -> (&'static str, usize) {
        match self {
            Statistic::Mean => ("mean", 9),
            Statistic::StandardDeviation => ("sd", 9),
            Statistic::Min => ("min", 9),
            Statistic::Max => ("max", 9),
            Statistic::Interval => ("median, 95 %", 22),
            Statistic::Operations => ("ops", 6),
            Statistic::Elapsed => ("elapsed", 8),
            Statistic::Count => ("count", 6),
            Statistic::Scale => ("scale", 5),
            Statistic::LaunchSpread => ("launch%", 7),
            Statistic::LaunchRange => ("launches", 22),
            Statistic::FirstCall => ("first call", 10),
        }
    }

    /// Returns the cell of a row. `None` if the row has no such figure.
    pub(super) fn cell(self, measurement: &Measurement, summary: &Summary, unit: TimeUnit) -> Option<String> {
        let range = |low, high| format!("{} .. {}", unit.format(low), unit.format(high));
        Some(match self {
            Statistic::Mean => unit.format(summary.mean),
            // A single sample has none.
            Statistic::StandardDeviation if summary.samples < 2 => return None,
            Statistic::StandardDeviation => unit.format(summary.sd),
            Statistic::Min => unit.format(summary.min),
            Statistic::Max => unit.format(summary.max),
            Statistic::Interval => range(summary.interval.low, summary.interval.high),
            Statistic::Operations => quantity(operations(measurement)),
            Statistic::Elapsed => time(elapsed(measurement)),
            Statistic::Count => quantity(measurement.count as f64),
            Statistic::Scale => quantity(measurement.unroll as f64 * measurement.batch.unwrap_or(1) as f64),
            Statistic::LaunchSpread => percent(launch_spread(&launch_medians(measurement))?),
            Statistic::LaunchRange => {
                let medians = Some(launch_medians(measurement)).filter(|medians| medians.len() > 1)?;
                range(stats::quantile(&medians, 0.0), stats::quantile(&medians, 1.0))
            }
            Statistic::FirstCall => unit.format(stats::median(measurement.first_calls.as_deref()?)),
        })
    }
}

/// Returns the number of operations in all samples together.
fn operations(measurement: &Measurement) -> f64 {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    samples.map(|sample| sample.iterations as f64).sum::<f64>() * measurement.operations() as f64
}

/// Returns the time of all samples together, in ns.
fn elapsed(measurement: &Measurement) -> f64 {
    let of_launch = |launch: &Launch| {
        let ticks: f64 = launch.samples.iter().map(|sample| sample.elapsed as f64).sum();
        ticks * 1e9 / launch.clock.frequency
    };
    measurement.launches.iter().map(of_launch).sum()
}

/// Returns the median of each launch, in ns per operation.
pub(super) fn launch_medians(measurement: &Measurement) -> Vec<f64> {
    let bare = Measurement { launches: Vec::new(), ..measurement.clone() };
    let median = |launch: &Launch| {
        let times = summary::times(&Measurement { launches: vec![launch.clone()], ..bare.clone() });
        stats::median(&times)
    };
    measurement.launches.iter().map(median).collect()
}

/// Returns the spread of the medians of launches, as a share. `None` for a single launch.
pub(super) fn launch_spread(medians: &[f64]) -> Option<f64> {
    (medians.len() > 1).then(|| stats::mdape(medians))
}
