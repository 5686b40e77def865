//! The workspace, as `cargo metadata` describes it.

use super::build_inputs::BuildInputs;
use super::executable::Executable;
use super::interception::Interception;
use super::kind::Kind;
use super::options::{CargoOptions, CommonOptions};
use super::start::{self, Early, Start};
use super::units::Unit;
use super::{Error, manifest};
use cargo_config2::Walk;
use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{Artifact, Metadata, Package, Target};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder of what runs keep, in the target directory.
pub(super) const KEPT: &str = "nanobench";

/// A workspace and its members, without their dependencies.
#[derive(Debug)]
pub struct Project {
    metadata: Metadata,
    target_directory: PathBuf,
    pub(super) start: Start,
    /// The units and the inputs of the last build, once it is done.
    last_build: Mutex<(Vec<Unit>, BuildInputs)>,
}

impl Project {
    /// Queries cargo for the workspace of `--manifest-path` or of the current directory.
    pub fn load(common: &CommonOptions, target_dir: Option<&Path>) -> Result<Self, Error> {
        Ok(Project::new(start::metadata(common)?, target_dir))
    }

    fn new(metadata: Metadata, target_dir: Option<&Path>) -> Project {
        let target_directory = match target_dir {
            Some(dir) => std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()),
            None => metadata.target_directory.clone().into(),
        };
        let start = Start::in_folder(target_directory.join(KEPT));
        Project { metadata, target_directory, start, last_build: Mutex::default() }
    }

    /// Queries cargo for the workspace that is going to be built, and prepares the interception of
    /// links at the same time.
    pub fn load_to_build(args: &CargoOptions) -> Result<Self, Error> {
        let interception = Early::start(Interception::start);
        let target_dir = args.target_dir.as_deref();
        let (metadata, is_confirmed) = start::early_metadata(&args.common, target_dir)?;
        let mut project = Project::new(metadata, target_dir);
        project.start.is_confirmed = is_confirmed;
        project.start.interception = interception;
        Ok(project)
    }

    /// Returns the compiler's description of itself, as `rustc -vV` prints it.
    pub fn compiler_description(&self, target: Option<&str>) -> Option<&str> {
        self.start.compiler(target).description.as_deref()
    }

    /// Returns the executables of the last build with these options, as far as they are still the same.
    pub fn last_executables(&self, args: &CargoOptions) -> &[Executable] {
        self.start.last_executables(args)
    }

    /// Keeps the units and the inputs of a build.
    pub(super) fn keep_build(&self, units: Vec<Unit>, inputs: BuildInputs) {
        *self.last_build.lock().unwrap_or_else(PoisonError::into_inner) = (units, inputs);
    }

    /// Returns the units of the last build.
    pub fn units(&self) -> Vec<Unit> {
        self.last_build.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Returns the inputs of the last build.
    pub fn inputs(&self) -> BuildInputs {
        self.last_build.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// Returns the folder with the units, which is the target directory by default.
    pub fn build_directory(&self) -> &Path {
        let build_directory = self.metadata.build_directory.as_ref();
        let other = build_directory.filter(|folder| **folder != self.metadata.target_directory);
        other.map_or(&self.target_directory, |folder| folder.as_std_path())
    }

    /// Returns the folder of what runs keep. The first run that is saved creates it.
    pub(super) fn kept(&self) -> PathBuf {
        self.target_directory.join(KEPT)
    }

    /// Cargo's target directory, which also holds the baselines.
    pub fn target_directory(&self) -> &Path {
        &self.target_directory
    }

    /// The workspace's root folder.
    pub fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// All packages of the workspace.
    pub(super) fn members(&self) -> Vec<&Package> {
        self.metadata.workspace_packages()
    }

    /// Returns the names of all packages of the workspace, in the order in which they run.
    pub fn member_names(&self) -> impl Iterator<Item = &str> {
        self.members().into_iter().map(|member| member.name.as_str())
    }

    /// Returns the names of the members' crates, with the folders of their sources. Those of `package` come
    /// first, as others may have the same names.
    pub fn crates(&self, package: &str) -> Vec<(String, PathBuf)> {
        let mut members = self.members();
        members.sort_by_key(|member| member.name.as_str() != package);
        let crates = members.into_iter().flat_map(|member| {
            member.targets.iter().map(|target| {
                let folder = target.src_path.parent().map(PathBuf::from).unwrap_or_default();
                (target.name.replace('-', "_"), folder)
            })
        });
        crates.collect()
    }

    /// Returns the member of this name.
    pub fn member(&self, name: &str) -> Option<&Package> {
        self.members().into_iter().find(|package| package.name.as_str() == name)
    }

    /// Returns the member that an artifact was built from.
    pub(super) fn member_of(&self, artifact: &Artifact) -> Option<&Package> {
        self.members().into_iter().find(|package| package.id == artifact.package_id)
    }

    /// Returns whether there is a target, as far as this is known: cargo describes the targets of
    /// members only.
    pub fn has_target(&self, package: &str, kind: Kind, name: &str) -> bool {
        let is_target = |target: &Target| target.name == name && Kind::from_target(target) == Some(kind);
        match self.member(package) {
            Some(member) => member.targets.iter().any(is_target),
            None => self.local_packages().contains(&package),
        }
    }

    /// Returns the names and paths of path dependencies whose path does not exist.
    pub fn missing_paths(&self) -> Vec<(String, PathBuf)> {
        let dependencies = self.path_dependencies().map(|(name, path)| (name.to_owned(), path.into()));
        let of_manifest = manifest::patches(&self.root().join("Cargo.toml"), self.root());
        let of_configuration = Walk::new(self.root()).flat_map(|file| {
            let folder = file.parent().and_then(Path::parent).unwrap_or(self.root());
            manifest::patches(&file, folder)
        });
        let all = dependencies.chain(of_manifest).chain(of_configuration);
        all.filter(|(_, path)| !path.exists()).collect()
    }

    /// Returns whether a member may use the package in a folder: it depends on its path, directly or
    /// through other members. If no member does, the package is that of another one or of `[patch]`.
    pub fn may_use(&self, member: &str, folder: &Path) -> bool {
        let uses = |member: &str| self.paths_from(member).iter().any(|path| *path == folder);
        uses(member) || !self.member_names().any(uses)
    }

    /// Returns the paths of the dependencies of a member and of other members among them.
    fn paths_from(&self, member: &str) -> BTreeSet<&Utf8Path> {
        let (mut paths, mut queue) = (BTreeSet::new(), vec![member]);
        while let Some(name) = queue.pop() {
            let dependencies = self.member(name).into_iter().flat_map(|member| &member.dependencies);
            for dependency in dependencies {
                let path = dependency.path.as_deref();
                queue.extend(path.filter(|path| paths.insert(*path)).map(|_| &*dependency.name));
            }
        }
        paths
    }

    /// Returns the names of the packages that may be edited here: the members and their path
    /// dependencies.
    pub(super) fn local_packages(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.member_names().chain(self.path_dependencies().map(|(name, _)| name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the names of the packages that members depend on.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = &str> {
        let dependencies = self.members().into_iter().flat_map(|member| &member.dependencies);
        dependencies.map(|dependency| dependency.name.as_str())
    }

    fn path_dependencies(&self) -> impl Iterator<Item = (&str, &Utf8Path)> {
        let dependencies = self.members().into_iter().flat_map(|member| &member.dependencies);
        dependencies.filter_map(|dependency| Some((dependency.name.as_str(), dependency.path.as_deref()?)))
    }

    /// The packages that cargo selects without a flag: the manifest's own, or the workspace's
    /// default members.
    pub(super) fn default_members(&self) -> Vec<&Package> {
        self.metadata.workspace_default_packages()
    }
}
