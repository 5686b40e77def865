//! Verdicts on paired runs that are made by hand.

use super::super::baseline_code::ComparedCode;
use super::*;
use crate::experiment::paired::{LayoutFindings, PairedOutcome};
use crate::experiment::{State, Subject};
use nanobench::model::{Launch, Sample};
use nanobench::stats::Interval;
use std::time::Duration;
use verdicts::{AverageChange, Question};

impl From<CodeMatch> for ComparedCode {
    fn from(code: CodeMatch) -> ComparedCode {
        ComparedCode { code, ..ComparedCode::default() }
    }
}

fn measured(time: u64) -> Measurement {
    let clock = project::fixtures::clock();
    let sample = Sample { iterations: 1_000, elapsed: time * 1_000, segments: 0, reference: 0, round: 0 };
    let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: vec![sample; 9] };
    Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
}

fn paired(verdict: Verdict, change: f64, code: CodeMatch) -> Comparison {
    Comparison::from_paired(outcome(verdict, change), || code.into())
}

/// Returns an outcome with this change of the typical time.
fn outcome(verdict: Verdict, change: f64) -> PairedOutcome {
    let interval = Interval { low: change - 0.01, high: change + 0.01 };
    PairedOutcome {
        verdict,
        change: Some(Change { estimate: change, interval }),
        details: PairedDetails {
            launch_noise: None,
            pairs: 32,
            time_to_decide: None,
            typical: verdict,
            ..PairedDetails::default()
        },
        baseline: measured(100),
        candidate: measured(100),
    }
}

#[test]
fn placement_explains_up_to_a_factor_of_two_if_all_else_is_the_same() {
    let found = [
        (Verdict::Slower, 0.99),
        (Verdict::Slower, 1.01),
        (Verdict::Faster, -0.49),
        (Verdict::Faster, -0.51),
    ];
    let of = |code: CodeMatch| found.map(|(verdict, change)| paired(verdict, change, code.clone()));
    let same = of(CodeMatch::Same);
    let verdicts = same.each_ref().map(|comparison| comparison.verdict);
    assert_eq!(verdicts, [Verdict::Placement, Verdict::Slower, Verdict::Placement, Verdict::Faster]);
    let reasons = same.map(|comparison| comparison.reason);
    assert_eq!(reasons, [None, Some(Reason::SameCodeLargeChange), None, Some(Reason::SameCodeLargeChange)]);
}

#[test]
fn layouts_rule_out_that_the_placement_of_functions_explains_a_change() {
    let found = [(Verdict::Slower, 0.19), (Verdict::Faster, -0.1), (Verdict::Slower, 0.21)];
    let called = found.map(|(verdict, change)| {
        let mut outcome = outcome(verdict, change);
        outcome.details.layouts = Some(LayoutFindings { difference: 0.01, agreement: None });
        Comparison::from_paired(outcome, || CodeMatch::Same.into())
    });
    assert_eq!(called.each_ref().map(|c| c.verdict), [Verdict::Slower, Verdict::Faster, Verdict::Slower]);
    assert_eq!(called.map(|c| c.reason), [Some(Reason::SameCodeAtSamePlaces); 3]);
    let mut uncertain = outcome(Verdict::Slower, 0.15);
    uncertain.details.layouts = Some(LayoutFindings { difference: 0.01, agreement: None });
    let uncertain = Comparison::from_paired(uncertain, || CodeMatch::Uncertain.into());
    assert_eq!((uncertain.verdict, uncertain.reason), (Verdict::Slower, Some(Reason::UncertainCode)));
}

#[test]
fn functions_are_at_the_same_places_in_identical_executables() {
    let found = [(Verdict::Slower, 0.19), (Verdict::Slower, 0.21)];
    let called = found.map(|(verdict, change)| {
        let code = || ComparedCode { are_identical: true, ..CodeMatch::Same.into() };
        Comparison::from_paired(outcome(verdict, change), code)
    });
    assert_eq!(called.map(|c| c.verdict), [Verdict::Unsure, Verdict::Slower]);
}

#[test]
fn nothing_else_explains_a_change_as_moved() {
    let code = [
        (CodeMatch::SameExcept(Exception::Files), Some(Reason::SameCodeExcept(Exception::Files))),
        (CodeMatch::SameExcept(Exception::Libraries), Some(Reason::SameCodeExcept(Exception::Libraries))),
        (CodeMatch::Differs(None), None),
        (CodeMatch::Unknown, None),
    ];
    for (code, reason) in code {
        for (verdict, change) in [(Verdict::Slower, 0.01), (Verdict::Faster, -0.01)] {
            let called = paired(verdict, change, code.clone());
            assert_eq!((called.verdict, called.reason), (verdict, reason), "{code:?}");
        }
    }
}

