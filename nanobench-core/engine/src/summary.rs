//! Figures of one measurement, computed from its raw samples.

use crate::measure::REFERENCE_LINKS;
use crate::model::{Amount, BenchmarkSpec, ClockInfo, Counts, Launch, Measurement, Sample};
use crate::stats::{self, Interval};

/// Confidence of the intervals in a summary.
pub const CONFIDENCE: f64 = 0.95;
/// Largest spread of the samples of a steady benchmark (as in ankerl::nanobench).
pub const MAX_SPREAD: f64 = 0.05;
/// A benchmark has to take this many times as long as an empty one: the middle between one cycle
/// and two. Two measurements of an empty benchmark at the same time differ by less, even on a core
/// that is shared with another program's hardware thread.
pub(crate) const EMPTY_LOOP_MARGIN: f64 = 1.5;
/// Largest factor by which other programs slow down most samples of an empty benchmark. A median
/// beyond that is work, even if a few samples did none.
const MAX_DISTURBANCE: f64 = 4.0;
/// Part of the segment cost that may remain after it has been subtracted.
const SEGMENT_COST_MARGIN: f64 = 0.25;
/// Largest number of operations in the time of an empty iteration, which is about a cycle. Not even
/// vector instructions do more.
const MAX_OPERATIONS_PER_EMPTY_LOOP: f64 = 256.0;

/// Longest empty loop that is optimised, in links of the reference chain, even beside another program
/// on the core's other hardware thread. A link takes four cycles or more; without optimisation, the
/// loop takes over 20.
const MAX_EMPTY_LOOP_LINKS: f64 = 1.0;

/// Figures of a measurement, per operation, in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Summary {
    /// Number of samples.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub samples: u64,
    /// Median of the samples: the figure that is reported.
    pub median: f64,
    /// Confidence interval of the median, at 95 %.
    pub interval: Interval,
    /// Spread of the samples: their median absolute percentage error as a fraction (0.01 is 1 %).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub err: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Median absolute deviation.
    pub mad: f64,
    /// Fastest sample.
    pub min: f64,
    /// Slowest sample.
    pub max: f64,
    /// Median without subtracting the cost of the clock.
    pub raw_median: f64,
    /// Median in cycles of the core, whose frequency comes from the reference chain around each
    /// sample. It means nothing for code that waits for memory, a device or a lock. `None` for
    /// samples without reference times, or of a processor whose chain takes an unknown number of cycles.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub cycles: Option<f64>,
    /// Shortest time of an operation that can be told from an empty benchmark.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub resolution: f64,
    /// True if the benchmark can't be told from an empty one. Then it takes at most `resolution`,
    /// and the other figures mean nothing.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub below_resolution: bool,
}

impl Summary {
    /// Summarises a measurement. `None` without samples.
    #[inline]
    pub fn from_measurement(measurement: &Measurement) -> Option<Summary> {
        let times = times(measurement);
        let raw_times =
            map_samples(measurement, &|launch, sample| raw_time(launch, sample, measurement.operations()));
        let thresholds = |clock_error_margin: f64| {
            map_samples(measurement, &|launch, sample| {
                // A clock of the benchmark's own has costs of its own, and no loop around it.
                if sample.segments == 0 {
                    return 0.0;
                }
                let segments = sample.segments as f64 / sample.iterations as f64;
                let iteration = launch.empty_loop * EMPTY_LOOP_MARGIN
                    + clock_error(launch) * segments * clock_error_margin;
                (iteration / measurement.operations() as f64)
                    .max(launch.empty_loop / MAX_OPERATIONS_PER_EMPTY_LOOP)
            })
        };
        let resolution = stats::median(&thresholds(1.0));
        let (median, min) = (stats::median(&times), stats::quantile(&times, 0.0));
        // The empty loop is the shortest of several, so it is compared with the shortest sample:
        // other programs on the core can slow down either of the two.
        let shortest_told = stats::quantile(&thresholds(0.0), 0.0);
        let may_be_disturbed = median <= resolution * MAX_DISTURBANCE;
        let is_near_empty = median <= resolution || (may_be_disturbed && min <= shortest_told);
        // An empty loop that is slower than the one around the benchmark tells nothing.
        let has_limit = median <= 0.0 || unoptimized_empty_loop(measurement).is_none();
        Some(Summary {
            samples: times.len() as u64,
            median,
            interval: stats::median_interval(&times, CONFIDENCE)?,
            err: stats::mdape(&times),
            mean: stats::mean(&times),
            sd: stats::standard_deviation(&times),
            mad: stats::mad(&times),
            min,
            max: stats::quantile(&times, 1.0),
            raw_median: stats::median(&raw_times),
            cycles: links(measurement).and_then(|links| {
                let cycles_per_link = measurement.launches.first()?.clock.cycles_per_link?;
                Some(stats::median(&links) * cycles_per_link as f64)
            }),
            resolution,
            below_resolution: is_near_empty && has_limit,
        })
    }
}

