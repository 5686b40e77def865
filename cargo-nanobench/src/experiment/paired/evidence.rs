//! The evidence on one benchmark: the log ratios that its blocks yielded, and what they imply.

use super::average::{AverageEvidence, AveragePair};
use super::average_pairs::MIN_EXPENSIVE_SHARE;
use super::launch_groups::{LaunchEvidence, LaunchGroups};
use super::outcome::{Agreement, AverageChange, SlowLaunches};
use crate::experiment::verdict::Verdict;
use nanobench::stats::Change;
use nanobench_statistics::{self as stats, Interval};
use std::borrow::Cow;
use std::f64::consts::FRAC_1_SQRT_2;
use std::time::Duration;

/// Minimum number of pairs for any decision.
pub(super) const MIN_PAIRS: usize = 6;
/// Confidence of the intervals in reports.
pub(super) const CONFIDENCE: f64 = 0.95;
/// Confidence of an interval after a confirmation, or if a change has recurred. Either ends in one of two
/// ways, with a change or without, and each way selects the data that its interval is computed from.
/// Each gets half of the error, so that the reported interval still has the coverage [`CONFIDENCE`]
/// (Bonferroni).
const CONFIDENCE_AFTER_SELECTION: f64 = 1.0 - (1.0 - CONFIDENCE) / 2.0;

/// The log ratios of one benchmark, one for each pair of processes that ran in the same rounds.
///
/// The roles within a block are assigned at random. If nothing changed, the two processes of a pair
/// are exchangeable, so each log ratio is as likely to have the opposite sign. Tests and intervals
/// rest on this symmetry alone, not on a distribution.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Logarithms of the ratio of candidate to baseline.
    pub(super) changes: Vec<f64>,
    /// The place in `launches` of the pair of each change: some launches are too short for one.
    places: Vec<usize>,
    /// Logarithms of the ratio of each side to itself.
    pub(super) aa_ratios: Vec<f64>,
    /// Logarithms of the ratio of each side in one layout to itself in another.
    layout_ratios: Vec<f64>,
    pub(super) averages: AverageEvidence,
    pub(super) launches: LaunchEvidence,
    /// It was selected by its own data: it includes a confirmation, or a change that has recurred.
    is_selected: bool,
}

impl Evidence {
    /// Creates the evidence of the confirmation that follows a screening, before its first block.
    pub(super) fn for_confirmation(screening: &Evidence) -> Evidence {
        let averages = AverageEvidence::for_confirmation(&screening.averages);
        Evidence { is_selected: true, averages, ..Evidence::default() }
    }

    /// Returns the evidence that a change has recurred.
    pub(super) fn of_recurrence(self) -> Evidence {
        Evidence { is_selected: true, ..self }
    }

    /// Adds the log ratios of a block, whose launches are added next, if they are known.
    pub(super) fn add(&mut self, changes: &[f64], aa_ratios: &[f64]) {
        self.places.extend((self.launches.number()..).take(changes.len()));
        self.changes.extend(changes);
        self.aa_ratios.extend(aa_ratios);
    }

    /// Adds the log ratios of a block whose two pairs had other addresses of memory and, in
    /// `are_layouts`, other layouts. `side_ratios`: those of the second process of baseline and
    /// candidate to the first. They are no A/A ratios, but as both sides have the same addresses and
    /// layouts, their difference is free of them. Divided by the square root of two, it has the
    /// variance of an A/A ratio, and it counts in both directions.
    pub(super) fn add_block(&mut self, changes: &[f64], side_ratios: [f64; 2], are_layouts: bool) {
        let [baseline, candidate] = side_ratios;
        let ratio = (baseline - candidate) * FRAC_1_SQRT_2;
        self.add(changes, &[ratio, -ratio]);
        if are_layouts {
            self.layout_ratios.extend(side_ratios);
        }
    }

    /// Returns the typical difference between two layouts of the same code, as a share. `None` if
    /// any block had none.
    pub(super) fn difference_of_layouts(&self) -> Option<f64> {
        if self.layout_ratios.len() < self.aa_ratios.len() {
            return None;
        }
        let differences: Vec<f64> = self.layout_ratios.iter().map(|ratio| ratio.abs()).collect();
        (!differences.is_empty()).then(|| stats::median(&differences).exp_m1())
    }

    /// Returns in how many of the pairs the change has the direction of the estimate.
    pub(super) fn agreement(&self) -> Agreement {
        let estimate = self.estimate();
        let agreeing = self.changes.iter().filter(|&change| change * estimate > 0.0).count();
        Agreement { agreeing, layouts: self.pairs() }
    }

    /// Returns the union of two sets of evidence.
    pub(super) fn and(&self, other: &Evidence) -> Evidence {
        let mut all = self.clone();
        all.changes.extend(&other.changes);
        all.places.extend(other.places.iter().map(|place| place + self.launches.number()));
        all.aa_ratios.extend(&other.aa_ratios);
        all.layout_ratios.extend(&other.layout_ratios);
        all.averages.add_all(&other.averages);
        all.launches.add_all(&other.launches);
        all.is_selected |= other.is_selected && other.pairs() > 0;
        all
    }

