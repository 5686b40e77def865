//! The output of a run: the table, JSON, colours, and the help.

use nanobench_tests::{Fixture, Outcome};

/// The benchmarks of the fixture `simple` that run by default, in the order of the source.
const NAMES: [&str; 9] =
    ["join", "add_up", "each", "each_u32", "fixed", "paused", "both", "another-name", "deep"];

/// The start of the escape sequences for colours and other styles.
fn is_styled(outcome: &Outcome) -> bool {
    let styles =
        |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m');
    outcome.stdout().split("\x1b[").skip(1).any(styles)
}

#[test]
fn every_benchmark_has_a_row_in_the_order_of_the_source() {
    let run = Fixture::of("simple").nanobench("").run();
    run.exits(0);
    let lines = run.lines();
    let rows = lines.iter().filter_map(|line| line.split_whitespace().next());
    let rows: Vec<&str> = rows.filter(|word| NAMES.contains(word)).collect();
    assert_eq!(rows, NAMES, "{run}");
    assert!(!run.has_row("on_request"), "an ignored benchmark has a row\n{run}");
}

#[test]
fn a_row_gives_time_spread_rate_and_samples_below_their_headings() {
    let run = Fixture::of("simple").nanobench("each_u32").run();
    let lines = run.exits(0).lines();
    let head = lines.iter().find(|line| line.contains("time/op"));
    let head = head.unwrap_or_else(|| panic!("no headings\n{run}"));
    for heading in ["err%", "op/s", "samples"] {
        assert!(head.contains(heading), "no heading {heading}\n{run}");
    }
    let row = run.row("each_u32");
    let words: Vec<&str> = row.split_whitespace().skip(1).collect();
    assert!(["ns", "ps", "us", "µs"].contains(&words[1]), "no unit of time in {row:?}\n{run}");
    // The mark of a time whose samples vary.
    let time = words[0].trim_start_matches('~');
    assert!(time.parse::<f64>().is_ok_and(|time| time > 0.0), "no time in {row:?}\n{run}");
    assert!(row.contains(" %") && row.contains("/s"), "no spread or no rate in {row:?}\n{run}");
    assert!(words.last().unwrap().parse::<u32>().is_ok_and(|n| n > 1), "no samples in {row:?}\n{run}");
}

#[test]
fn the_header_shows_the_clock_and_the_empty_loop() {
    let run = Fixture::of("simple").nanobench("join").run();
    run.exits(0).says("nanobench 0.").says("clock").says("read").says("empty loop");
    run.says("1 benchmark");
}

#[test]
fn json_is_the_only_thing_on_stdout() {
    let run = Fixture::of("simple").nanobench("--format json").run();
    let report = run.exits(0).json();
    let last_words = report.ids().into_iter().map(|id| id.rsplit("::").next().unwrap());
    assert_eq!(last_words.collect::<Vec<_>>(), NAMES, "{run}");
    for id in report.ids() {
        assert!(report.row(id).is_ok(), "{id}\n{run}");
        assert!(report.row(id).comparison.is_none(), "{id} has nothing to be compared with\n{run}");
    }
    assert_eq!(report.row("simple::first::join").description, "Joins two words.");
    let each = report.row("simple::first::each").median();
    assert!(each > 0.0 && each < 10_000.0, "{each} ns for one multiplication\n{run}");
}

#[test]
fn figures_are_per_operation_whatever_the_count() {
    let run = Fixture::of("sleeping").nanobench("forty_times --format json").run();
    let median = run.exits(0).json().row("sleeping::sleeping::forty_times").median();
    // An operation takes at least 0.1 ms, a call at least 4 ms.
    assert!((100_000.0..3_000_000.0).contains(&median), "{median} ns for a sleep of 0.1 ms\n{run}");
}

#[test]
fn a_pipe_gets_no_colours() {
    let run = Fixture::of("failing").nanobench("panics").run();
    run.exits(1).never_says("\x1b[");
}

#[test]
fn color_always_colours_a_pipe() {
    let run = Fixture::of("failing").nanobench("--color always panics").run();
    assert!(is_styled(run.exits(1)), "{run}");
}

