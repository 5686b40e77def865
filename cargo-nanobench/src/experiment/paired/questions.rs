//! The questions of a paired run, in the same terms: an estimate, a p-value, and a smallest change.

use super::evidence::Evidence;
use super::launch_groups::LaunchGroups;
use super::outcome::Question;
use super::rules::Rules;
use crate::experiment::verdict::Verdict;

/// One-sided p-value up to which a change is suspected and confirmed. It is generous, as a needless
/// confirmation costs only time.
const SUSPICION_P: f64 = 0.2;
/// Smallest estimate of a suspected change, as a share of the smallest change that is reported. An
/// estimate that is too low by chance would otherwise exclude a change that isn't.
const SUSPECTED_SHARE: f64 = 0.6;
/// One-sided p-value up to which a change is evident. Its confirmation may exceed the time limit, as
/// it will most probably succeed. Unless the run is brief, it begins without screening further.
pub(super) const EVIDENT_P: f64 = 0.004;
/// Smallest estimate of a change that is confirmed without screening further, as a multiple
/// of the smallest change that is reported. The confirmation of a smaller one may fail, and it tests
/// nothing that only a longer screening would suspect, such as slow launches.
const CLEAR_SHARE: f64 = 1.5;
/// Smallest part of a change of the average that is one of calls that are rarely expensive.
const SHARE_OF_RARE_CALLS: f64 = 0.7;
/// One-sided p-value up to which a benchmark is not the same.
const NOT_SAME_P: f64 = 0.025;

/// The direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Slower,
    Faster,
}

impl Direction {
    pub(super) fn from_estimate(estimate: f64) -> Direction {
        if estimate >= 0.0 { Direction::Slower } else { Direction::Faster }
    }

    pub(super) fn verdict(self) -> Verdict {
        match self {
            Direction::Slower => Verdict::Slower,
            Direction::Faster => Verdict::Faster,
        }
    }
}

/// The changes that a screening suspects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Suspicions {
    pub(super) typical: Option<Direction>,
    pub(super) average: Option<Direction>,
    pub(super) launches: Option<Direction>,
}

impl Suspicions {
    /// Returns the suspected direction of the answer to a question.
    pub(super) fn on(&self, question: Question) -> Option<Direction> {
        match question {
            Question::Typical => self.typical,
            Question::Average => self.average,
            Question::Launches => self.launches,
        }
    }

    /// Returns the number of suspected changes, each of which is tested.
    pub(super) fn number(&self) -> usize {
        Question::ALL.into_iter().filter(|&question| self.on(question).is_some()).count()
    }
}

/// The evidence on one question, as numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) estimate: f64,
    /// One-sided p-value in the direction of the estimate.
    p: f64,
    /// Smallest estimate that is reported.
    pub(super) threshold: f64,
    /// It is suspected whatever the p-value: too few launches are slow for a small one.
    has_few_slow_launches: bool,
    /// It is known to be below the threshold: its 95 % interval lies within.
    is_negligible: bool,
}

impl Answer {
    /// Evaluates the evidence on a question.
    pub(super) fn new(question: Question, evidence: &Evidence, rules: &Rules) -> Answer {
        match question {
            Question::Typical => Answer {
                estimate: evidence.estimate(),
                p: evidence.p(),
                threshold: rules.threshold,
                has_few_slow_launches: false,
                is_negligible: evidence.bound() <= rules.threshold,
            },
            Question::Average => {
                let (estimate, threshold) = (evidence.averages.estimate(), rules.min_average_change());
                // It takes milliseconds with a thousand pairs, and smaller changes don't count.
                let may_count = estimate.abs() > SUSPECTED_SHARE * threshold;
                let p = if may_count { evidence.averages.p() } else { 1.0 };
                Answer { estimate, p, threshold, has_few_slow_launches: false, is_negligible: false }
            }
            Question::Launches => {
                let groups = evidence.launch_groups();
                let may_matter = |groups: &LaunchGroups| groups.max_difference() > rules.average_resolution;
                Answer {
                    estimate: groups.as_ref().map_or(0.0, LaunchGroups::added),
                    p: groups.as_ref().map_or(1.0, LaunchGroups::p),
                    threshold: rules.threshold,
                    has_few_slow_launches: groups
                        .is_some_and(|groups| groups.look_different() && may_matter(&groups)),
                    is_negligible: false,
                }
            }
        }
    }

    pub(super) fn direction(&self) -> Direction {
        Direction::from_estimate(self.estimate)
    }