    /// Returns the number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.changes.len()
    }

    /// Returns the average time of a pair of processes, if all of them took `time`.
    pub(super) fn time_per_pair(&self, time: Duration) -> Duration {
        time / u32::try_from(self.pairs().max(1)).unwrap_or(u32::MAX)
    }

    /// Returns the changes of the typical time: those of pairs without a slow launch. The share of
    /// slow launches is another question, and a quarter of them would hide a small change of the
    /// others. All pairs count if few would remain.
    ///
    /// The sides play no part in the division, so the signs remain equally likely.
    fn ordinary_changes(&self) -> Cow<'_, [f64]> {
        let all = Cow::from(&self.changes);
        let groups = if all.is_empty() { None } else { self.launches.groups(stats::median(&all)) };
        let Some(groups) = groups else { return all };
        let pairs = self.changes.iter().zip(&self.places);
        let ordinary: Vec<f64> =
            pairs.filter(|(_, place)| !groups.is_slow_pair(**place)).map(|(change, _)| *change).collect();
        if ordinary.len() >= MIN_PAIRS.max(all.len() / 3) { Cow::from(ordinary) } else { all }
    }

    /// Returns the estimate of the change, as a logarithm (Hodges-Lehmann).
    pub(super) fn estimate(&self) -> f64 {
        stats::hodges_lehmann(&self.ordinary_changes())
    }

    /// Returns the confidence interval of the change that reports show. Its coverage is 95 %, with
    /// the selection by a confirmation accounted for.
    pub(super) fn interval(&self) -> Option<Interval> {
        stats::signed_rank_interval(&self.ordinary_changes(), self.confidence())
    }

    /// Returns the largest size of the change, as a logarithm: the farther end of its interval.
    pub(super) fn bound(&self) -> f64 {
        self.interval().map_or(f64::INFINITY, farther_end)
    }

    /// Returns the confidence of displayed intervals, of which 95 % remain after a selection.
    pub(super) fn confidence(&self) -> f64 {
        if self.is_selected { CONFIDENCE_AFTER_SELECTION } else { CONFIDENCE }
    }

    /// Returns half the width of the 95 % interval of the change, ignoring any selection. It
    /// measures how much is known, and decides when to stop.
    pub(super) fn precision(&self) -> f64 {
        stats::signed_rank_interval(&self.ordinary_changes(), CONFIDENCE).map_or(f64::INFINITY, half_width)
    }

    /// Returns the one-sided p-value in the direction of the estimate: the probability of log
    /// ratios at least as far to this side if nothing changed.
    pub(super) fn p(&self) -> f64 {
        stats::signed_rank_p(&self.ordinary_changes()) / 2.0
    }

    /// Returns the launches if they fall into two groups.
    pub(super) fn launch_groups(&self) -> Option<LaunchGroups> {
        if self.changes.is_empty() { None } else { self.launches.groups(self.estimate()) }
    }

    /// Returns the evidence without the launches that were sampled for longer than usual.
    pub(super) fn of_usual_launches(&self) -> Evidence {
        Evidence { averages: self.averages.of_usual_launches(), ..self.clone() }
    }

    /// Returns whether the change of the average time is mainly one of the launches that were sampled
    /// for longer than usual. More usual launches would hide it rather than test it.
    pub(super) fn is_average_of_long_launches(&self) -> bool {
        let usual = self.of_usual_launches().averages.estimate();
        self.long_launches() > 0 && usual.abs() < 0.7 * self.averages.estimate().abs()
    }

    /// Returns the changes of the average time in launches that were sampled for longer than usual,
    /// each relative to its own typical time: what calls add that each process makes rarely. Slow
    /// launches add nothing to them, and neither do disturbances of a minority of the long launches.
    ///
    /// The first is that of all samples. A disturbance of many samples of the baseline would hide expensive
    /// ones of the candidate, so the second is that of these.
    pub(super) fn changes_by_rare_calls(&self) -> [f64; 2] {
        let launches = self.averages.of_long_launches();
        let counts_waiting = launches.counts_waiting();
        let pairs = || launches.pairs().iter();
        [
            change_of_medians(pairs().map(|pair| pair.relative(counts_waiting))),
            change_of_medians(pairs().map(AveragePair::relative_with_expensive_samples)),
        ]
    }

    /// Returns whether rare calls change the average by more than this share.
    pub(super) fn do_rare_calls_differ(&self, share: f64) -> bool {
        self.changes_by_rare_calls().iter().any(|change| change.abs() > share)
    }

    /// Returns whether expensive samples add more than this share to the only long launches of both sides:
    /// those of the baseline, which may be disturbed, would hide rare calls of the candidate. If waiting
    /// counts, or each call may add less than an expensive sample, all samples count.
    pub(super) fn may_hide_rare_calls(&self, share: f64) -> bool {
        let long_launches = self.averages.of_long_launches();
        let [only] = long_launches.pairs() else { return false };
        let are_both_above = |times: [f64; 2]| times.iter().all(|&time| time > 1.0 + share);
        let counts_waiting = long_launches.counts_waiting();
        let count_all = counts_waiting || share < 10.0 * MIN_EXPENSIVE_SHARE;
        are_both_above(only.relative_with_expensive_samples())
            || count_all && are_both_above(only.relative(counts_waiting))
    }

    /// Returns the number of launches of each side that were sampled for longer than usual.
    pub(super) fn long_launches(&self) -> usize {
        self.averages.of_long_launches().pairs().len()
    }

    /// Returns the change of the average time, with the verdict on it.
    pub(super) fn average_change(&self, verdict: Verdict) -> Option<AverageChange> {
        let averages = &self.averages;
        let interval = averages.interval(self.confidence())?;
        Some(AverageChange {
            verdict,
            change: Change { estimate: averages.estimate(), interval },
            p: (2.0 * averages.p()).min(1.0),
            sampled: averages.sampled(),
            longest_launch: averages.longest_launch(),
            samples: [averages.samples(); 2],
            interrupted: averages.interrupted(),
            waited: averages.waited(),
            counts_waiting: averages.counts_waiting(),
        })
    }

    /// Returns the slow launches, with the verdict on their shares.
    pub(super) fn slow_launches(&self, verdict: Verdict) -> Option<SlowLaunches> {
        let groups = self.launch_groups()?;
        Some(SlowLaunches {
            verdict,
            launches: [groups.launches(); 2],
            slow: groups.slow(),
            slowdown: groups.slowdown,
            p: (2.0 * groups.p()).min(1.0),
        })
    }

    /// Returns the noise floor: the farther end of the 95 % interval of the A/A ratios. An apparent
    /// change of that size arises although both processes are the same.
    pub(super) fn noise_floor(&self) -> Option<f64> {
        stats::signed_rank_interval(&self.aa_ratios, CONFIDENCE).map(farther_end)
    }
}

