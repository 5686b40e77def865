//! The evidence on one benchmark: what its blocks yielded, and what that implies.

use crate::average::{AverageEvidence, AveragePair, MIN_EXPENSIVE_SHARE};
use crate::clusters::{Clusters, FilesOfBlock};
use crate::findings::{Agreement, AverageChange, Question, SlowLaunches};
use crate::launch_groups::{LaunchEvidence, LaunchGroups};
use crate::rule::{self, Direction, OfHypotheses};
use crate::statistics::{self as stats, Bets, Interval};
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::f64::consts::FRAC_1_SQRT_2;

/// Smallest number of pairs that tells anything about a benchmark.
pub const MIN_PAIRS: usize = 6;
/// Confidence of the intervals in reports.
pub(crate) const CONFIDENCE: f64 = 0.95;
/// A change by more than this factor shows in each pair, whatever files it ran: no place of code or of a file
/// makes so much of a difference.
const LARGE_CHANGE: f64 = 2.0;
/// The share of the capital that bets on such a change, by pairs.
const WEIGHT_OF_LARGE: f64 = 0.1;
/// Logarithm of the evidence against a centre that is outside of such an interval.
fn log_limit() -> f64 {
    (2.0 / (1.0 - CONFIDENCE)).ln()
}

/// The evidence on one benchmark.
///
/// The roles within a block are assigned at random. If nothing changed, the two processes of a pair
/// are exchangeable, so each log ratio is as likely to have the opposite sign. All tests rest on this
/// symmetry alone, not on a distribution. The unit is a cluster: pairs of the same files count once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evidence {
    /// The hypothesis on the typical time.
    null: Null,
    /// Logarithms of the ratio of candidate to baseline, one for each pair of processes.
    pub changes: Vec<f64>,
    /// The place in `launches` of the pair of each change: some launches are too short for one.
    places: Vec<usize>,
    /// Logarithms of the ratio of one process of a side to the other one.
    pub aa_ratios: Vec<f64>,
    /// Logarithms of the ratio of each side in one layout to itself in another. `None` if any block had none.
    layout_ratios: Option<Vec<f64>>,
    /// The average times.
    pub averages: AverageEvidence,
    /// The times of launches.
    pub launches: LaunchEvidence,
    clusters: Clusters,
    /// Figures that follow from the above, as of the last block.
    #[serde(skip)]
    summary: Summary,
}

/// Figures of the pairs so far that take long to compute.
#[derive(Debug, Clone, Default)]
struct Summary {
    /// The median of the changes of the typical time.
    median: f64,
    estimate: f64,
    groups: Option<LaunchGroups>,
}

/// The hypothesis that the typical time has changed by no more than this.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Null {
    /// Logarithm of the largest change of the typical time that is no reason for a verdict.
    pub change: f64,
    /// Logarithm of the change that is expected, if any is.
    pub expected: Option<f64>,
}

/// A pair of processes of a block.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Logarithm of the ratio of candidate to baseline. `None` if they were sampled too shortly.
    pub change: Option<f64>,
    /// The average times of both.
    pub average: AveragePair,
    /// Logarithms of the times of the two launches, relative to the fastest process of their block.
    pub launches: [f64; 2],
}

impl Evidence {
    /// Creates the value before the first block.
    pub fn new(null: Null) -> Evidence {
        Evidence {
            null,
            changes: Vec::new(),
            places: Vec::new(),
            aa_ratios: Vec::new(),
            layout_ratios: Some(Vec::new()),
            averages: AverageEvidence::default(),
            launches: LaunchEvidence::default(),
            clusters: Clusters::default(),
            summary: Summary::default(),
        }
    }

    /// Returns it for a run that goes on in another process, with other files.
    pub fn going_on(mut self) -> Evidence {
        self.clusters.close();
        self.summarise();
        self
    }

    /// Returns the shares of the error of the hypotheses.
    pub fn weights(&self) -> OfHypotheses<f64> {
        rule::weights(self.null.expected.map(Direction::from_estimate))
    }

