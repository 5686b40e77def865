//! Processes of the last build's executables, which start while cargo checks the build.

use nanobench_tests::Fixture;

/// Writes a line when the process starts, and one before each benchmark runs.
const NOTING: &str = r#"
const VERSION: u64 = 1;

fn note(event: &str) {
    use std::io::Write as _;
    let Ok(folder) = std::env::var("E2E_FILES") else { return };
    let file = std::fs::File::options().append(true).create(true).open(format!("{folder}/events"));
    writeln!(file.unwrap(), "{event} {VERSION}").unwrap();
}

extern "C" fn start() {
    note("start");
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

#[nanobench(setup = || note("run"))]
fn noting(_run: ()) -> u64 {
    spin(VERSION)
}
"#;

/// Runs the benchmark. Returns what was noted meanwhile: the starts, and the versions that ran.
fn run(fixture: &Fixture) -> (Vec<String>, Vec<String>) {
    let before = fixture.lines_left("events").len();
    fixture.nanobench("noting --no-compare").run().exits(0);
    let events = fixture.lines_left("events").split_off(before).into_iter();
    let (starts, mut runs): (Vec<_>, Vec<_>) = events.partition(|event| event.starts_with("start"));
    runs.dedup();
    (starts, runs)
}

#[test]
fn a_process_that_started_early_measures_only_if_nothing_was_built() {
    let fixture = Fixture::to_edit("compare");
    fixture.write("benches/work.rs", fixture.text("benches/work.rs") + NOTING);
    let noted = |starts: &[&str], runs: &[&str]| {
        let owned = |events: &[&str]| events.iter().map(ToString::to_string).collect::<Vec<_>>();
        (owned(starts), owned(runs))
    };
    // The first run makes the folder in which the second one keeps its executables.
    for _ in 0..3 {
        assert_eq!(run(&fixture), noted(&["start 1"], &["run 1"]));
    }
    fixture.edit("benches/work.rs", "VERSION: u64 = 1", "VERSION: u64 = 2");
    assert_eq!(run(&fixture), noted(&["start 1", "start 2"], &["run 2"]));
    assert_eq!(run(&fixture), noted(&["start 2"], &["run 2"]));
}
