//! Selection of the targets that are built, and of the benchmarks that run.

use super::build::build;
use super::hints;
use super::options::{IfAbsent, RunOptions, ScaleTo};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::{self, Project};
use crate::cli;
use crate::commands::error::{self, Error};
use crate::costs;
use crate::exit::Exit;
use crate::experiment::{AmbiguousName, BenchFilter, Benchmark, Filter, Pattern, Suite, find_by_name};
use crate::warnings::warn;
use nanobench::report::escape;
use std::collections::HashSet;

/// Selects the benchmarks of `--bench`. If each value names a bench target, cargo builds only
/// these. A value may also be a part of an id, or another target may hold the benchmark of
/// `--multiples-of`: then all targets are built, and the benchmarks are filtered.
pub(super) fn select_bench(
    bench: &[String],
    options: &mut RunOptions,
    project: &Project,
) -> Result<(), cargo::Error> {
    let packages = &options.suite.cargo.packages;
    let filter = |value: &String| {
        let target = cargo::matching_benches(project, packages, value)?;
        Ok(target.map_or_else(|| BenchFilter::Part(value.clone()), BenchFilter::Target))
    };
    let filters = bench.iter().map(filter).collect::<Result<Vec<_>, cargo::Error>>()?;
    let are_targets = filters.iter().all(|filter| matches!(filter, BenchFilter::Target(_)));
    if are_targets && options.output.scale_to.is_none() {
        options.suite.build_only(bench);
    } else {
        options.suite.filter.bench = filters;
    }
    Ok(())
}

/// Returns the patterns to skip of the flags, and those of the file. Tags of the flags replace only tags,
/// so that `--skip sort` doesn't run the benchmarks that the file skips as slow.
pub(super) fn skipped(flags: &[Pattern], file: &[Pattern]) -> Vec<Pattern> {
    let is_tag = |pattern: &Pattern| pattern.as_tag().is_some();
    let is_replaced = |pattern: &&Pattern| flags.iter().any(|flag| is_tag(flag) == is_tag(pattern));
    flags.iter().chain(file.iter().filter(|pattern| !is_replaced(pattern))).cloned().collect()
}

/// Returns the selected benchmarks: of a project, or of the built-in ones. Warns about filters that
/// match none, unless they have rows of missing benchmarks: `has_missing`.
pub(in crate::commands) fn selected(
    options: &RunOptions,
    project: Option<&Project>,
    suite: &Suite,
    has_missing: impl Fn(&Filter) -> bool,
) -> Result<Vec<Benchmark>, Error> {
    let (filter, suite_options) = (&options.suite.filter, &options.suite);
    let undiscovered = project.and_then(|project| hints::undiscovered(suite_options, project));
    undiscovered.into_iter().for_each(warn);
    let hints = || project.map(|project| hints::for_filters(options, project, &suite.benchmarks));
    let unknown_benches = || -> Vec<String> {
        let texts = project.map(|project| hints::unknown_benches(suite_options, project, &suite.benchmarks));
        texts.unwrap_or_default()
    };
    let selected = filter.select(&suite.benchmarks);
    let mut unmatched = filter.unmatched(&suite.benchmarks);
    let selected = selected.map_err(|source| {
        let is_command = filter.filters.first().is_some_and(|first| cli::is_other_command(first.text()));
        let source = if is_command { source.without_similar() } else { source };
        match hints() {
            Some(hints) => Error::NoMatch { unknown_benches: unknown_benches(), source, hints },
            None if !unmatched.is_empty() && unmatched.len() == filter.filters.len() => {
                let hints = costs::hints(unmatched.iter().map(|filter| filter.text()));
                Error::NoCosts { filters: quoted(&unmatched), hints }
            }
            None => Error::NoMatch { unknown_benches: Vec::new(), source, hints: Vec::new() },
        }
    })?;
    unmatched.retain(|&it| !has_missing(&Filter { filters: vec![it.clone()], ..filter.clone() }));
    if !suite.unlisted.is_empty() {
        // An executable that failed to list its benchmarks may have them.
        return Ok(selected);
    }
    unknown_benches().into_iter().for_each(warn);
    if !unmatched.is_empty() {
        let hints: String = hints().into_iter().flatten().map(|hint| format!("; {hint}")).collect();
        warn(format!("no benchmark matches {}{hints}", quoted(&unmatched)));
    }
    Ok(selected)
}

/// Builds the benchmarks for `--no-run`. Fails if the filters select none, unless no executable lists its
/// benchmarks here: it may be for another machine.
pub(super) fn build_only(options: &RunOptions, project: &Project) -> Result<Exit, Error> {
    let filter = &options.suite.filter;
    let unlisted = match build(&options.suite, project) {
        Err(Error::NoneListed(unlisted)) => unlisted,
        Err(error) => return Err(error),
        Ok(mut suite) => {
            suite.end_sessions();
            if !filter.filters.is_empty() || !filter.bench.is_empty() {
                selected(options, Some(project), &suite, |_| false)?;
            }
            suite.unlisted
        }
    };
    for executable in &unlisted {
        warn(format!("no filter is checked: {}", error::unlisted(executable)));
    }
    Ok(Exit::Success)
}

fn quoted(filters: &[&Pattern]) -> String {
    let quoted = filters.iter().map(|filter| format!("`{}`", escape(filter.text())));
    quoted.collect::<Vec<_>>().join(", ")
}

/// Narrows the suite to the selected benchmarks and the one that figures are shown as multiples of.
/// Returns the id of the latter. `has_missing`: there are rows of missing benchmarks for a filter.
pub(super) fn narrow(
    options: &RunOptions,
    project: Option<&Project>,
    suite: &mut Suite,
    has_missing: impl Fn(&Filter) -> bool,
) -> Result<Option<BenchmarkId>, Error> {
    let scale_to = match &options.output.scale_to {
        Some(scale_to) => scale_to_id(scale_to, &options.suite.filter, suite)?,
        None => None,
    };
    let selected = selected(options, project, suite, has_missing)?;
    let ids: HashSet<&BenchmarkId> =
        selected.iter().map(|benchmark| &benchmark.id).chain(&scale_to).collect();
    let is_selected = |benchmark: &&Benchmark| ids.contains(&benchmark.id);
    let mut selected = suite.benchmarks.iter().filter(is_selected).cloned().collect();
    options.more.as_ref().map_or(Ok(()), |more| more.narrow(&mut selected))?;
    suite.narrow(selected);
    Ok(scale_to)
}

fn scale_to_id(
    scale_to: &ScaleTo,
    filter: &Filter,
    suite: &Suite,
) -> Result<Option<BenchmarkId>, AmbiguousName> {
    match find_by_name(&suite.benchmarks, filter, &scale_to.name) {
        Ok(benchmark) => Ok(Some(benchmark.id.clone())),
        Err(error @ AmbiguousName::None { .. }) => match scale_to.if_absent {
            IfAbsent::Fail => Err(error),
            IfAbsent::Warn => {
                warn(format!(
                    "no benchmark is called `{}` (multiples-of in the configuration)",
                    escape(&scale_to.name)
                ));
                Ok(None)
            }
            IfAbsent::Ignore => Ok(None),
        },
        Err(error) => Err(error),
    }
}