#[test]
fn a_small_change_is_unsure_where_some_data_could_not_be_compared() {
    let found = [(Verdict::Slower, 0.19), (Verdict::Faster, -0.1), (Verdict::Slower, 0.21)];
    let called = found.map(|(verdict, change)| paired(verdict, change, CodeMatch::Uncertain));
    assert_eq!(
        called.map(|comparison| (comparison.verdict, comparison.reason)),
        [
            (Verdict::Unsure, Some(Reason::UncertainCode)),
            (Verdict::Unsure, Some(Reason::UncertainCode)),
            (Verdict::Slower, None)
        ]
    );
}

/// Returns a change of the average time.
fn average(verdict: Verdict, change: f64) -> AverageChange {
    AverageChange {
        verdict,
        change: Change { estimate: change, interval: Interval { low: change - 0.02, high: change + 0.02 } },
        p: 0.5,
        sampled: Duration::from_millis(80),
        longest_launch: Duration::from_millis(30),
        samples: [400, 400],
        interrupted: [2, 3],
        waited: [Duration::from_millis(4); 2],
        counts_waiting: false,
    }
}

#[test]
fn placement_has_to_explain_the_average_too() {
    let with_average = |change| {
        let mut outcome = outcome(Verdict::Slower, 0.03);
        outcome.details.average = Some(average(Verdict::Slower, change));
        Comparison::from_paired(outcome, || CodeMatch::Same.into())
    };
    let moved = with_average(0.05);
    let answers = [moved.verdict, moved.typical(), moved.average().unwrap().verdict];
    assert_eq!(answers, [Verdict::Placement; 3]);
    let much = with_average(1.5);
    assert_eq!((much.verdict, much.reason), (Verdict::Slower, Some(Reason::SameCodeLargeChange)));
    assert_eq!(much.largest_slowdown(), Some(TimeChange::Average(1.5)));
}

#[test]
fn placement_has_to_explain_a_change_in_the_other_direction_too() {
    let with_faster_typical = |change| {
        let mut outcome = outcome(Verdict::Slower, change);
        outcome.details.typical = Verdict::Faster;
        outcome.details.question = Question::Average;
        outcome.details.average = Some(average(Verdict::Slower, 0.06));
        let comparison = Comparison::from_paired(outcome, || CodeMatch::Same.into());
        (comparison.verdict, comparison.reason)
    };
    assert_eq!(with_faster_typical(-0.1), (Verdict::Placement, None));
    assert_eq!(with_faster_typical(-0.6), (Verdict::Slower, Some(Reason::SameCodeLargeChange)));
}

#[test]
fn a_verdict_is_about_the_first_question_that_has_it() {
    let mut outcome = outcome(Verdict::Slower, 0.001);
    outcome.details.typical = Verdict::Same;
    outcome.details.question = Question::Average;
    outcome.details.average = Some(average(Verdict::Slower, 0.5));
    let comparison = Comparison::from_paired(outcome.clone(), || CodeMatch::Unknown.into());
    assert_eq!((comparison.typical(), comparison.question()), (Verdict::Same, Question::Average));
    assert_eq!(comparison.decisive_change(), Some(TimeChange::Average(0.5)));
    assert_eq!(comparison.largest_slowdown(), Some(TimeChange::Average(0.5)));
    outcome.verdict = Verdict::Unsure;
    outcome.details.average = Some(average(Verdict::Unsure, 0.1));
    let unsure = Comparison::from_paired(outcome, || CodeMatch::Unknown.into());
    assert_eq!((unsure.question(), unsure.largest_slowdown()), (Question::Average, None));
}

#[test]
fn only_a_change_names_the_function_that_differs() {
    let code = CodeMatch::Differs(Some("a::b".to_owned()));
    let differs_in = |verdict| paired(verdict, 0.1, code.clone()).paired.unwrap().differs_in;
    assert_eq!(differs_in(Verdict::Slower).as_deref(), Some("a::b"));
    assert_eq!(differs_in(Verdict::Unsure), None);
}

