//! Gates over rows that are made by hand.

use super::*;
use crate::benchmark_id::fixture::id;
use crate::experiment::{Benchmark, Comparison, MeasureError, Outcome, PairedDetails};
use nanobench::model::BenchmarkSpec;
use nanobench::stats::{Change, Interval};

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
    Row { benchmark, outcome, comparison, relation: None }
}

fn measured() -> Outcome {
    use nanobench::model::{ClockInfo, Launch, Measurement, Sample};
    let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
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
        row("placed", Verdict::Moved, Some((0.02, 0.03, 0.04))),
        row("added", Verdict::New, None),
        row("broken", Verdict::Failed, None),
    ]
}

/// The ids that a gate holds back.
fn held(fail_on: &[FailOn], fail_above: Option<f64>) -> Vec<String> {
    let gate = Gate::new(&GateOptions { fail_on: fail_on.to_vec(), fail_above });
    let missing = [benchmark("gone").id];
    gate.failures(&rows(), &missing).into_iter().map(|failure| failure.id.row.function).collect()
}

#[test]
fn each_kind_holds_its_own() {
    assert_eq!(held(&[FailOn::Slower], None), ["more", "much", "little"], "the largest change first");
    assert_eq!(held(&[FailOn::Unsure], None), ["noisy"]);
    assert_eq!(held(&[FailOn::Missing], None), ["gone"]);
    assert_eq!(held(&[FailOn::Failed], None), ["broken"]);
    assert_eq!(held(&[FailOn::New], None), ["added"]);
    assert_eq!(held(&[FailOn::Moved], None), ["placed"]);
    assert_eq!(held(&[FailOn::New, FailOn::Missing], None), ["gone", "added"]);
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
    let held = |args: &GateOptions| Gate::for_replacing(args).failures(&rows(), &[]).len();
    assert_eq!(held(&GateOptions::default()), 4, "three are slower, one failed");
    assert_eq!(
        held(&GateOptions { fail_above: Some(0.5), ..GateOptions::default() }),
        1,
        "the one that failed"
    );
}

#[test]
fn possibly_slower_benchmarks_hold_a_baseline_back() {
    let side_by_side = PairedDetails {
        noise_floor: None,
        pairs: 8,
        confirmation_pairs: 0,
        time_to_decide: None,
        differs_in: None,
    };
    let holds = |args: &GateOptions, change, paired: Option<&PairedDetails>| {
        let mut row = row("unsure", Verdict::Unsure, change);
        row.comparison.as_mut().unwrap().paired = paired.cloned();
        !Gate::for_replacing(args).failures(&[row], &[]).is_empty()
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