/// Returns the time of the empty loop in ns, if it is too long for a build that optimises it. Other
/// timed code may not be optimised then either.
#[inline]
pub fn unoptimized_empty_loop(measurement: &Measurement) -> Option<f64> {
    let links = map_samples(measurement, &|launch, sample| {
        let has_loop = sample.segments > 0 && sample.reference > 0;
        if has_loop { launch.empty_loop * links_per_nanosecond(launch, sample) } else { 0.0 }
    });
    let is_unoptimized = !links.is_empty() && stats::median(&links) > MAX_EMPTY_LOOP_LINKS;
    let empty_loops = map_samples(measurement, &|launch, _| launch.empty_loop);
    is_unoptimized.then(|| stats::median(&empty_loops))
}

/// Returns whether the clock's cost, rather than the loop, limits the times that can be told from
/// an empty benchmark: few calls lie between two readings.
#[inline]
pub fn is_limited_by_clock(measurement: &Measurement) -> bool {
    let is_limited = |launch: &Launch, sample: &Sample| {
        let readings = sample.segments as f64 / sample.iterations as f64;
        clock_error(launch) * readings > launch.empty_loop * EMPTY_LOOP_MARGIN
    };
    let limited = map_samples(measurement, &|launch, sample| f64::from(u8::from(is_limited(launch, sample))));
    !limited.is_empty() && stats::median(&limited) > 0.5
}

/// Returns the part of the time of a segment, in ns, that the clock may add or leave out.
#[inline]
fn clock_error(launch: &Launch) -> f64 {
    launch.segment_cost * SEGMENT_COST_MARGIN + clock_step(&launch.clock)
}

/// Returns the step of a coarse clock, in ns: all segments may be read as too long by up to a step, if
/// they begin at the same distance from the next one. 0 for a clock that differs with each reading.
/// The steps of such a clock are smaller than its cost.
#[inline]
fn clock_step(clock: &ClockInfo) -> f64 {
    if clock.resolution > clock.read_cost { clock.resolution } else { 0.0 }
}

/// Returns the share of the raw figure that is the clock's: its cost, and a step of a coarse clock.
#[inline]
pub(crate) fn clock_share(measurement: &Measurement, summary: &Summary) -> f64 {
    let steps = map_samples(measurement, &|launch, sample| {
        clock_step(&launch.clock) * sample.segments as f64 / operations(sample, measurement.operations())
    });
    1.0 - (summary.median - stats::median(&steps)) / summary.raw_median
}

/// Returns the time of an operation in each sample, in ns, without the cost of the clock.
/// Statistics and comparisons are based on these values. They may be negative if the benchmark
/// takes no time.
#[inline]
pub fn times(measurement: &Measurement) -> Vec<f64> {
    map_samples(measurement, &|launch, sample| {
        let cost = launch.segment_cost * sample.segments as f64;
        raw_time(launch, sample, measurement.operations())
            - cost / operations(sample, measurement.operations())
    })
}

/// Returns the throughput of each unit per second, at the median, of one thread.
#[inline]
pub fn throughput(measurement: &Measurement, summary: &Summary) -> Vec<Amount> {
    let iteration = summary.median * measurement.operations() as f64;
    let amounts = measurement.throughput.iter().flatten();
    amounts
        .map(|amount| Amount { name: amount.name.clone(), value: amount.value * 1e9 / iteration })
        .collect()
}

/// Returns the throughput of each unit per second, at the median, of all threads together.
#[inline]
pub fn total_throughput(
    benchmark: &BenchmarkSpec,
    measurement: &Measurement,
    summary: &Summary,
) -> Vec<Amount> {
    let threads = benchmark.id.conditions.threads.unwrap_or(1) as f64;
    let amounts = throughput(measurement, summary).into_iter();
    amounts.map(|amount| Amount { value: amount.value * threads, ..amount }).collect()
}

/// Returns the part of one operation in a total of counted iterations.
#[inline]
pub fn per_operation(total: f64, counts: &Counts, measurement: &Measurement) -> f64 {
    total / (counts.iterations as f64 * measurement.operations() as f64)
}

