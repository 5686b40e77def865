//! Cargo in the tree of another revision: as for the code that is here, with that revision's lockfile.

use super::kept::Folder;
use super::{Error, Request, io};
use crate::cargo::{self, Configuration, Executable, Project, SkipReason};
use crate::cli::{CargoArgs, OtherTree, Targets};
use crate::git::{self, Commit, Repository};
use crate::interrupt;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What was built.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) executables: Vec<Executable>,
    /// Root of its workspace.
    pub(super) root: PathBuf,
    /// What the compiler got.
    pub(super) rustflags: Vec<String>,
    /// What manifest and configuration say of the profile.
    pub(super) profile_settings: Vec<String>,
    /// Why there are no benchmarks.
    pub(super) without: Option<String>,
    pub(super) fresh: bool,
}

impl Built {
    fn nothing(why: impl Into<String>) -> Built {
        Built { without: Some(why.into()), ..Built::default() }
    }
}

/// Builds what the order asks for, as far as the revision has it: packages and targets that came later are no error.
pub(super) fn build(
    order: &Request<'_>,
    repository: &Repository,
    commit: &Commit,
    folder: &Folder,
) -> Result<Built, Error> {
    let package = folder.tree().join(repository.below());
    let manifest = package.join("Cargo.toml");
    if !manifest.is_file() {
        let place = repository.below().join("Cargo.toml");
        return Ok(Built::nothing(format!("it has no {}", place.display())));
    }
    let does_not_build = |source| {
        if interrupt::requested() {
            return Error::Interrupted;
        }
        Error::Build { name: commit.name.clone(), short: commit.short().to_owned(), source }
    };
    let mut args = arguments(order, package, manifest, folder.target());
    let project = Project::load(&args.common, args.target_dir()).map_err(does_not_build)?;
    // Cargo's own error would speak of a place that the user has never seen.
    let outside = project.missing_paths().into_iter().find(|(_, path)| !path.starts_with(folder.tree()));
    if let Some((dependency, path)) = outside {
        let (name, short) = (commit.name.clone(), commit.short().to_owned());
        return Err(Error::Outside { name, short, dependency, path });
    }
    let lockfile = project.root().strip_prefix(folder.tree()).unwrap_or(project.root()).join("Cargo.lock");
    if !folder.worktree(repository).tracks(&lockfile)? {
        lock(order.workspace, project.root())?;
    }
    loop {
        let build = match cargo::build(&project, &args, order.processor_counters) {
            Ok(build) => build,
            Err(cargo::Error::UnknownPackage { spec, .. }) if without_package(&mut args, &spec) => continue,
            Err(cargo::Error::UnknownTarget { name, .. }) if without_target(&mut args.targets, &name) => {
                continue;
            }
            Err(error @ (cargo::Error::UnknownPackage { .. } | cargo::Error::UnknownTarget { .. })) => {
                return Ok(Built::nothing(error.to_string().lines().next().unwrap_or_default()));
            }
            Err(error) => return Err(does_not_build(error)),
        };
        let mentioned = build.skipped.iter().any(|skipped| skipped.reason != SkipReason::NoMention);
        return Ok(match (build.executables.is_empty(), mentioned) {
            (false, _) => Built {
                executables: build.executables,
                root: project.root().to_owned(),
                rustflags: Configuration::load(&args).rustflags,
                profile_settings: cargo::profile_settings(&project, &args),
                without: None,
                fresh: build.is_fresh,
            },
            (true, true) => Built::nothing("it has no benchmark"),
            (true, false) => Built::nothing("it does not use nanobench yet"),
        });
    }
}