#[test]
fn json_is_never_coloured() {
    let run = Fixture::of("failing").nanobench("--color always --format json panics").run();
    assert!(!run.exits(1).json().row("failing::failing::panics").is_ok(), "{run}");
    assert!(!is_styled(&run), "{run}");
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_colours_and_progress() {
    let run = Fixture::of("failing").nanobench("never_ends after --timeout 1s").run_on_terminal();
    assert!(is_styled(run.exits(1).prints("after")), "{run}");
    // Its row is the second line that names it.
    assert!(run.stdout().matches("never_ends").count() > 1, "nothing said what was running\n{run}");
}

#[cfg(unix)]
#[test]
fn the_progress_moves_while_a_call_takes_long() {
    let run = Fixture::of("failing").nanobench("never_ends --timeout 4s").run_on_terminal();
    let shown = run.exits(1).stdout().matches("1 left, about ").count();
    assert!(shown >= 3, "drawn {shown} times in 4 s\n{run}");
}

#[cfg(unix)]
#[test]
fn the_progress_never_decreases() {
    let run = Fixture::of("simple").nanobench("--max-time 50ms").run_on_terminal();
    let shown = run.exits(0).stdout().into_owned();
    // `[=====       ]  43 %  7 left, about 8 s  simple::first::join`
    let share = |(end, _): (usize, &str)| {
        let (before, _) = shown[..end].rsplit_once(" %  ")?;
        before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let shares: Vec<u32> = shown.match_indices(" left, about ").filter_map(share).collect();
    assert!(shares.len() > 3 && shares.is_sorted(), "{shares:?}\n{run}");
    assert!(shares.iter().all(|&share| share < 100), "{shares:?}\n{run}");
}

#[cfg(unix)]
#[test]
fn no_color_wins_over_the_terminal() {
    let run = Fixture::of("failing").nanobench("panics").env("NO_COLOR", "1").run_on_terminal();
    assert!(!is_styled(run.exits(1).prints("panics")), "{run}");
}

#[cfg(unix)]
#[test]
fn color_never_wins_over_the_terminal() {
    let run = Fixture::of("failing").nanobench("--color never panics").run_on_terminal();
    assert!(!is_styled(run.exits(1).prints("panics")), "{run}");
}

#[test]
fn help_shows_usage_examples_and_the_commands_of_the_usage() {
    let run = Fixture::of("simple").nanobench("--help").run();
    run.exits(0).prints("cargo nanobench").prints("[FILTER]...").prints("Examples:");
    for command in ["run", "baseline", "doctor", "init"] {
        assert!(run.has_row(command), "the help lacks the command {command}\n{run}");
    }
}

#[test]
fn the_short_help_is_a_screen() {
    let run = Fixture::of("simple").nanobench("-h").run();
    run.exits(0).prints("--baseline <NAME>").prints("Examples:").prints("--help");
    assert!(run.lines().len() < 40, "{run}");
    assert!(!run.has_row("--wipe-size"), "a flag that few users need\n{run}");
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    Fixture::of("simple").nanobench("--sav-baseline main").run().fails_with(2, "--save-baseline");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stderr_costs_only_the_messages() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    let fixture = Fixture::of("failing");
    fixture.nanobench("before").run().exits(0);
    let run = fixture.nanobench("--quiet --max-time 5ms before").run_with_streams(None, Some(full()));
    assert!(run.exits(0).row("before").contains("/s"), "{run}");
    let run = fixture.nanobench("before --max-time 5ms").run_with_streams(None, Some(full()));
    assert!(run.exits(0).row("before").contains("/s"), "{run}");
    fixture.nanobench("doctor").run_with_streams(None, Some(full())).exits(0).prints("governor");
    fixture.nanobench("-v before --max-time 5ms").run_with_streams(None, Some(full())).exits(0);
    let gate = fixture.nanobench("--format json --fail-on failed panics");
    gate.run_with_streams(None, Some(full())).exits(1).prints("\"gate\"");
    // An error has no other place, but its code.
    fixture.nanobench("--timeout soon").run_with_streams(None, Some(full())).exits(2);
    fixture.nanobench("no-such-benchmark").run_with_streams(None, Some(full())).exits(4);
}

/// Expects that no line of a text is wider than a terminal of 80 columns.
#[cfg(unix)]
fn assert_fits(text: &str) {
    let is_wide = |line: &&str| line.trim_end().chars().count() > 80;
    assert_eq!(text.lines().find(is_wide), None, "{text}");
}

#[cfg(unix)]
#[test]
fn lines_break_between_words_in_a_terminal() {
    let fixture = Fixture::of("own-main");
    let run = fixture.nanobench("tune --color never --root no-such-folder").run_on_terminal_of(80);
    assert_fits(&run.exits(0).prints("This system has no settings to change: ").stdout());
    let bench = fixture.cargo("bench -q --color never --bench columns -- sampled_once");
    let run = bench.env("NO_COLOR", "1").run_on_terminal_of(80);
    let shown = run.exits(0).prints("a single sample shows").stdout().into_owned();
    // The table between them is wider.
    let (heading, _) = shown.split_once("\r\n\r\n").expect("a table");
    let (_, below) = shown.split_once("1 benchmark").expect("the number of benchmarks");
    assert_fits(heading);
    assert_fits(below);
}

#[cfg(unix)]
#[test]
fn hints_break_between_words_in_a_terminal() {
    let fixture = Fixture::to_edit("simple");
    fixture.write(
        "examples/benchmarks_beside_those_in_benches.rs",
        "#[nanobench::nanobench]\nfn a() {}\nfn main() {}\n",
    );
    let run = fixture.nanobench("--list --color never").run_on_terminal_of(80);
    let shown = run.exits(0).stdout().into_owned();
    let hint = shown.find("example `benchmarks_beside").unwrap_or_else(|| panic!("no hint\n{run}"));
    assert_fits(shown[hint..].split("simple::").next().unwrap_or_default());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_an_error() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    let fixture = Fixture::of("failing");
    for arguments in ["before", "--format json before", "--list", "baseline list", "doctor"] {
        let run = fixture.nanobench(arguments).run_with_streams(Some(full()), None);
        run.exits(5).says("No space left on device");
    }
}

#[test]
fn durations_longer_than_a_lifetime_are_usage_errors() {
    let fixture = Fixture::of("failing");
    for flag in ["--timeout", "--budget", "--max-time", "--min-time", "--sample-time", "--wait-quiet"] {
        let run = fixture.nanobench(&format!("{flag} 9223372036854775807s before")).run();
        run.fails_with(2, "duration must be at most 100 years");
    }
    let flags = "--timeout 876000h --budget 876000h --list";
    fixture.nanobench(&format!("{flags} before")).run().exits(0).prints("before");
    fixture.nanobench("--timeout 876000h --max-time 1ms before").run().exits(0).row("before");
    let fixture = Fixture::to_edit("failing");
    fixture.write(".config/nanobench.toml", "timeout = \"9223372036854775807s\"\n");
    fixture.nanobench("before").run().fails_with(2, "at most 100 years");
}
