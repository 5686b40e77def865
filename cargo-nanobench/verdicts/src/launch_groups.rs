//! The third question of a paired run: launches that fall into two groups, of which one is slower,
//! for example because of a hash seed or an address.

use crate::statistics as stats;
use serde::{Deserialize, Serialize};

/// Smallest distance of the two groups, as a share.
const MIN_SLOWDOWN: f64 = 0.08;
/// Smallest distance of the two groups, in multiples of the spread within the faster one (the
/// distance of its 10th and 90th percentiles).
const MIN_GAP_IN_SPREADS: f64 = 3.0;
/// Smallest number of launches in which groups are looked for.
const MIN_LAUNCHES: usize = 8;

/// The times of all launches of one benchmark.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LaunchEvidence {
    /// Logarithms of the times of a pair of processes, baseline first, relative to the fastest
    /// process of their block.
    pairs: Vec<[f64; 2]>,
}

/// The launches that fall into two groups.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchGroups {
    /// Pairs of launches: whether the baseline's and the candidate's is slow.
    slow: Vec<[bool; 2]>,
    /// Time of a slow launch relative to that of the others, less 1.
    pub slowdown: f64,
}

impl LaunchEvidence {
    /// Adds a pair. Returns whether the baseline's and the candidate's launch is slow, by the pairs so far.
    /// `typical_change`: the logarithm of the change of the typical time so far. Nothing that comes later
    /// counts, so if nothing has changed, either side is as likely to be slow.
    pub fn add(&mut self, pair: [f64; 2], typical_change: f64) -> [bool; 2] {
        self.pairs.push(pair);
        let groups = self.groups(typical_change);
        groups.and_then(|groups| groups.slow.last().copied()).unwrap_or_default()
    }

    /// Returns the number of launches of each side.
    pub fn number(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether the launches of the candidate may be slower on average by more than this
    /// share. Each launch counts once, however long it was sampled.
    pub fn may_be_slower(&self, share: f64, confidence: f64) -> bool {
        let times: Vec<[f64; 2]> = self.pairs.iter().map(|pair| pair.map(f64::exp)).collect();
        // The ratio of the sums is at most that of any pair, which is found sooner.
        times.iter().any(|[baseline, candidate]| candidate / baseline > 1.0 + share)
            && stats::ratio_interval(&times, confidence).is_some_and(|ratio| ratio.high > 1.0 + share)
    }

    /// Divides the launches at the widest gap in the slower half of them. `None` if the gap is not
    /// much wider than the spread of those below. The sides play no part in it, so that a test of
    /// the shares remains exact. `typical_change`: the logarithm of the change of the typical time,
    /// by which the launches of the candidate differ anyway.
    pub fn groups(&self, typical_change: f64) -> Option<LaunchGroups> {
        let times: Vec<[f64; 2]> =
            self.pairs.iter().map(|[baseline, candidate]| [*baseline, candidate - typical_change]).collect();
        let all = times.as_flattened();
        let [min, max] = [f64::min, f64::max].map(|extreme| all.iter().copied().reduce(extreme));
        // Mostly, they are too close together, and need not be sorted.
        if all.len() < MIN_LAUNCHES || max? - min? <= MIN_SLOWDOWN.ln_1p() {
            return None;
        }
        let sorted = stats::sorted(all);
        let gap = |split: usize| sorted[split] - sorted[split - 1];
        let split = (sorted.len() / 2..sorted.len()).max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
        let (fast, slow) = sorted.split_at(split);
        let [low, median, high] = [0.1, 0.5, 0.9].map(|q| stats::quantile_of_sorted(fast, q));
        let has_groups = gap(split) > ((high - low) * MIN_GAP_IN_SPREADS).max(MIN_SLOWDOWN.ln_1p());
        has_groups.then(|| LaunchGroups {
            slow: times.iter().map(|pair| pair.map(|time| time >= slow[0])).collect(),
            slowdown: (stats::quantile_of_sorted(slow, 0.5) - median).exp_m1(),
        })
    }
}

impl LaunchGroups {
    /// Returns whether either launch of the pair at this place is slow.
    pub fn is_slow_pair(&self, place: usize) -> bool {
        self.slow.get(place).is_some_and(|slow| slow.contains(&true))
    }

    /// Returns the number of launches of each side.
    pub fn launches(&self) -> usize {
        self.slow.len()
    }

    /// Returns the number of slow launches of each side.
    pub fn slow(&self) -> [usize; 2] {
        std::array::from_fn(|side| self.slow.iter().filter(|pair| pair[side]).count())
    }

