//! The second question of a paired run: the average time of a call, over all samples of a launch,
//! however slow, and over all launches.

use crate::evidence::CONFIDENCE;
use crate::findings::AverageChange;
use crate::statistics::{self as stats, Bets, Interval};
use crate::verdict::Verdict;
use nanobench::stats::Change;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Largest difference of the waiting times of both sides, as a share of the baseline's average time, with
/// which they are subtracted in any case.
const MAX_WAITING_DIFFERENCE: f64 = 0.02;
/// From this evidence on, the waiting times of both sides differ.
const WAITING: f64 = 100.0;
/// From this evidence on, they may differ.
const POSSIBLE_WAITING: f64 = 3.0;

/// Smallest share of the time of a launch that an expensive sample adds to it. Ten such samples add as much
/// as the smallest change of the average that is reported by default.
pub const MIN_EXPENSIVE_SHARE: f64 = 0.005;

/// The average times of a pair of processes, baseline first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AveragePair {
    /// Typical time of an iteration of each launch, relative to that of the block.
    pub typical: [f64; 2],
    /// Average time of an iteration, without the waiting time, less the typical one of the launch. It is
    /// relative to that of the block, too.
    pub excess: [f64; 2],
    /// The extra time of expensive samples, each of which takes at least 0.5 % of its launch longer than
    /// usual. If a launch gets slower after the usual time, all of its excess.
    pub expensive: [f64; 2],
    /// Average time per iteration in which other programs ran, relative to that of the block.
    pub waiting: [f64; 2],
    /// Number of iterations of each process.
    pub iterations: u64,
    /// Number of samples that other programs interrupted.
    pub interrupted: [u64; 2],
    /// Time for which they did, in all.
    pub waited: [Duration; 2],
    /// Number of samples of each process.
    pub samples: u64,
    /// They were sampled for longer than usual.
    pub is_long: bool,
    /// Time of these samples, of the process that took less.
    pub sampled: Duration,
}

impl AveragePair {
    /// Returns the typical time of an iteration of each process with what expensive samples add to it,
    /// relative to the typical time.
    pub fn relative_with_expensive_samples(&self) -> [f64; 2] {
        std::array::from_fn(|side| 1.0 + self.expensive[side] / self.typical[side])
    }

    /// Returns the times of both processes as they count in the average, beside launches with this number of
    /// iterations on average.
    fn times(&self, counts_waiting: bool, mean_iterations: f64) -> [f64; 2] {
        let weight = self.iterations as f64 / mean_iterations;
        let added = self.added(counts_waiting);
        std::array::from_fn(|side| self.typical[side] + weight * added[side])
    }

    /// Returns the average time of an iteration of each process, relative to its own typical time.
    pub fn relative(&self, counts_waiting: bool) -> [f64; 2] {
        let added = self.added(counts_waiting);
        std::array::from_fn(|side| 1.0 + added[side] / self.typical[side])
    }

    /// Returns the average time of an iteration of each process beyond the typical one.
    fn added(&self, counts_waiting: bool) -> [f64; 2] {
        let waiting = |side: usize| if counts_waiting { self.waiting[side] } else { 0.0 };
        std::array::from_fn(|side| self.excess[side] + waiting(side))
    }
}

/// The evidence on the average time of one benchmark: all pairs of processes.
///
/// The time in which other programs ran is subtracted, since it is a matter of luck, unless one side waits
/// more than the other: then it most probably waits for what it has started itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AverageEvidence {
    pairs: Vec<AveragePair>,
    /// The number of the cluster of each pair.
    clusters: Vec<usize>,
    /// Waiting times count, as other evidence has decided. `None`: they count if those of these pairs differ.
    decided_waiting: Option<bool>,
    /// The difference of the waiting times of these pairs.
    waiting_difference: WaitingDifference,
}

/// The difference of the waiting times of both sides.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct WaitingDifference {
    /// The candidate's less the baseline's, as a share of the baseline's typical time.
    share: f64,
    /// The logarithm of the evidence that this side waits for longer; 0 if the difference is small.
    log_evidence: f64,
}

