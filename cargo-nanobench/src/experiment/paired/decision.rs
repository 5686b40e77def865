//! The rules that decide when to stop measuring a benchmark, and with which verdict. Pure
//! functions: nothing here measures, so the rules are tested by simulation.
//!
//! A paired run tests each benchmark in two stages.
//!
//! **Screening** measures every benchmark until its change is known to about
//! [`Rules::target_precision`]. It may look at the data after every block and stop at any time,
//! since it never reports a change. It only selects the benchmarks that look different, and the
//! direction of each suspected change.
//!
//! **Confirmation** tests each suspected change with data from fresh processes alone. Because one
//! part of the data selects the hypothesis and another part tests it, the selection does not
//! inflate the error rate (Cox 1975, "A note on data-dependent hypotheses"; Wasserman and Roeder
//! 2009, "High-dimensional variable selection": screen and clean).
//!
//! In a brief run, a change that the benchmark's own figures show ends the screening if it recurs there.
//!
//! The family-wise error rate is 1 %: of 100 runs of a suite of any size in which nothing changed,
//! 99 report no change. It is split evenly over the benchmarks in confirmation (Bonferroni), and
//! the share of each over its looks, which are scheduled before the first one. (Pocock 1977 splits
//! it less conservatively.)

use super::benchmark::PAIRS_PER_BLOCK;
use super::evidence::{Evidence, MIN_PAIRS};
use super::look_schedule::LookSchedule;
use super::outcome::Question;
use super::questions::{Answer, Answers, Direction, Suspicions};
use super::rules::{Rules, TimeLimits};
use crate::experiment::verdict::Verdict;
use std::cell::LazyCell;
use std::time::Duration;

/// Expected size of the change at the end of the time, by the farther end of its interval, as a multiple
/// of the resolution, beyond which a benchmark is given up. It is above 1, because few pairs tell little
/// about it, and their interval is too wide.
const HOPELESS_FACTOR: f64 = 1.5;

/// The decision after a block of the screening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScreeningDecision {
    /// The evidence does not suffice yet.
    Continue(NextBlock),
    /// These changes are suspected and have to be confirmed.
    Confirm(Suspicions),
    /// No change is suspected, or the time is up.
    Stop,
    /// A change that was seen before the first block has recurred. It needs no confirmation.
    Recurs(Verdicts),
}

/// The kind of the next block of a screening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NextBlock {
    /// Number of its pairs whose launches are long: the first block has some, and so have later ones while
    /// rare calls are open, or while the average time is and nothing else will tell.
    pub(super) long_pairs: usize,
    /// It need not be sampled for long, because the number of launches is missing above all: there are too
    /// few so far, or some are slow.
    pub(super) only_adds_launches: bool,
}

impl NextBlock {
    pub(super) const USUAL: NextBlock = NextBlock { long_pairs: 0, only_adds_launches: false };

    /// Returns the kind of a block before the first look.
    pub(super) fn before_looks(evidence: &Evidence, limits: &TimeLimits) -> NextBlock {
        let missing = limits.min_long_launches.saturating_sub(evidence.long_launches());
        NextBlock { long_pairs: missing.min(PAIRS_PER_BLOCK), ..NextBlock::USUAL }
    }
}

