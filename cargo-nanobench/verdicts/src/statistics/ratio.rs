//! Estimate and interval for the ratio of two average costs, from a few pairs of them.
//!
//! The roles of the two members of a pair were assigned at random. If they don't differ, each
//! difference is as likely to have the opposite sign, whatever its distribution. So the interval
//! contains the ratios that a test of all signs would accept (Fisher's randomisation test), in which a
//! rare but large difference counts with its size. Its ends are quantiles of the ratios of random
//! subsets of the pairs (Hartigan 1969, "Using subsample values as typical values").

use super::order::ascending;
use nanobench::Rng;
use nanobench::stats::{Interval, quantile_of_sorted};

/// Number of random subsets of the pairs for an interval.
const SUBSETS: usize = 1_000;
/// Number of pairs whose subsets are added up beforehand: one for each bit of a byte.
const CHUNK: usize = u8::BITS as usize;

/// Returns the ratio of the sums: the second members of the pairs relative to the first. Unlike the
/// mean of ratios, it is the ratio of the average costs. Returns NaN for no pairs.
pub fn ratio_of_sums(pairs: &[[f64; 2]]) -> f64 {
    let [first, second] = sums(pairs.iter());
    second / first
}

/// Returns an interval that contains the ratio of the average costs with at least `confidence` (0
/// to 1). Returns `None` if there are too few pairs, or the first members have no positive sum.
pub fn ratio_interval(pairs: &[[f64; 2]], confidence: f64) -> Option<Interval> {
    let tail = (1.0 - confidence) / 2.0;
    // Of all subsets, the empty one is beyond either end.
    let has_sum = pairs.iter().map(|[first, _]| first).sum::<f64>() > 0.0;
    if !has_sum || 0.5_f64.powi(i32::try_from(pairs.len()).unwrap_or(i32::MAX)) > tail {
        return None;
    }
    // The sums of all subsets of a few pairs at a time: adding single pairs takes many times as long.
    let chunks: Vec<_> = pairs.chunks(CHUNK).map(sums_of_subsets).collect();
    let mut rng = Rng::with_seed(pairs.len() as u64);
    let mut ratios = Vec::with_capacity(SUBSETS);
    while ratios.len() < SUBSETS {
        let mut sums = [0.0; 2];
        for chunks in chunks.chunks(size_of::<u64>()) {
            let bits = rng.next_u64().to_le_bytes();
            for (chunk, byte) in chunks.iter().zip(bits) {
                let [first, second] = chunk[usize::from(byte)];
                sums = [sums[0] + first, sums[1] + second];
            }
        }
        let [first, second] = sums;
        if first > 0.0 {
            ratios.push(second / first);
        }
    }
    sort_ends(&mut ratios, tail);
    let end = |q| quantile_of_sorted(&ratios, q);
    Some(Interval { low: end(tail), high: end(1.0 - tail) })
}

/// Sorts those of the values that the quantiles at the tails depend on. To sort all takes several times as
/// long.
fn sort_ends(values: &mut [f64], tail: f64) {
    let number = (tail * values.len() as f64) as usize + 2;
    if 2 * number < values.len() {
        let last = values.len() - number;
        values.select_nth_unstable_by(number, ascending);
        values[..number].sort_unstable_by(ascending);
        values[number..].select_nth_unstable_by(last - number, ascending);
        values[last..].sort_unstable_by(ascending);
    } else {
        values.sort_unstable_by(ascending);
    }
}

/// Returns the sums of all subsets of a few pairs: a set bit of the place means that its pair is in.
fn sums_of_subsets(pairs: &[[f64; 2]]) -> [[f64; 2]; 1 << CHUNK] {
    let mut sums = [[0.0; 2]; 1 << CHUNK];
    for (i, [first, second]) in pairs.iter().enumerate() {
        let (without, with) = sums.split_at_mut(1 << i);
        for (with, [a, b]) in with.iter_mut().zip(without) {
            *with = [*a + first, *b + second];
        }
    }
    // Bits without a pair.
    let known = 1 << pairs.len();
    for place in known..sums.len() {
        sums[place] = sums[place % known];
    }
    sums
}

fn sums<'a>(pairs: impl Iterator<Item = &'a [f64; 2]>) -> [f64; 2] {
    pairs.fold([0.0; 2], |[first, second], pair| [first + pair[0], second + pair[1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the probability that the sum of the differences, with random signs, is as large: of a few
    /// pairs.
    fn p(pairs: &[[f64; 2]]) -> f64 {
        let differences: Vec<f64> = pairs.iter().map(|[first, second]| second - first).collect();
        let signed =
            |i: usize, signs: u32| if signs >> i & 1 == 0 { differences[i] } else { -differences[i] };
        let sum = |signs: u32| (0..differences.len()).map(|i| signed(i, signs)).sum::<f64>();
        let all = 1_u32 << differences.len();
        (0..all).filter(|&signs| sum(signs) >= sum(0)).count() as f64 / f64::from(all)
    }

    #[test]
    fn the_ratio_is_one_of_costs_not_a_mean_of_ratios() {
        // Half of the baseline's pairs are twice as slow, and the other half of the candidate's.
        let pairs = [[2.0, 1.0], [1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [2.0, 1.0], [1.0, 2.0]];
        assert_eq!(ratio_of_sums(&pairs), 1.0);
        let interval = ratio_interval(&pairs, 0.95).unwrap();
        assert!(interval.low < 1.0 && interval.high > 1.0, "{interval:?}");
    }

    #[test]
    fn the_ends_are_those_of_all_values_in_order() {
        let values: Vec<f64> = (0..1_000).map(|i| f64::from(i * 7_919 % 1_009)).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable_by(ascending);
        for tail in [0.0005, 0.025, 0.2, 0.499] {
            let mut ends = values.clone();
            sort_ends(&mut ends, tail);
            for q in [tail, 1.0 - tail] {
                assert_eq!(quantile_of_sorted(&ends, q), quantile_of_sorted(&sorted, q), "{q}");
            }
        }
    }

    #[test]
    fn the_interval_contains_the_ratios_that_the_test_accepts() {
        let pairs: Vec<[f64; 2]> =
            (0..16).map(|i| [1.0 + f64::from(i * 7 % 5) / 50.0, 1.2 + f64::from(i * 5 % 7) / 30.0]).collect();
        let interval = ratio_interval(&pairs, 0.95).unwrap();
        let p_at = |ratio: f64| {
            let scaled: Vec<[f64; 2]> = pairs.iter().map(|[a, b]| [a * ratio, *b]).collect();
            p(&scaled)
        };
        let [low, high] = [p_at(interval.low), 1.0 - p_at(interval.high)];
        assert!((0.018..0.035).contains(&low) && (0.018..0.035).contains(&high), "{low}, {high}");
        assert!((interval.low..interval.high).contains(&ratio_of_sums(&pairs)));
        assert!(ratio_interval(&pairs[..5], 0.95).is_none(), "too few");
    }
}