impl AverageEvidence {
    /// Adds a pair. Returns by how much its average time on the candidate's side is longer, relative to the
    /// sum of both sides. Whether waiting counts in that is decided by the pairs before, so that a test can't
    /// have it both ways.
    pub fn add(&mut self, pair: &AveragePair, cluster: usize) -> f64 {
        let counts_waiting = self.counts_waiting();
        self.pairs.push(*pair);
        self.clusters.push(cluster);
        self.waiting_difference = WaitingDifference::of(&self.pairs);
        let [baseline, candidate] = pair.times(counts_waiting, mean_iterations(&self.pairs));
        (candidate - baseline) / (candidate.abs() + baseline.abs())
    }

    /// Returns the average times of the pairs. The typical times of all launches count equally,
    /// however long each was sampled: a slow launch is slow from beginning to end. What calls add to
    /// them counts by the number of calls.
    fn times(&self) -> Vec<[f64; 2]> {
        let counts_waiting = self.counts_waiting();
        let mean = mean_iterations(&self.pairs);
        self.pairs.iter().map(|pair| pair.times(counts_waiting, mean)).collect()
    }

    /// Returns whether waiting times count, because one side waits more than the other.
    pub fn counts_waiting(&self) -> bool {
        self.decided_waiting.unwrap_or(self.waiting_difference.log_evidence >= WAITING.ln())
    }

    /// Returns whether the candidate may wait longer, by this share of the baseline's time, although it
    /// doesn't count.
    pub fn may_wait_longer(&self, share: f64) -> bool {
        let WaitingDifference { share: found, log_evidence } = self.waiting_difference;
        !self.counts_waiting() && found > share && log_evidence >= POSSIBLE_WAITING.ln()
    }

    /// Returns the pairs that were sampled for longer than usual, or the other ones. Waiting times count in
    /// them if they count in all.
    pub fn of_launches(&self, are_long: bool) -> AverageEvidence {
        let pairs = self.pairs.iter().copied().zip(self.clusters.iter().copied());
        let (pairs, clusters) = pairs.filter(|(pair, _)| pair.is_long == are_long).unzip();
        let decided_waiting = Some(self.counts_waiting());
        AverageEvidence { pairs, clusters, decided_waiting, ..AverageEvidence::default() }
    }

    /// Returns the number of clusters of the pairs.
    pub(crate) fn clusters(&self) -> usize {
        self.clusters.iter().collect::<BTreeSet<_>>().len()
    }

    /// Returns the pairs so far.
    pub fn pairs(&self) -> &[AveragePair] {
        &self.pairs
    }

    /// Returns the estimate of the change, as a share.
    pub fn estimate(&self) -> f64 {
        stats::ratio_of_sums(&self.times()) - 1.0
    }

    /// Returns the sums of the times of the pairs of each cluster: what was drawn together is drawn together
    /// again.
    fn times_of_clusters(&self) -> Vec<[f64; 2]> {
        let mut sums: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
        for (cluster, [baseline, candidate]) in self.clusters.iter().zip(self.times()) {
            let sum = sums.entry(*cluster).or_default();
            *sum = [sum[0] + baseline, sum[1] + candidate];
        }
        sums.into_values().collect()
    }

    /// Returns the interval of the change, as shares. `None` for too few pairs.
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let Interval { low, high } = stats::ratio_interval(&self.times_of_clusters(), confidence)?;
        Some(Interval { low: low - 1.0, high: high - 1.0 })
    }

    /// Returns the change, with the verdict on it and its p-value. `None` for too few pairs.
    pub(crate) fn change(&self, verdict: Verdict, p: f64) -> Option<AverageChange> {
        let interval = self.interval(CONFIDENCE)?;
        let pairs = || self.pairs.iter();
        Some(AverageChange {
            verdict,
            change: Change { estimate: self.estimate(), interval },
            p,
            sampled: pairs().map(|pair| pair.sampled).sum(),
            longest_launch: pairs().map(|pair| pair.sampled).max().unwrap_or_default(),
            samples: [pairs().map(|pair| pair.samples).sum(); 2],
            interrupted: [0, 1].map(|side| pairs().map(|pair| pair.interrupted[side]).sum()),
            waited: [0, 1].map(|side| pairs().map(|pair| pair.waited[side]).sum()),
            counts_waiting: self.counts_waiting(),
        })
    }
}

