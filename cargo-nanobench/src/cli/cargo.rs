//! Cargo's own flags, with cargo's names and meanings.

use crate::cargo::{CargoOptions, CommonOptions, FeatureOptions, PackageOptions, TargetOptions};
use clap::{ArgAction, Args, ColorChoice};
use std::path::PathBuf;

/// The flags of a build.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CargoArgs {
    #[command(flatten, next_help_heading = "Cargo: packages and targets")]
    packages: clap_cargo::Workspace,
    #[command(flatten)]
    targets: TargetArgs,
    #[command(flatten, next_help_heading = "Cargo: features")]
    features: clap_cargo::Features,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten, next_help_heading = "Cargo: build")]
    pub(crate) common: CommonArgs,
}

impl CargoArgs {
    /// Returns the flags of a command that builds nothing.
    pub(super) fn of_common(common: CommonArgs) -> CargoArgs {
        CargoArgs { common, ..CargoArgs::default() }
    }

    /// Returns the flags as plain values.
    pub(crate) fn options(&self) -> CargoOptions {
        let CargoArgs { packages, targets, features, build, common } = self.clone();
        let TargetArgs { lib, bins, bin, benches, tests, test, examples, example, all_targets } = targets;
        let clap_cargo::Features { features, all_features, no_default_features, .. } = features;
        let BuildArgs { profile, target, target_dir, jobs } = build;
        CargoOptions {
            packages: PackageOptions {
                package: packages.package,
                workspace: packages.workspace || packages.all,
                exclude: packages.exclude,
            },
            targets: TargetOptions {
                lib,
                bins,
                bin,
                benches,
                // `--bench` may also name a part of an id.
                bench: Vec::new(),
                tests,
                test,
                examples,
                example,
                all_targets,
            },
            features: FeatureOptions { features, all_features, no_default_features },
            profile,
            target,
            target_dir,
            jobs,
            common: common.options(),
        }
    }
}

/// The targets of the selected packages.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Cargo: packages and targets")]
struct TargetArgs {
    /// Benchmark the library; without target flags, that is lib, bins and benches.
    #[arg(long)]
    lib: bool,
    /// Benchmark all binaries.
    #[arg(long)]
    bins: bool,
    /// Benchmark the binary NAME; like --test and --example, may be repeated and contain wildcards.
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// Benchmark all bench targets.
    #[arg(long)]
    benches: bool,
    /// Benchmark all integration tests.
    #[arg(long)]
    tests: bool,
    /// Benchmark the integration test NAME.
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// Benchmark all examples.
    #[arg(long)]
    examples: bool,
    /// Benchmark the example NAME.
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,
    /// Benchmark all targets.
    #[arg(long)]
    all_targets: bool,
}

/// The way of building.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Cargo: build")]
struct BuildArgs {
    /// Build with this profile [default: bench].
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Build for this target triple, whose executables must run on this machine.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Use this directory for build artifacts and baselines.
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
    /// Run N build jobs in parallel.
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    jobs: Option<String>,
}

/// The flags of every subcommand that asks cargo.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CommonArgs {
    /// Path to Cargo.toml.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Override a value of cargo's configuration.
    #[arg(long, value_name = "KEY=VALUE|PATH")]
    config: Vec<String>,
    /// Assert that Cargo.lock stays unchanged.
    #[arg(long)]
    locked: bool,
    /// Run without accessing the network.
    #[arg(long)]
    offline: bool,
    /// Equivalent to --locked and --offline.
    #[arg(long)]
    frozen: bool,
    /// Pass an unstable flag to a nightly cargo.
    #[arg(short = 'Z', value_name = "FLAG")]
    unstable: Vec<String>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}

/// The flags of every subcommand about what it prints.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TerminalArgs {
    /// Print only results, warnings and errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more columns and all warnings.
    ///
    /// Also prints the targets that were skipped, and with -vv cargo's commands.
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// When to print colours: auto, always or never.
    #[arg(long, value_name = "WHEN", hide_possible_values = true, default_value_t)]
    color: ColorChoice,
}

impl CommonArgs {
    /// Returns the flags as plain values.
    pub(crate) fn options(&self) -> CommonOptions {
        let CommonArgs { manifest_path, config, locked, offline, frozen, unstable, terminal } = self.clone();
        let TerminalArgs { quiet, verbose, color } = terminal;
        let color = (color != ColorChoice::Auto).then(|| color.to_string());
        CommonOptions {
            manifest_path,
            config,
            locked,
            offline,
            frozen,
            unstable,
            quiet,
            verbose,
            color,
            other_tree: None,
        }
    }
}

impl TerminalArgs {
    /// Makes `--color` the choice of everything that is printed through `anstream`. With `auto`,
    /// `NO_COLOR`, `CLICOLOR_FORCE` and the terminal decide.
    pub(crate) fn apply_color(&self) {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}