/// Decides on the evidence of a screening that took `spent` so far.
pub(super) fn decide_screening(
    evidence: &Evidence,
    spent: Duration,
    rules: &Rules,
    limits: &TimeLimits,
) -> ScreeningDecision {
    let before_looks = NextBlock::before_looks(evidence, limits);
    if evidence.pairs() < MIN_PAIRS {
        return ScreeningDecision::Continue(before_looks);
    }
    let answers = Answers::new(evidence, rules);
    let suspicions = answers.suspicions(limits.expects_same);
    let is_precise = rules.is_precise(evidence.precision());
    let may_stop = is_precise || spent >= limits.screening;
    // A confirmation tests only what was suspected before it, so it must not begin while the typical
    // time is open.
    if answers.is_any_clear(limits.clear_p) && (suspicions.typical.is_some() || may_stop) {
        return ScreeningDecision::Confirm(suspicions);
    }
    let has_launches = limits.suffice_launches(evidence.launches.number(), spent);
    // What may well be the same needs the launches anyway, and gets them sooner here. The confirmation
    // of a small change may fail, and wouldn't test for slow launches that weren't seen before.
    let is_suspected = answers.is_typical_likely() || has_launches && suspicions.number() > 0;
    // The long launches show a change by rare calls, or may hide one, but are too few for a suspicion.
    let min_change = rules.min_average_change();
    let do_rare_calls_differ = evidence.do_rare_calls_differ(min_change);
    let are_rare_calls_open =
        suspicions.average.is_none() && (do_rare_calls_differ || evidence.may_hide_rare_calls(min_change));
    let may_confirm = spent >= limits.average || !are_rare_calls_open;
    if may_stop && is_suspected && may_confirm {
        return ScreeningDecision::Confirm(suspicions);
    }
    let verdicts = LazyCell::new(|| Verdicts::of_answers(evidence, &answers, rules));
    let answers_same = |question: Question| verdicts.on(question) == Verdict::Same;
    let is_same = || {
        let is_known = || answers_same(Question::Average) && answers_same(Question::Launches);
        has_launches && answers_same(Question::Typical) && (is_known() || spent >= limits.average)
    };
    let is_out_of_time = evidence.pairs() >= limits.sufficient_pairs && spent >= limits.total;
    let is_unsuspicious = suspicions.number() == 0 && !are_rare_calls_open;
    let may_stop_early = limits.expects_same && is_unsuspicious;
    if is_out_of_time || (may_stop || may_stop_early) && is_same() {
        return ScreeningDecision::Stop;
    }
    let is_hopeless = || expected_bound(evidence, spent, limits) > HOPELESS_FACTOR * rules.resolution;
    if may_stop_early && spent >= limits.screening && is_hopeless() {
        return ScreeningDecision::Stop;
    }
    // If more launches are needed anyway, they mostly suffice for the average, too.
    let awaits_launches = limits.expects_same && !has_launches;
    let is_average_open = || {
        is_precise && !awaits_launches && !answers_same(Question::Average) && answers_same(Question::Launches)
    };
    let lacks_only_launches = || {
        let may_wait = awaits_launches || answers_same(Question::Average);
        answers_same(Question::Typical) && (may_wait || !answers_same(Question::Launches))
    };
    let long_pairs = match are_rare_calls_open && do_rare_calls_differ || is_average_open() {
        // One pair mostly tells that a disturbance was none of the code.
        true if limits.expects_same => 1,
        true => PAIRS_PER_BLOCK,
        false => before_looks.long_pairs.max(usize::from(are_rare_calls_open)),
    };
    ScreeningDecision::Continue(NextBlock {
        long_pairs,
        only_adds_launches: is_precise && lacks_only_launches(),
    })
}

/// Returns the suspected changes after a screening for which there is no more time, because the time of
/// all runs is limited. On a busy machine, it may have too few pairs for a large change to be evident.
pub(super) fn suspicions_of_cut_screening(
    evidence: &Evidence,
    rules: &Rules,
    limits: &TimeLimits,
) -> Option<Suspicions> {
    let answers = Answers::new(evidence, rules);
    let is_likely = evidence.pairs() >= MIN_PAIRS && answers.is_typical_likely();
    is_likely.then(|| answers.suspicions(limits.expects_same))
}

/// Returns the farther end of the interval that is to be expected when the time is up. Its width shrinks
/// with the square root of the number of pairs.
fn expected_bound(evidence: &Evidence, spent: Duration, limits: &TimeLimits) -> f64 {
    let by_time = limits.total.div_duration_f64(spent);
    let by_number = limits.sufficient_pairs as f64 / evidence.pairs() as f64;
    evidence.estimate().abs() + evidence.precision() / by_time.max(by_number).max(1.0).sqrt()
}

