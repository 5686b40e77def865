//! The benchmarks that run side by side with the last run although nobody named a baseline: those
//! whose machine code differs, or whose figure differs more than stored figures do by themselves.
//! Pure functions: nothing here measures.
//!
//! The figures of a whole run are often shifted together, because the machine is slower or faster
//! than it was. So a figure counts relative to the median of the unchanged benchmarks.

use super::paired::{is_slow, time_of_slow};
use super::stored::RERUN_SPREAD;
use crate::code::CodeMatch;
use std::time::Duration;
use verdicts::statistics as stats;

/// Smallest difference between figures that counts if the code can't be compared.
const MIN_UNKNOWN_CHANGE: f64 = 0.10;
/// Smallest difference, in median absolute deviations of the unchanged benchmarks: three standard deviations
/// of a normal distribution.
const MIN_DEVIATIONS: f64 = 3.0 * 1.4826;
/// Longest time that a run waits for a slow benchmark with such a difference.
const MAX_TIME_OF_SLOW: Duration = Duration::from_secs(150);

/// Facts about a benchmark of the last run that could run side by side.
#[derive(Debug, Clone)]
pub(super) struct Suspect {
    pub(super) code: CodeMatch,
    /// The logarithm of the change since the stored figures.
    pub(super) change: Option<f64>,
    /// The logarithm of the change of the average over all samples.
    pub(super) average_change: Option<f64>,
    /// The time of an iteration.
    pub(super) iteration_time: Duration,
}

impl Suspect {
    /// Returns whether the code, or what it works with, is known to differ.
    pub(super) fn has_other_code(&self) -> bool {
        matches!(self.code, CodeMatch::Differs(_) | CodeMatch::SameExcept(_))
    }

    /// Returns whether the benchmark may have changed, whatever the figures of the others are.
    pub(super) fn may_have_changed(&self) -> bool {
        let min = min_change(&self.code);
        self.has_other_code() || self.change.is_some_and(|change| change.abs() > min)
    }

    /// Returns the logarithm of the change without `shift`, the one that all benchmarks share. `None` if the
    /// code is the same, or if it is faster, but not on average: rare calls may take what the others save.
    pub(super) fn own_change(&self, shift: f64) -> Option<f64> {
        let change = self.change_beyond(shift).filter(|_| self.code != CodeMatch::Same)?;
        let average_change = self.average_change? - shift;
        (change >= 0.0 || average_change < change / 2.0).then_some(change)
    }

    /// Returns the logarithm of the change without `shift`, the one that all benchmarks share.
    pub(super) fn change_beyond(&self, shift: f64) -> Option<f64> {
        Some(self.change? - shift)
    }

    /// Returns whether the benchmark runs although there is too little time for it: if there is none for any
    /// other, unless it is slow, or, if the run `can_wait`, if it shows a change by itself.
    pub(super) fn is_worth_waiting(&self, shift: f64, is_only: bool, can_wait: bool) -> bool {
        let shows_change =
            || self.own_change(shift).is_some_and(|change| change.abs() > MIN_UNKNOWN_CHANGE.ln_1p());
        let may_wait = can_wait && time_of_slow(self.iteration_time) <= MAX_TIME_OF_SLOW;
        is_only && !is_slow(self.iteration_time) || may_wait && shows_change()
    }

    /// Returns the time of a brief paired run, which has 40 iterations at least. `usual`: that of a run of
    /// short ones.
    fn cost(&self, usual: Duration) -> Duration {
        usual.max(self.iteration_time * 40)
    }
}

/// Returns the smallest logarithm of a change that is worth a paired run.
fn min_change(code: &CodeMatch) -> f64 {
    match code {
        CodeMatch::Uncertain | CodeMatch::Unknown => MIN_UNKNOWN_CHANGE.ln_1p(),
        _ => RERUN_SPREAD.ln_1p(),
    }
}

/// The suspects that are worth a paired run, as indices. Those that most probably changed come
/// first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Selection {
    /// Benchmarks whose code differs, or can't be compared.
    pub(super) changed: Vec<usize>,
    /// Benchmarks whose figures stand out although their code is the same: it can only have moved,
    /// or its input has changed.
    pub(super) moved: Vec<usize>,
    /// The logarithm of the change that the figures of all benchmarks share, by those with the same code.
    pub(super) shift: f64,
}

/// Returns the suspects with other code, and those whose figures stand out.
pub(super) fn select(suspects: &[Suspect]) -> Selection {
    let unchanged = || suspects.iter().filter(|suspect| !suspect.has_other_code());
    let changes: Vec<f64> = unchanged().filter_map(|suspect| suspect.change).collect();
    let shift = if changes.is_empty() { 0.0 } else { stats::median(&changes) };
    let distances: Vec<f64> = changes.iter().map(|change| (change - shift).abs()).collect();
    let noise = if distances.is_empty() { 0.0 } else { stats::median(&distances) };
    let distance = |suspect: &Suspect| suspect.change.map_or(f64::INFINITY, |change| (change - shift).abs());
    let stands_out = |suspect: &Suspect| {
        let min = min_change(&suspect.code).max(noise * MIN_DEVIATIONS);
        suspect.has_other_code() || distance(suspect) > min
    };
    let mut worth: Vec<(usize, &Suspect)> = suspects
        .iter()
        .enumerate()
        .filter(|(_, suspect)| suspect.may_have_changed() && stands_out(suspect))
        .collect();
    worth.sort_by(|(_, a), (_, b)| {
        b.has_other_code().cmp(&a.has_other_code()).then(distance(b).total_cmp(&distance(a)))
    });
    let (moved, changed): (Vec<_>, Vec<_>) =
        worth.into_iter().partition(|(_, suspect)| suspect.code == CodeMatch::Same);
    let indices = |suspects: Vec<(usize, &Suspect)>| suspects.into_iter().map(|(i, _)| i).collect();
    Selection { changed: indices(changed), moved: indices(moved), shift }
}

