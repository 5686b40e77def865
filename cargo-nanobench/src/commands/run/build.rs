//! Building the selected targets and listing their benchmarks.

use super::available::AvailableBenchmarks;
use super::hints;
use super::options::SuiteOptions;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::{self, CargoOptions, Executable, Project, build_target};
use crate::commands::error::Error;
use crate::costs;
use crate::environment::Environment;
use crate::experiment::{Suite, SuiteError};
use crate::output;
use crate::scratch::ScratchFolder;
use crate::session::{EarlySessions, SessionOptions};
use crate::warnings::warn;
use nanobench::protocol::Listing;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread;

/// `Built`, the second phase of a run: the selected benchmarks.
pub(super) struct Built {
    pub(super) environment: Environment,
    pub(super) suite: Suite,
    /// All benchmarks that were built, selected or not.
    pub(super) available: AvailableBenchmarks,
    /// The benchmark that figures are shown as multiples of.
    pub(super) scale_to: Option<BenchmarkId>,
}

/// Builds the suite. Meanwhile, asks the machine and git for the environment. `meanwhile` is called
/// with each executable while its process starts, and may return its listing.
pub(super) fn build_and_probe(
    options: &SuiteOptions,
    project: &Project,
    meanwhile: &mut dyn FnMut(&Executable) -> Option<Arc<Listing>>,
) -> Result<(Environment, Suite), Error> {
    thread::scope(|scope| {
        let environment = scope.spawn(|| {
            crate::background::enter();
            probe(&options.cargo, project)
        });
        // In this thread: the system ends a process with the thread that started it.
        let early = RefCell::default();
        let start = || {
            early.replace(EarlySessions::start(project.last_executables(&options.cargo), &options.session));
        };
        let built = build_with_flags(options, project, start, |executables, session_options| {
            Suite::open_beside(executables, session_options, early.take(), meanwhile)
        });
        let mut environment = environment.join().unwrap_or_else(|panic| resume_unwind(panic));
        let (suite, rustflags) = built.map_err(|error| hints::for_failed_build(error, options, project))?;
        environment.rustflags = rustflags;
        environment.nanobench_core = suite.harnesses.first().map(|harness| harness.version.clone());
        Ok((environment, suite))
    })
}

/// Starts the harness of the built-in benchmarks.
pub(in crate::commands) fn open_built_in(
    session_options: &SessionOptions,
    folder: &Path,
) -> Result<(Environment, Suite), Error> {
    let executable = costs::executable(folder).map_err(Error::OwnExecutable)?;
    // The tool's allocator is able to count, but the columns would be the same in each area.
    let session_options = SessionOptions { ignores_allocations: true, ..session_options.clone() };
    let mut suite = Suite::open(vec![executable], &session_options)?;
    if suite.benchmarks.is_empty() {
        return Err(Error::NoneListed(suite.unlisted));
    }
    suite.benchmarks.sort_by_key(costs::position);
    Ok((costs::environment(), suite))
}

/// Builds the selected targets and lists their benchmarks, which are not measured.
pub(in crate::commands) fn build(options: &SuiteOptions, project: &Project) -> Result<Suite, Error> {
    let built = build_with_flags(options, project, || (), Suite::open_unmeasured);
    built.map(|(suite, _)| suite).map_err(|error| hints::for_failed_build(error, options, project))
}

/// Builds the selected targets and starts their executables by `open`. Also returns the compiler's
/// flags. `meanwhile` is called once cargo has started.
fn build_with_flags(
    options: &SuiteOptions,
    project: &Project,
    meanwhile: impl FnOnce(),
    open: impl FnOnce(Vec<Executable>, &SessionOptions) -> Result<Suite, SuiteError>,
) -> Result<(Suite, Vec<String>), Error> {
    let mut build = cargo::build(project, &options.cargo, meanwhile)?;
    let is_verbose = options.cargo.common.verbose > 0;
    if !build.warnings.is_empty() || is_verbose || build.executables.is_empty() {
        // Its last lines come first.
        build.wait_for_cargo();
    }
    for warning in &build.warnings {
        warn(warning);
    }
    if is_verbose {
        for skipped in &build.skipped {
            output::note(&format!("skipped: {skipped}"));
        }
    }
    if build.executables.is_empty() {
        return Err(Error::NoBenchmark { skipped: build.skipped });
    }
    // Layouts and copies of a killed run are large, and this one may make none.
    for folder in build.executables.iter().filter_map(|executable| executable.path.parent()) {
        ScratchFolder::tidy_in(folder);
    }
    let suite = open(std::mem::take(&mut build.executables), &options.session)?;
    build.wait_for_cargo();
    match (suite.benchmarks.is_empty(), suite.unlisted.is_empty()) {
        (true, false) => Err(Error::NoneListed(suite.unlisted)),
        (true, true) => Err(Error::NoBenchmark { skipped: build.skipped }),
        (false, _) => Ok((suite, build.rustflags)),
    }
}

fn probe(cargo: &CargoOptions, project: &Project) -> Environment {
    let target = build_target(cargo);
    let compiler = project.compiler_description(target.as_deref());
    let environment = Environment::probe(project.root(), compiler);
    Environment {
        target: target.or(environment.target),
        profile: Some(cargo.profile().to_owned()),
        profile_settings: Some(cargo::profile_settings(project, cargo)),
        features: cargo.features.words(),
        ..environment
    }
}
