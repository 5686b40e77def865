//! Another revision of the code that is here, built in a worktree of its own: `--against`.
//!
//! The tree and what is built of it lie below the target directory and are kept for next time ([`kept`]). Building
//! needs the store's lock, so that no two runs work on one tree.

mod build;
mod error;
mod kept;
mod sources;

pub(crate) use error::Error;

use crate::cargo::Executable;
use crate::cli::CargoArgs;
use crate::git::{Commit, Repository};
use crate::interrupt;
use kept::Kept;
use nanobench::report::escape;
use sources::Sources;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A revision that was built.
#[derive(Debug)]
pub(crate) struct Revision {
    pub(crate) commit: Commit,
    /// Those with benchmarks. None for code that doesn't use nanobench.
    pub(crate) executables: Vec<Executable>,
    /// What the compiler got: its own configuration counts.
    pub(crate) rustflags: Vec<String>,
    /// What its manifest and its configuration say of the profile.
    pub(crate) profile_settings: Vec<String>,
    /// Why there is none.
    pub(crate) without: Option<String>,
    /// How long building it took; `None` where it was there from before.
    pub(crate) build_time: Option<Duration>,
    /// What is checked out is this commit, without a change.
    pub(crate) is_checked_out: bool,
    /// No file differs from what is here but those that the two were built from, so none that benchmarks could read. What git
    /// doesn't track isn't known.
    pub(crate) has_same_files: bool,
}

/// Where and how to build.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// As it was asked for.
    pub(crate) name: &'a str,
    /// As the code that is here is built.
    pub(crate) cargo: &'a CargoArgs,
    /// Processor counters are to be read.
    pub(crate) processor_counters: bool,
    /// Root of the workspace that is here.
    pub(crate) workspace: &'a Path,
    /// `<target>`.
    pub(crate) target_directory: &'a Path,
}

impl Request<'_> {
    /// The commit that is meant, and the repository that it is in. Soon found, so that a slip of the pen doesn't cost a
    /// build.
    pub(crate) fn find(&self) -> Result<(Repository, Commit), Error> {
        let repository = Repository::of(&manifest_folder(self.cargo)?)?;
        let commit = repository.commit(self.name)?;
        Ok((repository, commit))
    }

    /// Checks the commit out and builds it, as far as that was not done before, to be run beside the executables that are `here`.
    pub(crate) fn build(
        &self,
        repository: &Repository,
        commit: Commit,
        here: Vec<&Path>,
    ) -> Result<Revision, Error> {
        let kept = Kept::below(self.target_directory);
        let folder = kept.folder(&commit);
        folder.mark_used()?;
        let worktree = folder.worktree(repository);
        if !self.cargo.common.quiet {
            let (name, short, tree) = (escape(&commit.name), commit.short(), folder.path().display());
            anstream::eprintln!("building {name} ({short}) in {tree}");
        }
        let checked_out = worktree.check_out(&commit);
        if interrupt::requested() {
            return Err(Error::Interrupted);
        }
        checked_out?;
        let begin = Instant::now();
        let built = build::build(self, repository, &commit, &folder)?;
        let took = begin.elapsed();
        kept.clean(repository, &folder);
        let here = Sources { executables: here, root: self.workspace, top: repository.top() };
        let there = built.executables.iter().map(|executable| executable.path.as_path()).collect();
        let there = Sources { executables: there, root: &built.root, top: &folder.tree() };
        Ok(Revision {
            is_checked_out: repository.is_at(&commit)?,
            has_same_files: sources::same_files(repository, &commit, [here, there])?,
            commit,
            build_time: (!built.fresh).then_some(took),
            executables: built.executables,
            rustflags: built.rustflags,
            profile_settings: built.profile_settings,
            without: built.without,
        })
    }
}

/// The folder of the Cargo.toml that cargo takes.
fn manifest_folder(cargo: &CargoArgs) -> Result<PathBuf, Error> {
    let here = || env::current_dir().map_err(|error| io("find the current folder", Path::new("."), error));
    let Some(manifest) = &cargo.common.manifest_path else {
        let here = here()?;
        let above = here.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        return Ok(above.unwrap_or(&here).to_owned());
    };
    let manifest = std::path::absolute(manifest).map_err(|error| io("find", manifest, error))?;
    manifest.parent().map_or_else(here, |folder| Ok(folder.to_owned()))
}

fn io(what: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File { what, path: path.to_owned(), source }
}
