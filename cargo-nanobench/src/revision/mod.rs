//! Another revision of the code, built in a separate worktree: `--against`.
//!
//! The tree and its build are kept below the target directory for the next time ([`cache`]).
//! Building requires the store's lock, so that no two runs work on one tree.

mod build;
mod cache;
mod error;
mod settings;
mod sources;

pub(crate) use error::Error;
pub(crate) use settings::SettingsOf;

use crate::cargo::CargoOptions;
use crate::code;
use crate::git::{Commit, Repository};
use crate::interrupt;
use crate::output;
use build::Build;
use cache::RevisionCache;
use nanobench::report::escape;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A revision that was built.
#[derive(Debug)]
pub(crate) struct Revision {
    pub(crate) commit: Commit,
    pub(crate) build: Build,
    /// The duration of the build. `None` if it was up to date.
    pub(crate) build_time: Option<Duration>,
    /// True if the working tree is this commit, without changes.
    pub(crate) is_checked_out: bool,
    /// True if the two trees have the same files, except for manifests, lockfiles and source files.
    /// Untracked files are not compared.
    pub(crate) has_same_files: bool,
    /// Libraries and programs of the working tree that the revision's executables would run, too,
    /// although their sources or settings may differ.
    pub(crate) shared_files: Vec<PathBuf>,
    /// Settings of the working tree's `.cargo/config.toml` that apply to the revision, too, although it
    /// doesn't have them.
    pub(crate) shared_settings: Vec<SettingsOf>,
}

/// A revision to build, and how to build it.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The name that the user gave.
    pub(crate) name: &'a str,
    /// The arguments of the working tree's build.
    pub(crate) cargo: &'a CargoOptions,
    /// The root folder of the current workspace.
    pub(crate) workspace: &'a Path,
    /// The target directory of the current workspace.
    pub(crate) target_directory: &'a Path,
}

impl Request<'_> {
    /// Resolves the name to a commit, and returns it with its repository. This is fast, so a typo
    /// doesn't cost a build.
    pub(crate) fn resolve(&self) -> Result<(Repository, Commit), Error> {
        let repository = Repository::find(&manifest_folder(self.cargo)?)?;
        let commit = repository.commit(self.name)?;
        Ok((repository, commit))
    }

    /// Checks out the commit and builds it, unless that was done before. `executables` are those of
    /// the current workspace.
    pub(crate) fn build(
        &self,
        repository: &Repository,
        commit: Commit,
        executables: Vec<&Path>,
    ) -> Result<Revision, Error> {
        let cache = RevisionCache::new(self.target_directory);
        let folder = cache.folder(&commit);
        folder.mark_used()?;
        let worktree = folder.worktree(repository);
        if !self.cargo.common.quiet {
            let (commit, tree) = (escape(&commit.title()), folder.path().display());
            output::note(&format!("building {commit} in {tree}"));
        }
        let checked_out = worktree.check_out(&commit);
        if interrupt::requested() {
            return Err(Error::Interrupted);
        }
        checked_out?;
        let start = Instant::now();
        let build = build::build(self, repository, &commit, &folder)?;
        let build_time = start.elapsed();
        cache.clean(repository, &folder);
        let here = sources::Build { executables, root: self.workspace, top: repository.root() };
        let executables = build.executables.iter().map(|executable| executable.path.as_path()).collect();
        let there = sources::Build { executables, root: &build.root, top: &folder.tree() };
        let differing = repository.files_differing_from(&commit.hash)?;
        let roots: Vec<&Path> = here.output_folders().into_iter().collect();
        let loaded = build.executables.iter().flat_map(|executable| {
            code::own_libraries(&executable.path, &executable.library_folders(), &roots)
        });
        Ok(Revision {
            is_checked_out: repository.is_at(&commit)?,
            has_same_files: sources::same_files(&differing, [&here, &there]),
            shared_settings: settings::shared(
                repository,
                self.workspace,
                &folder.tree().join(repository.prefix()),
                &folder.tree(),
            )?,
            shared_files: sources::shared_files(&differing, &here, &there, loaded.collect()),
            commit,
            build_time: (!build.is_fresh).then_some(build_time),
            build,
        })
    }
}

/// Returns the folder of the manifest that cargo uses.
fn manifest_folder(cargo: &CargoOptions) -> Result<PathBuf, Error> {
    let here =
        || env::current_dir().map_err(|error| io_error("find the current folder", Path::new("."), error));
    let Some(manifest) = &cargo.common.manifest_path else {
        let here = here()?;
        let above = here.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        return Ok(above.unwrap_or(&here).to_owned());
    };
    let manifest = std::path::absolute(manifest).map_err(|error| io_error("find", manifest, error))?;
    manifest.parent().map_or_else(here, |folder| Ok(folder.to_owned()))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File { action, path: path.to_owned(), source }
}
