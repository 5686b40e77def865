//! Advice for a run that finds no benchmark, or not all: how to run those that are elsewhere, and the
//! command that was probably meant.

use super::options::{RunOptions, SuiteOptions};
use crate::cargo::{self, CargoOptions, Elsewhere, Project};
use crate::cli;
use crate::commands::error::Error;
use crate::experiment::{BenchFilter, Benchmark, Pattern};
use crate::output;

/// Maximum number of lines.
const MAX_LINES: usize = 5;

/// Returns a line for each place with benchmarks that this run doesn't build and that passes the
/// test.
pub(in crate::commands) fn elsewhere(
    project: &Project,
    args: &CargoOptions,
    passes: impl Fn(&Elsewhere) -> bool,
) -> Vec<String> {
    // Without an answer, there is no advice.
    let places = cargo::elsewhere(project, args).unwrap_or_default();
    places.iter().filter(|place| passes(place)).take(MAX_LINES).map(ToString::to_string).collect()
}

/// Returns a warning about benchmarks in files that belong to no target, for a run of everything.
pub(super) fn undiscovered(options: &SuiteOptions, project: &Project) -> Option<String> {
    // Cargo or the build tells why there is no answer.
    is_of_everything(options).then(|| cargo::undiscovered_benches(project, &options.cargo))?.ok()?
}

/// Prints a hint about benchmarks in integration tests and examples, for a run of everything.
pub(super) fn tell_of_other_targets(options: &SuiteOptions, project: &Project) {
    if is_of_everything(options) && !options.cargo.common.quiet {
        let found = cargo::other_targets(project, &options.cargo).unwrap_or_default();
        found.into_iter().for_each(|hint| output::note(&hint));
    }
}

/// Completes the error of a build with advice.
pub(super) fn for_failed_build(error: Error, options: &SuiteOptions, project: &Project) -> Error {
    let Error::NoBenchmark { skipped } = error else { return error };
    let hints = elsewhere(project, &options.cargo, |_| true);
    if hints.is_empty() { Error::NoBenchmark { skipped } } else { Error::NoBenchmarkHere { skipped, hints } }
}

fn is_of_everything(options: &SuiteOptions) -> bool {
    options.filter.filters.is_empty() && options.filter.bench.is_empty()
}

/// Returns lines for a run whose filters select none of these benchmarks.
pub(super) fn for_filters(options: &RunOptions, project: &Project, all: &[Benchmark]) -> Vec<String> {
    let SuiteOptions { filter, cargo, .. } = &options.suite;
    let typed = || filter.filters.iter().filter_map(Pattern::as_part);
    let filters = typed().chain(filter.bench.iter().map(BenchFilter::text));
    let unknown: Vec<&str> = filters.filter(|filter| !is_in_an_id(filter, all)).collect();
    let command = typed()
        .filter(|filter| unknown.contains(filter))
        .filter_map(|filter| Some((filter, cli::subcommand_like(filter)?)))
        .next();
    let command =
        command.map(|(filter, command)| format!("`{filter}` is a filter here; did you mean `{command}`?"));
    let holds = |place: &Elsewhere| unknown.iter().any(|filter| place.may_hold(filter));
    command.into_iter().chain(elsewhere(project, cargo, holds)).collect()
}

/// Returns lines about the values of `--bench` that name no bench target and are in no id.
pub(super) fn unknown_benches(options: &SuiteOptions, project: &Project, all: &[Benchmark]) -> Vec<String> {
    let values = options.filter.bench.iter().map(BenchFilter::text);
    let unknown = values.filter(|value| !is_in_an_id(value, all));
    let errors =
        unknown.filter_map(|value| cargo::unknown_bench(project, &options.cargo.packages, value).ok());
    errors.map(|error| error.to_string()).collect()
}

fn is_in_an_id(filter: &str, all: &[Benchmark]) -> bool {
    all.iter().any(|benchmark| benchmark.id.to_string().contains(filter))
}