/// Decides on the evidence of a confirmation. Returns `None` if it has to continue.
///
/// Each suspected change is tested at the looks, by the fresh evidence alone. Between two looks, no
/// change is confirmed. A benchmark that no longer looks different is dismissed at any time, and one
/// of the same code given up if the time is over before the first look, since giving up early can't
/// produce a false positive. `spent`: the time of the confirmation so far.
pub(super) fn decide_confirmation(
    screening: &Evidence,
    confirmation: &Evidence,
    suspicions: &Suspicions,
    schedule: &mut LookSchedule,
    spent: Duration,
    rules: &Rules,
) -> Option<Verdicts> {
    let all = screening.and(confirmation);
    let answers = Answers::new(&all, rules);
    // Usual launches don't tell whether long ones are slower.
    let is_average_open = confirmation.long_launches() == 0
        && screening.averages.estimate() > rules.min_average_change()
        && screening.is_average_of_long_launches();
    let without_change = || {
        let verdicts = Verdicts::of_answers(&all, &answers, rules);
        if is_average_open { Verdicts { average: Verdict::Unsure, ..verdicts } } else { verdicts }
    };
    let is_out_of_time = schedule.is_out_of_time(confirmation.pairs(), spent);
    let has_launches = all.launches.number() >= schedule.limits.min_launches || is_out_of_time;
    let TimeLimits { is_persistent, expects_same, .. } = schedule.limits;
    let is_unsuspicious = answers.suspicions(expects_same).number() == 0;
    let is_dismissed = |verdicts: &Verdicts| {
        let may_be_same = is_unsuspicious || is_out_of_time || !is_persistent;
        may_be_same
            && has_launches
            && (expects_same && is_unsuspicious || rules.is_precise(all.precision()))
            && verdicts.verdict() == Verdict::Same
    };
    let gives_up = is_out_of_time && !answers.is_any_evident();
    let Some(look) = schedule.take_look(confirmation.pairs(), spent) else {
        // The first look may be later than the time for it. That is for changes that are evident.
        let gives_up = gives_up && expects_same && !schedule.has_begun();
        let may_end = |verdicts: &Verdicts| gives_up || is_dismissed(verdicts);
        return (gives_up || is_unsuspicious).then(without_change).filter(may_end);
    };
    let exceeds_noise =
        |question: Question, answer: &Answer| question != Question::Typical || exceeds_noise(answer, &all);
    let fresh = Answers::new(confirmation, rules);
    for question in Question::ALL {
        let answer = fresh.on(question);
        let is_confirmed = suspicions.on(question) == Some(answer.direction())
            && answer.shows_change(look.level)
            && exceeds_noise(question, answer);
        if is_confirmed {
            schedule.confirmed[question as usize] = Some(answer.direction().verdict());
        }
    }
    let without_change = without_change();
    let [typical, average, launches] = schedule.confirmed;
    // Later evidence may have shown that slow launches were the cause.
    let typical = typical.filter(|&verdict| fresh.on(Question::Typical).is_still(verdict));
    let verdicts = without_change.with_confirmed([typical, average, launches]);
    let is_open = |question: Question| {
        let answer = answers.on(question);
        let is_suspected = suspicions.on(question).is_some_and(|direction| {
            verdicts.on(question) != direction.verdict() && may_count(answer, direction, verdicts.verdict())
        });
        is_suspected && exceeds_noise(question, answer)
    };
    let is_half_decided = is_open(Question::Typical)
        || suspicions.average == Some(Direction::Slower) && is_open(Question::Average);
    if verdicts.verdict().is_change() && (!is_half_decided || look.is_last || is_out_of_time) {
        return Some(verdicts);
    }
    (gives_up || look.is_last || is_dismissed(&without_change)).then_some(verdicts)
}

/// Returns whether an unconfirmed change is a reason to go on although another one is confirmed. A small
/// one isn't unless the other one is faster, and neither is a faster one if the other one is slower.
fn may_count(answer: &Answer, direction: Direction, verdict: Verdict) -> bool {
    let is_large = answer.is_large() || verdict == Verdict::Faster;
    let may_matter = direction == Direction::Slower || verdict != Verdict::Slower;
    answer.is_evident() && is_large && may_matter
}

/// Returns whether the typical time has changed by more than a side differs from itself.
fn exceeds_noise(typical: &Answer, evidence: &Evidence) -> bool {
    evidence.noise_floor().is_some_and(|noise_floor| typical.estimate.abs() > noise_floor)
}

