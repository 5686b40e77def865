//! Options for calls of cargo.

use std::ffi::OsString;
use std::path::PathBuf;

/// All options of a build.
#[derive(Debug, Clone, Default)]
pub struct CargoOptions {
    pub packages: PackageOptions,
    pub targets: TargetOptions,
    pub features: FeatureOptions,
    pub profile: Option<String>,
    /// The target triple.
    pub target: Option<String>,
    pub target_dir: Option<PathBuf>,
    pub jobs: Option<String>,
    pub common: CommonOptions,
}

impl CargoOptions {
    /// Returns the profile that is built.
    pub fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or("bench")
    }

    /// Returns whether some packages or targets may be left out that are built without flags.
    pub fn is_partial(&self) -> bool {
        let PackageOptions { package, workspace: _, exclude } = &self.packages;
        !package.is_empty() || !exclude.is_empty() || self.targets != TargetOptions::default()
    }
}

/// The selected packages: `--package`, `--workspace`, `--exclude`.
#[derive(Debug, Clone, Default)]
pub struct PackageOptions {
    pub package: Vec<String>,
    pub workspace: bool,
    pub exclude: Vec<String>,
}

impl PackageOptions {
    /// Returns whether a flag selects packages.
    pub fn are_given(&self) -> bool {
        self.workspace || !self.package.is_empty()
    }
}

/// The selected targets. With none selected, cargo-nanobench builds lib, bins and benches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetOptions {
    pub lib: bool,
    pub bins: bool,
    pub bin: Vec<String>,
    pub benches: bool,
    pub bench: Vec<String>,
    pub tests: bool,
    pub test: Vec<String>,
    pub examples: bool,
    pub example: Vec<String>,
    pub all_targets: bool,
}

/// The selected features.
#[derive(Debug, Clone, Default)]
pub struct FeatureOptions {
    pub features: Vec<String>,
    pub all_features: bool,
    pub no_default_features: bool,
}

impl FeatureOptions {
    /// Returns the flags and names as the user typed them: `--all-features`, `simd`.
    pub fn words(&self) -> Vec<String> {
        let flags =
            [(self.all_features, "--all-features"), (self.no_default_features, "--no-default-features")];
        let flags = flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
        flags.chain(self.features.iter().cloned()).collect()
    }
}

/// The options of every call of cargo.
#[derive(Debug, Clone, Default)]
pub struct CommonOptions {
    pub manifest_path: Option<PathBuf>,
    /// The values of `--config`.
    pub config: Vec<String>,
    pub locked: bool,
    pub offline: bool,
    pub frozen: bool,
    /// The values of `-Z`.
    pub unstable: Vec<String>,
    pub quiet: bool,
    /// The number of `-v`.
    pub verbose: u8,
    /// The value of `--color`, unless it is `auto`.
    pub color: Option<String>,
    /// Set if cargo works on a tree other than the user's.
    pub other_tree: Option<OtherTree>,
}

/// The folder and environment in which cargo is started for another tree.
#[derive(Debug, Clone, Default)]
pub struct OtherTree {
    /// Cargo looks for its configuration from here.
    pub folder: PathBuf,
    /// Files of configuration that cargo doesn't find from there, and that `--config` adds, nearest first.
    pub settings: Vec<PathBuf>,
    /// Variables to set.
    pub set: Vec<(&'static str, OsString)>,
    /// Variables to remove.
    pub unset: Vec<&'static str>,
}
