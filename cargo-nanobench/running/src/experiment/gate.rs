//! Gates: the verdicts that make a run fail, by `--fail-on` and `--fail-above`.

use super::comparison::{Comparison, Reason, TimeChange};
use super::row::Row;
use super::stored::RERUN_SPREAD;
use crate::benchmark_id::BenchmarkId;
use nanobench::serialize::percent;
use serde::Serialize;
use std::collections::BTreeSet;
use verdicts::Verdict;

/// A verdict that a gate rejects, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    Slower,
    Unsure,
    Removed,
    Failed,
    New,
    Placement,
    MoreInstructions,
}

impl FailOn {
    /// Returns the word for flags and reports.
    pub fn word(self) -> &'static str {
        match self {
            FailOn::Slower => "slower",
            FailOn::Unsure => "unsure",
            FailOn::Removed => "removed",
            FailOn::Failed => "failed",
            FailOn::New => "new",
            FailOn::Placement => "placement",
            FailOn::MoreInstructions => "more-instructions",
        }
    }
}

/// The values of `--fail-on` and `--fail-above`.
#[derive(Debug, Clone, Default)]
pub struct GateOptions {
    pub fail_on: Vec<FailOn>,
    /// Largest change that passes, as a share.
    pub fail_above: Option<f64>,
    /// Largest increase of the instructions of a call that passes, as a share.
    pub fail_above_instructions: Option<f64>,
}

impl GateOptions {
    /// Returns whether the instructions of calls decide about a gate.
    pub fn counts_instructions(&self) -> bool {
        self.fail_above_instructions.is_some() || self.fail_on.contains(&FailOn::MoreInstructions)
    }

    /// Returns whether the instructions of calls decide, and no time does.
    pub fn ignores_times(&self) -> bool {
        let is_about_time = |on: &FailOn| matches!(on, FailOn::Slower | FailOn::Unsure | FailOn::Placement);
        self.counts_instructions() && self.fail_above.is_none() && !self.fail_on.iter().any(is_about_time)
    }
}

/// A gate that rejects some verdicts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gate {
    rejected: BTreeSet<FailOn>,
    /// Largest estimated change of a slower benchmark that passes, as a share.
    max_change: f64,
    /// Largest increase of the instructions of a call that passes, as a share.
    max_more_instructions: f64,
    /// The gate also rejects unsure benchmarks that may be slower: those that look so, and those
    /// whose average time may have changed by more than this share.
    max_doubtful_average: Option<f64>,
}

/// A benchmark that a gate rejected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    #[serde(rename = "kind")]
    pub on: FailOn,
    pub id: BenchmarkId,
    /// The largest confirmed change of a slower benchmark, or the estimate for other ones, as a
    /// share. `None` if it is unknown.
    #[serde(serialize_with = "percent")]
    pub change: Option<f64>,
    /// The change is that of the average.
    #[serde(skip)]
    pub is_on_average: bool,
    /// The largest change that would have passed, as a share. `None` if no change would.
    #[serde(skip)]
    pub limit: Option<f64>,
    /// The optimiser left nothing to be compared.
    #[serde(skip)]
    pub has_lost_all_work: bool,
}

impl Failure {
    fn new(on: FailOn, id: &BenchmarkId, change: Option<TimeChange>) -> Failure {
        let is_on_average = matches!(change, Some(TimeChange::Average(_)));
        let change = change.map(TimeChange::share);
        Failure { on, id: id.clone(), change, is_on_average, limit: None, has_lost_all_work: false }
    }
}

impl Gate {
    /// Creates the gate from its options. Without any options, everything passes.
    pub fn new(options: &GateOptions) -> Gate {
        let mut rejected: BTreeSet<FailOn> = options.fail_on.iter().copied().collect();
        rejected.extend(options.fail_above.map(|_| FailOn::Slower));
        rejected.extend(options.fail_above_instructions.map(|_| FailOn::MoreInstructions));
        Gate {
            rejected,
            max_change: options.fail_above.unwrap_or(0.0),
            max_more_instructions: options.fail_above_instructions.unwrap_or(0.0),
            max_doubtful_average: None,
        }
    }

    /// Creates the gate before `--save-on-pass` replaces a baseline. Beyond the options, it rejects
    /// benchmarks that are, or may be, slower, and those without figures: no later comparison with
    /// the new baseline would show the regression. `average_resolution`: the change of the average
    /// time up to which a benchmark is the same.
    pub fn for_replacing(options: &GateOptions, average_resolution: f64) -> Gate {
        let mut gate = Gate { max_doubtful_average: Some(average_resolution), ..Gate::new(options) };
        gate.rejected.extend([FailOn::Slower, FailOn::Failed]);
        gate
    }

    /// Returns whether everything passes.
    pub fn is_open(&self) -> bool {
        self.rejected.is_empty()
    }

