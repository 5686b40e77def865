//! Gates over rows that are made by hand.

use super::*;
use crate::experiment::InstructionChange;
use crate::experiment::{Benchmark, Comparison, MeasureError, Outcome, PairedDetails};
use crate::instructions::Step;
use nanobench::model::BenchmarkSpec;
use nanobench::stats::{Change, Interval};
use project::fixtures::id;
use std::time::Duration;
use verdicts::{AverageChange, Question, SlowLaunches};

fn benchmark(function: &str) -> Benchmark {
    let BenchmarkId { target, row } = id(&format!("a::first::{function}"));
    Benchmark::new(&target, 0, &BenchmarkSpec { id: row, ..BenchmarkSpec::default() })
}

fn row(id: &str, verdict: Verdict, change: Option<(f64, f64, f64)>) -> Row {
    let benchmark = benchmark(id);
    let change = change.map(|(low, estimate, high)| Change { estimate, interval: Interval { low, high } });
    let comparison = Some(Comparison { change, verdict, ..Comparison::new_benchmark() });
    // A gate only checks if the figures exist.
    let outcome = match verdict {
        Verdict::Failed => Outcome::Failed(MeasureError::Problem("boom".to_owned()).into()),
        _ => measured(),
    };
    Row { benchmark, outcome, comparison, earlier_comparison: None, relation: None }
}

fn measured() -> Outcome {
    use nanobench::model::{Launch, Measurement, Sample};
    let clock = project::fixtures::clock();
    let sample = Sample { iterations: 10, elapsed: 1_000, segments: 0, reference: 0, round: 0 };
    let launch = Launch { clock, segment_cost: 0.0, empty_loop: 0.5, samples: vec![sample; 9] };
    let measurement = Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() };
    let summary = nanobench::summary::Summary::from_measurement(&measurement).unwrap();
    Outcome::Measured { measurement, summary }
}

fn rows() -> Vec<Row> {
    vec![
        row("little", Verdict::Slower, Some((0.01, 0.03, 0.05))),
        row("much", Verdict::Slower, Some((0.04, 0.06, 0.08))),
        row("more", Verdict::Slower, Some((0.2, 0.3, 0.4))),
        row("noisy", Verdict::Unsure, Some((-0.5, 0.6, 1.7))),
        row("quick", Verdict::Faster, Some((-0.5, -0.4, -0.3))),
        row("steady", Verdict::Same, Some((0.0, 0.0, 0.0))),
        row("placed", Verdict::Placement, Some((0.02, 0.03, 0.04))),
        row("added", Verdict::New, None),
        row("broken", Verdict::Failed, None),
    ]
}

/// The ids that a gate holds back.
fn held(fail_on: &[FailOn], fail_above: Option<f64>) -> Vec<String> {
    let gate = Gate::new(&GateOptions { fail_on: fail_on.to_vec(), fail_above, ..GateOptions::default() });
    let missing = [benchmark("gone").id];
    gate.failures(&rows(), &missing).into_iter().map(|failure| failure.id.row.function).collect()
}

#[test]
fn each_kind_holds_its_own() {
    assert_eq!(held(&[FailOn::Slower], None), ["more", "much", "little"], "the largest change first");
    assert_eq!(held(&[FailOn::Unsure], None), ["noisy"]);
    assert_eq!(held(&[FailOn::Removed], None), ["gone"]);
    assert_eq!(held(&[FailOn::Failed], None), ["broken"]);
    assert_eq!(held(&[FailOn::New], None), ["added"]);
    assert_eq!(held(&[FailOn::Placement], None), ["placed"]);
    assert_eq!(held(&[FailOn::New, FailOn::Removed], None), ["gone", "added"]);
}

#[test]
fn a_limit_applies_to_slower_benchmarks_only() {
    assert_eq!(held(&[], Some(0.05)), ["more", "much"]);
    assert_eq!(held(&[FailOn::Slower], Some(0.05)), ["more", "much"]);
    assert_eq!(held(&[FailOn::Slower], Some(0.06)), ["more"], "the limit itself passes");
    assert_eq!(held(&[FailOn::Unsure], Some(0.5)), ["noisy"]);
}

