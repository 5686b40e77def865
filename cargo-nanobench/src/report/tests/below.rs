//! The lines below a table.

use super::*;
use crate::report::LastRun;

#[test]
fn a_time_that_is_corrected_for_the_clock_is_marked_and_explained() {
    let mut comparison = side_by_side(Verdict::Unsure, 102, 0.0, None);
    let lines = |comparison: &Comparison| {
        let rows = [row("a", &[102; 5], Some(comparison.clone()))];
        let report = report(true, &rows, RunOutcome::default());
        (table(&report.header, &rows, options(false)), closing(&report, false))
    };
    let (text, below) = lines(&comparison);
    assert!(!text.contains('*') && below.iter().all(|line| !line.contains('*')), "{text}");
    comparison.uncorrected_median = Some(95.0);
    let (text, below) = lines(&comparison);
    assert!(text.contains(" 100 ns* "), "the figure that the change was computed from: {text}");
    assert_eq!(below[1], "* corrected for the core's clock, which is now 5.3 % slower");

    let mut hidden = row("a", &[102; 5], Some(comparison.clone()));
    hidden.comparison.as_mut().unwrap().baseline.as_mut().unwrap().below_resolution = true;
    let text = closing(&report(true, &[hidden], RunOutcome::default()), false).concat();
    assert!(!text.contains('*'), "no time has the mark: {text}");
    let mut plain = report(true, &[row("a", &[102; 5], Some(comparison.clone()))], RunOutcome::default());
    plain.header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::StoredFigures);
    let has_mark = |is_verbose| closing(&plain, is_verbose).concat().contains('*');
    assert!(!has_mark(false) && has_mark(true), "only `-v` shows the time of the last run");

    // The median of the baseline is 100 ns.
    let mut of = |uncorrected: &[f64]| {
        let row = |uncorrected: &f64| {
            comparison.uncorrected_median = Some(*uncorrected);
            row("a", &[102; 5], Some(comparison.clone()))
        };
        let rows: Vec<Row> = uncorrected.iter().map(row).collect();
        let line = closing(&report(true, &rows, RunOutcome::default()), false).swap_remove(1);
        line.rsplit_once("is now ").unwrap().1.to_owned()
    };
    assert_eq!(of(&[80.0, 95.0, 90.0]), "5.3 % to 25.0 % slower");
    assert_eq!(of(&[125.0, 160.0]), "20.0 % to 37.5 % faster");
    let both = "up to 20.0 % faster for some benchmarks, and up to 25.0 % slower for others";
    assert_eq!(of(&[80.0, 90.0, 125.0]), both);
    assert_eq!(of(&[80.0, 80.0]), "25.0 % slower");
}

#[test]
fn a_plain_run_without_time_to_decide_names_the_command_that_takes_it() {
    let unsure = row("a", &[102; 5], Some(side_by_side(Verdict::Unsure, 102, 0.0, None)));
    let outcome = RunOutcome { ending: Ending::SavedAsLastRun, ..RunOutcome::default() };
    let mut run = report(true, &[unsure.clone(), unsure], outcome);
    let has_advice = |run: &ComparedRun| closing(run, false).concat().contains("too short");
    run.outcome.typed = Some("cargo nanobench sort".to_owned());
    assert!(!has_advice(&run), "it took the time that was requested");
    run.header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::SideBySide);
    let advice =
        |name| format!("2 undecided, as the time was too short: cargo nanobench sort --baseline {name}");
    assert_eq!(closing(&run, false).last(), Some(&advice("last~1")));
    run.outcome.ending = Ending::NotSaved;
    assert_eq!(closing(&run, false).last(), Some(&advice("last")));
    run.outcome.typed = None;
    assert!(closing(&run, false).concat().ends_with(": the same command with --baseline last"));
    run.rows = vec![row("a", &[102; 5], Some(side_by_side(Verdict::Unsure, 102, 0.03, None)))];
    assert!(!has_advice(&run), "the table says within which limit");
}

#[test]
fn an_interrupted_run_names_the_interruption_as_the_reason_for_undecided_rows() {
    let unsure = row("a", &[102; 5], Some(side_by_side(Verdict::Unsure, 102, 0.0, None)));
    let outcome = RunOutcome { ending: Ending::Interrupted { not_reached: 0 }, ..RunOutcome::default() };
    let mut run = report(true, &[unsure], outcome);
    run.header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::SideBySide);
    let advice = "1 undecided, as the run was interrupted: the same command with --baseline last";
    let lines = closing(&run, false);
    assert!(lines.iter().any(|line| line == advice), "{lines:?}");
}

