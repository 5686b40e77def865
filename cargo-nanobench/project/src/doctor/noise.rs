//! The noise floor: differences between samples of the same work.
//!
//! Samples are paired in random order, as in a comparison of two builds. The median of the paired
//! log ratios over a stretch of time is the result that a comparison of this length would have
//! reported, with no change at all. The root mean square of these medians over many stretches is
//! the noise. It holds for one process: launches differ more, as each has its own memory layout.

use super::workloads::{WORKLOADS, Workload};
use crate::interrupt;
use nanobench::Rng;
use nanobench::stats;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The approximate time of a sample.
const SAMPLE_TIME: Duration = Duration::from_micros(250);
/// The time for which each workload is measured.
const WORKLOAD_TIME: Duration = Duration::from_secs(3);
/// The two lengths of stretches, in seconds.
const SHORT: f64 = 0.1;
const LONG: f64 = 1.0;
/// The smallest detectable change, in multiples of the noise: with 95 % confidence and 95 % power,
/// the sum of the normal quantiles 1.960 and 1.645.
const DETECTABLE: f64 = 3.605;

/// The noise of a workload, in percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Noise {
    /// The name of the workload: `chain` or `mixed`.
    pub workload: &'static str,
    /// The root mean square error of a measurement of 0.1 s.
    pub floor: f64,
    /// The smallest change that can be detected in 0.1 s.
    pub detectable_in_100_ms: f64,
    /// The smallest change that can be detected in 1 s.
    pub detectable_in_1_s: f64,
}

/// Two samples of the same work.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// The time since the first pair, in s.
    at: f64,
    /// The logarithm of the ratio of the two times.
    log_ratio: f64,
}

impl Noise {
    /// Measures each workload. Returns `None` if Ctrl-C was pressed.
    pub fn measure() -> Option<Vec<Noise>> {
        WORKLOADS.iter().map(|&(name, workload)| Noise::from_pairs(name, &measure_pairs(workload)?)).collect()
    }

    fn from_pairs(workload: &'static str, pairs: &[Pair]) -> Option<Noise> {
        // A clock that shows no difference hides one of up to half of its step.
        let short = rms_of_medians(pairs, SHORT)?.max(clock_step(pairs) / 2.0);
        // The few long stretches may agree by chance, but noise shrinks by the square root of the
        // time at most.
        let long = rms_of_medians(pairs, LONG)?.max(short / (LONG / SHORT).sqrt());
        let detectable = |noise: f64| (DETECTABLE * noise).exp_m1() * 100.0;
        Some(Noise {
            workload,
            floor: short * 100.0,
            detectable_in_100_ms: detectable(short),
            detectable_in_1_s: detectable(long),
        })
    }

    /// Returns the time that measuring takes.
    pub fn measuring_time() -> Duration {
        WORKLOAD_TIME * u32::try_from(WORKLOADS.len()).unwrap_or(u32::MAX)
    }
}

fn measure_pairs(workload: Workload) -> Option<Vec<Pair>> {
    let time = |repeats: u64| {
        let begin = Instant::now();
        workload(repeats);
        begin.elapsed()
    };
    let repeats = calibrate(time);
    let (mut rng, mut pairs, begin) = (Rng::new(), Vec::new(), Instant::now());
    while begin.elapsed() < WORKLOAD_TIME {
        if interrupt::requested() {
            return None;
        }
        let at = begin.elapsed().as_secs_f64();
        let (first, second) = (time(repeats).as_secs_f64(), time(repeats).as_secs_f64());
        let log_ratio = (first / second).ln();
        pairs.push(Pair { at, log_ratio: if rng.bounded(2) == 0 { log_ratio } else { -log_ratio } });
    }
    Some(pairs)
}

/// Returns the number of repeats in a sample. Doubles it until a sample is long enough, as the
/// first repeats are slower.
fn calibrate(time: impl Fn(u64) -> Duration) -> u64 {
    let mut repeats = 1;
    loop {
        let took = time(repeats);
        if took >= SAMPLE_TIME / 2 {
            let one = took.as_secs_f64() / repeats as f64;
            return ((SAMPLE_TIME.as_secs_f64() / one) as u64).max(1);
        }
        repeats *= 2;
    }
}

