//! Runs cargo in the tree of another revision, with the arguments of the current one and that
//! revision's lockfile.

use super::cache::RevisionFolder;
use super::{Error, Request, io_error, settings};
use crate::cargo::{
    self, CargoOptions, Executable, MigratedSuite, OtherTree, Project, SkipReason, TargetOptions, Unit,
};
use crate::git::{self, Commit, Repository};
use crate::interrupt;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a build.
#[derive(Debug, Default)]
pub struct Build {
    /// The executables with benchmarks. Empty for code that doesn't use nanobench.
    pub executables: Vec<Executable>,
    /// The root folder of its workspace.
    pub root: PathBuf,
    /// The compiler's flags, from the revision's own configuration.
    pub rustflags: Vec<String>,
    /// The settings of the profile in manifest and configuration.
    pub profile_settings: Vec<String>,
    /// The reason why there are no benchmarks.
    pub no_benchmarks: Option<String>,
    /// The packages whose suites ran by another library than now.
    pub migrated: Vec<MigratedSuite>,
    /// Everything was up to date.
    pub(super) is_fresh: bool,
    /// The units that it compiled.
    pub(super) units: Vec<Unit>,
    /// It has no lockfile of its own, so it was built with the current one.
    pub has_current_lockfile: bool,
    /// The folders of the packages outside of its tree that members may use, by the members' names. Both
    /// sides have today's versions of them.
    pub shared_packages: HashMap<String, Vec<PathBuf>>,
}

impl Build {
    fn without_benchmarks(reason: impl Into<String>) -> Build {
        Build { no_benchmarks: Some(reason.into()), ..Build::default() }
    }

    /// Returns the folders of the packages outside of its tree that a member may use.
    pub fn shared_packages_of(&self, member: &str) -> &[PathBuf] {
        self.shared_packages.get(member).map_or(&[], Vec::as_slice)
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
    let does_not_build = |source| {
        if interrupt::requested() {
            return Error::Interrupted;
        }
        Error::Build { name: commit.name.clone(), short: commit.short().to_owned(), source }
    };
    let Some((mut args, project)) = find_packages(request, repository, folder, &does_not_build)? else {
        let manifest = repository.prefix().join("Cargo.toml");
        return Ok(Build::without_benchmarks(format!("it has no {}", manifest.display())));
    };
    // Cargo's own error would name a folder that the user has never seen.
    let outside = project.missing_paths().into_iter().find(|(_, path)| !path.starts_with(folder.tree()));
    if let Some((dependency, path)) = outside {
        let (name, short) = (commit.name.clone(), commit.short().to_owned());
        return Err(Error::Outside { name, short, dependency, path });
    }
    let lockfile = project.root().strip_prefix(folder.tree()).unwrap_or(project.root()).join("Cargo.lock");
    let has_current_lockfile = !folder.worktree(repository).tracks(&lockfile)?
        && copy_lockfile(request.project.root(), project.root())?;
    let migrated = MigratedSuite::between(&project, request.project);
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
                shared_packages: shared_packages(&project, &build, folder.tree()),
                executables: build.executables,
                root: project.root().to_owned(),
                rustflags: build.rustflags,
                profile_settings: cargo::profile_settings(&project, &args),
                no_benchmarks: None,
                migrated,
                is_fresh: build.is_fresh,
                units: project.units(),
                has_current_lockfile,
            },
            (true, true) => Build { migrated, ..Build::without_benchmarks("it has no benchmarks") },
            (true, false) => Build { migrated, ..Build::without_benchmarks("it doesn't use nanobench yet") },
        });
    }
}

/// Returns the workspace with the requested packages, wherever they were then, and the arguments of its
/// build. `None` if there is no manifest.
fn find_packages(
    request: &Request<'_>,
    repository: &Repository,
    folder: &RevisionFolder,
    does_not_build: &dyn Fn(cargo::Error) -> Error,
) -> Result<Option<(CargoOptions, Project)>, Error> {
    let here = super::current_folder()?;
    let load = |manifest: PathBuf| -> Result<(CargoOptions, Project), Error> {
        let package = manifest.parent().unwrap_or(folder.tree());
        let (start, settings) = settings::of_revision(repository, &here, package, folder.tree())?;
        let args = arguments(request, start, manifest, folder, settings);
        let project = Project::load(&args.common, args.target_dir.as_deref()).map_err(does_not_build)?;
        Ok((args, project))
    };
    let names = cargo::selected_packages(request.project, &request.cargo.packages).map_err(does_not_build)?;
    let has_any = |(_, project): &(_, Project)| names.iter().any(|name| project.member(name).is_some());
    let manifest = folder.tree().join(repository.prefix()).join("Cargo.toml");
    let mut found = manifest.is_file().then(|| load(manifest)).transpose()?;
    if !found.as_ref().is_some_and(has_any) {
        let elsewhere = manifest_of(&names, folder.tree()).map(load).transpose()?;
        found = elsewhere.or(found);
    }
    // Without a flag, cargo selects the packages of a folder, which may be others than these.
    if let Some((args, project)) = found.as_mut().filter(|found| has_any(found))
        && !args.packages.are_given()
    {
        let selected = cargo::selected_packages(project, &args.packages).map_err(does_not_build)?;
        if !selected.iter().any(|name| names.contains(name)) {
            args.packages.package = names;
        }
    }
    Ok(found)
}

/// Returns the manifest of one of these packages in a tree.
fn manifest_of(names: &[String], tree: &Path) -> Option<PathBuf> {
    let tracked = git::tracked_files(tree, usize::MAX)?.into_iter();
    let mut manifests = tracked.map(|file| tree.join(file)).filter(|file| file.ends_with("Cargo.toml"));
    manifests.find(|file| cargo::package_name(file).is_some_and(|name| names.contains(&name)))
}

/// Returns the folders of packages outside of a tree that its members with benchmarks may use.
fn shared_packages(project: &Project, build: &cargo::Build, tree: &Path) -> HashMap<String, Vec<PathBuf>> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let tree = real(tree);
    let outside: Vec<&PathBuf> =
        build.path_packages.iter().filter(|package| !real(package).starts_with(&tree)).collect();
    let used_by = |member: &str| {
        let used = outside.iter().filter(|package| project.may_use(member, package));
        used.map(|package| package.to_path_buf()).collect()
    };
    let members = build.executables.iter().map(|executable| &executable.package.name);
    members.map(|member| (member.clone(), used_by(member))).collect()
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
/// compared. It is copied each time because it may change. Returns whether there is one.
fn copy_lockfile(here: &Path, there: &Path) -> Result<bool, Error> {
    let (from, to) = (here.join("Cargo.lock"), there.join("Cargo.lock"));
    let exists = from.is_file();
    if exists {
        fs::copy(&from, &to).map_err(|error| io_error("write", &to, error))?;
    }
    Ok(exists)
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
        assert!(!copy_lockfile(here.path(), there.path()).unwrap());
        assert_eq!(text(), None);
        for updated in ["here", "updated"] {
            fs::write(here.path().join("Cargo.lock"), updated).unwrap();
            assert!(copy_lockfile(here.path(), there.path()).unwrap());
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
