//! Cargo's own flags, handed on to it. They have cargo's names and meanings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, ColorChoice};

/// Flags that say what cargo builds, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct CargoArgs {
    #[command(flatten, next_help_heading = "Cargo: packages and targets")]
    pub(crate) packages: clap_cargo::Workspace,
    #[command(flatten)]
    pub(crate) targets: Targets,
    #[command(flatten, next_help_heading = "Cargo: features")]
    pub(crate) features: clap_cargo::Features,
    #[command(flatten)]
    pub(crate) build: Build,
    #[command(flatten, next_help_heading = "Cargo: build")]
    pub(crate) common: Common,
}

impl CargoArgs {
    /// The profile that is built.
    pub(crate) fn profile(&self) -> &str {
        self.build.profile.as_deref().unwrap_or("bench")
    }

    /// `--target-dir`.
    pub(crate) fn target_dir(&self) -> Option<&Path> {
        self.build.target_dir.as_deref()
    }
}

/// Which targets of the packages. Without any of these: lib, bins and benches.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Cargo: packages and targets")]
pub(crate) struct Targets {
    /// The library. Without a flag for targets, it is the library, binaries and bench targets.
    #[arg(long)]
    pub(crate) lib: bool,
    /// All binaries.
    #[arg(long)]
    pub(crate) bins: bool,
    /// The binary NAME. Like --test and --example, it may be repeated and have wildcards.
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Vec<String>,
    /// All bench targets.
    #[arg(long)]
    pub(crate) benches: bool,
    /// All integration tests.
    #[arg(long)]
    pub(crate) tests: bool,
    /// The integration test NAME.
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Vec<String>,
    /// All examples.
    #[arg(long)]
    pub(crate) examples: bool,
    /// The example NAME.
    #[arg(long, value_name = "NAME")]
    pub(crate) example: Vec<String>,
    /// All of these.
    #[arg(long)]
    pub(crate) all_targets: bool,
}

/// How to build.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Cargo: build")]
pub(crate) struct Build {
    /// Build with this profile [default: bench].
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Build for this target triple. Its executables must run here.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Directory for all that is built, and for nanobench's baselines.
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Number of jobs that build at the same time.
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) jobs: Option<String>,
}

/// Flags of every subcommand.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Common {
    /// Path to Cargo.toml.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Override a value of cargo's configuration.
    #[arg(long, value_name = "KEY=VALUE|PATH")]
    pub(crate) config: Vec<String>,
    /// Assert that Cargo.lock stays as it is.
    #[arg(long)]
    pub(crate) locked: bool,
    /// Do without the network.
    #[arg(long)]
    pub(crate) offline: bool,
    /// --locked and --offline.
    #[arg(long)]
    pub(crate) frozen: bool,
    /// Unstable flags of a nightly cargo.
    #[arg(short = 'Z', value_name = "FLAG")]
    pub(crate) unstable: Vec<String>,
    /// Print only results and errors.
    #[arg(short, long, help_heading = "Output", conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more: what was passed over, and why. Twice: cargo's commands too.
    #[arg(short, long, help_heading = "Output", action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Colour: auto, always or never.
    #[arg(long, help_heading = "Output", value_name = "WHEN", hide_possible_values = true, default_value_t)]
    pub(crate) color: ColorChoice,
    /// No flag: set where cargo is to work on another tree than the user's.
    #[arg(skip)]
    pub(crate) other_tree: Option<OtherTree>,
}

/// How cargo is started for another tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherTree {
    /// Where: cargo's configuration is looked for from there.
    pub(crate) folder: PathBuf,
    /// Variables that are set.
    pub(crate) set: Vec<(&'static str, OsString)>,
    /// Variables that are not passed on.
    pub(crate) unset: Vec<&'static str>,
}

impl Common {
    /// Makes `--color` the choice of all that is printed through `anstream`. Where it is `auto`, `NO_COLOR`,
    /// `CLICOLOR_FORCE` and whether it goes to a terminal decide.
    pub(crate) fn apply_color(&self) {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}