#[test]
fn benchmarks_that_were_not_run_are_counted_once() {
    let same_code = Comparison {
        reason: Some(Reason::SameCode),
        ..compare_with_stored(&measured(&[100]), &measured(&[100]), false, 0.005)
    };
    let kept = |name| Row { outcome: Outcome::NotRun, ..row(name, &[100], Some(same_code.clone())) };
    let mut run = report(true, &[kept("a"), kept("b")], RunOutcome::default());
    let not_run = "benchmarks not run: identical code (--include-unchanged runs them)";
    assert_eq!(closing(&run, false), [format!("2 of 2 {not_run}")]);
    assert!(!run.has_rows(false) && run.has_rows(true));
    run.outcome.removed = vec![id("my-crate::first::gone")];
    assert_eq!(closing(&run, false)[1..], ["removed  my-crate::first::gone"]);
    run.rows.push(row("c", &[100], None));
    assert!(run.has_rows(false));
    assert_eq!(closing(&run, false)[1], format!("2 of 3 {not_run}"));
}

#[test]
fn failures_are_counted_once() {
    let [.., mut failed] = <[Row; 8]>::try_from(rows_compared()).unwrap();
    failed.comparison = Some(Comparison::new_benchmark());
    let outcome = RunOutcome { elapsed: Duration::from_secs(1), ..RunOutcome::default() };
    let mut run = report(true, &[failed], outcome);
    assert_eq!(closing(&run, false)[0], "1 benchmark in 1.0 s: 1 failed.");
    run.outcome.elapsed = Duration::from_millis(42);
    assert_eq!(closing(&run, false)[0], "1 benchmark in 42 ms: 1 failed.");
}

#[test]
fn a_gate_names_its_failures_in_one_line() {
    let failure = |on, id: &str, change| Failure {
        on,
        id: self::id(id),
        change,
        is_on_average: false,
        limit: None,
        has_lost_all_work: false,
    };
    let failures = vec![
        failure(FailOn::Slower, "a::b::sort", Some(0.123)),
        Failure { is_on_average: true, ..failure(FailOn::Slower, "a::b::join", Some(0.061)) },
        failure(FailOn::Slower, "a::b::chain", Some(0.05)),
        failure(FailOn::Slower, "a::b::push", Some(0.04)),
        failure(FailOn::Removed, "a::b::gone", None),
    ];
    let last = |gate| {
        let outcome = RunOutcome { gate, ..RunOutcome::default() };
        let lines = closing(&report(true, &[], outcome), false).join("\n");
        anstream::adapter::strip_str(&lines).to_string().lines().last().unwrap().to_owned()
    };
    assert_eq!(
        last(Some(failures)),
        "gate failed: 4 slower (a::b::sort +12.3 %, a::b::join +6.1 % on average, a::b::chain +5.0 % and 1 more), 1 removed (a::b::gone)"
    );
    let above =
        |limit, change| Failure { limit: Some(limit), ..failure(FailOn::Slower, "a::b::sort", change) };
    assert_eq!(
        last(Some(vec![above(0.07, Some(0.123)), failure(FailOn::Slower, "a::b::lost", None)])),
        "gate failed: 1 slower by more than 7 % (a::b::sort +12.3 %), 1 slower (a::b::lost)"
    );
    assert!(last(Some(vec![above(0.005, Some(0.1))])).contains(" by more than 0.5 % ("));
    let lost = Failure { has_lost_all_work: true, ..failure(FailOn::Unsure, "a::b::empty", None) };
    assert_eq!(last(Some(vec![lost])), "gate failed: 1 unsure (a::b::empty optimised away)");
    assert_eq!(last(Some(Vec::new())), "gate passed");
    assert_eq!(last(None), "0 benchmarks.");
}

