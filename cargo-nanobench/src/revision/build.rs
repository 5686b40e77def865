//! Runs cargo in the tree of another revision, with the arguments of the current one and that
//! revision's lockfile.

use super::cache::RevisionFolder;
use super::{Error, Request, io_error, settings};
use crate::cargo::{self, CargoOptions, Executable, OtherTree, Project, SkipReason, TargetOptions, Unit};
use crate::git::{self, Commit, Repository};
use crate::interrupt;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a build.
#[derive(Debug, Default)]
pub(crate) struct Build {
    /// The executables with benchmarks. Empty for code that doesn't use nanobench.
    pub(crate) executables: Vec<Executable>,
    /// The root folder of its workspace.
    pub(super) root: PathBuf,
    /// The compiler's flags, from the revision's own configuration.
    pub(crate) rustflags: Vec<String>,
    /// The settings of the profile in manifest and configuration.
    pub(crate) profile_settings: Vec<String>,
    /// The reason why there are no benchmarks.
    pub(crate) no_benchmarks: Option<String>,
    /// Everything was up to date.
    pub(super) is_fresh: bool,
    /// The units that it compiled.
    pub(super) units: Vec<Unit>,
}

impl Build {
    fn without_benchmarks(reason: impl Into<String>) -> Build {
        Build { no_benchmarks: Some(reason.into()), ..Build::default() }
    }
}

/// Builds the requested packages and targets that the revision has. Those that were added later are
/// ignored.
pub(super) fn build(
    request: &Request<'_>,
    repository: &Repository,
    commit: &Commit,
    folder: &RevisionFolder,
) -> Result<Build, Error> {
    let package = folder.tree().join(repository.prefix());
    let manifest = package.join("Cargo.toml");
    if !manifest.is_file() {
        let manifest = repository.prefix().join("Cargo.toml");
        return Ok(Build::without_benchmarks(format!("it has no {}", manifest.display())));
    }
    let does_not_build = |source| {
        if interrupt::requested() {
            return Error::Interrupted;
        }
        Error::Build { name: commit.name.clone(), short: commit.short().to_owned(), source }
    };
    let here = super::current_folder()?;
    let (start, settings) = settings::of_revision(repository, &here, &package, folder.tree())?;
    let mut args = arguments(request, start, manifest, folder, settings);
    let project = Project::load(&args.common, args.target_dir.as_deref()).map_err(does_not_build)?;
    // Cargo's own error would name a folder that the user has never seen.
    let outside = project.missing_paths().into_iter().find(|(_, path)| !path.starts_with(folder.tree()));
    if let Some((dependency, path)) = outside {
        let (name, short) = (commit.name.clone(), commit.short().to_owned());
        return Err(Error::Outside { name, short, dependency, path });
    }
    let lockfile = project.root().strip_prefix(folder.tree()).unwrap_or(project.root()).join("Cargo.lock");
    if !folder.worktree(repository).tracks(&lockfile)? {
        copy_lockfile(request.project.root(), project.root())?;
    }
    loop {
        let build = match cargo::build(&project, &args, || ()) {
            Ok(build) => build,
            Err(cargo::Error::UnknownPackage { spec, .. }) if remove_package(&mut args, &spec) => continue,
            Err(cargo::Error::UnknownTarget { name, .. }) if remove_target(&mut args.targets, &name) => {
                continue;
            }
            Err(error @ (cargo::Error::UnknownPackage { .. } | cargo::Error::UnknownTarget { .. })) => {
                return Ok(Build::without_benchmarks(error.to_string().lines().next().unwrap_or_default()));
            }
            Err(error) => return Err(does_not_build(error)),
        };
        let is_mentioned = build.skipped.iter().any(|skipped| skipped.reason != SkipReason::NoMention);
        return Ok(match (build.executables.is_empty(), is_mentioned) {
            (false, _) => Build {
                executables: build.executables,
                root: project.root().to_owned(),
                rustflags: build.rustflags,
                profile_settings: cargo::profile_settings(&project, &args),
                no_benchmarks: None,
                is_fresh: build.is_fresh,
                units: project.units(),
            },
            (true, true) => Build::without_benchmarks("it has no benchmarks"),
            (true, false) => Build::without_benchmarks("it doesn't use nanobench yet"),
        });
    }
}

