//! What a run has to do with the store: as what it is kept, and what of the last run is kept beside it.

use super::reference::Reference;
use crate::baseline::{
    self, BaselineName, BaselineRef, BuiltExecutable, LoadedBaseline, NameError, StagedRun, Store,
    StoredBenchmark,
};
use crate::benchmark_id::{BenchmarkId, FunctionId, TargetId};
use crate::cargo;
use crate::cli::RunArgs;
use crate::environment::{Difference, Environment};
use crate::experiment::{Benchmark, Failure, Filter, Gate, Outcome, Row, Suite, Verdict};
use crate::report::Report;
use nanobench::report::counted;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Which baselines are named.
pub(super) struct Names {
    /// To compare with.
    pub(super) compare: Vec<BaselineRef>,
    pub(super) save: Option<BaselineName>,
    /// To save as if nothing speaks against it.
    pub(super) on_pass: Option<BaselineName>,
}

impl Names {
    pub(super) fn of(args: &RunArgs) -> Result<Names, NameError> {
        let name = |name: &Option<String>| name.as_deref().map(str::parse).transpose();
        let mut compare: Vec<BaselineRef> = Vec::new();
        for name in &args.compare.baseline {
            let place = name.parse()?;
            if !compare.contains(&place) {
                compare.push(place);
            }
        }
        let (save, on_pass) = (name(&args.compare.save_baseline)?, name(&args.compare.save_on_pass)?);
        Ok(Names { compare, save, on_pass })
    }

    pub(super) fn to_save(&self) -> Vec<BaselineRef> {
        let named = self.save.iter().chain(&self.on_pass).cloned().map(BaselineRef::Named);
        [BaselineRef::Last].into_iter().chain(named).collect()
    }
}

/// All benchmarks that the built executables hold, selected or not.
pub(super) struct Listing {
    ids: HashSet<BenchmarkId>,
    /// The functions, and whether `--cache` or `--threads` made rows of them.
    functions: HashMap<FunctionId, bool>,
    targets: HashSet<TargetId>,
}

impl Listing {
    pub(super) fn of(suite: &Suite) -> Listing {
        let mut functions = HashMap::new();
        for Benchmark { id, .. } in &suite.benchmarks {
            *functions.entry(id.function()).or_default() |= !id.row.conditions.is_default();
        }
        Listing {
            ids: suite.benchmarks.iter().map(|found| found.id.clone()).collect(),
            functions,
            targets: suite.harnesses.iter().map(|harness| harness.executable.target_id()).collect(),
        }
    }

    /// Returns whether a benchmark is still there, or would be with the same `--cache` and `--threads`: other rows of its
    /// function take its place.
    pub(super) fn has(&self, id: &BenchmarkId) -> bool {
        let has_conditions = self.functions.get(&id.function());
        self.ids.contains(id)
            || has_conditions.is_some_and(|&others| others || !id.row.conditions.is_default())
    }

    /// Returns whether a benchmark is gone, though its target was built.
    fn has_lost(&self, id: &BenchmarkId) -> bool {
        self.targets.contains(&id.target) && !self.has(id)
    }

    /// Returns the benchmarks of the saved run that the filter selects and that are gone.
    pub(super) fn missing(&self, filter: &Filter, reference: &Reference) -> Vec<BenchmarkId> {
        let benchmarks = reference.saved.baseline.benchmarks.iter();
        benchmarks
            .map(|stored| (stored.id(), &stored.benchmark))
            .filter(|(id, benchmark)| !benchmark.ignored && self.has_lost(id) && filter.names(id, benchmark))
            .map(|(id, _)| id)
            .collect()
    }
}

/// Lets the last run keep what it has of benchmarks that don't run this time: of those that a filter leaves out, whose
/// target wasn't built, or that fail. Not where it was built or measured otherwise: that could not be told apart later.
/// `last` is that of the `store`, where it has been read already.
pub(super) fn carry(
    staged: &mut StagedRun<'_>,
    last: Option<Rc<LoadedBaseline>>,
    store: &Store,
    environment: &Environment,
    listing: &Listing,
) -> Result<(), baseline::Error> {
    // One that can't be read has been told of, where it matters.
    let read = || Some(Rc::new(store.last().ok()??));
    let Some(before) = last.or_else(read) else { return Ok(()) };
    let differences = environment.differences_from(&before.baseline.environment);
    if differences.iter().any(Difference::rules_out_merging) {
        return Ok(());
    }
    staged.carry_over(&before, |stored| !listing.has_lost(&stored.id()))
}

pub(super) fn built(suite: &Suite) -> Vec<BuiltExecutable> {
    let built = |executable: &cargo::Executable| BuiltExecutable {
        package: executable.package.name.clone(),
        target: executable.target.clone(),
        kind: executable.kind.as_str().to_owned(),
        path: executable.path.clone(),
    };
    suite.harnesses.iter().map(|harness| built(&harness.executable)).collect()
}

