//! The rule that ends the measuring of a benchmark, and with which verdict. Pure functions: nothing here
//! measures, so the rule is tested by simulation.
//!
//! The evidence on each question may be looked at after every block, and the run may go on at any time (see
//! [`crate::statistics::log_evidence`]). A change is *shown* if the hypothesis that there is none, or that
//! it is in the other direction, is rejected beside those of all other questions and benchmarks of the
//! command, with an error of 1 % in all. A benchmark is the same if its change is known to be within the
//! resolution, and nothing speaks for one.

use crate::clusters::PAIRS_PER_BLOCK;
use crate::evidence::{CONFIDENCE, Evidence, MIN_PAIRS};
use crate::findings::Question;
use crate::launch_groups::LaunchGroups;
use crate::renewal::MIN_CLUSTERS;
use crate::rules::{Rules, TimeLimits};
use crate::statistics::{self as stats, Hypothesis};
use crate::verdict::Verdict;
use std::time::Duration;

/// Probability of any reported change in a command in which nothing changed.
pub const ERROR_RATE: f64 = 0.01;
/// Shares of the error of a benchmark: of `faster` and of `slower`, by question. Most changes are those of
/// the typical time, and no rare calls are expected to go.
const WEIGHTS: [[f64; 2]; Question::ALL.len()] = [[0.3, 0.3], [0.05, 0.15], [0.05, 0.15]];
/// The share of the error for a change that is expected.
const WEIGHT_OF_EXPECTED: f64 = 0.8;
/// Smallest estimate of a change that is looked for, as a share of the smallest one that is reported.
/// Otherwise, an estimate that is too low by chance would rule out a change that is large enough.
const SUSPECTED_SHARE: f64 = 0.6;
/// From this evidence of a change on, a benchmark isn't the same, and its run may take longer.
pub const NOT_SAME: f64 = 40.0;
/// Number of launches of each side without which nothing is faster, as some of them may be slow. If one in
/// four is, this many have none of them with a probability of 3 %.
const MIN_LAUNCHES_OF_FASTER: usize = 12;
/// Factor by which a run may take longer while the evidence of a change is strong, or few files have run.
const MAX_PATIENCE: u32 = 2;
/// Expected size of the change at the end of the time, by the farther end of its interval, as a multiple
/// of the resolution, beyond which a benchmark is given up. It is above 1, because few pairs tell little
/// about it, and their interval is too wide.
const HOPELESS_FACTOR: f64 = 1.5;

/// The direction of a change: the place of its hypothesis among the two of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The candidate takes less time.
    Faster,
    /// It takes more.
    Slower,
}

impl Direction {
    /// Returns the direction of an estimate of a change.
    pub fn from_estimate(estimate: f64) -> Direction {
        if estimate >= 0.0 { Direction::Slower } else { Direction::Faster }
    }

    /// Returns the verdict if such a change is shown.
    pub fn verdict(self) -> Verdict {
        match self {
            Direction::Slower => Verdict::Slower,
            Direction::Faster => Verdict::Faster,
        }
    }
}

/// A value for each hypothesis of a benchmark: by question, that it is not faster, and that it is not slower.
pub type OfHypotheses<T> = [[T; 2]; Question::ALL.len()];

/// Returns the shares of the error of a benchmark's hypotheses. `expected`: the direction of its typical time
/// by its own figures.
pub(crate) fn weights(expected: Option<Direction>) -> OfHypotheses<f64> {
    let Some(direction) = expected else { return WEIGHTS };
    let mut weights =
        WEIGHTS.map(|of_question| of_question.map(|weight| weight * (1.0 - WEIGHT_OF_EXPECTED)));
    weights[Question::Typical as usize][direction as usize] += WEIGHT_OF_EXPECTED;
    weights
}

/// Returns the hypotheses of a benchmark against which all evidence is lost.
pub fn nothing_known() -> (OfHypotheses<f64>, OfHypotheses<f64>) {
    (WEIGHTS, [[f64::NEG_INFINITY; 2]; Question::ALL.len()])
}

