//! The executable and the function of a benchmark, in a build or in a baseline.

use super::error::Error;
use super::run::{self, RunOptions, SuiteOptions};
use crate::baseline::{self, BaselineRef, LoadedBaseline, Store};
use crate::cargo::{Executable, Project};
use crate::cli::{self, RunArgs};
use crate::experiment::{AmbiguousName, Benchmark, Suite, find_function};
use nanobench::report::escape;
use std::path::PathBuf;

/// The place of a benchmark's machine code.
pub(super) struct CodeSite {
    pub(super) benchmark: Benchmark,
    pub(super) executable: PathBuf,
    /// The executable with its environment, if it was built.
    pub(super) built: Option<Executable>,
}

/// Resolves the options of a build for the machine code of benchmarks.
pub(super) fn options(flags: &RunArgs, project: &Project) -> Result<RunOptions, Error> {
    let file = cli::load_config(project.root())?;
    let mut options = RunOptions::resolve(flags, &file)?;
    options.suite.build_only(&flags.select.bench);
    Ok(options)
}

impl CodeSite {
    /// Builds the benchmarks, and finds the one of this name.
    pub(super) fn built(name: &str, options: &SuiteOptions, project: &Project) -> Result<CodeSite, Error> {
        let found = CodeSite::of_suite(name, &run::build(options, project)?);
        found.map_err(|error| match error {
            Error::AmbiguousName(AmbiguousName::None { name, hint }) => {
                let flags = run::elsewhere(project, &options.cargo, |place| place.may_hold(&name));
                AmbiguousName::None { name, hint: [vec![hint], flags].concat().join("\n") }.into()
            }
            error => error,
        })
    }

    /// Finds the benchmark of this name in a suite.
    pub(super) fn of_suite(name: &str, suite: &Suite) -> Result<CodeSite, Error> {
        let benchmark = find_function(&suite.benchmarks, name)?.clone();
        let executable = &suite.harnesses[benchmark.harness].executable;
        Ok(CodeSite { benchmark, executable: executable.path.clone(), built: Some(executable.clone()) })
    }

    /// Finds the benchmark of this name in the baseline that `reference` names.
    pub(super) fn stored(name: &str, reference: &str, project: &Project) -> Result<CodeSite, Error> {
        let reference: BaselineRef = reference.parse().map_err(baseline::Error::from)?;
        let saved = Store::open(project.target_directory(), project.root()).load(&reference)?;
        CodeSite::of_baseline(name, &reference, &saved)
    }

    /// Finds the benchmark of this name in a loaded baseline, which `reference` names.
    pub(super) fn of_baseline(
        name: &str,
        reference: &BaselineRef,
        saved: &LoadedBaseline,
    ) -> Result<CodeSite, Error> {
        let stored = &saved.baseline.benchmarks;
        let all: Vec<Benchmark> =
            stored.iter().map(|stored| Benchmark::new(&stored.target, 0, &stored.benchmark)).collect();
        let benchmark = find_function(&all, name)?.clone();
        let executable =
            saved.benchmark(&benchmark.id).and_then(|stored| saved.baseline.executable_of(stored));
        let path = executable.and_then(|executable| saved.stored_executable(executable));
        let gone =
            || Error::ExecutableGone { id: escape(&benchmark.id.to_string()), baseline: reference.title() };
        Ok(CodeSite { executable: path.ok_or_else(gone)?, benchmark, built: None })
    }
}
