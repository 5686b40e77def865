//! The noise floor: the same work beside itself. Whatever differs is noise, and a change must be larger to be seen.
//!
//! Pairs of samples, in random order within a pair, as in a comparison of two builds. The median of the paired log
//! ratios of a stretch of time is what a comparison of that length would have said of no change at all; how far such
//! medians stray from 0 over many stretches is the noise. It holds for one process: launches differ by more, as each has
//! its own layout.

use super::work::{self, Work};
use crate::interrupt;
use nanobench::Rng;
use nanobench::stats;
use std::time::{Duration, Instant};

/// About how long a sample takes.
const SAMPLE: Duration = Duration::from_micros(250);
/// How long each kind of work is measured.
const TIME: Duration = Duration::from_secs(3);
/// Two stretches are looked at: so many seconds.
const SHORT: f64 = 0.1;
const LONG: f64 = 1.0;
/// A change of so many times the noise is found in 95 of 100 tries, where 5 of 100 may be wrong about no change:
/// 1.960 + 1.645, both of the normal distribution.
const SEEN: f64 = 3.605;

/// The noise of a kind of work, as shares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Noise {
    /// `chain` or `mixed`.
    pub(crate) work: &'static str,
    /// How far 0.1 s of measuring stray from the truth (root mean square).
    pub(crate) floor: f64,
    /// The smallest change that can be seen in 0.1 s.
    pub(crate) seen_in_short: f64,
    /// The same in 1 s.
    pub(crate) seen_in_long: f64,
}

/// Two samples of the same work.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// Since the beginning, in s.
    at: f64,
    /// Logarithm of the one side's time over the other's.
    log_ratio: f64,
}

impl Noise {
    /// Measures each kind of work. Takes some seconds; `None` where Ctrl-C came.
    pub(crate) fn measure() -> Option<Vec<Noise>> {
        work::ALL.iter().map(|&(name, work)| Noise::of(name, &pairs(work)?)).collect()
    }

    fn of(work: &'static str, pairs: &[Pair]) -> Option<Noise> {
        let short = stray(pairs, SHORT)?;
        // Few stretches fit in, so that by chance they may agree too well: noise doesn't shrink faster than by the root of
        // the time.
        let long = stray(pairs, LONG)?.max(short / (LONG / SHORT).sqrt());
        let seen = |noise: f64| (SEEN * noise).exp_m1();
        Some(Noise { work, floor: short, seen_in_short: seen(short), seen_in_long: seen(long) })
    }

    /// How long all of it takes.
    pub(crate) fn takes() -> Duration {
        TIME * u32::try_from(work::ALL.len()).unwrap_or(u32::MAX)
    }
}

fn pairs(work: Work) -> Option<Vec<Pair>> {
    let time = |times: u64| {
        let begin = Instant::now();
        work(times);
        begin.elapsed()
    };
    let times = enough(time);
    let (mut rng, mut pairs, begin) = (Rng::new(), Vec::new(), Instant::now());
    while begin.elapsed() < TIME {
        if interrupt::requested() {
            return None;
        }
        let at = begin.elapsed().as_secs_f64();
        let (first, second) = (time(times).as_secs_f64(), time(times).as_secs_f64());
        let log_ratio = (first / second).ln();
        pairs.push(Pair { at, log_ratio: if rng.bounded(2) == 0 { log_ratio } else { -log_ratio } });
    }
    Some(pairs)
}

/// How often to do the work in a sample. The first times are slower, so that it is asked again from what came of it.
fn enough(time: impl Fn(u64) -> Duration) -> u64 {
    let mut times = 1;
    loop {
        let took = time(times);
        if took >= SAMPLE / 2 {
            let one = took.as_secs_f64() / times as f64;
            return ((SAMPLE.as_secs_f64() / one) as u64).max(1);
        }
        times *= 2;
    }
}

/// How far the medians of stretches of this length stray from 0, by the root of their mean square. Stretches begin every
/// 0.1 s. `None` where not even one fits in.
fn stray(pairs: &[Pair], length: f64) -> Option<f64> {
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

    /// A pair every 0.5 ms for 3 s.
    fn series(log_ratio: impl Fn(f64) -> f64) -> Vec<Pair> {
        (0..6_001).map(|i| f64::from(i) * 0.0005).map(|at| Pair { at, log_ratio: log_ratio(at) }).collect()
    }

    #[test]
    fn what_is_always_the_same_has_no_noise() {
        let noise = Noise::of("chain", &series(|_| 0.0)).unwrap();
        assert_eq!((noise.floor, noise.seen_in_short, noise.seen_in_long), (0.0, 0.0, 0.0));
    }

    #[test]
    fn outliers_do_not_make_a_floor_and_disturbed_stretches_do() {
        let rare = Noise::of("chain", &series(|at| if at % 0.01 < 0.001 { 0.5 } else { 0.0 })).unwrap();
        assert_eq!(rare.floor, 0.0);
        // A tenth of a second in each second is off by 2 %: root mean square 2 % / sqrt(10).
        let stretches = Noise::of("chain", &series(|at| if at % 1.0 < 0.1 { 0.02 } else { 0.0 })).unwrap();
        assert!((0.005..0.009).contains(&stretches.floor), "{stretches:?}");
        assert!((stretches.seen_in_short - (SEEN * stretches.floor).exp_m1()).abs() < 1e-12);
    }

    #[test]
    fn a_second_sees_at_best_the_root_of_ten_more() {
        let alternating = |at: f64| if ((at / 0.1) as u64).is_multiple_of(2) { 0.01 } else { -0.01 };
        let noise = Noise::of("chain", &series(alternating)).unwrap();
        assert!(noise.seen_in_long >= (SEEN * noise.floor / 10_f64.sqrt()).exp_m1() - 1e-12, "{noise:?}");
        // What is off all the time is off in a second, too.
        let slow = Noise::of("chain", &series(|_| 0.01)).unwrap();
        assert!((slow.seen_in_long - slow.seen_in_short).abs() < 1e-12, "{slow:?}");
    }

    #[test]
    fn too_little_says_nothing() {
        assert_eq!(Noise::of("chain", &[]), None);
        assert_eq!(Noise::of("chain", &series(|_| 0.0)[..1_000]), None);
    }

    #[test]
    fn samples_are_long_enough_whatever_the_work() {
        assert_eq!(enough(Duration::from_nanos), 250_000);
        assert_eq!(enough(Duration::from_millis), 1);
    }
}