#[test]
fn without_gates_all_pass_and_no_baseline_moves_on_with_something_slower() {
    assert!(Gate::new(&GateOptions::default()).is_open());
    assert!(held(&[], None).is_empty());
    let held = |args: &GateOptions| Gate::for_replacing(args, 0.1).failures(&rows(), &[]).len();
    assert_eq!(held(&GateOptions::default()), 5, "three are slower, one has moved and is, one failed");
    assert_eq!(
        held(&GateOptions { fail_above: Some(0.5), ..GateOptions::default() }),
        1,
        "the one that failed"
    );
}

#[test]
fn possibly_slower_benchmarks_hold_a_baseline_back() {
    let side_by_side =
        PairedDetails { launch_noise: None, pairs: 8, time_to_decide: None, ..PairedDetails::default() };
    let holds = |args: &GateOptions, change, paired: Option<&PairedDetails>| {
        let mut row = row("unsure", Verdict::Unsure, change);
        row.comparison.as_mut().unwrap().paired = paired.cloned();
        !Gate::for_replacing(args, 0.1).failures(&[row], &[]).is_empty()
    };
    let (none, paired) = (GateOptions::default(), Some(&side_by_side));
    assert!(holds(&none, None, None), "it was not compared");
    assert!(holds(&none, Some((0.001, 0.05, 0.1)), paired), "it looks slower");
    assert!(!holds(&none, Some((-0.001, 0.05, 0.1)), paired), "it may as well be faster");
    assert!(!holds(&none, Some((0.1, 0.15, 0.2)), None), "that much the machine does by itself");
    assert!(holds(&none, Some((0.3, 0.5, 0.7)), None));
    let limit = GateOptions { fail_above: Some(0.06), ..GateOptions::default() };
    assert!(!holds(&limit, Some((0.001, 0.05, 0.1)), paired), "less than the limit is no reason");
    assert!(holds(&limit, Some((0.001, 0.07, 0.1)), paired));
    assert!(Gate::new(&limit).failures(&[row("unsure", Verdict::Unsure, None)], &[]).is_empty());
}

/// A row whose typical time changed by `typical` and its average by an interval of `average`.
fn with_average(verdict: Verdict, typical: (Verdict, f64), average: (Verdict, f64, f64)) -> Row {
    let mut row = row("both", verdict, Some((typical.1 - 0.01, typical.1, typical.1 + 0.01)));
    let (average_verdict, low, high) = average;
    let paired = PairedDetails {
        question: if typical.0 == verdict { Question::Typical } else { Question::Average },
        typical: typical.0,
        average: Some(AverageChange {
            verdict: average_verdict,
            change: Change { estimate: (low + high) / 2.0, interval: Interval { low, high } },
            p: 0.5,
            sampled: Duration::from_millis(50),
            longest_launch: Duration::from_millis(30),
            samples: [100; 2],
            interrupted: [0; 2],
            waited: [Duration::ZERO; 2],
            counts_waiting: false,
        }),
        ..PairedDetails::default()
    };
    row.comparison.as_mut().unwrap().paired = Some(paired);
    row
}

/// Returns the changes of the failures of a gate over one row.
fn changes(gate: &Gate, row: &Row) -> Vec<f64> {
    gate.failures(std::slice::from_ref(row), &[]).into_iter().filter_map(|failure| failure.change).collect()
}

#[test]
fn a_limit_applies_to_the_larger_of_the_confirmed_changes() {
    let above = |limit| Gate::new(&GateOptions { fail_above: Some(limit), ..GateOptions::default() });
    let average = with_average(Verdict::Slower, (Verdict::Same, 0.001), (Verdict::Slower, 0.4, 0.6));
    assert_eq!(changes(&above(0.1), &average), [0.5], "the average");
    let limits =
        |gate: &Gate, row| gate.failures(&[row], &[]).iter().map(|failure| failure.limit).collect::<Vec<_>>();
    assert_eq!(limits(&above(0.1), average.clone()), [Some(0.1)]);
    assert_eq!(limits(&above(0.0), average.clone()), [None]);
    assert_eq!(limits(&above(0.1), row("lost", Verdict::Slower, None)), [None], "nobody knows by how much");
    assert!(changes(&above(0.6), &average).is_empty());
    let both = with_average(Verdict::Slower, (Verdict::Slower, 0.05), (Verdict::Slower, 0.4, 0.6));
    assert_eq!(changes(&above(0.1), &both), [0.5]);
    let typical = with_average(Verdict::Slower, (Verdict::Slower, 0.05), (Verdict::Unsure, -0.2, 1.2));
    assert!(changes(&above(0.1), &typical).is_empty(), "the average is not confirmed");
    assert_eq!(changes(&above(0.04), &typical), [0.05]);
    let fails = Gate::new(&GateOptions { fail_on: vec![FailOn::Slower], ..GateOptions::default() });
    assert_eq!(changes(&fails, &average), [0.5]);
}