/// Returns the change from the median of the baseline's times to that of the candidate's; 0 without any. Of
/// two launches, the one that takes less counts, since the other may be disturbed.
fn change_of_medians(pairs: impl Iterator<Item = [f64; 2]>) -> f64 {
    let (mut baseline, mut candidate): (Vec<f64>, Vec<f64>) = pairs.map(|[a, b]| (a, b)).unzip();
    let [baseline, candidate] = [&mut baseline, &mut candidate].map(|times| {
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len().saturating_sub(1) / 2).copied()
    });
    baseline.zip(candidate).map_or(0.0, |(baseline, candidate)| candidate / baseline - 1.0)
}

/// Returns the distance from zero to the farther end.
pub(super) fn farther_end(interval: Interval) -> f64 {
    interval.low.abs().max(interval.high.abs())
}

/// Returns half of the width.
pub(super) fn half_width(interval: Interval) -> f64 {
    (interval.high - interval.low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_launches_play_no_part_in_the_typical_time() {
        let mut evidence = Evidence::default();
        for i in 0..16 {
            let slow = if i % 4 == 0 { 0.4 } else { 0.0 };
            let change = 0.001 * f64::from(i % 3);
            evidence.add(&[change + slow], &[]);
            evidence.launches.add(&[[0.0, change + slow]]);
        }
        let bound = farther_end(evidence.interval().unwrap());
        assert!(bound <= 0.002, "{bound}");
        let both = evidence.and(&evidence);
        assert!(both.estimate() <= 0.002 && both.pairs() == 32, "{}", both.estimate());
        assert_eq!(both.launch_groups().unwrap().slow(), [0, 8]);
    }

    #[test]
    fn layouts_and_addresses_are_no_part_of_the_noise_floor() {
        let mut evidence = Evidence::default();
        for _ in 0..8 {
            evidence.add_block(&[0.01; 2], [0.05, 0.051], false);
        }
        assert!(evidence.noise_floor().unwrap() <= 0.001);
        assert_eq!(evidence.difference_of_layouts(), None);
        let mut evidence = Evidence::default();
        for i in 0..16 {
            // The second layout is slower by another share each time, and the candidate by 1 %.
            let layout = 0.05 + 0.002 * f64::from(i);
            let noise = if i % 2 == 0 { 0.001 } else { -0.001 };
            evidence.add_block(&[0.01, 0.01 + noise], [layout, layout + noise], true);
        }
        assert!(evidence.noise_floor().unwrap() <= 0.001);
        assert!((0.05..0.1).contains(&evidence.difference_of_layouts().unwrap()));
        assert_eq!(evidence.agreement(), Agreement { agreeing: 32, layouts: 32 });
        assert_eq!(evidence.and(&evidence).difference_of_layouts(), evidence.difference_of_layouts());
    }

    #[test]
    fn all_pairs_count_if_most_have_a_slow_launch() {
        let mut evidence = Evidence::default();
        for i in 0..16 {
            let times = if i % 4 == 0 { [0.0; 2] } else { [[0.4, 0.0], [0.0, 0.4]][i % 2] };
            evidence.add(&[times[1] - times[0]], &[]);
            evidence.launches.add(&[times]);
        }
        assert!(farther_end(evidence.interval().unwrap()) > 0.3);
    }
}
