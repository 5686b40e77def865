//! The size of blocks: for how long they sample, and how often a confirmation runs one in the same
//! layouts.
//!
//! The launches of some benchmarks differ by several per cent, because of a hash seed or the places
//! of their pages. Their evidence grows with the number of launches, hardly with the time for which
//! each is sampled.

use super::evidence::Evidence;
use crate::stats;
use std::time::Duration;

/// Number of pairs of processes that suffice for an estimate of the noise.
const MIN_PAIRS: usize = 12;
/// Smallest number of rounds with a first and a second half.
const MIN_ROUNDS: usize = 4;
/// Ratio of the standard deviation to the median absolute deviation in a normal distribution.
const NORMAL: f64 = 1.4826;
/// Distance of a change from zero, in standard errors, at which it is confirmed as a rule: 3.4 for
/// the level of a look in a suite of a dozen suspected changes, and another one for a power of 85 %.
const STANDARD_ERRORS: f64 = 4.4;
/// Number of layouts in which a change is tested before any layout runs again.
const LAYOUTS: f64 = 40.0;
const MAX_REPETITIONS: u32 = 8;

/// The noise within the launches of a benchmark.
#[derive(Debug, Clone, Default)]
pub(super) struct NoiseWithin {
    /// For each pair of processes, the difference between the log ratios of the two halves of its
    /// rounds, times the square root of the time in s that the block sampled.
    differences: Vec<f64>,
    /// The times in s.
    times: Vec<f64>,
}

impl NoiseWithin {
    /// Adds the differences of a block that sampled for this time.
    pub(super) fn add(&mut self, differences: [f64; 2], sampling_time: Duration) {
        let time = sampling_time.as_secs_f64();
        self.differences.extend(differences.map(|difference| difference * time.sqrt()));
        self.times.push(time);
    }

    /// Returns the variance of the log ratio of a pair in a block of a second, by its noise within
    /// launches alone. `None` if little is known.
    fn variance_of_a_second(&self) -> Option<f64> {
        if self.differences.len() < MIN_PAIRS {
            return None;
        }
        let distances: Vec<f64> = self.differences.iter().map(|difference| difference.abs()).collect();
        // Each half has twice the variance of the whole.
        Some((NORMAL * stats::median(&distances)).powi(2) / 4.0)
    }

    /// Returns the time for which a block should sample, so that the variance of all pairs together
    /// falls as fast as possible. `usual`: the time if the noise between launches is small or
    /// unknown. `shortest`: the least time. `overhead`: the time of a block that is not sampling.
    pub(super) fn best_sampling_time(
        &self,
        evidence: &Evidence,
        [shortest, usual]: [Duration; 2],
        overhead: Duration,
    ) -> Duration {
        let Some(of_a_second) = self.variance_of_a_second() else { return usual };
        let within = of_a_second / (self.times.iter().sum::<f64>() / self.times.len() as f64);
        let between = variance(evidence) - within;
        if !between.is_finite() || between <= 0.0 {
            return usual;
        }
        // The minimum of (between + of_a_second / time) * (overhead + time).
        let best = (of_a_second * overhead.as_secs_f64() / between).sqrt();
        Duration::try_from_secs_f64(best).map_or(usual, |best| best.max(shortest).min(usual))
    }
}

/// Returns the difference between the log ratios of the two halves of the rounds, given a function
/// that returns the log ratio of a range of rounds. `None` for few rounds.
pub(super) fn difference_of_halves(
    rounds: usize,
    log_ratio: impl Fn(std::ops::Range<usize>) -> f64,
) -> Option<f64> {
    let half = rounds / 2;
    (rounds >= MIN_ROUNDS).then(|| log_ratio(0..half) - log_ratio(half..2 * half))
}

/// Returns the variance of the log ratio of a pair.
fn variance(evidence: &Evidence) -> f64 {
    (evidence.precision() / 1.96).powi(2) * evidence.pairs() as f64
}

/// Returns how often a confirmation runs a block in the same layouts. Making them again for each
/// block would take most of the time if many launches are needed. `block`: the time of a block;
/// `making`: the time that new layouts take for each benchmark.
pub(super) fn repetitions(screening: &Evidence, threshold: f64, block: Duration, making: Duration) -> u32 {
    let change = screening.estimate().abs().max(threshold).max(f64::MIN_POSITIVE);
    let pairs = STANDARD_ERRORS.powi(2) * variance(screening) / change.powi(2);
    let by_cost = 2.0 * making.as_secs_f64() / block.as_secs_f64().max(1e-9);
    // Saturates, also without a number.
    ((pairs / LAYOUTS).min(by_cost) as u32).clamp(1, MAX_REPETITIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Returns the evidence of pairs that differ by this share, around this change.
    fn evidence(change: f64, spread: f64) -> Evidence {
        let mut evidence = Evidence::default();
        for i in 0..32 {
            evidence.add(&[change + spread * [1.0, -1.0, 0.5, -0.5][i % 4]], &[]);
        }
        evidence
    }

    fn noise(within: f64) -> NoiseWithin {
        let mut noise = NoiseWithin::default();
        (0..16).for_each(|_| noise.add([within, -within], 25 * MS));
        noise
    }

    #[test]
    fn blocks_are_short_if_launches_differ() {
        let best = |within, spread| {
            noise(within).best_sampling_time(&evidence(0.0, spread), [4 * MS, 25 * MS], 10 * MS)
        };
        assert_eq!(best(0.01, 0.002), 25 * MS, "the noise is within launches");
        assert_eq!(best(0.001, 0.04), 4 * MS);
        let between = best(0.04, 0.04);
        assert!((5 * MS..20 * MS).contains(&between), "{between:?}");
        let unknown = NoiseWithin::default();
        assert_eq!(unknown.best_sampling_time(&evidence(0.0, 0.04), [4 * MS, 25 * MS], MS), 25 * MS);
        assert_eq!(noise(0.01).best_sampling_time(&Evidence::default(), [4 * MS, 25 * MS], MS), 25 * MS);
    }

    #[test]
    fn layouts_run_again_if_many_launches_are_needed() {
        let repetitions =
            |change, spread, making| repetitions(&evidence(change, spread), 0.005, 20 * MS, making * MS);
        assert_eq!(repetitions(0.05, 0.04, 100), 1, "a large change takes few");
        assert!((3..=MAX_REPETITIONS).contains(&repetitions(0.01, 0.04, 100)));
        assert_eq!(repetitions(0.01, 0.04, 5), 1, "cheap to make");
        assert_eq!(repetitions(0.0, 0.4, 1_000), MAX_REPETITIONS);
    }

    #[test]
    fn few_rounds_have_no_halves() {
        assert_eq!(difference_of_halves(3, |_| 1.0), None);
        assert_eq!(difference_of_halves(5, |range| range.start as f64), Some(-2.0));
    }
}
