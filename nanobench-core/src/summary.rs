//! The figures of one measurement, computed from its raw samples.

use crate::measure::REFERENCE_CYCLES;
use crate::model::{Amount, BenchmarkSpec, Counts, Launch, Measurement, Sample};
use crate::stats::{self, Interval};

/// Confidence of the intervals in a summary.
pub const CONFIDENCE: f64 = 0.95;
/// An empty benchmark's own figure wanders with the core's clock; what is not half as much again is not told from it.
const NOTHING_MARGIN: f64 = 1.5;
/// The same for what the clock's own cost, which is taken out, leaves behind.
const SEGMENT_MARGIN: f64 = 0.25;
/// Not even vector instructions do more operations than this in the time of an empty iteration (about a cycle).
const MOST_OPERATIONS_AT_ONCE: f64 = 256.0;

/// What the samples of a measurement say, per operation, in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub samples: u64,
    /// The middle sample: the figure that is reported.
    pub median: f64,
    /// Where the median lies, with 95 % confidence, as far as these samples can tell.
    pub interval: Interval,
    /// MdAPE, the spread of the samples, as a share: 0.01 is 1 %.
    pub err: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Median absolute deviation.
    pub mad: f64,
    /// The fastest sample.
    pub min: f64,
    /// The slowest sample.
    pub max: f64,
    /// The median before the clock's cost is taken out.
    pub raw_median: f64,
    /// The median in cycles of the core, as far as the reference chain beside each sample tells its clock. Not for what
    /// waits for something else than the core: memory, a device, a lock. `None` for samples without reference.
    pub cycles: Option<f64>,
    /// Not to be told from an empty benchmark: the figures mean nothing.
    pub below_resolution: bool,
}

impl Summary {
    /// Summarises a measurement. `None` for one without samples.
    pub fn from_measurement(measurement: &Measurement) -> Option<Summary> {
        let times = times(measurement);
        let raw = all(measurement, &|launch, sample| raw_time(launch, sample, measurement.operations()));
        let floors = all(measurement, &|launch, sample| {
            let segments = sample.segments as f64 / sample.iterations as f64;
            let iteration =
                launch.empty_loop * NOTHING_MARGIN + launch.segment_cost * segments * SEGMENT_MARGIN;
            (iteration / measurement.operations() as f64).max(launch.empty_loop / MOST_OPERATIONS_AT_ONCE)
        });
        let median = stats::median(&times);
        Some(Summary {
            samples: times.len() as u64,
            median,
            interval: stats::median_interval(&times, CONFIDENCE)?,
            err: stats::mdape(&times),
            mean: stats::mean(&times),
            sd: stats::standard_deviation(&times),
            mad: stats::mad(&times),
            min: stats::quantile(&times, 0.0),
            max: stats::quantile(&times, 1.0),
            raw_median: stats::median(&raw),
            cycles: cycles(measurement).map(|cycles| stats::median(&cycles)),
            below_resolution: median <= stats::median(&floors),
        })
    }
}

/// The time of an operation in each sample, in ns, without what the clock added: the values that statistics and
/// comparisons start from. May be below zero where there was nothing left.
pub fn times(measurement: &Measurement) -> Vec<f64> {
    all(measurement, &|launch, sample| {
        let cost = launch.segment_cost * sample.segments as f64;
        raw_time(launch, sample, measurement.operations())
            - cost / operations(sample, measurement.operations())
    })
}

/// How much of each thing that it has a throughput of goes through a second, at the median, on one thread.
pub fn throughput(measurement: &Measurement, summary: &Summary) -> Vec<Amount> {
    let iteration = summary.median * measurement.operations() as f64;
    let amounts = measurement.throughput.iter().flatten();
    amounts
        .map(|amount| Amount { name: amount.name.clone(), value: amount.value * 1e9 / iteration })
        .collect()
}

/// The same over all threads of a benchmark.
pub fn total_throughput(
    benchmark: &BenchmarkSpec,
    measurement: &Measurement,
    summary: &Summary,
) -> Vec<Amount> {
    let threads = benchmark.threads.unwrap_or(1) as f64;
    let amounts = throughput(measurement, summary).into_iter();
    amounts.map(|amount| Amount { value: amount.value * threads, ..amount }).collect()
}

