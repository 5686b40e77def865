//! Texts of benchmarks can't control the terminal or a runner, whichever field they are in and wherever they
//! are printed.
#![cfg(unix)]

use nanobench_tests::{Fixture, Outcome};

/// Runs `cargo nanobench` with hostile texts in all fields of the listing, and further faults.
fn run(fixture: &Fixture, faults: &str, arguments: &str) -> Outcome {
    let call = fixture.nanobench(arguments).env("E2E_FAULT", format!("list:hostile,{faults}"));
    // Its runner takes some lines for commands.
    let call = call.env("GITHUB_ACTIONS", "true");
    call.env("E2E_PROTOCOL", nanobench::protocol::VERSION.to_string()).run()
}

/// Expects `pwned`, the beginning of each hostile text, and no character that isn't visible.
#[track_caller]
fn quotes_plainly(run: &Outcome) {
    let is_bad = |letter: char| letter != '\n' && !nanobench::report::is_visible(letter);
    for text in [run.stdout(), run.stderr()] {
        let bad: Vec<char> = text.chars().filter(|&letter| is_bad(letter)).collect();
        assert!(bad.is_empty(), "{bad:?} in {text:?}");
        // A text with a line break stays within its row.
        assert!(!text.lines().any(|line| line.starts_with("\\tb")), "{text:?}");
    }
    run.says("pwned");
}

#[test]
fn tables_lists_and_documents_quote_them_plainly() {
    let fixture = Fixture::to_edit("misbehaving");
    let flags = "--max-time 5ms --context note=pwned\u{202e}";
    for arguments in ["--list", "", "-v --counters page-faults", "--format json", "--multiples-of broken"] {
        let run = run(&fixture, "", &format!("{flags} {arguments}"));
        quotes_plainly(&run);
        if !arguments.contains("json") {
            run.never_says("##[");
        }
    }
    for arguments in ["tag:nothing", "no-such-benchmark\u{202e}\u{1b}[2J", "--bench pwned\u{202e}"] {
        let run = run(&fixture, "", &format!("--no-warnings {arguments}"));
        assert!(run.exits_with_failure(), "{run}");
        assert!(run.stderr().chars().all(|c| c == '\n' || nanobench::report::is_visible(c)), "{run}");
    }
}

#[test]
fn failures_quote_them_plainly() {
    let fixture = Fixture::of("misbehaving");
    for fault in ["sample:panic", "sample:refuse", "sample:stderr", "calibrate:panic", "calibrate:refuse"] {
        for format in ["table", "json"] {
            let run = run(&fixture, fault, &format!("--format {format} --fail-on failed"));
            quotes_plainly(run.exits(1));
        }
    }
    let version = nanobench::protocol::VERSION.to_string();
    for (fault, version) in [("list:refuse", &*version), ("list:panic", &version), ("hello:hostile", "77")] {
        let call = fixture.nanobench("").env("E2E_FAULT", fault);
        quotes_plainly(&call.env("E2E_PROTOCOL", version).run());
    }
}

#[test]
fn baselines_and_comparisons_quote_them_plainly() {
    let fixture = Fixture::to_edit("misbehaving");
    run(&fixture, "", "--max-time 5ms --save-baseline main --context note=pwned\u{202e}");
    for command in ["list", "show main", "show main --format json", "compare main last", "show last"] {
        let run = fixture.nanobench(&format!("baseline {command}")).run();
        assert!(run.stdout().chars().all(|c| c == '\n' || nanobench::report::is_visible(c)), "{run:}");
    }
    quotes_plainly(&fixture.nanobench("baseline show main").run());
    quotes_plainly(&fixture.nanobench("report last --baseline main -v").run());
    // Another executable, whose processes fail side by side.
    fixture.edit("benches/speaks.rs", "\"elapsed\":90000", "\"elapsed\":80000");
    for format in ["table", "json"] {
        let arguments = format!("--max-time 5ms --baseline main --format {format} --fail-on unsure");
        let run = run(&fixture, "sample:panic later", &arguments);
        quotes_plainly(&run);
        run.says("not side by side");
        std::fs::remove_file(fixture.files().join("first-process")).unwrap();
    }
}

#[test]
fn the_terminal_gets_them_plainly() {
    let fixture = Fixture::of("misbehaving");
    let call = fixture.nanobench("--max-time 5ms").env("E2E_FAULT", "list:hostile,sample:panic");
    let call = call.env("E2E_PROTOCOL", nanobench::protocol::VERSION.to_string());
    let run = call.run_on_terminal();
    for bad in ["\u{202e}", "\u{200b}", "\u{9b}", "\u{7}", "\u{1b}[2J", "\u{1b}]0;t", "\u{e0041}"] {
        assert!(!run.stdout().contains(bad), "{bad:?} in {:?}", run.stdout());
    }
    run.prints("pwned");
}
