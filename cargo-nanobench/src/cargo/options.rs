//! Options for calls of cargo.

use std::ffi::OsString;
use std::path::PathBuf;

/// All options of a build.
#[derive(Debug, Clone, Default)]
pub(crate) struct CargoOptions {
    pub(crate) packages: PackageOptions,
    pub(crate) targets: TargetOptions,
    pub(crate) features: FeatureOptions,
    pub(crate) profile: Option<String>,
    /// The target triple.
    pub(crate) target: Option<String>,
    pub(crate) target_dir: Option<PathBuf>,
    pub(crate) jobs: Option<String>,
    pub(crate) common: CommonOptions,
}

impl CargoOptions {
    /// Returns the profile that is built.
    pub(crate) fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or("bench")
    }

    /// Returns whether some packages or targets may be left out that are built without flags.
    pub(crate) fn is_partial(&self) -> bool {
        let PackageOptions { package, workspace: _, exclude } = &self.packages;
        !package.is_empty() || !exclude.is_empty() || self.targets != TargetOptions::default()
    }
}

/// The selected packages: `--package`, `--workspace`, `--exclude`.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackageOptions {
    pub(crate) package: Vec<String>,
    pub(crate) workspace: bool,
    pub(crate) exclude: Vec<String>,
}

impl PackageOptions {
    /// Returns whether a flag selects packages.
    pub(crate) fn are_given(&self) -> bool {
        self.workspace || !self.package.is_empty()
    }
}

/// The selected targets. With none selected, cargo-nanobench builds lib, bins and benches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TargetOptions {
    pub(crate) lib: bool,
    pub(crate) bins: bool,
    pub(crate) bin: Vec<String>,
    pub(crate) benches: bool,
    pub(crate) bench: Vec<String>,
    pub(crate) tests: bool,
    pub(crate) test: Vec<String>,
    pub(crate) examples: bool,
    pub(crate) example: Vec<String>,
    pub(crate) all_targets: bool,
}

/// The selected features.
#[derive(Debug, Clone, Default)]
pub(crate) struct FeatureOptions {
    pub(crate) features: Vec<String>,
    pub(crate) all_features: bool,
    pub(crate) no_default_features: bool,
}

impl FeatureOptions {
    /// Returns the flags and names as the user typed them: `--all-features`, `simd`.
    pub(crate) fn words(&self) -> Vec<String> {
        let flags =
            [(self.all_features, "--all-features"), (self.no_default_features, "--no-default-features")];
        let flags = flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
        flags.chain(self.features.iter().cloned()).collect()
    }
}

/// The options of every call of cargo.
#[derive(Debug, Clone, Default)]
pub(crate) struct CommonOptions {
    pub(crate) manifest_path: Option<PathBuf>,
    /// The values of `--config`.
    pub(crate) config: Vec<String>,
    pub(crate) locked: bool,
    pub(crate) offline: bool,
    pub(crate) frozen: bool,
    /// The values of `-Z`.
    pub(crate) unstable: Vec<String>,
    pub(crate) quiet: bool,
    /// The number of `-v`.
    pub(crate) verbose: u8,
    /// The value of `--color`, unless it is `auto`.
    pub(crate) color: Option<String>,
    /// Set if cargo works on a tree other than the user's.
    pub(crate) other_tree: Option<OtherTree>,
}

/// The folder and environment in which cargo is started for another tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherTree {
    /// Cargo looks for its configuration from here.
    pub(crate) folder: PathBuf,
    /// Files of configuration that cargo doesn't find from there, and that `--config` adds, nearest first.
    pub(crate) settings: Vec<PathBuf>,
    /// Variables to set.
    pub(crate) set: Vec<(&'static str, OsString)>,
    /// Variables to remove.
    pub(crate) unset: Vec<&'static str>,
}