#[test]
fn a_gate_passes_only_if_all_ran_and_there_was_a_comparison() {
    let failed = || rows_compared().into_iter().filter(Row::failed).take(1).collect::<Vec<_>>();
    let last = |has_baseline, rows: &[Row], unlisted_executables| {
        let outcome = RunOutcome { gate: Some(Vec::new()), unlisted_executables, ..RunOutcome::default() };
        let run = report(has_baseline, rows, outcome);
        let line = closing(&run, false).pop().unwrap();
        (line, markdown(&Report { runs: vec![run], scale_to: None, workspace: PathBuf::new() }))
    };
    let expect = |(line, document): (String, String), [in_line, in_document]: [&str; 2]| {
        assert_eq!(line, in_line);
        assert!(document.contains(in_document), "{document}");
    };
    let steady = [row("a", &[100; 5], None)];
    expect(last(true, &steady, 0), ["gate passed", "**Gate passed.**"]);
    let did = |what: &str| {
        [format!("no gate failed, but {what} did"), format!("**No gate failed**, but {what} did.")]
    };
    let expect_failed = |found, what| expect(found, did(what).each_ref().map(String::as_str));
    expect_failed(last(true, &failed(), 0), "1 benchmark");
    expect_failed(last(false, &failed(), 2), "1 benchmark and 2 executables");
    let caveat = "as there was nothing to compare with";
    let expected = [format!("no gate failed, {caveat}"), format!("**No gate failed**, {caveat}.")];
    expect(last(false, &steady, 0), expected.each_ref().map(String::as_str));
}

#[test]
fn a_run_that_is_held_back_names_only_failures_that_the_gate_did_not() {
    let failure = |on, function: &str| Failure {
        on,
        id: id(&format!("a::b::{function}")),
        change: None,
        is_on_average: false,
        limit: None,
        has_lost_all_work: false,
    };
    let slower = failure(FailOn::Slower, "sort");
    let all = vec![slower.clone(), failure(FailOn::Unsure, "join")];
    let last = |exists, gate, failures: &[Failure]| {
        let ending = Ending::HeldBack { name: "next".to_owned(), exists, failures: failures.to_vec() };
        closing(&report(true, &[], RunOutcome { gate, ending, ..RunOutcome::default() }), false)
            .pop()
            .unwrap()
    };
    let replaced = "Baseline `next` was not replaced (--save-on-pass)";
    let every = format!("{replaced}: 1 slower (a::b::sort), 1 unsure (a::b::join)");
    assert_eq!(last(true, None, &all), every);
    assert_eq!(last(true, Some(Vec::new()), &all), every);
    assert_eq!(
        last(true, Some(vec![slower.clone()]), &all),
        format!("{replaced}; also 1 unsure (a::b::join)")
    );
    assert_eq!(last(true, Some(vec![slower.clone()]), &all[..1]), replaced);
    assert_eq!(last(false, Some(vec![slower]), &all[..1]), "Baseline `next` was not saved (--save-on-pass)");
}

/// Returns a comparison whose average and typical time are the same.
fn same_with_average() -> Comparison {
    let mut comparison = side_by_side(Verdict::Same, 100, 0.003, None);
    let paired = comparison.paired.as_mut().unwrap();
    paired.typical = Verdict::Same;
    paired.long_pairs = 2;
    paired.average = Some(AverageChange {
        verdict: Verdict::Same,
        change: Change { estimate: 0.001, interval: Interval { low: -0.02, high: 0.021 } },
        p: 0.7,
        sampled: Duration::from_millis(45),
        longest_launch: Duration::from_millis(30),
        samples: [206; 2],
        interrupted: [0, 3],
        waited: [Duration::ZERO, Duration::from_millis(12)],
        counts_waiting: false,
    });
    comparison
}

