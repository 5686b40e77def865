//! The row of a benchmark, by the stage that it has reached.

use super::super::baseline::{Baseline, KnownBenchmark};
use super::super::comparison::{Comparison, NotPaired, Reason, TimeChange};
use super::super::row::{Outcome, Row};
use super::super::stored::{self, STORED_THRESHOLD, change_of_times, compare_with_stored, have_same_unit};
use super::{Comparing, Progress, Stage, Unpaired};
use crate::code::CodeMatch;
use nanobench::summary::Summary;
use std::sync::Arc;
use verdicts::Verdict;

/// Largest change, as a share, that paths of different lengths are taken to explain: those of up to 30 %
/// were seen.
const MAX_PATH_EFFECT: f64 = 0.3;

impl Progress<'_> {
    /// Returns the final row; `None` if the benchmark needs further measurements.
    pub(in super::super) fn final_row(&self) -> Option<Row> {
        let is_open = match &self.stage {
            Stage::NotRun => false,
            Stage::Sampling(..) => true,
            Stage::Sampled(_, comparing) => {
                matches!(comparing, Comparing::Suspected | Comparing::SideBySide(_))
            }
        };
        if is_open || self.awaits_recurrence() { None } else { self.row() }
    }

    /// Returns whether stored figures alone show a change, which has to recur in fresh processes.
    pub(in super::super) fn awaits_recurrence(&self) -> bool {
        matches!(self.stage, Stage::Sampled(_, Comparing::Unpaired(_)))
            && self.comparison().is_some_and(|comparison| comparison.verdict.is_change())
    }

    /// Returns the row with its current figures; `None` without any sample.
    pub(in super::super) fn row(&self) -> Option<Row> {
        let figures = self.measurement();
        let figures =
            figures.and_then(|measurement| Some((Summary::from_measurement(&measurement)?, measurement)));
        let outcome = match (figures, self.samples()) {
            (Some((summary, measurement)), _) => Outcome::Measured { measurement, summary },
            (None, Some(samples)) => Outcome::Failed(Arc::clone(samples.failure()?)),
            (None, None) => Outcome::NotRun,
        };
        let is_confirmed =
            matches!(self.stage, Stage::Sampled(_, Comparing::Remeasured(_) | Comparing::Decided(_)));
        let comparison = self
            .comparison()
            .map(|comparison| if is_confirmed { comparison } else { comparison.unconfirmed() })
            .map(|comparison| Comparison {
                instructions: self.instructions,
                premises: self.baseline.known().map_or_else(Vec::new, |known| known.premises.known()),
                ..comparison
            });
        let (benchmark, relation) = (self.benchmark.clone(), self.relation.clone());
        Some(Row { benchmark, outcome, comparison, earlier_comparison: None, relation })
    }

    fn comparison(&self) -> Option<Comparison> {
        let known = match &self.baseline {
            Baseline::Absent => return None,
            // Baselines don't have rows that failed, so it may not be new.
            Baseline::NewBenchmark if self.has_failed() => return Some(Comparison::failed(None)),
            Baseline::NewBenchmark => return Some(Comparison::new_benchmark()),
            Baseline::Unlisted(error) => {
                let obstacle = Arc::new(NotPaired::Unlisted(Arc::clone(error)));
                return Some(Comparison::without_figures(Verdict::Unsure, None).not_paired(obstacle));
            }
            Baseline::Known(known) if !have_same_unit(known.spec, &self.benchmark.spec) => {
                return Some(Comparison::with_other_unit());
            }
            Baseline::Known(known) => known,
        };
        let is_measured = self.measurement().is_some();
        let unsure = |reason| Comparison::without_figures(Verdict::Unsure, Some(reason));
        Some(match &self.stage {
            Stage::NotRun => {
                let stored = known.measurement.cloned().map(Arc::new);
                Comparison::not_run(self.code.as_ref()).with_baseline(stored)
            }
            Stage::Sampled(_, Comparing::Decided(comparison)) => (**comparison).clone(),
            Stage::Sampling(_, Some(unpaired))
            | Stage::Sampled(_, Comparing::Unpaired(unpaired) | Comparing::Remeasured(unpaired)) => {
                match unpaired {
                    Unpaired::Impossible(obstacle) => {
                        self.unpaired_comparison(known).not_paired(Arc::clone(obstacle))
                    }
                    Unpaired::OnlyCounted if is_measured => unsure(Reason::OnlyCounted),
                    Unpaired::OutOfTime if is_measured => unsure(Reason::OtherFigure),
                    Unpaired::Omitted | Unpaired::OutOfTime | Unpaired::OnlyCounted => {
                        self.comparison_by_code(known)
                    }
                }
            }
            Stage::Sampling(_, None) | Stage::Sampled(_, Comparing::Suspected | Comparing::SideBySide(_)) => {
                self.comparison_by_code(known)
            }
        })
    }

    /// Returns the comparison by the code, if it alone decides, or else with stored figures. Below
    /// resolution, other code has no figure that could be compared.
    fn comparison_by_code(&self, known: &KnownBenchmark<'_>) -> Comparison {
        let may_compare = |code: &CodeMatch| {
            let may_compare = |now| *code == CodeMatch::Same || !stored::is_below_resolution(&now);
            self.measurement().is_some_and(may_compare)
        };
        match self.code.as_ref().filter(|code| may_compare(code)) {
            Some(code) => {
                self.changed_elsewhere(known, code).unwrap_or_else(|| Comparison::not_run(Some(code)))
            }
            None => self.unpaired_comparison(known),
        }
    }

    /// Returns the comparison with stored figures if the code is the same, but they are further apart than
    /// the time between the measurements explains.
    fn changed_elsewhere(&self, known: &KnownBenchmark<'_>, code: &CodeMatch) -> Option<Comparison> {
        let stored = known.measurement.filter(|_| *code == CodeMatch::Same)?;
        let comparison = compare_with_stored(stored, &self.measurement()?, true, self.rules().threshold);
        Some(comparison).filter(|it| it.reason == Some(Reason::ChangedElsewhere))
    }

    /// Returns the comparison without a paired run.
    fn unpaired_comparison(&self, known: &KnownBenchmark<'_>) -> Comparison {
        match (self.measurement(), known.measurement) {
            (None, stored) => Comparison::failed(stored),
            (Some(now), Some(stored)) => {
                let comparison = compare_with_stored(stored, &now, known.identical, self.rules().threshold);
                match known.identical && self.policy.compares_machines() {
                    true => Comparison { change: change_of_times(stored, &now), ..comparison },
                    false => comparison,
                }
            }
            (Some(_), None) if known.identical => {
                Comparison::without_figures(Verdict::Same, Some(Reason::SameExecutable))
            }
            (Some(_), None) => Comparison::without_figures(Verdict::Unsure, None),
        }
    }

    /// Withdraws the verdict of a paired run if what it rests on besides the executables may explain it.
    pub(super) fn apply_premises(&mut self, known: &KnownBenchmark<'_>) {
        let is_as_stored = self.policy.compares_machines()
            || self.log_change().is_none_or(|change| change.abs() <= STORED_THRESHOLD.ln_1p());
        let Stage::Sampled(_, Comparing::Decided(comparison)) = &mut self.stage else { return };
        let change = comparison.decisive_change().map_or(0.0, TimeChange::size);
        let is_of_path = known.premises.has_other_path() && change <= MAX_PATH_EFFECT.ln_1p();
        if comparison.verdict.is_change() && is_of_path {
            comparison.doubt(Reason::OtherPath);
        } else if comparison.verdict == Verdict::Same && known.premises.reach_unknown() && !is_as_stored {
            comparison.doubt(Reason::NotAsStored);
        }
    }
}
