//! Options from flags and configuration files.

use super::*;
use crate::cli::Output;
use crate::experiment::Pattern;
use clap::Parser;

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Flags {
    #[command(flatten)]
    args: RunArgs,
}

fn parse(flags: &[&str]) -> RunArgs {
    Flags::parse_from(flags).args
}

fn resolve(file: &[&str], flags: &[&str]) -> RunOptions {
    let flags = parse(flags);
    RunOptions::resolve(&flags, &parse(file)).unwrap()
}

#[test]
fn a_gate_of_instructions_alone_needs_no_times() {
    let paired_runs = |flags: &[&str]| resolve(&[], flags).policy.paired_runs;
    let counting = ["--baseline=a", "--fail-on=more-instructions,missing"];
    assert_eq!(paired_runs(&counting), PairedRuns::None);
    for about_times in ["--fail-on=slower", "--fail-above=5%", "--save-on-pass=b", "--include-unchanged"] {
        assert_eq!(paired_runs(&[&counting[..], &[about_times]].concat()), PairedRuns::All, "{about_times}");
    }
}

#[test]
fn flags_win_over_the_file() {
    let file = ["--timeout=5s", "--skip=a", "--format=json", "--context=a=1", "--context=b=2"];
    let options = resolve(&file, &["--skip=b", "--context=a=3"]);
    assert_eq!(
        (options.suite.session.timeout.as_secs(), options.output.format),
        (5, ReportFormat::File(FileFormat::Json))
    );
    assert_eq!(options.suite.filter.skip.iter().map(Pattern::text).collect::<Vec<_>>(), ["b"]);
    let options = resolve(
        &["--format=json", "--context=b=2", "--skip=a", "--skip=tag:slow"],
        &["--skip=b", "--context=a=3"],
    );
    assert_eq!(options.suite.filter.skip.iter().map(Pattern::text).collect::<Vec<_>>(), ["b", "tag:slow"]);
    let context: Vec<(&str, &str)> =
        options.output.context.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect();
    assert_eq!(context, [("b", "2"), ("a", "3")]);
    let options = resolve(&[], &["--context=a=1", "--context=b=2", "--context=a=3"]);
    assert_eq!(options.output.context.len(), 2, "the last value of a key counts");
}

#[test]
fn flags_that_select_benchmarks_make_a_run_partial() {
    let is_partial = |flags: &[&str]| resolve(&["--skip=a"], flags).is_partial;
    assert!(!is_partial(&[]) && !is_partial(&["--include-ignored", "--workspace", "--samples=5"]));
    for flag in ["sort", "--skip=b", "tag:fast", "--ignored", "--bench=first", "--lib", "-pa"] {
        assert!(is_partial(&[flag]), "{flag}");
    }
}

#[test]
fn outputs_of_flags_replace_those_of_the_file() {
    let formats = |flags: &[&str]| {
        let files = resolve(&["--output=csv=a", "--output=junit=b"], flags).output.files.output;
        let format = |output: &Output| match output {
            Output::File(file) => file.format,
            Output::Page | Output::GitHub => panic!("{output:?}"),
        };
        files.iter().map(format).collect::<Vec<_>>()
    };
    assert_eq!(formats(&[]), [FileFormat::Csv, FileFormat::Junit]);
    assert_eq!(formats(&["--output=json=c"]), [FileFormat::Json]);
}

#[test]
fn gates_of_flags_and_file_are_not_mixed() {
    let gates = |file: &[&str], flags: &[&str]| {
        let gates = resolve(file, flags).measuring.gates;
        (gates.fail_on.len(), gates.fail_above)
    };
    let file = ["--fail-on=slower", "--fail-on=missing", "--fail-above=5"];
    assert_eq!(gates(&file, &[]), (2, Some(0.05)));
    assert_eq!(gates(&file, &["--fail-on=slower"]), (1, None));
    assert_eq!(gates(&file, &["--fail-above=1"]), (0, Some(0.01)));
    let gates = resolve(&file, &["--fail-above=instructions=2%"]).measuring.gates;
    assert_eq!((gates.fail_above, gates.fail_above_instructions), (None, Some(0.02)));
}

#[test]
fn attributes_win_over_a_threshold_of_the_file() {
    let policy = resolve(&["--threshold=3", "--same-within=1"], &[]).policy;
    assert_eq!((policy.threshold, policy.rules.resolution), (None, 0.01));
    assert_eq!(policy.rules.average_resolution, 0.05);
    assert_eq!(policy.rules.threshold, 0.03);
    assert_eq!(resolve(&["--threshold=3"], &["--threshold=1"]).policy.threshold, Some(0.01));
}