/// The user's own arguments, for another tree.
fn arguments(order: &Request<'_>, package: PathBuf, manifest: PathBuf, target: PathBuf) -> CargoArgs {
    let mut args = order.cargo.clone();
    // Both sides in one build directory would take each other's files for their own: cargo tells workspaces apart by
    // what they hold, and by when that was written.
    let mut set = vec![("CARGO_BUILD_BUILD_DIR", target.clone().into_os_string())];
    set.extend(toolchain(order.workspace).map(|toolchain| ("RUSTUP_TOOLCHAIN", toolchain)));
    args.common.other_tree =
        Some(OtherTree { folder: package, set, unset: git::REPOSITORY_VARIABLES.to_vec() });
    args.common.manifest_path = Some(manifest);
    args.build.target_dir = Some(target);
    for file in args.common.config.iter_mut().chain(&mut args.build.target) {
        *file = absolute(file);
    }
    args
}

/// The path of a file that is given relative to where we were started. Other values stay as they are.
fn absolute(value: &str) -> String {
    let absolute = Path::new(value).is_file().then(|| std::path::absolute(value).ok()).flatten();
    absolute.and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| value.to_owned())
}

/// The toolchain of the code that is here, for rustup: that revision's own toolchain file is not followed, as it would
/// be compilers that are compared. Where rustup has started us, it has said which it is already.
fn toolchain(workspace: &Path) -> Option<OsString> {
    if std::env::var_os("RUSTUP_TOOLCHAIN").is_some() {
        return None;
    }
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "sysroot"]).current_dir(workspace).stdin(Stdio::null()).stderr(Stdio::null());
    let output = rustc.output().ok().filter(|output| output.status.success())?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    Some(sysroot.trim_end().into()).filter(|sysroot: &OsString| !sysroot.is_empty())
}

/// A revision without a lockfile gets the one that is here, each time, as that changes: else other dependencies would be
/// compared, too.
fn lock(here: &Path, there: &Path) -> Result<(), Error> {
    let (from, to) = (here.join("Cargo.lock"), there.join("Cargo.lock"));
    if from.is_file() {
        fs::copy(&from, &to).map_err(|error| io("write", &to, error))?;
    }
    Ok(())
}

/// Whether anything is asked for without this package.
fn without_package(args: &mut CargoArgs, spec: &str) -> bool {
    args.packages.package.retain(|package| package != spec);
    !args.packages.package.is_empty()
}

/// Whether anything is asked for without the targets of this name.
fn without_target(targets: &mut Targets, name: &str) -> bool {
    for names in [&mut targets.bin, &mut targets.test, &mut targets.example] {
        names.retain(|other| other != name);
    }
    let Targets { lib, bins, benches, tests, examples, all_targets, .. } = *targets;
    let named = !(targets.bin.is_empty() && targets.test.is_empty() && targets.example.is_empty());
    named || lib || bins || benches || tests || examples || all_targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_later_is_left_out_until_nothing_is_left() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let mut targets = Targets { bin: names(&["old", "new"]), ..Targets::default() };
        assert!(without_target(&mut targets, "new"));
        assert_eq!(targets.bin, ["old"]);
        assert!(!without_target(&mut targets, "old"), "nothing named is not everything");
        let mut targets = Targets { bin: names(&["new"]), benches: true, ..Targets::default() };
        assert!(without_target(&mut targets, "new"));
    }

    #[test]
    fn a_revision_without_a_lockfile_gets_the_one_that_is_here_now() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let text = || fs::read_to_string(there.path().join("Cargo.lock")).ok();
        lock(here.path(), there.path()).unwrap();
        assert_eq!(text(), None);
        for updated in ["here", "updated"] {
            fs::write(here.path().join("Cargo.lock"), updated).unwrap();
            lock(here.path(), there.path()).unwrap();
            assert_eq!(text().as_deref(), Some(updated));
        }
    }

    #[test]
    fn only_files_are_taken_for_paths() {
        assert_eq!(absolute("build.jobs=1"), "build.jobs=1");
        assert_eq!(absolute("x86_64-unknown-linux-gnu"), "x86_64-unknown-linux-gnu");
        assert!(Path::new(&absolute("Cargo.toml")).is_absolute());
    }
}