    /// Returns the direction of a change that is suspected at this one-sided level.
    pub(super) fn suspicion(&self, level: f64) -> Option<Direction> {
        let is_open = self.p <= level || self.has_few_slow_launches;
        let is_suspected = is_open && !self.is_negligible;
        (is_suspected && self.estimate.abs() > SUSPECTED_SHARE * self.threshold).then(|| self.direction())
    }

    /// Returns whether the evidence shows a change above the threshold, at this one-sided level.
    pub(super) fn shows_change(&self, level: f64) -> bool {
        self.p <= level && self.is_reported()
    }

    /// Returns whether the estimate would still be reported as this change, which was confirmed before.
    pub(super) fn is_still(&self, verdict: Verdict) -> bool {
        self.direction().verdict() == verdict && self.is_reported()
    }

    /// Returns whether the estimate is above the smallest one that is reported.
    fn is_reported(&self) -> bool {
        self.estimate.abs() > self.threshold
    }

    /// Returns whether a change is evident.
    pub(super) fn is_evident(&self) -> bool {
        self.shows_change(EVIDENT_P)
    }

    /// Returns whether a change, if it is one, is clearly above the smallest one that is reported.
    pub(super) fn is_large(&self) -> bool {
        self.estimate.abs() > CLEAR_SHARE * self.threshold
    }

    /// Returns whether the evidence contradicts the absence of a change.
    pub(super) fn is_not_same(&self) -> bool {
        self.shows_change(NOT_SAME_P)
    }
}

/// The answers to all questions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers([Answer; 3]);

impl Answers {
    /// Evaluates the evidence.
    pub(super) fn new(evidence: &Evidence, rules: &Rules) -> Answers {
        Answers(Question::ALL.map(|question| Answer::new(question, evidence, rules)))
    }

    /// Returns the answer to a question.
    pub(super) fn on(&self, question: Question) -> &Answer {
        &self.0[question as usize]
    }

    /// Returns the suspected changes. If the benchmark is expected to be the same, only those count that
    /// contradict that: few others are changes, and a benchmark with one may be the same.
    pub(super) fn suspicions(&self, expects_same: bool) -> Suspicions {
        let level = if expects_same { NOT_SAME_P } else { SUSPICION_P };
        let [typical, average, launches] = self.0.map(|answer| answer.suspicion(level));
        // One or two of the baseline alone are mostly disturbances, and no improvement is expected.
        let is_luck = |&direction: &Direction| {
            expects_same && direction == Direction::Faster && self.on(Question::Launches).p > SUSPICION_P
        };
        Suspicions { typical, average, launches: launches.filter(|direction| !is_luck(direction)) }
    }

    /// Returns whether the typical time is known to differ, and probably by more than the smallest change
    /// that is reported.
    pub(super) fn is_typical_likely(&self) -> bool {
        let typical = self.on(Question::Typical);
        typical.is_not_same() && typical.is_large()
    }

    /// Returns whether the evidence shows any change, at this one-sided level, that is clearly above the
    /// smallest one that is reported.
    pub(super) fn is_any_clear(&self, level: f64) -> bool {
        self.0.iter().filter(|answer| answer.is_large()).any(|answer| answer.shows_change(level))
    }

    /// Returns whether any change is evident.
    pub(super) fn is_any_evident(&self) -> bool {
        self.0.iter().any(Answer::is_evident)
    }
}

/// The kind of blocks that test the suspected changes best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfirmationBlocks {
    Usual,
    /// As many launches as possible.
    Launches,
    /// Launches that are long enough for calls that are rarely expensive.
    LongLaunches,
}