/// Returns those of the selected suspects that fit into this time. `usual`: the time of one of short
/// iterations.
pub(super) fn affordable(
    selected: &[usize],
    suspects: &[Suspect],
    usual: Duration,
    time: Duration,
) -> Vec<usize> {
    let mut spent = Duration::ZERO;
    let fits = |&i: &usize| {
        let cost = suspects[i].cost(usual);
        let fits = spent + cost <= time;
        spent += if fits { cost } else { Duration::ZERO };
        fits
    };
    selected.iter().copied().filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn suspect(code: CodeMatch, change: f64) -> Suspect {
        let iteration_time = Duration::from_nanos(100);
        Suspect { code, change: Some(change), average_change: Some(change), iteration_time }
    }

    fn same(changes: &[f64]) -> Vec<Suspect> {
        changes.iter().map(|&change| suspect(CodeMatch::Same, change)).collect()
    }

    fn moved(suspects: &[Suspect]) -> Vec<usize> {
        let Selection { changed, moved, .. } = select(suspects);
        assert!(changed.is_empty(), "{changed:?}");
        moved
    }

    #[test]
    fn other_code_runs_whatever_its_figure_and_before_the_same_code() {
        let mut all = same(&[0.01, 0.30, -0.01, 0.02, 0.0]);
        all.push(suspect(CodeMatch::Differs(None), 0.0));
        assert_eq!(select(&all), Selection { changed: vec![5], moved: vec![1], shift: 0.01 });
    }

    #[test]
    fn a_figure_counts_relative_to_those_of_the_unchanged() {
        assert_eq!(moved(&same(&[0.01, -0.01, 0.30, 0.02, 0.0])), [2]);
        // The machine was slower: one benchmark is even slower, one did not change.
        assert_eq!(moved(&same(&[0.31, 0.29, 0.60, 0.30, 0.32, 0.01])), [2]);
        // All differ from each other.
        assert!(moved(&same(&[0.1, -0.3, 0.4, 0.0, -0.2, 0.3])).is_empty());
    }

    #[test]
    fn smaller_changes_count_where_code_is_unknown() {
        let unknown: Vec<Suspect> = [0.0, 0.01, 0.12, 0.0].map(|c| suspect(CodeMatch::Unknown, c)).into();
        assert_eq!(select(&unknown).changed, [2]);
        assert!(moved(&same(&[0.0, 0.01, 0.12, 0.0])).is_empty());
    }

    #[test]
    fn a_change_of_its_own_is_one_of_other_code_and_if_faster_also_on_average() {
        let own = |code, change, average_change| {
            Suspect { average_change: Some(average_change), ..suspect(code, change) }.own_change(0.1)
        };
        let differs = CodeMatch::Differs(None);
        assert_eq!(own(differs.clone(), 0.6, 0.1), Some(0.5));
        assert_eq!(own(differs.clone(), -0.4, -0.3), Some(-0.5));
        assert_eq!([0.5, -0.1].map(|average| own(differs.clone(), -0.4, average)), [None; 2]);
        assert_eq!(own(CodeMatch::Same, 0.6, 0.6), None);
    }

    #[test]
    fn a_run_waits_for_one_that_shows_a_change_unless_it_takes_minutes() {
        let waits = |change: f64, iteration_time: Duration, is_only: bool, can_wait: bool| {
            let suspect = Suspect { iteration_time, ..suspect(CodeMatch::Differs(None), change) };
            suspect.is_worth_waiting(0.0, is_only, can_wait)
        };
        assert!(waits(0.3, 6 * SECOND, false, true));
        assert!(!waits(0.3, 4 * SECOND, true, false), "the budget would be exceeded");
        assert!(!waits(0.03, 4 * SECOND, true, true), "no change");
        assert!(!waits(0.3, 70 * SECOND, true, true));
        let short = SECOND / 100;
        assert_eq!([true, false].map(|is_only| waits(0.0, short, is_only, false)), [true, false]);
    }

    #[test]
    fn the_time_limits_their_number() {
        let differs = |change| suspect(CodeMatch::Differs(None), change);
        let all: Vec<Suspect> = [0.1, 0.5, 0.0, -0.4, 0.2, 0.05].map(differs).into();
        let order = select(&all).changed;
        assert_eq!(affordable(&order, &all, SECOND / 4, SECOND), [1, 3, 4, 0]);
        assert_eq!(affordable(&order, &all, SECOND / 20, SECOND).len(), 6);
        assert!(affordable(&order, &all, SECOND / 4, Duration::ZERO).is_empty());
        let all = [differs(0.4), Suspect { iteration_time: SECOND, ..differs(0.3) }, differs(0.1)];
        assert_eq!(affordable(&select(&all).changed, &all, SECOND / 4, SECOND), [0, 2], "it takes too long");
    }
}