    /// Returns the logarithms of the evidence against the hypotheses.
    pub fn of_hypotheses(&self) -> OfHypotheses<f64> {
        Question::ALL.map(|question| self.log_evidence(question))
    }

    /// Adds the pairs of a block. `side_ratios`: logarithms of the ratio of the second process of baseline
    /// and candidate to the first. As both sides have the same addresses and layouts, the difference of
    /// the two is free of these.
    pub fn add(&mut self, pairs: &[Pair], side_ratios: [f64; 2], files: FilesOfBlock) {
        self.clusters.begin_block(files.generation);
        let typical_change = self.summary.median;
        for (place, pair) in pairs.iter().enumerate() {
            let difference = self.averages.add(&pair.average, self.clusters.number(place));
            let slow = self.launches.add(pair.launches, typical_change);
            // The share of slow launches is another question, and a quarter of them would hide a small
            // change.
            let ordinary = pair.change.filter(|_| !slow.contains(&true));
            let slower = f64::from(slow[1]) - f64::from(slow[0]);
            self.clusters.add(place, [ordinary, Some(difference), Some(slower)]);
            if let Some(change) = pair.change {
                self.places.push(self.launches.number() - 1);
                self.changes.push(change);
            }
        }
        if pairs.iter().any(|pair| pair.change.is_some()) {
            self.aa_ratios.push(side_ratios[0] - side_ratios[1]);
            self.layout_ratios = self.layout_ratios.take().filter(|_| files.are_layouts);
            self.layout_ratios.iter_mut().for_each(|ratios| ratios.extend(side_ratios));
        }
        if files.are_spent {
            self.clusters.close();
        }
        self.summarise();
    }

    fn summarise(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        self.summary.median = stats::median(&self.changes);
        self.summary.estimate = stats::hodges_lehmann(&self.ordinary_changes());
        self.summary.groups = self.launches.groups(self.summary.estimate);
    }

    /// Returns the logarithms of the evidence that the candidate is faster, and that it is slower, by what
    /// a question asks.
    pub fn log_evidence(&self, question: Question) -> [f64; 2] {
        let values = self.clusters.of(question);
        match question {
            Question::Typical => {
                let Null { change, expected } = self.null;
                let against = |centre: f64, side: usize| {
                    let bets = match expected {
                        Some(expected) if (expected > 0.0) == (side == 1) => Bets::OnExpected(expected),
                        _ => Bets::OnTypical,
                    };
                    stats::log_evidence(&values, centre, bets)[side]
                };
                let sides = [-1.0, 1.0].map(|sign: f64| self.log_evidence_of_large(sign, change));
                [0, 1].map(|side: usize| {
                    let by_clusters = against([-change, change][side], side);
                    stats::log_sum([
                        (1.0 - WEIGHT_OF_LARGE).ln() + by_clusters,
                        WEIGHT_OF_LARGE.ln() + sides[side],
                    ])
                })
            }
            Question::Average => {
                // The typical time is a part of it, and may have changed by as much. The true centre may be
                // nearer to 0, as expensive calls may not have changed. That makes the game unfavourable,
                // never favourable.
                let centre = (self.null.change / 2.0).tanh();
                let against = |centre: f64| stats::log_evidence(&values, centre, Bets::OnLargest);
                [against(-centre)[0], against(centre)[1]]
            }
            Question::Launches => stats::log_evidence(&values, 0.0, Bets::OnLargest),
        }
    }

    /// Returns the logarithm of the evidence by pairs of a change in the direction of `sign` that is larger
    /// than files can make, and than `null`. If the median is smaller, the capital counts as lost.
    fn log_evidence_of_large(&self, sign: f64, null: f64) -> f64 {
        let centre = sign * LARGE_CHANGE.ln().max(null);
        if self.summary.median * sign <= centre * sign {
            return f64::NEG_INFINITY;
        }
        stats::log_evidence(&self.changes, centre, Bets::OnTypical)[usize::from(sign > 0.0)]
    }