/// Returns which hypotheses of these benchmarks are rejected. `benchmarks`: the weights of the hypotheses of
/// each, and the logarithms of the evidence against them.
pub fn rejected(
    benchmarks: &[(OfHypotheses<f64>, OfHypotheses<f64>)],
    error_rate: f64,
) -> Vec<OfHypotheses<bool>> {
    let hypotheses = |(weights, evidence): &(OfHypotheses<f64>, OfHypotheses<f64>)| {
        let pairs = weights.as_flattened().iter().zip(evidence.as_flattened());
        pairs.map(|(&weight, &log_evidence)| Hypothesis { log_evidence, weight }).collect::<Vec<_>>()
    };
    let rejected = stats::rejected(&benchmarks.iter().flat_map(hypotheses).collect::<Vec<_>>(), error_rate);
    let (of_questions, _) = rejected.as_chunks::<2>();
    let (of_benchmarks, _) = of_questions.as_chunks::<{ Question::ALL.len() }>();
    of_benchmarks.to_vec()
}

/// The kind of the next block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextBlock {
    /// Number of its pairs whose launches are long: the first block has some, and so have later ones while
    /// rare calls are open, or while the average time is and nothing else will tell.
    pub long_pairs: usize,
    /// It need not be sampled for long, because the number of launches is missing above all: there are too
    /// few so far, or some are slow.
    pub only_adds_launches: bool,
}

impl NextBlock {
    /// A block like most.
    pub const USUAL: NextBlock = NextBlock { long_pairs: 0, only_adds_launches: false };

    /// Returns the kind of the first blocks.
    pub fn first(evidence: &Evidence, limits: &TimeLimits) -> NextBlock {
        let missing = limits.min_long_launches.saturating_sub(evidence.long_launches());
        NextBlock { long_pairs: missing.min(PAIRS_PER_BLOCK), ..NextBlock::USUAL }
    }
}

/// What the evidence on a benchmark says so far.
#[derive(Debug)]
pub struct Findings<'e> {
    evidence: &'e Evidence,
    rules: &'e Rules,
    log_evidence: OfHypotheses<f64>,
    /// The changes that are shown.
    shown: OfHypotheses<bool>,
    estimates: [f64; Question::ALL.len()],
}

