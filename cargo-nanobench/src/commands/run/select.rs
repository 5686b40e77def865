//! Selection of the benchmarks that run.

use super::options::{RunOptions, ScaleTo};
use crate::benchmark_id::BenchmarkId;
use crate::commands::error::Error;
use crate::experiment::{AmbiguousName, Benchmark, Filter, Suite, find_by_name};
use crate::warnings::warn;
use nanobench::report::escape;
use std::collections::HashSet;

/// Narrows the suite to the selected benchmarks and the one that figures are shown as multiples of.
/// Returns the id of the latter.
pub(super) fn narrow(options: &RunOptions, suite: &mut Suite) -> Result<Option<BenchmarkId>, Error> {
    let scale_to = match &options.output.scale_to {
        Some(scale_to) => scale_to_id(scale_to, &options.filter, suite)?,
        None => None,
    };
    let selected = options.filter.select(&suite.benchmarks)?;
    let ids: HashSet<&BenchmarkId> =
        selected.iter().map(|benchmark| &benchmark.id).chain(&scale_to).collect();
    let is_selected = |benchmark: &&Benchmark| ids.contains(&benchmark.id);
    let selected = suite.benchmarks.iter().filter(is_selected).cloned().collect();
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
        Err(AmbiguousName::None { .. }) if !scale_to.is_required => {
            warn(format!(
                "no benchmark is called `{}` (scale-to in the configuration)",
                escape(&scale_to.name)
            ));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