    /// Returns the benchmarks that don't pass, the most severe verdict first, and within a verdict
    /// the largest change first.
    pub fn failures(&self, rows: &[Row], removed: &[BenchmarkId]) -> Vec<Failure> {
        let of_rows = rows.iter().flat_map(|row| [self.failure(row), self.more_instructions(row)]).flatten();
        let removed = removed.iter().filter(|_| self.rejected.contains(&FailOn::Removed));
        let removed = removed.map(|id| Failure::new(FailOn::Removed, id, None));
        let mut failures: Vec<Failure> = of_rows.chain(removed).collect();
        let change = |failure: &Failure| failure.change.map_or(0.0, f64::abs);
        failures.sort_by(|a, b| a.on.cmp(&b.on).then(change(b).total_cmp(&change(a))));
        failures
    }

    fn failure(&self, row: &Row) -> Option<Failure> {
        let on = fail_on(row).filter(|on| self.rejected.contains(on) || self.is_doubtful(*on, row))?;
        let id = &row.benchmark.id;
        let Some(comparison) = &row.comparison else { return Some(Failure::new(on, id, None)) };
        if on != FailOn::Slower {
            let has_lost_all_work = row.has_lost_all_work();
            return Some(Failure { has_lost_all_work, ..Failure::new(on, id, comparison.decisive_change()) });
        }
        // The verdict already accounts for noise, recurrence and the threshold. The limit is about
        // relevance, so it applies to the estimates. If it applied to whole intervals, benchmarks
        // that are measured badly would pass more easily.
        let change = comparison.largest_slowdown();
        let passes = change.is_some_and(|change| change.share() <= self.max_change);
        let limit = change.and_then(|_| positive(self.max_change));
        (!passes).then(|| Failure { limit, ..Failure::new(on, id, change) })
    }

    /// Returns the failure of a benchmark that executes more instructions than before.
    fn more_instructions(&self, row: &Row) -> Option<Failure> {
        let on = FailOn::MoreInstructions;
        let change = row.comparison.as_ref()?.instructions?.share();
        let fails = self.rejected.contains(&on) && change > self.max_more_instructions;
        let failure = Failure::new(on, &row.benchmark.id, None);
        let limit = positive(self.max_more_instructions);
        fails.then_some(Failure { change: Some(change), limit, ..failure })
    }

    /// Returns the warning about a part of the gate that saved runs always pass.
    pub fn warning_for_saved(&self) -> Option<&'static str> {
        self.rejected.contains(&FailOn::MoreInstructions).then_some(
            "saved runs have no exact instruction counts, so `more-instructions` always passes: \
             use `cargo nanobench --baseline NAME`",
        )
    }

    /// Returns whether a benchmark that is unsure or was placed elsewhere is or may be slower by more
    /// than the gate allows.
    fn is_doubtful(&self, on: FailOn, row: &Row) -> bool {
        let Some(max_average) = self.max_doubtful_average else { return false };
        let comparison = row.comparison.as_ref();
        match on {
            FailOn::Unsure => {
                let average = comparison.and_then(Comparison::average);
                let max_average = max_average.max(self.max_change);
                may_be_slower(row, self.max_change)
                    || average.is_some_and(|average| average.change.interval.high > max_average)
            }
            FailOn::Placement => comparison
                .and_then(Comparison::decisive_change)
                .is_some_and(|change| change.share() > self.max_change),
            _ => false,
        }
    }
}

/// Returns a limit unless it is 0, which lets no change pass.
fn positive(limit: f64) -> Option<f64> {
    Some(limit).filter(|&limit| limit > 0.0)
}

/// Returns the verdict by which a gate may reject a row.
fn fail_on(row: &Row) -> Option<FailOn> {
    if row.failed() {
        return Some(FailOn::Failed);
    }
    match row.verdict()? {
        Verdict::Slower => Some(FailOn::Slower),
        Verdict::Unsure => Some(FailOn::Unsure),
        Verdict::New => Some(FailOn::New),
        Verdict::Placement => Some(FailOn::Placement),
        Verdict::Failed => Some(FailOn::Failed),
        Verdict::Faster | Verdict::Same => None,
    }
}

/// Returns whether an unsure benchmark was not compared at all, or looks slower by more than
/// `max_change`. A change of stored figures has to exceed the spread of reruns, too. A benchmark
/// below resolution is never slower.
fn may_be_slower(row: &Row, max_change: f64) -> bool {
    let Some(comparison) = row.comparison.as_ref().filter(|_| row.resolved().is_some()) else { return false };
    if comparison.reason == Some(Reason::ChangedElsewhere) {
        // There is no change of the code, but something else made it slower or faster.
        let before = comparison.baseline.as_ref().map(|before| before.median);
        return row.resolved().zip(before).is_some_and(|((_, now), before)| now.median > before);
    }
    let noise = if comparison.paired.is_some() { 0.0 } else { RERUN_SPREAD };
    comparison.change.is_none_or(|change| {
        let low = change.known_interval().map_or(change.estimate, |known| known.low);
        low > noise && change.estimate > max_change
    })
}

#[cfg(test)]
mod tests;
