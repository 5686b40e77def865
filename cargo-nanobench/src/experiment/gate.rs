//! Whether comparisons pass: what `--fail-on` and `--fail-above` ask for.

use super::row::Row;
use super::stored::RERUN_SPREAD;
use super::verdict::Verdict;
use crate::benchmark_id::BenchmarkId;
use std::collections::BTreeSet;

/// A verdict that a gate rejects, from the gravest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FailOn {
    Slower,
    Unsure,
    Missing,
    Failed,
    New,
    Moved,
}

impl FailOn {
    pub(crate) const ALL: [FailOn; 6] =
        [FailOn::Slower, FailOn::Unsure, FailOn::Missing, FailOn::Failed, FailOn::New, FailOn::Moved];

    /// Returns the word for flags and reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FailOn::Slower => "slower",
            FailOn::Unsure => "unsure",
            FailOn::Missing => "missing",
            FailOn::Failed => "failed",
            FailOn::New => "new",
            FailOn::Moved => "moved",
        }
    }
}

/// The values of `--fail-on` and `--fail-above`.
#[derive(Debug, Clone, Default)]
pub(crate) struct GateOptions {
    pub(crate) fail_on: Vec<FailOn>,
    /// A share.
    pub(crate) fail_above: Option<f64>,
}

/// What doesn't pass.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gate {
    on: BTreeSet<FailOn>,
    /// What is slower by less than this passes: a share, which the estimate of the change is compared with.
    above: f64,
    /// Nor does what is unsure and may well be slower.
    doubtful: bool,
}

/// What a gate didn't let through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) on: FailOn,
    pub(crate) id: BenchmarkId,
    /// By how much it changed, as a share, where that is known.
    pub(crate) change: Option<f64>,
}

impl Gate {
    /// The gate that was asked for. It lets all pass where none was.
    pub(crate) fn new(options: &GateOptions) -> Gate {
        let mut on: BTreeSet<FailOn> = options.fail_on.iter().copied().collect();
        on.extend(options.fail_above.map(|_| FailOn::Slower));
        Gate { on, above: options.fail_above.unwrap_or(0.0), doubtful: false }
    }

    /// The gate before a baseline that moves on by itself: the one that was asked for, and never with something slower unless
    /// that was given a limit, nor without a figure, nor with what may be slower for all that is known: once it has moved on,
    /// nothing will show that any more.
    pub(crate) fn for_replacing(options: &GateOptions) -> Gate {
        let mut gate = Gate { doubtful: true, ..Gate::new(options) };
        gate.on.extend([FailOn::Slower, FailOn::Failed]);
        gate
    }

    /// Whether nothing was asked for.
    pub(crate) fn is_open(&self) -> bool {
        self.on.is_empty()
    }

    /// What doesn't pass, the gravest kind first and in each the largest change.
    pub(crate) fn failures(&self, rows: &[Row], missing: &[BenchmarkId]) -> Vec<Failure> {
        let of_rows = rows.iter().filter_map(|row| self.failure(row));
        let missing = missing.iter().filter(|_| self.on.contains(&FailOn::Missing));
        let missing = missing.map(|id| Failure { on: FailOn::Missing, id: id.clone(), change: None });
        let mut failures: Vec<Failure> = of_rows.chain(missing).collect();
        let change = |failure: &Failure| failure.change.map_or(0.0, f64::abs);
        failures.sort_by(|a, b| a.on.cmp(&b.on).then(change(b).total_cmp(&change(a))));
        failures
    }

    fn failure(&self, row: &Row) -> Option<Failure> {
        let is_doubtful = |on| self.doubtful && on == FailOn::Unsure && may_be_slower(row, self.above);
        let on = kind(row).filter(|&on| self.on.contains(&on) || is_doubtful(on))?;
        let change = row.comparison.as_ref().and_then(|comparison| comparison.change);
        // The verdict has weighed noise, recurrence and threshold already. The limit is one on how much it matters, so it is
        // the best guess that is held against it: an interval that has to lie beyond it as a whole would let through what is
        // measured badly.
        let passes = on == FailOn::Slower
            && change.is_some_and(|change| change.interval.low <= 0.0 || change.estimate <= self.above);
        let id = row.benchmark.id.clone();
        (!passes).then_some(Failure { on, id, change: change.map(|change| change.estimate) })
    }
}

/// As which kind a row could be held back.
fn kind(row: &Row) -> Option<FailOn> {
    if row.failed() {
        return Some(FailOn::Failed);
    }
    match row.verdict()? {
        Verdict::Slower => Some(FailOn::Slower),
        Verdict::Unsure => Some(FailOn::Unsure),
        Verdict::New => Some(FailOn::New),
        Verdict::Moved => Some(FailOn::Moved),
        Verdict::Failed => Some(FailOn::Failed),
        Verdict::Faster | Verdict::Same => None,
    }
}

/// Whether what is unsure was not compared at all, or looks slower by more than `above`: side by side, or by stored figures and
/// by more than the machine does by itself. Of what is below resolution, there is nothing to know.
fn may_be_slower(row: &Row, above: f64) -> bool {
    let Some(comparison) = row.comparison.as_ref().filter(|_| row.resolved().is_some()) else { return false };
    let noise = if comparison.paired.is_some() { 0.0 } else { RERUN_SPREAD };
    comparison.change.is_none_or(|change| {
        let low = change.known_interval().map_or(change.estimate, |known| known.low);
        low > noise && change.estimate > above
    })
}

#[cfg(test)]
mod tests;