/// Returns the user's arguments, changed for the other tree.
fn arguments(
    request: &Request<'_>,
    start: PathBuf,
    manifest: PathBuf,
    folder: &RevisionFolder,
    settings: Vec<PathBuf>,
) -> CargoOptions {
    let mut args = request.cargo.clone();
    let target = folder.target();
    // In one build directory, the two trees would use each other's files: cargo distinguishes
    // workspaces by their contents and the times at which these were written.
    let mut set = vec![("CARGO_BUILD_BUILD_DIR", target.clone().into_os_string())];
    set.extend(toolchain(request.project.root()).map(|toolchain| ("RUSTUP_TOOLCHAIN", toolchain)));
    for file in args.common.config.iter_mut().chain(&mut args.target) {
        *file = absolute(file);
    }
    // The last value wins, and it has to be that of the nearest file.
    let flags = settings.iter().rev().filter_map(|file| file.to_str().map(str::to_owned));
    args.common.config.splice(0..0, flags);
    let unset = git::REPOSITORY_VARIABLES.to_vec();
    args.common.other_tree = Some(OtherTree { folder: start, settings, set, unset });
    args.common.manifest_path = Some(manifest);
    args.target_dir = Some(target);
    args
}

/// Returns the absolute path of a file, and any other value unchanged.
fn absolute(value: &str) -> String {
    let absolute = Path::new(value).is_file().then(|| std::path::absolute(value).ok()).flatten();
    absolute.and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| value.to_owned())
}

/// Returns the toolchain of the current workspace, for rustup. The revision's own toolchain file is
/// ignored, as compilers would be compared otherwise. If rustup has started this process, it has
/// set the variable already.
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

/// Copies the current lockfile to a revision without one, so that versions of dependencies are not
/// compared. It is copied each time because it may change.
fn copy_lockfile(here: &Path, there: &Path) -> Result<(), Error> {
    let (from, to) = (here.join("Cargo.lock"), there.join("Cargo.lock"));
    if from.is_file() {
        fs::copy(&from, &to).map_err(|error| io_error("write", &to, error))?;
    }
    Ok(())
}

/// Removes a package from the arguments. Returns whether they still name one.
fn remove_package(args: &mut CargoOptions, spec: &str) -> bool {
    args.packages.package.retain(|package| package != spec);
    !args.packages.package.is_empty()
}

/// Removes the targets of this name from the arguments. Returns whether they still select one.
fn remove_target(targets: &mut TargetOptions, name: &str) -> bool {
    let mut named = [&mut targets.bin, &mut targets.bench, &mut targets.test, &mut targets.example];
    named.iter_mut().for_each(|names| names.retain(|other| other != name));
    let has_names = named.iter().any(|names| !names.is_empty());
    let TargetOptions { lib, bins, benches, tests, examples, all_targets, .. } = *targets;
    has_names || lib || bins || benches || tests || examples || all_targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_targets_are_removed_until_none_is_left() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let mut targets = TargetOptions { bin: names(&["old", "new"]), ..TargetOptions::default() };
        assert!(remove_target(&mut targets, "new"));
        assert_eq!(targets.bin, ["old"]);
        assert!(!remove_target(&mut targets, "old"), "no name must not select everything");
        let mut targets = TargetOptions { bench: names(&["new"]), ..TargetOptions::default() };
        assert!(!remove_target(&mut targets, "new"));
        let mut targets = TargetOptions { bin: names(&["new"]), benches: true, ..TargetOptions::default() };
        assert!(remove_target(&mut targets, "new"));
    }

    #[test]
    fn revision_without_lockfile_gets_the_current_one() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let text = || fs::read_to_string(there.path().join("Cargo.lock")).ok();
        copy_lockfile(here.path(), there.path()).unwrap();
        assert_eq!(text(), None);
        for updated in ["here", "updated"] {
            fs::write(here.path().join("Cargo.lock"), updated).unwrap();
            copy_lockfile(here.path(), there.path()).unwrap();
            assert_eq!(text().as_deref(), Some(updated));
        }
    }

    #[test]
    fn only_files_are_made_absolute() {
        assert_eq!(absolute("build.jobs=1"), "build.jobs=1");
        assert_eq!(absolute("x86_64-unknown-linux-gnu"), "x86_64-unknown-linux-gnu");
        assert!(Path::new(&absolute("Cargo.toml")).is_absolute());
    }
}