#[test]
fn what_both_sides_would_get_is_named() {
    let shared = |subject, names: &[&str]| {
        Premise::new(subject, State::Shared(names.iter().map(|&name| name.to_owned()).collect()))
    };
    let text = |premises: &[Premise]| NotPaired::Changed(premises.to_vec()).to_string();
    let plug = shared(Subject::Programs, &["libplug.so"]);
    assert_eq!(
        text(std::slice::from_ref(&plug)),
        "both sides would run the new libplug.so, which has changed since"
    );
    let two = shared(Subject::Programs, &["tool", "b.so"]);
    assert_eq!(text(&[two]), "both sides would run the new tool, b.so, which have changed since");
    assert_eq!(
        NotPaired::OfWorkingTree(vec![plug.clone()]).to_string(),
        "both sides would run libplug.so of the working tree, which may differ from the revision's"
    );
    let file = shared(Subject::NamedFiles, &["a"]);
    assert_eq!(text(std::slice::from_ref(&file)), "both sides would read the new a, which has changed since");
    let variable = shared(Subject::Variables, &["value of A"]);
    let expected = "both sides would read the new a, value of A, which have changed since";
    assert_eq!(text(&[file.clone(), variable]), expected);
    let many = shared(Subject::OtherFiles, &["a", "b", "c", "d", "e"]);
    let expected = "both sides would read the new a, b, c and 2 more, which have changed since";
    assert_eq!(text(&[file.clone(), many]), expected, "each once");
    let expected = "both sides would run the new libplug.so and read the new a, which have changed since";
    assert_eq!(text(&[plug, file]), expected);
}

#[test]
fn no_percentage_of_an_empty_loop_is_a_change() {
    let of = |verdict, change, baseline, candidate| {
        let [baseline, candidate] = [baseline, candidate].map(measured);
        let outcome = PairedOutcome { baseline, candidate, ..outcome(verdict, change) };
        let comparison = Comparison::from_paired(outcome, || CodeMatch::Differs(None).into());
        (comparison.verdict, comparison.reason, comparison.change.is_some())
    };
    let gained = of(Verdict::Slower, 4.2, 0, 100);
    assert_eq!(gained, (Verdict::Slower, Some(Reason::BaselineBelowResolution), false));
    let lost = of(Verdict::Faster, -0.8, 100, 0);
    assert_eq!(lost, (Verdict::Faster, Some(Reason::BelowResolution), false));
    let both = of(Verdict::Slower, 0.1, 0, 0);
    assert_eq!(both, (Verdict::Unsure, Some(Reason::BelowResolution), false), "empty loops");
    assert_eq!(of(Verdict::Slower, 0.2, 100, 120), (Verdict::Slower, None, true));
}

#[test]
fn less_time_for_more_work_of_other_threads_is_unsure() {
    let of = |verdict: Verdict, processor_ratio: Option<f64>, busy: [bool; 2]| {
        let outcome = outcome(verdict, if verdict == Verdict::Slower { 0.3 } else { -0.3 });
        let details = PairedDetails { processor_ratio, busy, ..outcome.details };
        let differs = || CodeMatch::Differs(None).into();
        let compared = Comparison::from_paired(PairedOutcome { details, ..outcome }, differs);
        assert_eq!(compared.paired.unwrap().typical.is_change(), compared.verdict.is_change());
        (compared.verdict, compared.reason)
    };
    let idle = [false; 2];
    let unsure = |reason| (Verdict::Unsure, Some(reason));
    assert_eq!(of(Verdict::Faster, Some(1.6), idle), unsure(Reason::MoreProcessorTime));
    assert_eq!(of(Verdict::Faster, Some(1.3), idle), (Verdict::Faster, None), "divided among threads");
    assert_eq!(of(Verdict::Faster, None, [false, true]), unsure(Reason::BusyCandidate));
    assert_eq!(of(Verdict::Faster, Some(1.0), [true, true]), (Verdict::Faster, None));
    assert_eq!(of(Verdict::Slower, Some(2.5), [false, true]), (Verdict::Slower, None));
}

#[test]
fn an_empty_loop_that_is_not_optimised_leaves_nothing_decided() {
    let mut unoptimized = measured(100);
    for launch in &mut unoptimized.launches {
        launch.empty_loop = 13.0;
        // 48,000 cycles of 0.4 ns.
        launch.samples.iter_mut().for_each(|sample| (sample.segments, sample.reference) = (1, 19_200));
    }
    for verdict in [Verdict::Slower, Verdict::Faster, Verdict::Same] {
        for is_candidate in [false, true] {
            let mut outcome = outcome(verdict, 0.3);
            let side = if is_candidate { &mut outcome.candidate } else { &mut outcome.baseline };
            *side = unoptimized.clone();
            let differs = || CodeMatch::Differs(None).into();
            let Comparison { verdict, reason, paired, .. } = Comparison::from_paired(outcome, differs);
            assert_eq!((verdict, reason), (Verdict::Unsure, Some(Reason::UnoptimizedLoop)));
            assert!(!paired.unwrap().typical.is_change(), "gates and reports see none, either");
        }
    }
    let stored = crate::experiment::compare_with_stored(&measured(300), &unoptimized, false, 0.0);
    assert_eq!((stored.verdict, stored.reason), (Verdict::Unsure, Some(Reason::UnoptimizedLoop)));
}