    /// Returns whether the change of the typical time is known to be within these, by their logarithms.
    pub fn is_within(&self, [low, high]: [f64; 2]) -> bool {
        let values = self.clusters.of(Question::Typical);
        let against = |centre: f64| stats::log_evidence(&values, centre, Bets::OnTypical);
        against(high)[0] >= log_limit() && against(low)[1] >= log_limit()
    }

    /// Returns whether the change of the typical time is known to be above this, or to be below it.
    pub fn is_on_one_side_of(&self, change: f64) -> bool {
        let values = self.clusters.of(Question::Typical);
        let evidence = stats::log_evidence(&values, change, Bets::OnTypical);
        evidence.iter().any(|&log_evidence| log_evidence >= log_limit())
    }

    /// Returns whether the change of the typical time is known to within this, in both directions.
    pub fn is_known_within(&self, half_width: f64) -> bool {
        let estimate = self.estimate();
        self.is_within([estimate - half_width, estimate + half_width])
    }

    /// Returns the typical difference between two layouts of the same code, as a share. `None` if
    /// any block had none.
    pub fn difference_of_layouts(&self) -> Option<f64> {
        let ratios = self.layout_ratios.as_ref().filter(|ratios| !ratios.is_empty())?;
        Some(stats::median(&ratios.iter().map(|ratio| ratio.abs()).collect::<Vec<_>>()).exp_m1())
    }

    /// Returns in how many of the clusters the change has the direction of the estimate.
    pub fn agreement(&self) -> Agreement {
        let estimate = self.estimate();
        let values = self.clusters.of(Question::Typical);
        let agreeing = values.iter().filter(|&change| change * estimate > 0.0).count();
        Agreement { agreeing, layouts: values.len() }
    }

    /// Returns the number of clusters so far.
    pub(crate) fn clusters(&self) -> usize {
        self.averages.clusters()
    }

    /// Returns whether some of the launches of the present files are slow on one side, which will only count
    /// once there are others.
    pub fn awaits_other_files(&self) -> bool {
        self.clusters.has_open(Question::Launches)
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> usize {
        self.changes.len()
    }

    /// Returns the changes of the typical time: those of pairs without a slow launch. The share of
    /// slow launches is another question, and a quarter of them would hide a small change of the
    /// others. All pairs count if few would remain.
    ///
    /// The sides play no part in the division, so the signs remain equally likely.
    fn ordinary_changes(&self) -> Cow<'_, [f64]> {
        let all = Cow::from(&self.changes);
        let Some(groups) = self.launches.groups(self.summary.median) else { return all };
        let pairs = self.changes.iter().zip(&self.places);
        let ordinary: Vec<f64> =
            pairs.filter(|(_, place)| !groups.is_slow_pair(**place)).map(|(change, _)| *change).collect();
        if ordinary.len() >= MIN_PAIRS.max(all.len() / 3) { Cow::from(ordinary) } else { all }
    }

    /// Returns the estimate of the change, as a logarithm (Hodges-Lehmann).
    pub fn estimate(&self) -> f64 {
        self.summary.estimate
    }

    /// Returns the 95 % confidence interval of the change, as a logarithm, whenever the run ended.
    pub fn interval(&self) -> Option<Interval> {
        let interval = stats::betting_interval(&self.clusters.of(Question::Typical), CONFIDENCE)?;
        let estimate = self.estimate();
        Some(Interval { low: interval.low.min(estimate), high: interval.high.max(estimate) })
    }

    /// Returns half the width of that interval.
    pub fn half_width(&self) -> f64 {
        self.interval().map_or(f64::INFINITY, |Interval { low, high }| (high - low) / 2.0)
    }

    /// Returns a p-value of the hypothesis that a question's answer is no change, valid whenever the run
    /// ended.
    pub fn p(&self, question: Question) -> f64 {
        let [faster, slower] = self.log_evidence(question).map(f64::exp);
        (2.0 / (faster + slower)).min(1.0)
    }

    /// Returns the launches if they fall into two groups.
    pub fn launch_groups(&self) -> Option<&LaunchGroups> {
        self.summary.groups.as_ref()
    }