/// Saves a run that came to its end. Its first part is what is saved, all of them decide as what.
pub(super) fn keep(
    mut staged: StagedRun<'_>,
    reports: &mut [Report],
    names: &Names,
    store: &Store,
    listing: &Listing,
    moves_on: &Gate,
) -> Result<(), baseline::Error> {
    let Some(first) = reports.first() else { return Ok(()) };
    let executables = staged.executables().to_vec();
    let stored: Vec<StoredBenchmark> =
        first.rows.iter().filter_map(|row| stored_row(row, &executables)).collect();
    if reports.iter().any(|report| report.outcome.not_reached.is_some()) || stored.is_empty() {
        return Ok(());
    }
    let failures = |report: &Report| moves_on.failures(&report.rows, &report.outcome.missing);
    let is_broken = reports.iter().any(|report| report.outcome.broken > 0);
    let mut held_back_by: Vec<Failure> = reports.iter().flat_map(failures).collect();
    held_back_by.sort_by_key(|failure| failure.on);
    let held_back = names.on_pass.as_ref().filter(|_| is_broken || !held_back_by.is_empty());
    if let Some(name) = held_back {
        staged.exclude(&BaselineRef::Named(name.clone()));
    }
    let saved_as = names.save.as_ref().or(names.on_pass.as_ref().filter(|_| held_back.is_none()));
    let ids: HashSet<BenchmarkId> = stored.iter().map(StoredBenchmark::id).collect();
    let replaces = saved_as.is_some_and(|name| store.contains(&BaselineRef::Named(name.clone())));
    staged.commit(first.header.environment.clone(), stored)?;
    let earlier = saved_as.filter(|_| replaces).cloned().map(BaselineRef::Earlier);
    // One that couldn't be read was not kept.
    let earlier = earlier.and_then(|place| Some((store.load(&place).ok()?, place)));
    let now = jiff::Zoned::now();
    let describe = |(saved, place): (LoadedBaseline, BaselineRef)| {
        format!("`{}` ({})", place.name(), baseline::summary(&saved.baseline, &now))
    };
    let left_out = earlier.as_ref().and_then(|(saved, place)| left_out(saved, place, &ids, listing));
    let unsure = saved_as.filter(|_| names.on_pass.is_some()).and_then(|name| unsure(reports, name));
    if let Some(last) = reports.last_mut() {
        last.outcome.disturbed.extend(left_out.into_iter().chain(unsure));
        last.outcome.saved = true;
        last.outcome.saved_as = saved_as.map(ToString::to_string);
        last.outcome.replaced = earlier.map(describe);
        last.outcome.held_back = held_back.map(ToString::to_string);
        last.outcome.held_back_by = held_back_by;
    }
    Ok(())
}

/// What a baseline had before and doesn't have now, though it is still there: a filter left it out, or it failed.
fn left_out(
    before: &LoadedBaseline,
    earlier: &BaselineRef,
    now: &HashSet<BenchmarkId>,
    listing: &Listing,
) -> Option<String> {
    let is_left_out =
        |stored: &&StoredBenchmark| !now.contains(&stored.id()) && !listing.has_lost(&stored.id());
    let number = before.baseline.benchmarks.iter().filter(is_left_out).count();
    (number > 0).then(|| {
        format!(
            "the saved baseline lacks {} that the one before has and this run left out: as good as new to who compares with it. \
             `{}` still has them, until the name is saved again",
            counted(number, "benchmark"),
            earlier.name()
        )
    })
}

/// What a baseline moves on with, though nobody knows whether it got slower.
fn unsure(reports: &[Report], name: &BaselineName) -> Option<String> {
    let is_unsure = |row: &&Row| row.verdict() == Some(Verdict::Unsure);
    let ids: HashSet<&BenchmarkId> = reports
        .iter()
        .flat_map(|report| report.rows.iter().filter(is_unsure))
        .map(|row| &row.benchmark.id)
        .collect();
    (!ids.is_empty()).then(|| {
        format!(
            "baseline `{name}` moved on with {} that may have got slower: to hold back what is unsure: --fail-on unsure",
            counted(ids.len(), "benchmark")
        )
    })
}

fn stored_row(row: &Row, executables: &[baseline::Executable]) -> Option<StoredBenchmark> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    let Benchmark { id, harness, benchmark, .. } = &row.benchmark;
    Some(StoredBenchmark {
        target: id.target.clone(),
        executable: executables[*harness].file.clone(),
        sitting: None,
        benchmark: benchmark.clone(),
        noise_floor: row.comparison.as_ref().and_then(|comparison| comparison.paired.as_ref()?.noise_floor),
        measurement: measurement.clone(),
    })
}