/// A total of counted iterations, for one operation.
pub fn per_operation(total: f64, counted: &Counts, measurement: &Measurement) -> f64 {
    total / (counted.iterations as f64 * measurement.operations() as f64)
}

/// The times in cycles of the core, as the reference chain beside each sample tells them: what stays the same when the
/// core runs at another clock, for code that waits for nothing but the core. `None` for samples without reference.
pub fn cycles(measurement: &Measurement) -> Option<Vec<f64>> {
    // A chain before and one after each sample.
    let cycles = 2.0 * f64::from(REFERENCE_CYCLES);
    let a_nanosecond =
        all(measurement, &|launch, sample| cycles * launch.clock.frequency / sample.reference as f64 / 1e9);
    let cycles: Vec<f64> =
        times(measurement).iter().zip(a_nanosecond).map(|(time, a_nanosecond)| time * a_nanosecond).collect();
    cycles.iter().all(|cycles| cycles.is_finite()).then_some(cycles)
}

fn raw_time(launch: &Launch, sample: &Sample, count: u64) -> f64 {
    sample.elapsed as f64 * 1e9 / launch.clock.frequency / operations(sample, count)
}

fn operations(sample: &Sample, count: u64) -> f64 {
    sample.iterations as f64 * count as f64
}

/// By reference, as it is for the sake of compile time that there is one loop for all values.
fn all(measurement: &Measurement, value: &dyn Fn(&Launch, &Sample) -> f64) -> Vec<f64> {
    let mut values = Vec::new();
    for launch in &measurement.launches {
        values.extend(launch.samples.iter().map(|sample| value(launch, sample)));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ClockInfo;

    fn measurement(count: u64, samples: &[(u64, u64, u64)]) -> Measurement {
        let samples = samples.iter().map(|&(iterations, elapsed, segments)| Sample {
            iterations,
            elapsed,
            segments,
            reference: 2 * u64::from(REFERENCE_CYCLES),
            round: 0,
        });
        let clock = ClockInfo { name: "os".into(), frequency: 2e9, resolution: 1.0, read_cost: 20.0 };
        let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: samples.collect() };
        Measurement { count, unroll: 1, launches: vec![launch], ..Measurement::default() }
    }

    #[test]
    fn figures_are_per_operation_in_ns_without_the_clock() {
        // 2,000 ticks are 1,000 ns; two segments cost 40; 4 iterations of 10 operations.
        let summary = Summary::from_measurement(&measurement(10, &[(4, 2_000, 2)])).unwrap();
        assert_eq!((summary.median, summary.raw_median, summary.samples), (24.0, 25.0, 1));
        // A tick of half a ns a cycle.
        assert_eq!(summary.cycles, Some(48.0));
        assert!(!summary.below_resolution);
    }

    #[test]
    fn what_an_empty_benchmark_takes_is_below_resolution() {
        assert!(
            Summary::from_measurement(&measurement(1, &[(1_000, 1_000, 0)])).unwrap().below_resolution,
            "0.5 ns"
        );
        assert!(
            !Summary::from_measurement(&measurement(1, &[(1_000, 2_200, 0)])).unwrap().below_resolution,
            "1.1 ns"
        );
        // A pause an iteration: 21 ns, of which 20 are the clock's.
        assert!(
            Summary::from_measurement(&measurement(1, &[(1_000, 42_000, 1_000)])).unwrap().below_resolution
        );
        // Nothing left of a loop over a billion.
        assert!(
            Summary::from_measurement(&measurement(1_000_000_000, &[(10, 400, 0)])).unwrap().below_resolution
        );
    }

    #[test]
    fn a_batch_divides_the_time_and_not_the_throughput() {
        // 1,000 ns an iteration of 4 operations of 25 units, with 3,200 bytes in all.
        let mut measurement = measurement(4, &[(1, 2_000, 0)]);
        measurement.batch = Some(25);
        measurement.throughput = Some(vec![Amount { name: "byte".into(), value: 3_200.0 }]);
        let summary = Summary::from_measurement(&measurement).unwrap();
        assert_eq!(summary.median, 10.0);
        let throughput = throughput(&measurement, &summary);
        assert_eq!(throughput, [Amount { name: "byte".into(), value: 3.2e9 }]);
    }

    #[test]
    fn no_samples_no_figures() {
        assert_eq!(Summary::from_measurement(&measurement(1, &[])), None);
    }
}
