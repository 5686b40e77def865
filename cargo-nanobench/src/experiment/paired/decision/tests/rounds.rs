//! Suites in a limited time: confirmations in rounds, from the top, until the time is up.

use super::super::super::admission::ReservedTime;
use super::super::super::runner::{MIN_ROUND, round_of};
use super::simulated::Confirmation;
use super::*;

/// A benchmark of a suite.
struct Row {
    simulated: Simulated,
    screening: Evidence,
    /// `None` if nothing is suspected, or if there is no time for the first look.
    confirmation: Option<Confirmation>,
    verdict: Option<Verdict>,
}

impl Row {
    /// Returns the verdict, or the one without a change if the time was up before.
    fn verdict(&self, rules: &Rules) -> Verdict {
        let all = || match &self.confirmation {
            Some(confirmation) => confirmation.all(&self.screening),
            None => self.screening.clone(),
        };
        self.verdict.unwrap_or_else(|| Verdicts::without_change(&all(), rules).verdict())
    }
}

/// Returns the verdicts on a suite that has this time for its confirmations, and half as much for its
/// screenings.
fn suite_within(time: Duration, benchmarks: Vec<Simulated>, rules: &Rules) -> Vec<Verdict> {
    let mut rows = screened(time, benchmarks, rules);
    let mut spent = Duration::ZERO;
    loop {
        let open: Vec<usize> = (0..rows.len()).filter(|&i| is_open(&rows[i])).collect();
        let confirmation = |i: usize| rows[i].confirmation.as_ref();
        let awaits_first_look = |i: usize| confirmation(i).is_some_and(|c| !c.has_begun());
        let block_time = |i: usize| confirmation(i).map_or(Duration::ZERO, Confirmation::block_time);
        let round = round_of(&open, awaits_first_look, block_time, MIN_ROUND);
        if round.is_empty() || spent >= time {
            return rows.iter().map(|row| row.verdict(rules)).collect();
        }
        for i in round {
            let Row { simulated, screening, confirmation, verdict } = &mut rows[i];
            let begin = simulated.spent;
            let verdicts = confirmation.as_mut().and_then(|c| c.advance(simulated, screening, rules));
            *verdict = verdicts.map(|verdicts| verdicts.verdict());
            spent += simulated.spent - begin;
        }
    }
}

fn is_open(row: &Row) -> bool {
    row.confirmation.is_some() && row.verdict.is_none()
}

/// Returns the benchmarks after their screening, with the confirmations that reach their first look in
/// this time.
fn screened(time: Duration, benchmarks: Vec<Simulated>, rules: &Rules) -> Vec<Row> {
    let limits = Effort::Thorough.limits();
    let screening_time = time / 2 / benchmarks.len() as u32;
    let screened: Vec<_> = benchmarks
        .into_iter()
        .map(|mut simulated| {
            let (screening, next) = simulated.screen_within(screening_time, rules, &limits);
            (simulated, screening, next)
        })
        .collect();
    let tests = screened.iter().map(|(_, _, next)| number_of_suspicions(next)).sum();
    let mut reserved = ReservedTime::new(Some(time));
    let mut row = |(simulated, screening, next): (Simulated, Evidence, ScreeningDecision)| {
        let confirmation = match next {
            ScreeningDecision::Confirm(suspicions) => {
                let new = Confirmation::new(&simulated, &screening, suspicions, tests, (rules, &limits));
                reserved.admit(new.time_to_first_look(), true).then_some(new)
            }
            _ => None,
        };
        Row { simulated, screening, confirmation, verdict: None }
    };
    screened.into_iter().map(&mut row).collect()
}

/// Returns the number of calls in suites of 24 benchmarks, of which the first ones are slower by this.
fn calls_in(suites: u64, time: Duration, (slower, effect): (u64, f64), rules: &Rules) -> [usize; 2] {
    let mut numbers = [0; 2];
    for run in 0..suites {
        let benchmark = |i: u64| {
            let effect = if i < slower { effect } else { 0.0 };
            Simulated::new(NOISES[i as usize % 6], 0.01, effect, run * 1_000 + i)
        };
        let verdicts = suite_within(time, (0..24).map(benchmark).collect(), rules);
        let (changed, unchanged) = verdicts.split_at(slower as usize);
        numbers[0] += changed.iter().filter(|verdict| **verdict == Verdict::Slower).count();
        numbers[1] += usize::from(unchanged.iter().any(|verdict| calls(*verdict)));
    }
    numbers
}

#[test]
fn a_limited_time_leaves_no_unchanged_suite_with_a_change() {
    let rules = Rules { threshold: 1e-9, ..Rules::default() };
    assert_eq!(calls_in(2, Duration::from_secs(4), (0, 0.0), &rules)[1], 0);
}

#[test]
fn a_limited_time_suffices_for_large_changes() {
    let [found, loud] = calls_in(1, Duration::from_secs(20), (4, 0.2), &Rules::default());
    assert_eq!((found, loud), (4, 0));
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn an_unchanged_suite_in_a_limited_time_is_reported_as_such_in_99_of_100_runs() {
    let no_threshold = Rules { threshold: 1e-9, ..Rules::default() };
    for seconds in [1, 4, 16] {
        let [_, loud] = calls_in(500, Duration::from_secs(seconds), (0, 0.0), &no_threshold);
        println!("{seconds} s: {loud} of 500 suites in which nothing changed have something called");
        assert!(loud <= 10, "{loud} of 500");
    }
    for seconds in [2, 4, 8, 16] {
        let [found, loud] = calls_in(50, Duration::from_secs(seconds), (6, 0.05), &Rules::default());
        println!("{seconds} s: {found} of 300 changes of 5 % found, {loud} of 50 suites with another call");
    }
}
