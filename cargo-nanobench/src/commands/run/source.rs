//! The benchmarks of a run: those of a workspace, or the built-in ones.

use super::build::{build_and_probe, open_built_in};
use super::options::SuiteOptions;
use crate::baseline::Store;
use crate::cargo::{Executable, Project};
use crate::commands::error::Error;
use crate::environment::Environment;
use crate::experiment::Suite;
use crate::report::Command;
use nanobench::protocol::Listing;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The source of the benchmarks of a run.
pub(in crate::commands) enum Source {
    /// A workspace, of which the selected targets are built.
    Workspace(Box<Project>),
    /// The built-in benchmarks, with the folder of their baselines.
    BuiltIn(PathBuf),
}

impl Source {
    pub(super) fn store(&self) -> Store {
        match self {
            Source::Workspace(project) => Store::open(project.target_directory(), project.root()),
            Source::BuiltIn(folder) => Store::open(folder, folder).for_command(Command::Costs.words()),
        }
    }

    /// Returns the folder for files that can be made again.
    pub(super) fn target_directory(&self) -> &Path {
        match self {
            Source::Workspace(project) => project.target_directory(),
            Source::BuiltIn(folder) => folder,
        }
    }

    /// Builds and lists the benchmarks. `meanwhile` is called with each executable of a workspace while
    /// its process starts, and may return its listing.
    pub(super) fn open(
        &self,
        options: &SuiteOptions,
        meanwhile: &mut dyn FnMut(&Executable) -> Option<Arc<Listing>>,
    ) -> Result<(Environment, Suite), Error> {
        match self {
            Source::Workspace(project) => build_and_probe(options, project, meanwhile),
            Source::BuiltIn(folder) => open_built_in(&options.session, folder),
        }
    }

    pub(super) fn project(&self) -> Option<&Project> {
        match self {
            Source::Workspace(project) => Some(project),
            Source::BuiltIn(_) => None,
        }
    }

    /// Returns the folders whose dynamic libraries are part of the benchmarks.
    pub(super) fn own_folders<'a>(&'a self, executable: &'a Executable) -> Vec<&'a Path> {
        let Some(project) = self.project() else { return Vec::new() };
        // With a build directory of its own, the executable is not in the target directory.
        let profile = executable.path.ancestors().nth(2).unwrap_or(project.root());
        vec![project.root(), project.target_directory(), profile]
    }
}