#[test]
fn the_average_is_in_the_row_at_any_width_and_below_it_for_those_who_ask() {
    let mut comparison = same_with_average();
    let rows = [row("steady", &[100; 5], Some(comparison.clone()))];
    let at = |width, verbose| {
        let table = table(&header(true), &rows, TableOptions { width, ..options(verbose) });
        assert!(table.lines().all(|line| width.is_none_or(|width| line.len() <= width)), "{table}");
        table
    };
    let long = "same (typical under 0.3 %, average under 3 %)\n";
    for width in [None, Some(144)] {
        assert!(at(width, false).ends_with(long), "{}", at(width, false));
    }
    assert!(at(Some(80), false).ends_with("same (average under 3 %)\n"), "{}", at(Some(80), false));
    let rows = [row("a_name_of_more_than_22_characters", &[100; 5], Some(comparison.clone()))];
    let narrow = table(&header(true), &rows, TableOptions { width: Some(80), ..options(false) });
    assert!(narrow.lines().all(|line| line.len() <= 80), "{narrow}");
    assert!(narrow.ends_with("same (average under 3 %)\n"), "{narrow}");
    let verbose = at(None, true);
    let expected = "average   +0.1 % (-2.0 .. +2.1), 45.0 ms on each side, 3 of 412 samples interrupted, 12.0 ms subtracted\n";
    assert!(verbose.contains(expected.trim_start_matches("average   ")), "{verbose}");
    let pairs = "in 24 pairs of fresh processes side by side, 2 of them sampled for longer\n";
    assert!(
        verbose.contains(pairs) && verbose.find(pairs) < verbose.find("45.0 ms on each side"),
        "{verbose}"
    );
    let below = closing(&report(true, &rows, RunOutcome::default()), false);
    assert_eq!(below[1], "calls that are expensive less often than once in 30.0 ms may not show");

    comparison.verdict = Verdict::Slower;
    let paired = comparison.paired.as_mut().unwrap();
    paired.question = Question::Average;
    let average = paired.average.as_mut().unwrap();
    average.verdict = Verdict::Slower;
    average.change = Change { estimate: 0.5, interval: Interval { low: 0.4, high: 0.6 } };
    let rows = [row("flush", &[100; 5], Some(comparison))];
    let report = report(true, &rows, RunOutcome::default());
    let below = [changes(&report, None), closing(&report, false)].concat().join("\n");
    let below = anstream::adapter::strip_str(&below).to_string();
    assert!(below.contains("1 slower"), "{below}");
    assert!(
        below.contains(
            "slower  my-crate::first::flush   +50.0 % (+40.0 .. +60.0, 95 % CI) on average (typical 0.0 %)"
        ),
        "{below}"
    );
}

#[test]
fn benchmarks_with_much_shorter_launches_are_named_beside_the_rarity() {
    let of = |name: &str, longest: u64| {
        let mut comparison = same_with_average();
        comparison.paired.as_mut().unwrap().average.as_mut().unwrap().longest_launch =
            Duration::from_millis(longest);
        row(name, &[100; 5], Some(comparison))
    };
    let mut rows = vec![of("a", 60), of("prepared", 5), of("b", 40), of("unknown", 0), of("c", 50)];
    let rarity = |rows: &[Row]| {
        let below = closing(&report(true, rows, RunOutcome::default()), false).swap_remove(1);
        below.split_once("less often than ").unwrap().1.to_owned()
    };
    let expected = "once in 40.0 ms may not show (my-crate::first::prepared: once in 5.00 ms)";
    assert_eq!(rarity(&rows), expected);
    rows.push(of("too", 7));
    assert_eq!(rarity(&rows), "once in 40.0 ms may not show (2 benchmarks: once in 5.00 ms)");
}

#[test]
fn a_change_from_or_to_an_empty_benchmark_has_a_bound_and_no_percentage() {
    let changed = |verdict, reason| Comparison {
        change: None,
        reason: Some(reason),
        ..side_by_side(verdict, 120, 0.1, None)
    };
    let mut gained =
        row("gained", &[120; 5], Some(changed(Verdict::Slower, Reason::BaselineBelowResolution)));
    let mut baseline = measured(&[100; 5]);
    make_short(&mut baseline);
    gained.comparison.as_mut().unwrap().baseline = Summary::from_measurement(&baseline);
    let mut lost = with(BenchmarkSpec { id: row_id("lost"), ..BenchmarkSpec::default() }, make_short, 100);
    lost.comparison = Some(changed(Verdict::Faster, Reason::BelowResolution));
    let report = report(true, &[gained, lost], RunOutcome::default());
    let loss = "like an empty benchmark";
    let lines = changes(&report, None);
    let lines: Vec<String> =
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
    let expected = [
        "slower  my-crate::first::gained   under 1.50 us -> 120 ns".to_owned(),
        format!("faster  my-crate::first::lost   100 ns -> under 1.50 us   {loss}"),
    ];
    assert_eq!(lines, expected);
    let expected = format!(
        "\
my-crate               main        now    change           95 % CI
  first
    gained         <1.50 us     120 ns         -                    slower: the baseline is below resolution
    lost             100 ns   <1.50 us         -                    faster: {loss}
"
    );
    let text = table(&report.header, &report.rows, options(false));
    assert_eq!(anstream::adapter::strip_str(&text).to_string(), expected);
}