    /// Returns the part of the average time, as a share, that more slow launches of the candidate add.
    pub fn added(&self) -> f64 {
        let [baseline, candidate] = self.slow();
        (candidate as f64 - baseline as f64) / self.launches().max(1) as f64 * self.slowdown
    }

    /// Returns the largest part of the average time, as a share, that more slow launches of the
    /// candidate may add.
    pub fn max_added(&self) -> f64 {
        self.max_added_by(1)
    }

    /// Returns the largest part of the average time, as a share, that more slow launches of either
    /// side may add.
    pub fn max_difference(&self) -> f64 {
        self.max_added_by(0).max(self.max_added_by(1))
    }

    /// Returns the largest part of the average time that the slow launches of a side may add: by the upper
    /// 99 % limit of their share (Wilson), less the other side's share.
    fn max_added_by(&self, side: usize) -> f64 {
        const Z: f64 = 2.326;
        let n = self.launches() as f64;
        let [slow, other] = [side, 1 - side].map(|side| self.slow()[side] as f64 / n);
        let center = slow + Z * Z / (2.0 * n);
        let half = Z * (slow * (1.0 - slow) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((center + half) / (1.0 + Z * Z / n) - other) * self.slowdown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the evidence of pairs in which these launches of the candidate are half as slow
    /// again.
    fn evidence(pairs: usize, slow: &[usize], noise: f64) -> LaunchEvidence {
        let mut evidence = LaunchEvidence::default();
        for i in 0..pairs {
            let wobble = noise * ((i * 7 % 11) as f64 / 11.0);
            let candidate = if slow.contains(&i) { 1.5_f64.ln() } else { 0.0 };
            evidence.add([wobble, candidate + noise - wobble], 0.0);
        }
        evidence
    }

    #[test]
    fn slow_launches_are_found_and_counted() {
        let groups = evidence(16, &[1, 5, 9, 13], 0.01).groups(0.0).unwrap();
        assert_eq!((groups.launches(), groups.slow()), (16, [0, 4]));
        assert!((groups.slowdown - 0.5).abs() < 0.02, "{}", groups.slowdown);
        assert!((groups.added() / groups.slowdown - 0.25).abs() < 1e-12);
        assert!((groups.added() - 0.125).abs() < 0.01);
        assert!(groups.max_added() > groups.added() && groups.max_difference() >= groups.max_added());
    }

    #[test]
    fn noise_has_no_groups() {
        assert_eq!(evidence(16, &[], 0.01).groups(0.0), None);
        assert_eq!(evidence(16, &[3, 7], 0.3).groups(0.0), None, "no wider than the spread");
        assert_eq!(evidence(3, &[1], 0.01).groups(0.0), None, "too few");
    }

    #[test]
    fn each_pair_tells_which_side_is_slow_by_the_pairs_so_far() {
        let slow = 1.5_f64.ln();
        let mut launches = LaunchEvidence::default();
        let mut add = |pair: [f64; 2]| launches.add(pair, 0.0);
        assert_eq!(add([0.0, slow]), [false; 2], "too few to tell");
        assert_eq!([(); 4].map(|()| add([0.0; 2])), [[false; 2]; 4]);
        assert_eq!([add([0.0, slow]), add([slow, 0.0])], [[false, true], [true, false]]);
        let slower = |typical_change: f64| {
            let mut launches = evidence(4, &[], 0.01);
            launches.add([0.0, 0.4], typical_change)
        };
        assert_eq!(
            [slower(0.0), slower(0.4)],
            [[false, true], [false; 2]],
            "all launches of the candidate are slower"
        );
    }

    #[test]
    fn each_launch_counts_once_in_the_average() {
        let mut launches = LaunchEvidence::default();
        for pair in [[0.0, 0.0], [0.0, 1.5_f64.ln()]].repeat(16) {
            launches.add(pair, 0.0);
        }
        assert!(launches.may_be_slower(0.25, 0.95) && !launches.may_be_slower(0.4, 0.95));
        assert!(!LaunchEvidence::default().may_be_slower(0.1, 0.95), "nothing is known");
    }

    #[test]
    fn a_slower_candidate_is_no_group_of_launches() {
        let mut slower = LaunchEvidence::default();
        for _ in 0..16 {
            slower.add([0.0, 0.4], 0.4);
        }
        assert_eq!(slower.groups(0.4), None);
    }
}
