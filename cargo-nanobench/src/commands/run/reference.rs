//! The saved runs that a run is compared with.

use super::saving::Names;
use crate::baseline::{self, BaselineRef, LoadedBaseline, StagedRun, Store};
use crate::cli::RunArgs;
use crate::commands::compatibility::{self, Incomparable};
use crate::environment::Environment;
use crate::experiment::{Benchmark, Stored};
use crate::report::ComparedWith;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

/// A saved run to compare with.
#[derive(Debug)]
pub(super) struct Reference {
    place: BaselineRef,
    is_asked_for: bool,
    pub(super) saved: Rc<LoadedBaseline>,
    /// Those of its executables that can be run here, by the names that it has for them.
    executables: HashMap<baseline::FileName, PathBuf>,
}

impl Reference {
    fn new(saved: LoadedBaseline, place: BaselineRef, is_asked_for: bool) -> Reference {
        let executables = saved.baseline.executables.iter();
        let executables = executables
            .filter_map(|kept| Some((kept.file.clone(), saved.runnable_executable(kept)?)))
            .collect();
        Reference { place, is_asked_for, saved: Rc::new(saved), executables }
    }

    /// Whether it was named: without a name, a run is compared with the last one.
    pub(super) fn is_asked_for(&self) -> bool {
        self.is_asked_for
    }

    /// The last run, if it is that.
    pub(super) fn last(&self) -> Option<Rc<LoadedBaseline>> {
        (self.place == BaselineRef::Last).then(|| Rc::clone(&self.saved))
    }

    /// Returns an error if it has benchmarks whose executables can't run here, and their stored
    /// figures are another machine's.
    fn check(&self, environment: &Environment) -> Result<(), Incomparable> {
        let can_run = |stored: &baseline::StoredBenchmark| self.executables.contains_key(&stored.executable);
        if self.saved.baseline.benchmarks.iter().all(can_run) {
            return Ok(());
        }
        let differences = environment.differences_from(&self.saved.baseline.environment);
        compatibility::check_stored_figures(&self.place, &differences)
    }

    /// What the heading says of it. `unchanged`: nothing has to run beside it.
    pub(super) fn describe(&self, environment: &Environment, unchanged: bool) -> ComparedWith {
        let baseline = &self.saved.baseline;
        let differences = environment.differences_from(&baseline.environment);
        ComparedWith {
            name: self.place.title(),
            description: baseline::summary(baseline, &jiff::Zoned::now()),
            differences: differences.iter().map(ToString::to_string).collect(),
            foreign: baseline.from_other_machine,
            gone: if baseline.from_other_machine {
                0
            } else {
                baseline.executables.len() - self.executables.len()
            },
            with_executables: !self.executables.is_empty(),
            side_by_side: self.is_asked_for && !self.executables.is_empty(),
            unchanged,
            now: None,
            beside: None,
        }
    }

    /// Whether all of these benchmarks are in executables of the same bytes.
    pub(super) fn is_unchanged(&self, staged: &StagedRun<'_>, found: &[Benchmark]) -> bool {
        found.iter().all(|found| self.stored(staged, found).is_some_and(|stored| stored.identical))
    }

    /// What it has of this benchmark.
    pub(super) fn stored(&self, staged: &StagedRun<'_>, found: &Benchmark) -> Option<Stored<'_>> {
        let baseline = &self.saved.baseline;
        let stored = baseline.benchmark(&found.id)?;
        let before = baseline.executables.iter().find(|executable| executable.file == stored.executable);
        let now = &staged.executables()[found.harness];
        let identical = before.is_some_and(|before| before.hash == now.hash);
        let executable = self.executables.get(&stored.executable).map(PathBuf::as_path);
        Some(Stored { benchmark: &stored.benchmark, measurement: &stored.measurement, identical, executable })
    }
}

impl Names {
    /// The runs to compare with: those that are named; else the one that is to move on, if it is there; else the last run, if
    /// there is one. A last run that can't be read is no reason not to measure: this one takes its place.
    pub(super) fn to_compare(&self, store: &Store) -> Result<Vec<Reference>, baseline::Error> {
        let places: Vec<BaselineRef> = match (&self.compare[..], &self.on_pass) {
            ([], None) => return Ok(last(store)?.into_iter().collect()),
            ([], Some(name)) => {
                let place = BaselineRef::Named(name.clone());
                Some(place).filter(|place| store.contains(place)).into_iter().collect()
            }
            (named, _) => named.to_vec(),
        };
        let reference = |place: BaselineRef| Ok(Reference::new(store.load(&place)?, place, true));
        places.into_iter().map(reference).collect()
    }
}

fn last(store: &Store) -> Result<Option<Reference>, baseline::Error> {
    let saved = store.last().or_else(|error| {
        if !error.may_be_replaced() {
            return Err(error);
        }
        anstream::eprintln!("warning: not compared with the last run: {error}");
        Ok(None)
    })?;
    Ok(saved.map(|saved| Reference::new(saved, BaselineRef::Last, false)))
}

/// Returns the references that can be compared with. The last run, if it wasn't named, is left out
/// with a warning; a named run that can't be compared with is an error.
pub(super) fn comparable(
    references: Vec<Reference>,
    environment: &Environment,
    args: &RunArgs,
) -> Result<Vec<Reference>, Incomparable> {
    if args.compare.ignore_environment {
        return Ok(references);
    }
    let mut comparable = Vec::new();
    for reference in references {
        match reference.check(environment) {
            Ok(()) => comparable.push(reference),
            Err(error) if reference.is_asked_for => return Err(error),
            Err(error) if args.output.warns() => {
                anstream::eprintln!("warning: not compared with the last run: {}", error.differences());
            }
            Err(_) => {}
        }
    }
    Ok(comparable)
}
