//! Another revision of the code, built in a separate worktree: `--against`.
//!
//! The tree and its build are kept for the next time (`cache`), and share compiled `dependencies` with
//! other builds. Building requires the store's lock, so that no two runs work on one tree.

mod build;
mod cache;
mod dependencies;
mod error;
mod settings;
mod sources;

pub use cache::{RevisionFolder, kept, root, size};
pub use error::Error;

use crate::cargo::{CargoOptions, Project};
use crate::code;
use crate::git::{Commit, Repository};
use crate::interrupt;
use crate::output;
use build::Build;
use dependencies::Compiled;
use nanobench::report::escape;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A revision that was built.
#[derive(Debug)]
pub struct Revision {
    pub commit: Commit,
    pub build: Build,
    /// The duration of the build. `None` if it was up to date.
    pub build_time: Option<Duration>,
    /// True if the working tree is this commit, without changes.
    pub is_checked_out: bool,
    /// True if the two trees have the same files, except for manifests, lockfiles and source files.
    /// Untracked files are not compared.
    pub has_same_files: bool,
    /// Libraries and programs of the working tree that the revision's executables would run, too,
    /// although their sources or settings may differ.
    pub shared_files: Vec<PathBuf>,
    /// True if its toolchain file differs.
    pub has_other_toolchain: bool,
    /// The paths of submodules whose folders are empty, because this clone doesn't have their commits.
    pub missing_submodules: Vec<String>,
}

/// A revision to build, and how to build it.
#[derive(Debug)]
pub struct Request<'a> {
    /// The name that the user gave.
    pub name: &'a str,
    /// The arguments of the working tree's build.
    pub cargo: &'a CargoOptions,
    /// The current workspace, after its build.
    pub project: &'a Project,
}

impl Request<'_> {
    /// Resolves the name to a commit, and returns it with its repository. This is fast, so a typo
    /// doesn't cost a build.
    pub fn resolve(&self) -> Result<(Repository, Commit), Error> {
        let repository = Repository::find(&manifest_folder(self.cargo)?)?;
        let commit = repository.commit(self.name)?;
        Ok((repository, commit))
    }

    /// Checks out the commit and builds it, unless that was done before. `executables` are those of
    /// the current workspace.
    pub fn build(
        &self,
        repository: &Repository,
        commit: Commit,
        executables: Vec<&Path>,
    ) -> Result<Revision, Error> {
        let folder = RevisionFolder::new(&commit, self.project.target_directory(), repository.root());
        folder.mark_used()?;
        if !self.cargo.common.quiet {
            let (commit, tree) = (escape(&commit.title()), folder.path().display());
            output::note(&format!("building {commit} in {tree}"));
        }
        let checked_out = folder.worktree(repository).check_out(&commit);
        if interrupt::requested() {
            return Err(Error::Interrupted);
        }
        let missing_submodules = checked_out?;
        let start = Instant::now();
        self.share_dependencies(repository, &folder);
        let mut build = build::build(self, repository, &commit, &folder)?;
        let build_time = start.elapsed();
        folder.keep_units(std::mem::take(&mut build.units));
        cache::clean(&folder);
        let here = sources::Build { executables, root: self.project.root(), top: repository.root() };
        let executables = build.executables.iter().map(|executable| executable.path.as_path()).collect();
        let there = sources::Build { executables, root: &build.root, top: folder.tree() };
        let differing = repository.files_differing_from(&commit.hash)?;
        let roots: Vec<&Path> = here.output_folders().into_iter().collect();
        let loaded = build.executables.iter().flat_map(|executable| {
            code::own_libraries(&executable.path, &executable.library_folders(), &roots)
        });
        Ok(Revision {
            is_checked_out: repository.is_at(&commit)?,
            has_other_toolchain: differing.iter().any(|file| is_toolchain_file(file)),
            has_same_files: sources::same_files(&differing, [&here, &there]),
            missing_submodules,
            shared_files: sources::shared_files(&differing, &here, &there, loaded.collect()),
            commit,
            build_time: (!build.is_fresh).then_some(build_time),
            build,
        })
    }

    /// Gives the build of a revision what those of the working tree and of other revisions have compiled.
    fn share_dependencies(&self, repository: &Repository, folder: &RevisionFolder) {
        let mut here = Compiled {
            units: self.project.units(),
            build_directory: self.project.build_directory().to_owned(),
            top: repository.root().to_owned(),
        };
        here.retain_foreign();
        here.share(&folder.target());
        let is_other =
            |other: &RevisionFolder| other != folder && other.is_of(self.project.target_directory());
        for other in kept().iter().filter(|other| is_other(other)) {
            other.compiled().share(&folder.target());
        }
    }
}

/// Returns whether rustup reads a file to choose a toolchain.
fn is_toolchain_file(file: &Path) -> bool {
    ["rust-toolchain", "rust-toolchain.toml"].iter().any(|name| file.ends_with(name))
}

/// Returns the folder of the manifest that cargo uses.
fn manifest_folder(cargo: &CargoOptions) -> Result<PathBuf, Error> {
    let Some(manifest) = &cargo.common.manifest_path else {
        let here = current_folder()?;
        let above = here.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        return Ok(above.unwrap_or(&here).to_owned());
    };
    let manifest = std::path::absolute(manifest).map_err(|error| io_error("find", manifest, error))?;
    manifest.parent().map_or_else(current_folder, |folder| Ok(folder.to_owned()))
}

fn current_folder() -> Result<PathBuf, Error> {
    env::current_dir().map_err(|error| io_error("find the current folder", Path::new("."), error))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File { action, path: path.to_owned(), source }
}
