//! What a run has to do with the store: which runs it is compared with, and as what it is kept.

use crate::baseline::{self, BaselineName, Built, NameError, Place, Saved, Staged, Store, StoredBenchmark};
use crate::cargo;
use crate::cli::RunArgs;
use crate::environment::Environment;
use crate::experiment::{Filter, Found, Outcome, Row, Stored, Suite, without_case};
use crate::report::{Closing, ComparedWith, Facts};
use nanobench::model::Benchmark;
use std::path::PathBuf;

/// Which baselines are named.
pub(super) struct Names {
    compare: Option<BaselineName>,
    save: Option<BaselineName>,
}

impl Names {
    pub(super) fn of(args: &RunArgs) -> Result<Names, NameError> {
        let name = |name: &Option<String>| name.as_deref().map(str::parse).transpose();
        Ok(Names { compare: name(&args.compare.baseline)?, save: name(&args.compare.save_baseline)? })
    }

    /// The run to compare with: the named baseline, or else the last run, if there was one. A last run that can't
    /// be read is no reason not to measure: this one takes its place.
    pub(super) fn to_compare(&self, store: &Store) -> Result<Option<Saved>, baseline::Error> {
        let Some(name) = &self.compare else {
            return store.last().or_else(|error| {
                if !error.may_be_replaced() {
                    return Err(error);
                }
                anstream::eprintln!("warning: not compared with the last run: {error}");
                Ok(None)
            });
        };
        store.load(name).map(Some)
    }

    pub(super) fn describe(&self, saved: &Saved, environment: &Environment) -> ComparedWith {
        let name = self.compare.as_ref().map_or_else(|| "last run".to_owned(), ToString::to_string);
        let is_gone = |executable: &&baseline::Executable| saved.executable(executable).is_none();
        ComparedWith {
            name,
            description: baseline::summary(&saved.baseline, &jiff::Zoned::now()),
            differences: environment.differences_from(&saved.baseline.environment),
            gone: saved.baseline.executables.iter().filter(is_gone).count(),
        }
    }

    pub(super) fn to_save(&self) -> Vec<Place> {
        [Place::Last].into_iter().chain(self.save.clone().map(Place::Named)).collect()
    }
}

/// For each harness, the saved run's executable of the same target, where it is still there.
pub(super) fn earlier(saved: Option<&Saved>, suite: &Suite) -> Vec<Option<PathBuf>> {
    let earlier = |executable: &cargo::Executable| {
        let saved = saved?;
        let same = |stored: &&baseline::Executable| {
            (stored.package.as_str(), stored.target.as_str(), stored.kind.as_str())
                == (executable.package.name.as_str(), executable.target.as_str(), executable.kind.word())
        };
        saved.executable(saved.baseline.executables.iter().find(same)?)
    };
    suite.harnesses.iter().map(|harness| earlier(&harness.executable)).collect()
}

/// What the saved run has of this benchmark.
pub(super) fn stored<'a>(
    saved: &'a Saved,
    staged: &Staged<'_>,
    earlier: &'a [Option<PathBuf>],
    found: &Found,
) -> Option<Stored<'a>> {
    let stored = saved.baseline.benchmark(&found.id)?;
    let before = saved.baseline.executables.iter().find(|executable| executable.file == stored.executable);
    let now = &staged.executables()[found.harness];
    let identical = before.is_some_and(|before| before.hash == now.hash);
    let executable = earlier[found.harness].as_deref();
    Some(Stored { benchmark: &stored.benchmark, measurement: &stored.measurement, identical, executable })
}

pub(super) fn built(suite: &Suite) -> Vec<Built> {
    let built = |executable: &cargo::Executable| Built {
        package: executable.package.name.clone(),
        target: executable.target.clone(),
        kind: executable.kind.word().to_owned(),
        path: executable.path.clone(),
    };
    suite.harnesses.iter().map(|harness| built(&harness.executable)).collect()
}

/// What the saved run has, was asked for, and is not there any more, though what it stood in was built.
pub(super) fn missing(filter: &Filter, suite: &Suite, saved: Option<&Saved>) -> Vec<String> {
    let prefixes: Vec<String> =
        suite.harnesses.iter().map(|harness| harness.executable.id_prefix() + "::").collect();
    let is_there = |id: &str| suite.benchmarks.iter().any(|found| found.id == id);
    // --cache and --threads make rows in the place of others, which are there where the flags are the same.
    let in_another_way = |benchmark: &Benchmark| benchmark.cache.is_some() || benchmark.threads.is_some();
    let is_asked_for = |StoredBenchmark { id, benchmark, .. }: &StoredBenchmark| {
        let function = without_case(id, benchmark.case.as_deref());
        let mut rows = suite.benchmarks.iter().filter(|found| found.function_id() == function);
        !rows.any(|found| in_another_way(benchmark) || in_another_way(&found.benchmark))
    };
    let looked_for = |StoredBenchmark { id, benchmark, .. }: &StoredBenchmark| {
        let prefix = prefixes.iter().find(|prefix| id.starts_with(prefix.as_str()));
        prefix.is_some_and(|prefix| {
            let target = prefix.trim_end_matches("::").rsplit("::").next().unwrap_or_default();
            filter.names(id, target, benchmark)
        })
    };
    saved
        .iter()
        .flat_map(|saved| &saved.baseline.benchmarks)
        .filter(|stored| !stored.benchmark.ignored && looked_for(stored) && is_asked_for(stored))
        .filter(|stored| !is_there(&stored.id))
        .map(|stored| stored.id.clone())
        .collect()
}

/// Saves a run that came to its end.
pub(super) fn keep(
    staged: Staged<'_>,
    facts: &Facts,
    rows: &[Row],
    names: &Names,
    closing: &mut Closing,
) -> Result<(), baseline::Error> {
    let executables = staged.executables().to_vec();
    let stored: Vec<StoredBenchmark> = rows.iter().filter_map(|row| stored_row(row, &executables)).collect();
    if closing.not_reached.is_some() || stored.is_empty() {
        return Ok(());
    }
    staged.commit(facts.environment.clone(), stored)?;
    closing.saved = true;
    closing.saved_as = names.save.as_ref().map(ToString::to_string);
    Ok(())
}

fn stored_row(row: &Row, executables: &[baseline::Executable]) -> Option<StoredBenchmark> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    Some(StoredBenchmark {
        id: row.benchmark.id.clone(),
        executable: executables[row.benchmark.harness].file.clone(),
        benchmark: row.benchmark.benchmark.clone(),
        measurement: measurement.clone(),
    })
}
