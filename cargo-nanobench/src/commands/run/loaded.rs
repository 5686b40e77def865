//! `Loaded`, the first phase of a run: the saved runs to compare with, and searches that go on during the
//! build.

use super::available::AvailableBenchmarks;
use super::build::Built;
use super::kept_listings::KeptListings;
use super::options::{BaselineOptions, RunOptions};
use super::reference::{MatchedRun, Reference, SavedRun};
use super::saving::{self, Saving};
use super::select::narrow;
use super::source::Source;
use super::surroundings::FoundSurroundings;
use crate::background;
use crate::baseline::{self, BaselineRef, LockedStore, RunToSave, Store, StoredCopy};
use crate::cargo::{CargoOptions, Executable};
use crate::commands::error::Error;
use crate::environment::Environment;
use crate::experiment::{Filter, Gate};
use crate::warnings::warn;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread::{self, JoinHandle};

/// The saved runs to compare with, and searches that go on during the build.
pub(super) struct Loaded<'a> {
    source: &'a Source,
    store: &'a Store,
    runs: Vec<SavedRun>,
    surroundings: FoundSurroundings,
    /// Finds the copies of executables that can run here.
    intact: JoinHandle<Vec<PathBuf>>,
}

impl<'a> Loaded<'a> {
    /// Loads the saved runs, and starts the searches.
    pub(super) fn load(
        options: &BaselineOptions,
        cargo: &CargoOptions,
        source: &'a Source,
        store: &'a Store,
    ) -> Result<Loaded<'a>, baseline::Error> {
        let runs = saved_runs(options, store)?;
        let surroundings = FoundSurroundings::start(source, cargo);
        let intact = find_intact(&runs);
        Ok(Loaded { source, store, runs, surroundings, intact })
    }

    /// Builds and selects the benchmarks, matches the saved runs with them, and stages the run for saving.
    pub(super) fn build(
        self,
        options: &'a RunOptions,
        lock: &'a LockedStore<'_>,
    ) -> Result<(Built, Saving<'a>, Vec<Reference>), Error> {
        let Loaded { source, store, runs, mut surroundings, intact } = self;
        let kept = KeptListings::below(source.target_directory());
        let session_options = &options.suite.session;
        let mut find = |executable: &Executable| {
            surroundings.find(source, executable);
            kept.find(|| surroundings.of_listing(source, executable, session_options))
        };
        let (environment, mut suite) = source.open(&options.suite, &mut find)?;
        kept.keep(&suite, |harness| surroundings.of_listing(source, &harness.executable, session_options));
        let (data_files, context) = (surroundings.take_data_files(source), options.output.context.clone());
        let environment = Environment { data_files, context, ..environment };
        // A panic was printed already. Without copies, stored figures are compared.
        let intact = intact.join().unwrap_or_default();
        let last = runs.iter().find(|run| run.is_last_run()).map(|run| Rc::clone(&run.saved));
        let available = AvailableBenchmarks::new(&suite);
        let comparable_with = Some(&environment).filter(|_| !options.baselines.ignore_environment);
        let mut matched: Vec<MatchedRun> = Vec::new();
        for run in runs {
            matched.extend(MatchedRun::new(run, &intact, comparable_with, &suite, &available)?);
        }
        let order = saving::order(source, &suite);
        let has_missing =
            |filter: &Filter| matched.iter().any(|run| !run.missing(filter, &available).is_empty());
        let scale_to = narrow(options, source.project(), &mut suite, has_missing);
        let scale_to = scale_to.inspect_err(|_| kept.forget())?;
        let run_to_save = RunToSave {
            // The next run without a load could not be compared with one beside a load.
            names: options.baselines.to_save(options.measuring.beside.is_none()),
            executables: saving::executables(source, &suite, &surroundings),
            benchmarks: suite.benchmarks.len(),
            is_partial: options.is_partial,
            order,
        };
        let staged = lock.stage(run_to_save, &intact)?;
        let gate = Gate::for_replacing(&options.measuring.gates, options.policy.rules.average_resolution);
        let saving = Saving { names: &options.baselines, gate, source, store, staged, surroundings, last };
        let built = Built { environment, suite, available, scale_to };
        let useful = matched.into_iter().filter(|run| run.is_useful(&built.suite.benchmarks));
        let references = useful.map(|run| run.with_premises(&built, &saving)).collect();
        Ok((built, saving, references))
    }
}

/// Returns the runs to compare with: the named ones; else the baseline that may be replaced on
/// pass, if it exists; else the last run, if there is one and it is to be compared with.
fn saved_runs(options: &BaselineOptions, store: &Store) -> Result<Vec<SavedRun>, baseline::Error> {
    let names: Vec<BaselineRef> = match (&options.compare[..], &options.save_on_pass) {
        ([], None) if !options.compares_with_last => return Ok(Vec::new()),
        ([], None) => {
            let last = last_run(store)?.into_iter();
            return Ok(last.map(|run| SavedRun { is_requested: options.only_changed, ..run }).collect());
        }
        ([], Some(name)) => {
            let name = BaselineRef::Named(name.clone());
            Some(name).filter(|name| store.contains(name)).into_iter().collect()
        }
        (named, _) => named.to_vec(),
    };
    let load =
        |name: BaselineRef| Ok(SavedRun { saved: Rc::new(store.load(&name)?), name, is_requested: true });
    names.into_iter().map(load).collect()
}

/// Returns the last run. Warns if it is unreadable; the current run then replaces it.
fn last_run(store: &Store) -> Result<Option<SavedRun>, baseline::Error> {
    let saved = store.last().or_else(|error| {
        if !error.may_be_replaced() {
            return Err(error);
        }
        warn(format!("not compared with the last run: {error}"));
        Ok(None)
    })?;
    let run = |saved| SavedRun { name: BaselineRef::Last, is_requested: false, saved: Rc::new(saved) };
    Ok(saved.map(run))
}

/// Starts to look for the executables that can run here: those with an intact copy.
fn find_intact(runs: &[SavedRun]) -> JoinHandle<Vec<PathBuf>> {
    let copies = runs.iter().flat_map(|SavedRun { saved, .. }| {
        saved.baseline.executables.iter().filter_map(|executable| saved.runnable_copy(executable))
    });
    let copies: Vec<StoredCopy> = copies.collect();
    thread::spawn(|| {
        background::enter();
        copies.into_iter().filter_map(StoredCopy::into_intact).collect()
    })
}
