//! The findings of a paired run, by the evidence so far.

use super::super::benchmark::Side;
use super::super::outcome::{KeptRun, LayoutFindings, PairedDetails, PairedOutcome};
use super::PairedRun;
use crate::earlier_comparison::Ratios;
use nanobench::model::{Launch, Measurement};
use nanobench::stats::{Change, Interval};
use std::time::Duration;
use verdicts::{Question, Verdict};

impl PairedRun {
    /// Returns the average time of a pair of processes of this command, if all of them took `time`.
    pub(super) fn time_per_pair(&self, time: Duration) -> Duration {
        let pairs = self.evidence.pairs().saturating_sub(self.earlier_pairs);
        time / u32::try_from(pairs.max(1)).unwrap_or(u32::MAX)
    }

    /// Returns the logarithm of the evidence of a change, or 0 if none speaks for one.
    pub(crate) fn strongest(&self) -> f64 {
        self.log_evidence.as_flattened().iter().copied().fold(0.0, f64::max)
    }

    /// Returns the outcome with the verdicts by the evidence so far.
    pub(crate) fn outcome(&self) -> PairedOutcome {
        let (rules, evidence) = (&self.benchmark.rules, &self.evidence);
        let verdicts = self.findings().verdicts();
        let verdict = verdicts.verdict();
        let change = evidence.interval().map(|Interval { low, high }| Change {
            estimate: evidence.estimate().exp_m1(),
            interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
        });
        let [baseline, candidate] = &self.launches;
        let pair_time = self.time_per_pair(self.blocks.of_typical_time);
        let time_to_decide = || verdicts::time_to_verdict(evidence, self.strongest(), pair_time, rules);
        PairedOutcome {
            verdict,
            change,
            details: PairedDetails {
                question: verdicts.question(),
                typical: verdicts.on(Question::Typical),
                p: (evidence.pairs() > 0).then(|| evidence.p(Question::Typical)),
                threshold: rules.threshold,
                launch_noise: evidence.launch_noise(),
                pairs: evidence.pairs(),
                long_pairs: evidence.long_launches(),
                time_to_decide: if verdict == Verdict::Unsure { time_to_decide() } else { None },
                differs_in: None,
                changed_functions: Vec::new(),
                busy: self.busy,
                processor_ratio: self.processor_ratio(),
                code_before: self.code_before,
                average: evidence.average_change(verdicts.on(Question::Average)),
                slow_launches: evidence.slow_launches(verdicts.on(Question::Launches)),
                layouts: evidence.difference_of_layouts().map(|difference| LayoutFindings {
                    difference,
                    agreement: verdicts.on(Question::Typical).is_change().then(|| evidence.agreement()),
                }),
                no_layouts: self.benchmark.layout_error().cloned(),
                // Of suspended processes, a run that goes on would begin with others.
                kept: (self.benchmark.keeps_evidence && self.busy == [false; 2]).then(|| self.kept(verdict)),
                ratios: Ratios { changes: shares(&evidence.changes), aa: shares(&evidence.aa_ratios) },
            },
            baseline: self.measurement(&self.benchmark.baseline, baseline),
            candidate: self.measurement(&self.benchmark.candidate, candidate),
        }
    }

    fn kept(&self, verdict: Verdict) -> KeptRun {
        KeptRun {
            is_unsure: verdict == Verdict::Unsure,
            count: self.benchmark.count,
            rules: self.benchmark.rules,
            evidence: self.evidence.clone(),
            shown: self.shown,
        }
    }

    /// Returns the processor time of the candidate's processes, as a multiple of the baseline's. Both have
    /// made the same number of iterations.
    fn processor_ratio(&self) -> Option<f64> {
        let [baseline, candidate] =
            self.cpu_times.map(|time| Some(time.as_secs_f64()).filter(|time| *time > 0.0));
        Some(candidate? / baseline? * self.benchmark.log_unit_ratio().exp())
    }

    fn measurement(&self, side: &Side, launches: &[Launch]) -> Measurement {
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