/// Returns the instructions per cycle (IPC), if both are counted.
#[inline]
pub fn instructions_per_cycle(counts: &Counts) -> Option<f64> {
    ratio(counts.counter("instructions")?, counts.counter("cycles")?)
}

/// Returns the mispredicted branches as a share of all, if both are counted.
#[inline]
pub fn branch_miss_rate(counts: &Counts) -> Option<f64> {
    ratio(counts.counter("branch-misses")?, counts.counter("branches")?)
}

/// Returns a quotient, unless its divisor is 0.
#[inline]
fn ratio(value: f64, of: f64) -> Option<f64> {
    Some(value / of).filter(|_| of > 0.0)
}

/// Returns the time of an operation in each sample, in links of the reference chain around it. It
/// doesn't depend on the frequency of the core, for code that doesn't wait for memory or devices.
/// `None` for samples without reference times.
#[inline]
pub fn links(measurement: &Measurement) -> Option<Vec<f64>> {
    let speeds = map_samples(measurement, &links_per_nanosecond);
    let links: Vec<f64> = times(measurement).iter().zip(speeds).map(|(time, links)| time * links).collect();
    links.iter().all(|links| links.is_finite()).then_some(links)
}

/// Returns the speed of the core around a sample, in links of the reference chain.
#[inline]
fn links_per_nanosecond(launch: &Launch, sample: &Sample) -> f64 {
    // Each sample has a chain before and one after it.
    let links = 2.0 * f64::from(REFERENCE_LINKS);
    links * launch.clock.frequency / sample.reference as f64 / 1e9
}

#[inline]
fn raw_time(launch: &Launch, sample: &Sample, count: u64) -> f64 {
    sample.elapsed as f64 * 1e9 / launch.clock.frequency / operations(sample, count)
}

#[inline]
fn operations(sample: &Sample, count: u64) -> f64 {
    sample.iterations as f64 * count as f64
}