impl WaitingDifference {
    fn of(pairs: &[AveragePair]) -> WaitingDifference {
        let mean = mean_iterations(pairs);
        let difference = |pair: &AveragePair| {
            let [baseline, candidate] = pair.waiting.map(|time| time * pair.iterations as f64 / mean);
            candidate - baseline
        };
        let differences: Vec<f64> = pairs.iter().map(difference).collect();
        let baseline: f64 = pairs.iter().map(|pair| pair.typical[0]).sum();
        let share = differences.iter().sum::<f64>() / baseline;
        // It takes long to compute, and mostly nothing waits.
        let log_evidence = match share.abs() > MAX_WAITING_DIFFERENCE {
            true => stats::log_evidence(&differences, 0.0, Bets::OnLargest)[usize::from(share > 0.0)],
            false => 0.0,
        };
        WaitingDifference { share, log_evidence }
    }
}

/// Returns the number of iterations of a launch on average.
fn mean_iterations(pairs: &[AveragePair]) -> f64 {
    let iterations: u64 = pairs.iter().map(|pair| pair.iterations).sum();
    iterations as f64 / pairs.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair of usual launches with equal times.
    const PAIR: AveragePair = AveragePair {
        typical: [1.0; 2],
        excess: [0.0; 2],
        expensive: [0.0; 2],
        waiting: [0.0; 2],
        iterations: 10,
        interrupted: [0; 2],
        waited: [Duration::ZERO; 2],
        samples: 20,
        is_long: false,
        sampled: Duration::from_millis(6),
    };

    fn evidence(pairs: &[AveragePair]) -> AverageEvidence {
        let mut evidence = AverageEvidence::default();
        for (cluster, pair) in pairs.iter().enumerate() {
            evidence.add(pair, cluster);
        }
        evidence
    }

    #[test]
    fn all_launches_count_equally_and_so_do_all_calls() {
        let long = AveragePair { iterations: 70, ..PAIR };
        let change = |last: AveragePair| evidence(&[PAIR, PAIR, PAIR, last]).estimate();
        assert_eq!(change(long), 0.0);
        let slow_launch = AveragePair { typical: [1.0, 1.5], ..long };
        assert_eq!(change(slow_launch), 0.125, "one launch of four");
        let slow_calls = AveragePair { excess: [0.0, 0.5], ..long };
        assert!((change(slow_calls) - 0.35).abs() < 1e-12, "70 calls of 100");
    }

    /// Returns the evidence of pairs with these waiting times.
    fn waiting(times: &[[f64; 2]]) -> AverageEvidence {
        evidence(&times.iter().map(|&waiting| AveragePair { waiting, ..PAIR }).collect::<Vec<_>>())
    }

    #[test]
    fn waiting_counts_if_one_side_waits_more() {
        let one_side = waiting(&[[0.0, 0.3]; 12]);
        assert!(one_side.counts_waiting());
        assert!((one_side.estimate() - 0.3).abs() < 1e-12);
        assert!(one_side.of_launches(true).counts_waiting(), "as in all pairs");
        let few = waiting(&[[0.0, 0.3]; 2]);
        assert!(!few.counts_waiting());
        assert_eq!([0.1, 0.4].map(|share| few.may_wait_longer(share)), [false; 2], "too few to tell");
        let more = waiting(&[[0.0, 0.3]; 3]);
        assert_eq!([0.1, 0.4].map(|share| more.may_wait_longer(share)), [true, false]);
        let by_turns = waiting(&[[0.0, 0.3], [0.3, 0.0]].repeat(6));
        assert_eq!((by_turns.counts_waiting(), by_turns.estimate()), (false, 0.0), "by chance");
        let once = waiting(&[&[[0.0; 2]; 11][..], &[[0.0, 9.0]]].concat());
        assert_eq!((once.counts_waiting(), once.estimate()), (false, 0.0), "a disturbance");
        assert!(!waiting(&[[0.0, 0.01]; 12]).counts_waiting(), "little");
        assert!(!AverageEvidence::default().counts_waiting());
    }

    #[test]
    fn the_pairs_before_decide_whether_the_waiting_of_a_pair_counts() {
        let pair = AveragePair { waiting: [0.0, 0.3], ..PAIR };
        let mut evidence = AverageEvidence::default();
        let differences: Vec<f64> = (0..12).map(|cluster| evidence.add(&pair, cluster)).collect();
        let counted = |difference: &f64| (difference - 0.3 / 2.3).abs() < 1e-12;
        // Of nine pairs that all wait longer, the evidence is 142.
        assert!(differences[..9].iter().all(|difference| *difference == 0.0), "{differences:?}");
        assert!(differences[9..].iter().all(counted), "{differences:?}");
    }
}