    /// Returns whether the change of the average time is mainly one of the launches that were sampled
    /// for longer than usual. More usual launches would hide it rather than test it.
    pub fn is_average_of_long_launches(&self) -> bool {
        let usual = self.averages.of_launches(false).estimate();
        self.long_launches() > 0 && usual.abs() < 0.7 * self.averages.estimate().abs()
    }

    /// Returns the changes of the average time in launches that were sampled for longer than usual,
    /// each relative to its own typical time: what calls add that each process makes rarely. Slow
    /// launches add nothing to them, and neither do disturbances of a minority of the long launches.
    ///
    /// The first is that of all samples. A disturbance of many samples of the baseline would hide expensive
    /// ones of the candidate, so the second is that of these.
    pub fn changes_by_rare_calls(&self) -> [f64; 2] {
        let launches = self.averages.of_launches(true);
        let counts_waiting = launches.counts_waiting();
        let pairs = || launches.pairs().iter();
        [
            change_of_medians(pairs().map(|pair| pair.relative(counts_waiting))),
            change_of_medians(pairs().map(AveragePair::relative_with_expensive_samples)),
        ]
    }

    /// Returns whether rare calls change the average by more than this share.
    pub fn do_rare_calls_differ(&self, share: f64) -> bool {
        self.changes_by_rare_calls().iter().any(|change| change.abs() > share)
    }

    /// Returns whether expensive samples add more than this share to the only long launches of both sides:
    /// those of the baseline, which may be disturbed, would hide rare calls of the candidate. If waiting
    /// counts, or each call may add less than an expensive sample, all samples count.
    pub fn may_hide_rare_calls(&self, share: f64) -> bool {
        let long_launches = self.averages.of_launches(true);
        let [only] = long_launches.pairs() else { return false };
        let are_both_above = |times: [f64; 2]| times.iter().all(|&time| time > 1.0 + share);
        let counts_waiting = long_launches.counts_waiting();
        let count_all = counts_waiting || share < 10.0 * MIN_EXPENSIVE_SHARE;
        are_both_above(only.relative_with_expensive_samples())
            || count_all && are_both_above(only.relative(counts_waiting))
    }

    /// Returns the number of launches of each side that were sampled for longer than usual.
    pub fn long_launches(&self) -> usize {
        self.averages.of_launches(true).pairs().len()
    }

    /// Returns the change of the average time, with the verdict on it.
    pub fn average_change(&self, verdict: Verdict) -> Option<AverageChange> {
        self.averages.change(verdict, self.p(Question::Average))
    }

    /// Returns the slow launches, with the verdict on their shares.
    pub fn slow_launches(&self, verdict: Verdict) -> Option<SlowLaunches> {
        let groups = self.launch_groups()?;
        Some(SlowLaunches {
            verdict,
            launches: [groups.launches(); 2],
            slow: groups.slow(),
            slowdown: groups.slowdown,
            p: self.p(Question::Launches),
        })
    }

    /// Returns by how much two processes of the same code differ, as a share: the median.
    pub fn launch_noise(&self) -> Option<f64> {
        let sizes: Vec<f64> = self.aa_ratios.iter().map(|ratio| ratio.abs() * FRAC_1_SQRT_2).collect();
        (!sizes.is_empty()).then(|| stats::median(&sizes).exp_m1())
    }
}

/// Returns the change from the median of the baseline's times to that of the candidate's; 0 without any. Of
/// two launches, the one that takes less counts, since the other may be disturbed.
fn change_of_medians(pairs: impl Iterator<Item = [f64; 2]>) -> f64 {
    let (mut baseline, mut candidate): (Vec<f64>, Vec<f64>) = pairs.map(|[a, b]| (a, b)).unzip();
    let [baseline, candidate] = [&mut baseline, &mut candidate].map(|times| {
        times.sort_unstable_by(stats::ascending);
        times.get(times.len().saturating_sub(1) / 2).copied()
    });
    baseline.zip(candidate).map_or(0.0, |(baseline, candidate)| candidate / baseline - 1.0)
}

#[cfg(test)]
mod tests;
