//! The findings of a paired run, by the evidence so far.

use super::super::benchmark::Side;
use super::super::decision::Verdicts;
use super::super::outcome::{AverageChange, LayoutFindings, PairedDetails, PairedOutcome, Question};
use super::super::time_left;
use super::PairedState;
use crate::earlier_comparison::Ratios;
use crate::experiment::verdict::Verdict;
use nanobench::model::{Launch, Measurement};
use nanobench::stats::{Change, Interval};
use std::time::Duration;

impl PairedState<'_> {
    /// Returns the average time of a pair of processes.
    fn pair_time(&self) -> Duration {
        let pairs = u32::try_from(self.screening.pairs() + self.confirmation.pairs()).unwrap_or(u32::MAX);
        self.block_times.of_typical_time / pairs.max(1)
    }

    /// Returns the outcome with these verdicts, or, without any, that of a run in which no change
    /// was confirmed.
    pub(in super::super) fn outcome(&self, verdicts: Option<Verdicts>) -> PairedOutcome {
        let rules = &self.benchmark.rules;
        let all = self.screening.and(&self.confirmation);
        let verdicts = verdicts.unwrap_or_else(|| Verdicts::without_change(&all, rules));
        let verdict = verdicts.verdict();
        let has_recurred = verdict.is_change() && self.confirmation.pairs() == 0;
        let all = if has_recurred { all.of_recurrence() } else { all };
        // A change is shown by the evidence that has tested it.
        let tested = if has_recurred { &all } else { &self.confirmation };
        let evidence_on = |question| if verdicts.on(question).is_change() { tested } else { &all };
        let typical = evidence_on(Question::Typical);
        let change = typical.interval().map(|Interval { low, high }| Change {
            estimate: typical.estimate().exp_m1(),
            interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
        });
        let time_to_decide =
            || time_left::time_to_verdict(&all, self.schedule.as_ref(), self.pair_time(), rules);
        let [baseline, candidate] = &self.launches;
        PairedOutcome {
            verdict,
            change,
            details: PairedDetails {
                question: verdicts.question(),
                typical: verdicts.typical,
                p: (typical.pairs() > 0).then(|| (2.0 * typical.p()).min(1.0)),
                threshold: rules.threshold,
                noise_floor: all.noise_floor().map(f64::exp_m1),
                pairs: all.pairs(),
                long_pairs: all.long_launches(),
                confirmation_pairs: if verdict.is_change() { tested.pairs() } else { all.pairs() },
                time_to_decide: if verdict == Verdict::Unsure { time_to_decide() } else { None },
                differs_in: None,
                changed_functions: Vec::new(),
                busy: self.busy,
                processor_ratio: self.processor_ratio(),
                average: evidence_on(Question::Average).average_change(verdicts.average).map(|average| {
                    AverageChange { longest_launch: all.averages.longest_launch(), ..average }
                }),
                slow_launches: evidence_on(Question::Launches).slow_launches(verdicts.launches),
                layouts: all.difference_of_layouts().map(|difference| LayoutFindings {
                    difference,
                    agreement: verdicts.typical.is_change().then(|| tested.agreement()),
                }),
                no_layouts: self.benchmark.layouts.and_then(|layouts| layouts.as_ref().err()).cloned(),
                ratios: Ratios {
                    screening: shares(&self.screening.changes),
                    confirmation: shares(&self.confirmation.changes),
                    aa: shares(&all.aa_ratios),
                },
            },
            baseline: self.measurement(&self.benchmark.baseline, baseline),
            candidate: self.measurement(&self.benchmark.candidate, candidate),
        }
    }

    /// Returns the processor time of the candidate's processes, as a multiple of the baseline's. Both have
    /// made the same number of iterations.
    fn processor_ratio(&self) -> Option<f64> {
        let [baseline, candidate] =
            self.cpu_times.map(|time| Some(time.as_secs_f64()).filter(|time| *time > 0.0));
        Some(candidate? / baseline? * self.benchmark.log_unit_ratio().exp())
    }

    fn measurement(&self, side: &Side<'_>, launches: &[Launch]) -> Measurement {
        Measurement {
            count: self.benchmark.count,
            unroll: side.benchmark.unroll,
            batch: side.benchmark.batch,
            launches: launches.to_vec(),
            ..Measurement::default()
        }
    }
}

/// Converts log ratios to ratios less 1.
fn shares(log_ratios: &[f64]) -> Vec<f64> {
    log_ratios.iter().map(|ratio| ratio.exp_m1()).collect()
}
