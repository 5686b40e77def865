//! The workspace, as `cargo metadata` describes it.

use std::path::{Path, PathBuf};

use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{Metadata, MetadataCommand, Package};

use super::{Error, flags};
use crate::cli::Common;

/// A workspace: its members, without their dependencies.
#[derive(Debug)]
pub(crate) struct Project {
    metadata: Metadata,
    target_directory: PathBuf,
}

impl Project {
    /// Asks cargo for the workspace that `--manifest-path`, or the current directory, is in.
    pub(crate) fn load(common: &Common, target_dir: Option<&Path>) -> Result<Self, Error> {
        let mut command = MetadataCommand::new();
        command.cargo_path(flags::program()).no_deps();
        if let Some(path) = &common.manifest_path {
            command.manifest_path(path);
        }
        if let Some(other_tree) = &common.other_tree {
            command.current_dir(&other_tree.folder);
            for (name, value) in &other_tree.set {
                command.env(name, value);
            }
            for name in &other_tree.unset {
                command.env_remove(name);
            }
        }
        // `verbose` lets cargo's stderr through. Warnings are left to the build, which would repeat them.
        command.verbose(true).other_options([flags::common(common), vec!["--quiet".to_owned()]].concat());
        let metadata = command.exec().map_err(|error| match error {
            cargo_metadata::Error::CargoMetadata { .. } => Error::Cargo(101),
            cargo_metadata::Error::Io(source) => {
                Error::Start { program: flags::program().display().to_string(), source }
            }
            other => Error::Metadata(other),
        })?;
        let target_directory = match target_dir {
            Some(dir) => std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()),
            None => metadata.target_directory.clone().into(),
        };
        Ok(Self { metadata, target_directory })
    }

    /// Where cargo builds to, and where baselines are kept.
    pub(crate) fn target_directory(&self) -> &Path {
        &self.target_directory
    }

    /// The workspace's root folder.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// All members.
    pub(super) fn members(&self) -> Vec<&Package> {
        self.metadata.workspace_packages()
    }

    /// The member of this name.
    pub(crate) fn member(&self, name: &str) -> Option<&Package> {
        self.members().into_iter().find(|package| package.name.as_str() == name)
    }

    /// What members depend on by paths where nothing is: names and paths.
    pub(crate) fn missing_paths(&self) -> Vec<(String, PathBuf)> {
        let missing = self.path_dependencies().filter(|(_, path)| !path.exists());
        missing.map(|(name, path)| (name.to_owned(), path.into())).collect()
    }

    /// The names of the packages that may be edited here: the members, and what they depend on by paths.
    pub(super) fn local_packages(&self) -> Vec<&str> {
        let members = self.members().into_iter().map(|member| member.name.as_str());
        let mut names: Vec<&str> = members.chain(self.path_dependencies().map(|(name, _)| name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn path_dependencies(&self) -> impl Iterator<Item = (&str, &Utf8Path)> {
        let dependencies = self.members().into_iter().flat_map(|member| &member.dependencies);
        dependencies.filter_map(|dependency| Some((dependency.name.as_str(), dependency.path.as_deref()?)))
    }

    /// What cargo takes without a flag: the package of the manifest, or the workspace's default members.
    pub(super) fn default_members(&self) -> Vec<&Package> {
        self.metadata.workspace_default_packages()
    }
}