/// Returns the smallest difference between two samples that the clock has shown, as a log ratio.
fn clock_step(pairs: &[Pair]) -> f64 {
    let differences = pairs.iter().map(|pair| pair.log_ratio.abs()).filter(|&difference| difference > 0.0);
    differences.min_by(f64::total_cmp).unwrap_or(0.0)
}

/// Returns the root mean square of the medians of all stretches of this length, which start every
/// 0.1 s. Returns `None` if there is no stretch.
fn rms_of_medians(pairs: &[Pair], length: f64) -> Option<f64> {
    let end = pairs.last()?.at;
    let mut squares = Vec::new();
    for i in 0.. {
        let start = f64::from(i) * SHORT;
        if start + length > end {
            break;
        }
        let within = pairs.iter().filter(|pair| (start..start + length).contains(&pair.at));
        let ratios: Vec<f64> = within.map(|pair| pair.log_ratio).collect();
        if !ratios.is_empty() {
            squares.push(stats::median(&ratios).powi(2));
        }
    }
    (!squares.is_empty()).then(|| stats::mean(&squares).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a pair every 0.5 ms for 3 s.
    fn series(log_ratio: impl Fn(f64) -> f64) -> Vec<Pair> {
        (0..6_001).map(|i| f64::from(i) * 0.0005).map(|at| Pair { at, log_ratio: log_ratio(at) }).collect()
    }

    #[test]
    fn equal_samples_have_no_noise() {
        let noise = Noise::from_pairs("chain", &series(|_| 0.0)).unwrap();
        assert_eq!((noise.floor, noise.detectable_in_100_ms, noise.detectable_in_1_s), (0.0, 0.0, 0.0));
    }

    #[test]
    fn the_noise_is_at_least_half_a_step_of_the_clock() {
        let rare =
            Noise::from_pairs("chain", &series(|at| if at % 0.01 < 0.001 { 1e-4 } else { 0.0 })).unwrap();
        assert!((rare.floor - 0.005).abs() < 1e-10, "{rare:?}");
    }

    #[test]
    fn outliers_are_ignored_and_disturbed_stretches_are_not() {
        let rare =
            Noise::from_pairs("chain", &series(|at| if at % 0.01 < 0.001 { 0.5 } else { 1e-9 })).unwrap();
        assert!(rare.floor < 1e-6, "{rare:?}");
        // A tenth of a second in each second is off by 2 %: root mean square 2 % / sqrt(10).
        let stretches =
            Noise::from_pairs("chain", &series(|at| if at % 1.0 < 0.1 { 0.02 } else { 1e-9 })).unwrap();
        assert!((0.5..0.9).contains(&stretches.floor), "{stretches:?}");
        assert!(
            (stretches.detectable_in_100_ms - (DETECTABLE * stretches.floor / 100.0).exp_m1() * 100.0).abs()
                < 1e-10
        );
    }

    #[test]
    fn a_second_detects_changes_smaller_by_the_root_of_ten_at_best() {
        let alternating = |at: f64| if ((at / 0.1) as u64).is_multiple_of(2) { 0.01 } else { -0.01 };
        let noise = Noise::from_pairs("chain", &series(alternating)).unwrap();
        assert!(
            noise.detectable_in_1_s
                >= (DETECTABLE * noise.floor / 100.0 / 10_f64.sqrt()).exp_m1() * 100.0 - 1e-10,
            "{noise:?}"
        );
        // A constant bias remains in a second.
        let slow = Noise::from_pairs("chain", &series(|_| 0.01)).unwrap();
        assert!((slow.detectable_in_1_s - slow.detectable_in_100_ms).abs() < 1e-10, "{slow:?}");
    }

    #[test]
    fn too_few_pairs_have_no_noise() {
        assert_eq!(Noise::from_pairs("chain", &[]), None);
        assert_eq!(Noise::from_pairs("chain", &series(|_| 0.0)[..1_000]), None);
    }

    #[test]
    fn samples_are_long_enough_for_any_workload() {
        assert_eq!(calibrate(Duration::from_nanos), 250_000);
        assert_eq!(calibrate(Duration::from_millis), 1);
    }
}
