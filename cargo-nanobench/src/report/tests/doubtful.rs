//! Warnings about figures that are in doubt.

use super::*;
use crate::code::TimedLoop;
use crate::report::lost_work;

#[test]
fn doubts_name_rows_unambiguously() {
    let doubted = |name| row(name, &[100, 200, 300], None);
    let doubts = |rows: &[Row]| doubts::varying(rows).join("\n");
    assert!(doubts(&[doubted("a::f"), row("b::g", &[100], None)]).starts_with("f ("));
    let both = doubts(&[doubted("a::f"), doubted("b::f"), doubted("g")]);
    assert!(
        both.starts_with("my-crate::first::a::f (") && both.contains(", my-crate::first::b::f ("),
        "{both}"
    );
    assert!(both.contains(", g ("), "{both}");
}

#[test]
fn only_a_returned_constant_is_a_constant_result() {
    let remark_and_doubts = |takes_input, returns_value| {
        let of = |is_short: bool| {
            let spec = BenchmarkSpec { id: row_id("f"), takes_input, ..BenchmarkSpec::default() };
            let change = |measurement: &mut Measurement| {
                measurement.returns_value = returns_value;
                if is_short {
                    make_short(measurement);
                }
            };
            let mut row = with(spec, change, 100);
            row.benchmark.timed_loop = Some(TimedLoop::Constant);
            row
        };
        let remark = lost_work::below_resolution(&of(true)).unwrap();
        (remark, doubts::certain(&[of(false)], None).concat())
    };
    let expect = |(remark, doubts): (String, String), below: &str| {
        assert_eq!(remark, "optimised away: not timed");
        assert!(doubts.starts_with(&format!("f ({below}): ")), "{doubts}");
    };
    let result = "its result is a constant";
    expect(remark_and_doubts(Some(true), Some(true)), result);
    expect(remark_and_doubts(None, Some(true)), result);
    expect(remark_and_doubts(Some(true), None), result);
    let unused = "nothing uses its result";
    expect(remark_and_doubts(Some(true), Some(false)), unused);
    let constant = "only a constant is left of its work";
    expect(remark_and_doubts(None, Some(false)), constant);
}

#[test]
fn a_busy_machine_is_one_warning() {
    // Each has a spread, two groups and a drift.
    let noisy = |name| row(name, &[100, 100, 200, 300], None);
    let rows = [noisy("a"), noisy("b"), noisy("c"), noisy("d")];
    let of_run = |rows: &[Row], load: Option<f64>, verbose| {
        let load = load.map(project::fixtures::load);
        let disturbance = Disturbance::find(load.as_ref(), None, doubts::noisy_figures(rows), false);
        warnings(&report(false, rows, RunOutcome { disturbance, ..RunOutcome::default() }), verbose)
    };
    let busy = ["other programs use 1.0 of 2 cores: use --wait-quiet 60s"];
    assert_eq!(of_run(&rows, Some(0.5), false), [busy[0].to_owned() + " (more: -v)"]);
    let all = of_run(&rows, Some(0.5), true);
    assert!(all.len() > 3 && all.starts_with(&busy.map(str::to_owned)), "{all:#?}");
    assert!(all[1].contains("4 of 4"), "{all:#?}");
    assert_eq!(of_run(&rows, None, false).len(), 1, "no load is known, but all samples vary");
    // A single benchmark varies by itself.
    let steady = |name| row(name, &[100], None);
    let one = of_run(&[noisy("a"), steady("b"), steady("c"), steady("d")], None, false);
    assert!(one.len() == 1 && one[0].starts_with("a ("), "{one:#?}");
}

#[test]
fn more_threads_than_cores_are_doubted() {
    let on_threads = |name, threads| {
        let mut row = row(name, &[100], None);
        row.benchmark.id.row.conditions.threads = threads;
        row
    };
    let rows = [on_threads("one", None), on_threads("two", Some(2)), on_threads("sum", Some(4))];
    let verdict_text =
        "sum/threads=4 (4 threads on 2 cores): they take turns, so their time includes waiting for a core";
    assert_eq!(doubts::certain(&rows, Some(2)), [verdict_text]);
    assert_eq!(doubts::varying(&rows), [""; 0], "no disturbance explains it");
    assert_eq!(doubts::certain(&rows, None), [""; 0]);
    let document = document(header(false), &rows, None);
    assert_eq!(document.matches("4 threads on 2 cores").count(), 1, "{document}");
}