/// The verdicts on the three questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdicts {
    pub(super) typical: Verdict,
    pub(super) average: Verdict,
    pub(super) launches: Verdict,
    /// The average time may have increased by more than a benchmark that is the same, or faster, is
    /// allowed to.
    pub(super) average_may_be_slower: bool,
}

impl Verdicts {
    /// Returns the verdicts on a benchmark without a confirmed change: `same` or `unsure`.
    pub(super) fn without_change(evidence: &Evidence, rules: &Rules) -> Verdicts {
        Verdicts::of_answers(evidence, &Answers::new(evidence, rules), rules)
    }

    /// Returns the verdicts on a benchmark whose typical time has changed like this, as a test has shown.
    /// `None` if the change can't be reported, or if the verdict on the benchmark is another one.
    pub(super) fn of_recurrence(evidence: &Evidence, verdict: Verdict, rules: &Rules) -> Option<Verdicts> {
        let answers = Answers::new(evidence, rules);
        let typical = answers.on(Question::Typical);
        let is_reported = typical.is_still(verdict) && exceeds_noise(typical, evidence);
        let verdicts = Verdicts { typical: verdict, ..Verdicts::of_answers(evidence, &answers, rules) };
        (is_reported && verdicts.verdict() == verdict).then_some(verdicts)
    }

    /// Returns the verdicts without a confirmed change. `answers`: those of the evidence.
    fn of_answers(evidence: &Evidence, answers: &Answers, rules: &Rules) -> Verdicts {
        let same_if = |question, is_within: bool| {
            let is_same = is_within && !answers.on(question).is_not_same();
            if is_same { Verdict::Same } else { Verdict::Unsure }
        };
        let typical = evidence.interval();
        let typical = typical.is_some_and(|interval| rules.is_same(interval, evidence.precision()));
        let average = evidence.averages.interval(evidence.confidence());
        let has_grown_little = average.is_some_and(|interval| interval.high <= rules.average_resolution);
        let has_shrunk_little = average.is_some_and(|interval| interval.low >= rules.min_same_average());
        // Short launches can't see what each process does only after many calls. That adds to the
        // typical time, which may have changed, too.
        let limit = rules.min_average_change();
        let has_same_rare_calls =
            !evidence.do_rare_calls_differ(limit) && !evidence.may_hide_rare_calls(limit);
        let waits_as_long = !evidence.averages.may_wait_longer(rules.average_resolution);
        let by_rare_calls = evidence.changes_by_rare_calls().into_iter().fold(f64::NEG_INFINITY, f64::max);
        let has_grown_in_long_launches = (1.0 + by_rare_calls) * evidence.estimate().exp() > 1.0 + limit;
        let groups = evidence.launch_groups();
        // What calls add may hide slow launches in the average.
        let launches = groups.is_none_or(|groups| groups.max_added() <= rules.average_resolution)
            && !evidence.launches.may_be_slower(rules.average_resolution, evidence.confidence());
        Verdicts {
            typical: same_if(Question::Typical, typical),
            average: same_if(
                Question::Average,
                has_grown_little && has_shrunk_little && has_same_rare_calls && waits_as_long,
            ),
            launches: same_if(Question::Launches, launches),
            average_may_be_slower: !has_grown_little || has_grown_in_long_launches || !launches,
        }
    }

    /// Returns the verdicts with those changes that were confirmed, by question.
    fn with_confirmed(self, [typical, average, launches]: [Option<Verdict>; 3]) -> Verdicts {
        Verdicts {
            typical: typical.unwrap_or(self.typical),
            average: average.unwrap_or(self.average),
            launches: launches.unwrap_or(self.launches),
            ..self
        }
    }

    /// Returns the verdict on a question.
    pub(super) fn on(&self, question: Question) -> Verdict {
        match question {
            Question::Typical => self.typical,
            Question::Average => self.average,
            Question::Launches => self.launches,
        }
    }

    /// Returns the verdict on the benchmark.
    pub(super) fn verdict(&self) -> Verdict {
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
    pub(super) fn question(&self) -> Question {
        let verdict = self.verdict();
        Question::ALL.into_iter().find(|&question| self.on(question) == verdict).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