/// Returns a value of each sample. `value` is a trait object, so that this loop is compiled only
/// once.
#[inline]
fn map_samples(measurement: &Measurement, value: &dyn Fn(&Launch, &Sample) -> f64) -> Vec<f64> {
    let mut values = Vec::new();
    for launch in &measurement.launches {
        values.extend(launch.samples.iter().map(|sample| value(launch, sample)));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(count: u64, samples: &[(u64, u64, u64)]) -> Measurement {
        let samples = samples.iter().map(|&(iterations, elapsed, segments)| Sample {
            iterations,
            elapsed,
            segments,
            reference: 8 * u64::from(REFERENCE_LINKS),
            round: 0,
        });
        let clock = ClockInfo {
            name: "os".into(),
            frequency: 2e9,
            resolution: 1.0,
            read_cost: 20.0,
            cycles_per_link: Some(4),
        };
        let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: samples.collect() };
        Measurement { count, unroll: 1, launches: vec![launch], ..Measurement::default() }
    }

    #[test]
    fn figures_are_per_operation_and_exclude_the_clock() {
        // 2,000 ticks are 1,000 ns; two segments cost 40; 4 iterations of 10 operations.
        let summary = Summary::from_measurement(&measurement(10, &[(4, 2_000, 2)])).unwrap();
        assert_eq!((summary.median, summary.raw_median, summary.samples), (24.0, 25.0, 1));
        // A tick is half a nanosecond, and one cycle of the reference chain.
        assert_eq!(summary.cycles, Some(48.0));
        assert!(!summary.below_resolution);
        let mut unknown = measurement(10, &[(4, 2_000, 2)]);
        unknown.launches[0].clock.cycles_per_link = None;
        assert_eq!(Summary::from_measurement(&unknown).unwrap().cycles, None);
        assert_eq!(links(&unknown), Some(vec![12.0]), "comparisons need no cycles");
    }

    #[test]
    fn a_clock_of_its_own_has_neither_the_cost_nor_the_resolution_of_the_harness() {
        let summary = Summary::from_measurement(&measurement(1_000, &[(1_000, 2_000, 0)])).unwrap();
        assert_eq!((summary.median, summary.below_resolution), (0.001, false));
        assert!(Summary::from_measurement(&measurement(1, &[(1_000, 0, 0)])).unwrap().below_resolution);
        let samples = [(1_000, 0, 0), (1_000, 2_000, 0), (1_000, 2_000, 0)];
        let sometimes_zero = Summary::from_measurement(&measurement(1, &samples)).unwrap();
        assert_eq!((sometimes_zero.median, sometimes_zero.below_resolution), (1.0, false));
    }

    #[test]
    fn empty_benchmarks_are_below_resolution() {
        assert!(
            Summary::from_measurement(&measurement(1, &[(1_000, 1_000, 1)])).unwrap().below_resolution,
            "0.5 ns"
        );
        assert!(
            !Summary::from_measurement(&measurement(1, &[(1_000, 2_200, 1)])).unwrap().below_resolution,
            "1.1 ns"
        );
        // A pause per iteration: 21 ns, of which 20 ns are the clock's.
        assert!(
            Summary::from_measurement(&measurement(1, &[(1_000, 42_000, 1_000)])).unwrap().below_resolution
        );
        // The optimiser has removed a loop of a billion operations.
        assert!(
            Summary::from_measurement(&measurement(1_000_000_000, &[(10, 400, 1)])).unwrap().below_resolution
        );
    }

    #[test]
    fn the_clock_limits_what_few_calls_between_readings_can_tell() {
        let with_segments = |segments| measurement(1, &[(1_000, 42_000, segments)]);
        assert!(is_limited_by_clock(&with_segments(1_000)));
        assert!(is_limited_by_clock(&with_segments(200)));
        assert!(!is_limited_by_clock(&with_segments(100)));
        assert!(!is_limited_by_clock(&with_segments(0)), "a clock of its own");
    }

    #[test]
    fn a_disturbed_empty_benchmark_is_below_resolution() {
        // Two samples took twice the time of the others, but 0.5 ns are those of the empty loop.
        let samples = [(1_000, 2_040, 1), (1_000, 1_080, 1), (1_000, 2_140, 1)];
        let summary = Summary::from_measurement(&measurement(1, &samples)).unwrap();
        assert!(summary.below_resolution && summary.median == 1.0, "{summary:?}");
        assert!((0.75..0.76).contains(&summary.resolution), "{summary:?}");
        // Work that a few samples did not have, such as that of a cache, is no disturbance.
        let samples = [(1_000, 1_080, 1), (1_000, 20_040, 1), (1_000, 20_040, 1)];
        let summary = Summary::from_measurement(&measurement(1, &samples)).unwrap();
        assert!(!summary.below_resolution && summary.median == 10.0, "{summary:?}");
        // An empty loop that was timed in a disturbed process says nothing about the others.
        let mut measurement = measurement(1, &[(1_000, 2_040, 1); 3]);
        let disturbed = Launch { empty_loop: 1.0, ..measurement.launches[0].clone() };
        measurement.launches =
            vec![measurement.launches[0].clone(), disturbed, measurement.launches[0].clone()];
        assert!(!Summary::from_measurement(&measurement).unwrap().below_resolution);
    }

    #[test]
    fn nothing_is_below_the_resolution_of_an_empty_loop_that_is_not_optimised() {
        let with_loop = |empty_loop, segments| {
            let mut measurement = measurement(1, &[(1_000, 2_200, segments)]);
            measurement.launches[0].empty_loop = empty_loop;
            let summary = Summary::from_measurement(&measurement).unwrap();
            (unoptimized_empty_loop(&measurement), summary.below_resolution)
        };
        // A tick is half a nanosecond, and one cycle of the reference chain.
        assert_eq!(with_loop(2.0, 1), (None, true));
        assert_eq!(with_loop(6.5, 1), (Some(6.5), false));
        assert_eq!(with_loop(6.5, 0), (None, false), "a clock of its own");
        let mut debug_build = measurement(1, &[(1_000, 2_200, 1)]);
        debug_build.launches[0].empty_loop = 6.5;
        debug_build.launches[0].samples[0].reference = 0;
        assert_eq!(unoptimized_empty_loop(&debug_build), None);
        assert!(Summary::from_measurement(&debug_build).unwrap().below_resolution);
    }

    #[test]
    fn a_batch_divides_the_time_and_not_the_throughput() {
        // 1,000 ns per iteration of 4 operations of 25 units, with 3,200 bytes in total.
        let mut measurement = measurement(4, &[(1, 2_000, 0)]);
        measurement.batch = Some(25);
        measurement.throughput = Some(vec![Amount { name: "byte".into(), value: 3_200.0 }]);
        let summary = Summary::from_measurement(&measurement).unwrap();
        assert_eq!(summary.median, 10.0);
        let throughput = throughput(&measurement, &summary);
        assert_eq!(throughput, [Amount { name: "byte".into(), value: 3.2e9 }]);
    }

    #[test]
    fn without_samples_there_is_no_summary() {
        assert_eq!(Summary::from_measurement(&measurement(1, &[])), None);
    }
}