#[test]
fn slow_launches_fail_a_gate() {
    let mut slow = with_average(Verdict::Slower, (Verdict::Same, 0.0), (Verdict::Unsure, 0.0, 0.3));
    let paired = slow.comparison.as_mut().unwrap().paired.as_mut().unwrap();
    paired.question = Question::Launches;
    paired.slow_launches = Some(SlowLaunches {
        verdict: Verdict::Slower,
        launches: [24; 2],
        slow: [0, 6],
        slowdown: 0.5,
        p: 0.001,
    });
    let above = |limit| Gate::new(&GateOptions { fail_above: Some(limit), ..GateOptions::default() });
    assert_eq!(changes(&above(0.1), &slow), [0.125], "a quarter of the launches, by half");
    assert!(changes(&above(0.13), &slow).is_empty());
}

#[test]
fn an_average_that_may_be_worse_holds_a_baseline_back() {
    let holds = |options: &GateOptions, low, high| {
        let row = with_average(Verdict::Unsure, (Verdict::Same, 0.0), (Verdict::Unsure, low, high));
        !Gate::for_replacing(options, 0.1).failures(&[row], &[]).is_empty()
    };
    let none = GateOptions::default();
    assert!(holds(&none, -0.05, 0.25));
    assert!(!holds(&none, -0.25, 0.05), "it may be faster only");
    assert!(!holds(&GateOptions { fail_above: Some(0.3), ..none }, -0.05, 0.25));
}

#[test]
fn moved_code_fails_only_its_own_gate() {
    let moved = with_average(Verdict::Placement, (Verdict::Slower, 0.03), (Verdict::Slower, 0.02, 0.04));
    let fails = |fail_on| {
        !Gate::new(&GateOptions { fail_on: vec![fail_on], ..GateOptions::default() })
            .failures(std::slice::from_ref(&moved), &[])
            .is_empty()
    };
    assert!(fails(FailOn::Placement) && !fails(FailOn::Slower) && !fails(FailOn::Unsure));
    let replacing = Gate::for_replacing(&GateOptions::default(), 0.1);
    assert_eq!(replacing.failures(std::slice::from_ref(&moved), &[]).len(), 1, "it is slower");
}

#[test]
fn more_instructions_fail_whatever_the_time() {
    let counted = |verdict, before, now| {
        let mut row = row("a", verdict, None);
        let counts = InstructionChange { step: Step::Callgrind, before, now };
        row.comparison.as_mut().unwrap().instructions = Some(counts);
        row
    };
    let rows = [counted(Verdict::Same, 100.0, 103.0), counted(Verdict::Slower, 100.0, 101.0)];
    let failures = |limit| {
        let options = GateOptions { fail_above_instructions: limit, ..GateOptions::default() };
        let on_all = GateOptions { fail_on: vec![FailOn::MoreInstructions], ..GateOptions::default() };
        Gate::new(if limit.is_some() { &options } else { &on_all }).failures(&rows, &[])
    };
    let failed = |limit| failures(limit).iter().map(|failure| failure.change.unwrap()).collect::<Vec<_>>();
    assert_eq!(failed(None).len(), 2);
    assert_eq!(failures(Some(0.02))[0].on, FailOn::MoreInstructions);
    assert!(failed(Some(0.02)).len() == 1 && failed(Some(0.03 + 1e-9)).is_empty());
    assert_eq!(counted(Verdict::Same, 0.0, 0.0).comparison.unwrap().instructions.unwrap().share(), 0.0);
}