impl ConfirmationBlocks {
    pub(super) fn new(suspicions: &Suspicions, screening: &Evidence, rules: &Rules) -> ConfirmationBlocks {
        let in_usual_launches = || {
            let usual = Answer::new(Question::Average, &screening.of_usual_launches(), rules);
            usual.suspicion(SUSPICION_P).is_some() && !screening.is_average_of_long_launches()
        };
        let has_many_slow_launches = || Answer::new(Question::Launches, screening, rules).p <= SUSPICION_P;
        // Slow launches don't explain such a change of the average.
        let are_calls_rare = || {
            let all = screening.averages.estimate();
            screening
                .changes_by_rare_calls()
                .iter()
                .any(|change| change.abs() > rules.min_average_change() && change / all > SHARE_OF_RARE_CALLS)
        };
        // Many short launches tell about the typical time, too, if only somewhat less.
        let is_typical_minor = || {
            suspicions.typical.is_none() || !Answer::new(Question::Typical, screening, rules).is_not_same()
        };
        match suspicions {
            Suspicions { launches: Some(_), average, .. } if is_typical_minor() => {
                let is_of_launches = || has_many_slow_launches() || in_usual_launches();
                if average.is_none() || !are_calls_rare() && is_of_launches() {
                    ConfirmationBlocks::Launches
                } else {
                    ConfirmationBlocks::LongLaunches
                }
            }
            Suspicions { average: Some(_), .. } if !in_usual_launches() => ConfirmationBlocks::LongLaunches,
            _ => ConfirmationBlocks::Usual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::paired::launch_groups::LaunchEvidence;

    /// Returns the evidence of pairs with these changes of the typical time on average, give or take
    /// `noise`. Every 12th launch of the candidate takes twice as long.
    fn with_slow_launches(pairs: usize, change: f64, noise: f64) -> Evidence {
        let mut evidence = Evidence::default();
        for i in 0..pairs {
            let change = change + noise * [1.0, -1.0, 0.5, -0.5][i % 4];
            let slow = if i % 12 == 5 { 2.0_f64.ln() } else { 0.0 };
            evidence.add(&[change + slow], &[]);
            evidence.launches.add(&[[0.0, change + slow]]);
        }
        evidence
    }

    /// Returns the suspicions on evidence, and the blocks that test them.
    fn suspicions(evidence: &Evidence) -> (Suspicions, ConfirmationBlocks) {
        let rules = Rules::default();
        let suspicions = Answers::new(evidence, &rules).suspicions(false);
        (suspicions, ConfirmationBlocks::new(&suspicions, evidence, &rules))
    }

    #[test]
    fn a_typical_change_that_is_known_to_be_negligible_takes_no_time_from_slow_launches() {
        let slower = Some(Direction::Slower);
        let (known, blocks) = suspicions(&with_slow_launches(72, 0.0035, 0.002));
        assert_eq!((known.typical, known.launches), (None, slower));
        assert_eq!(blocks, ConfirmationBlocks::Launches);
        let (open, blocks) = suspicions(&with_slow_launches(72, 0.0035, 0.009));
        assert_eq!((open.typical, open.launches), (slower, slower), "it may be above the threshold");
        assert_eq!(blocks, ConfirmationBlocks::Launches, "but it probably isn't");
        let (likely, blocks) = suspicions(&with_slow_launches(72, 0.01, 0.002));
        assert_eq!((likely.typical, likely.launches), (slower, slower));
        assert_eq!(blocks, ConfirmationBlocks::Usual);
    }

    #[test]
    fn two_slow_launches_of_the_baseline_are_luck_if_nothing_should_differ() {
        let suspicion = |slow_launches: [usize; 2], expects_same: bool| {
            let mut evidence = with_slow_launches(16, 0.0, 0.001);
            evidence.launches = LaunchEvidence::default();
            for i in 0..16 {
                let time = |slow: usize| if i < slow { 2.0_f64.ln() } else { 0.001 * (i % 4) as f64 };
                evidence.launches.add(&[slow_launches.map(time)]);
            }
            Answers::new(&evidence, &Rules::default()).suspicions(expects_same).launches
        };
        let [faster, slower] = [Some(Direction::Faster), Some(Direction::Slower)];
        assert_eq!([suspicion([1, 0], false), suspicion([1, 0], true)], [faster, None]);
        assert_eq!([suspicion([2, 0], false), suspicion([2, 0], true)], [faster, None]);
        assert_eq!([suspicion([3, 0], true), suspicion([6, 0], true)], [faster; 2], "no luck");
        assert_eq!([suspicion([0, 1], false), suspicion([0, 1], true)], [slower; 2]);
    }

    #[test]
    fn a_typical_change_that_may_exceed_the_threshold_is_suspected() {
        for (change, expected) in [(0.0035, None), (0.0048, Some(Direction::Slower)), (-0.0035, None)] {
            let typical = suspicions(&with_slow_launches(72, change, 0.002)).0.typical;
            assert_eq!(typical, expected, "{change}");
        }
        let faster = suspicions(&with_slow_launches(72, -0.006, 0.002)).0.typical;
        assert_eq!(faster, Some(Direction::Faster));
        let few = suspicions(&with_slow_launches(4, 0.0035, 0.002)).0.typical;
        assert_eq!(few, Some(Direction::Slower), "too few pairs for an interval");
    }
}