impl<'e> Findings<'e> {
    /// Returns the findings by the evidence, the logarithms of that against each hypothesis, and the changes
    /// that are shown.
    pub fn new(
        evidence: &'e Evidence,
        rules: &'e Rules,
        log_evidence: OfHypotheses<f64>,
        shown: OfHypotheses<bool>,
    ) -> Findings<'e> {
        let groups = evidence.launch_groups();
        let slow_launches = groups.map_or(0.0, LaunchGroups::added);
        let estimates = [evidence.estimate(), evidence.averages.estimate(), slow_launches];
        Findings { evidence, rules, log_evidence, shown, estimates }
    }

    fn threshold(&self, question: Question) -> f64 {
        match question {
            Question::Typical | Question::Launches => self.rules.threshold,
            Question::Average => self.rules.min_average_change(),
        }
    }

    fn direction(&self, question: Question) -> Direction {
        Direction::from_estimate(self.estimates[question as usize])
    }

    /// Returns the evidence of the change that the estimate is.
    fn evidence_of_change(&self, question: Question) -> f64 {
        self.log_evidence[question as usize][self.direction(question) as usize].exp()
    }

    /// Returns whether the estimate is above this multiple of the smallest one that is reported.
    fn exceeds(&self, share: f64, question: Question) -> bool {
        self.estimates[question as usize].abs() > share * self.threshold(question)
    }

    /// Returns the change of a question that is shown, if it is large enough to be reported.
    fn change(&self, question: Question) -> Option<Verdict> {
        let direction = self.direction(question);
        let is_shown = self.shown[question as usize][direction as usize];
        (is_shown && self.exceeds(1.0, question)).then(|| direction.verdict())
    }

    /// Returns whether the evidence contradicts the absence of a change.
    fn is_not_same(&self, question: Question) -> bool {
        self.exceeds(1.0, question) && self.evidence_of_change(question) >= NOT_SAME
    }

    /// Returns whether more speaks for a change of this question than against it. `expects_same`: nothing
    /// is known to differ.
    fn suspects(&self, question: Question, expects_same: bool) -> bool {
        let may_count = self.exceeds(SUSPECTED_SHARE, question) && self.evidence_of_change(question) > 1.0;
        may_count
            && self.change(question).is_none()
            && match question {
                Question::Typical => {
                    let limit = self.rules.threshold.ln_1p();
                    !self.evidence.is_within([-limit, limit])
                }
                Question::Average => true,
                Question::Launches => {
                    let groups = self.evidence.launch_groups();
                    let may_matter =
                        groups.is_some_and(|groups| groups.max_difference() > self.rules.average_resolution);
                    // A few of the baseline alone are mostly disturbances, and no improvement is expected.
                    let is_luck = expects_same && self.direction(question) == Direction::Faster;
                    may_matter && !(is_luck && self.evidence_of_change(question) < NOT_SAME)
                }
            }
    }

    /// Returns whether it isn't known yet if a gate lets the change pass.
    fn is_gate_open(&self) -> bool {
        let max_passing = self.rules.max_passing.filter(|_| self.change(Question::Typical).is_some());
        max_passing.is_some_and(|change| !self.evidence.is_on_one_side_of(change.ln_1p()))
    }

    /// Returns whether a change that isn't shown, but suspected, seems to be far larger than those that are.
    /// A gate would judge the row by the small ones.
    fn may_change_by_more(&self, suspects: [bool; Question::ALL.len()]) -> bool {
        let size = |question: Question| self.estimates[question as usize].abs();
        let shown = Question::ALL.into_iter().filter(|&question| self.change(question).is_some());
        let limit = shown.map(size).fold(0.0, f64::max) + self.rules.average_resolution;
        Question::ALL.into_iter().any(|question| suspects[question as usize] && size(question) > limit)
    }

    /// Returns the verdicts by this evidence.
    pub fn verdicts(&self) -> Verdicts {
        let (evidence, rules) = (self.evidence, self.rules);
        let verdict = |question: Question, is_same: bool| {
            let same =
                || if is_same && !self.is_not_same(question) { Verdict::Same } else { Verdict::Unsure };
            self.change(question).unwrap_or_else(same)
        };
        let [resolution, threshold] = [rules.resolution, rules.threshold].map(f64::ln_1p);
        let typical = evidence.is_within([-resolution, resolution])
            || threshold > resolution
                && evidence.is_within([-threshold, threshold])
                && evidence.is_known_within(rules.target_precision());
        let average = evidence.averages.interval(CONFIDENCE);
        let has_grown_little = average.is_some_and(|interval| interval.high <= rules.average_resolution);
        let has_shrunk_little = average.is_some_and(|interval| interval.low >= rules.min_same_average());
        // Short launches can't see what each process does only after many calls. That adds to the
        // typical time, which may have changed, too.
        let limit = rules.average_resolution / 2.0;
        let has_same_rare_calls =
            !evidence.do_rare_calls_differ(limit) && !evidence.may_hide_rare_calls(limit);
        let waits_as_long = !evidence.averages.may_wait_longer(rules.average_resolution);
        let by_rare_calls = evidence.changes_by_rare_calls().into_iter().fold(f64::NEG_INFINITY, f64::max);
        let average = has_grown_little && has_shrunk_little && has_same_rare_calls && waits_as_long;
        let has_grown_in_long_launches = (1.0 + by_rare_calls) * evidence.estimate().exp() > 1.0 + limit;
        let groups = evidence.launch_groups();
        // What calls add may hide slow launches in the average.
        let launches = groups.is_none_or(|groups| groups.max_added() <= rules.average_resolution)
            && !evidence.launches.may_be_slower(rules.average_resolution, CONFIDENCE);
        Verdicts {
            of: [
                verdict(Question::Typical, typical),
                verdict(Question::Average, average),
                verdict(Question::Launches, launches),
            ],
            average_may_be_slower: !has_grown_little || has_grown_in_long_launches || !launches,
        }
    }

    /// Returns the kind of the next block after blocks that took `spent`. `None` if the evidence suffices, or
    /// if the time is up.
    pub fn decide(&self, spent: Duration, limits: &TimeLimits) -> Option<NextBlock> {
        let (evidence, rules) = (self.evidence, self.rules);
        let first = NextBlock::first(evidence, limits);
        if evidence.pairs() < MIN_PAIRS {
            return Some(first);
        }
        let is_likely = Question::ALL.into_iter().any(|question| self.is_not_same(question));
        // Of large executables, few files can be made in the usual time.
        let may_wait = is_likely || evidence.clusters() < MIN_CLUSTERS;
        let patience = if may_wait { MAX_PATIENCE } else { 1 };
        // Not all launches are long enough for a pair that tells about the typical time.
        let launches = evidence.launches.number();
        let is_out_of_time = launches >= limits.sufficient_pairs && spent >= limits.total * patience;
        let verdicts = self.verdicts();
        let expects_same = limits.expects_same;
        let suspects = Question::ALL.map(|question| self.suspects(question, expects_same));
        let is_open = self.is_gate_open() || self.may_change_by_more(suspects);
        match verdicts.verdict() {
            Verdict::Slower if !is_open || is_out_of_time => return None,
            Verdict::Faster if launches >= MIN_LAUNCHES_OF_FASTER => return None,
            _ => {}
        }
        let is_same = Question::ALL.map(|question| verdicts.on(question) == Verdict::Same);
        let [typical, average, slow_launches] = [0, 1, 2].map(|i: usize| is_same[i] && !suspects[i]);
        let min_change = rules.average_resolution / 2.0;
        let do_rare_calls_differ = evidence.do_rare_calls_differ(min_change);
        let may_hide_rare_calls = evidence.may_hide_rare_calls(min_change);
        let are_rare_calls_open = !suspects[1] && (do_rare_calls_differ || may_hide_rare_calls);
        let is_usual_time_up = spent >= limits.usual;
        let is_precise = || expects_same || evidence.is_known_within(rules.target_precision());
        let is_known = typical && (is_usual_time_up || is_precise());
        let has_launches = limits.suffice_launches(launches, spent);
        let is_average_known = average || expects_same && is_usual_time_up && !suspects[1];
        if is_known && has_launches && is_average_known && slow_launches {
            return None;
        }
        let may_give_up = expects_same && is_usual_time_up && suspects == [false; 3];
        if is_out_of_time || may_give_up && self.is_hopeless(spent, limits) {
            return None;
        }
        // If more launches are needed anyway, they mostly suffice for the average, too.
        let awaits_launches = !has_launches && expects_same;
        let is_average_open = is_known && !average && slow_launches && !awaits_launches;
        // Slow launches are in the average, too, and more of them tell sooner than longer ones.
        let is_of_long_launches = suspects[1] && !suspects[2] && evidence.is_average_of_long_launches();
        let long_pairs = match is_of_long_launches || !suspects[1] && do_rare_calls_differ || is_average_open
        {
            // One pair mostly tells that a disturbance was none of the code.
            true if expects_same => 1,
            true => PAIRS_PER_BLOCK,
            false => first.long_pairs.max(usize::from(are_rare_calls_open)),
        };
        let only_adds_launches = is_known && (awaits_launches || average || !slow_launches);
        Some(NextBlock { long_pairs, only_adds_launches })
    }

    /// Returns whether the change will most probably not be known to be within the resolution when the time
    /// is up. The width of an interval shrinks with the square root of the number of pairs.
    fn is_hopeless(&self, spent: Duration, limits: &TimeLimits) -> bool {
        let by_time = limits.total.div_duration_f64(spent);
        let by_number = limits.sufficient_pairs as f64 / self.evidence.pairs() as f64;
        let half_width = self.evidence.half_width() / by_time.max(by_number).max(1.0).sqrt();
        self.evidence.estimate().abs() + half_width > HOPELESS_FACTOR * self.rules.resolution
    }
}

/// The verdicts on the three questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdicts {
    /// By question.
    of: [Verdict; Question::ALL.len()],
    /// The average time may have increased by more than a benchmark that is the same, or faster, is
    /// allowed to.
    average_may_be_slower: bool,
}

impl Verdicts {
    /// Returns the verdict on a question.
    pub fn on(&self, question: Question) -> Verdict {
        self.of[question as usize]
    }

    /// Returns the verdict on the benchmark.
    pub fn verdict(&self) -> Verdict {
        let is_any = |verdict| Question::ALL.into_iter().any(|question| self.on(question) == verdict);
        if is_any(Verdict::Slower) {
            Verdict::Slower
        } else if is_any(Verdict::Faster) && !self.average_may_be_slower {
            Verdict::Faster
        } else if is_any(Verdict::Unsure) || is_any(Verdict::Faster) {
            Verdict::Unsure
        } else {
            Verdict::Same
        }
    }

    /// Returns the first question whose answer is the verdict on the benchmark.
    pub fn question(&self) -> Question {
        let verdict = self.verdict();
        Question::ALL.into_iter().find(|&question| self.on(question) == verdict).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
