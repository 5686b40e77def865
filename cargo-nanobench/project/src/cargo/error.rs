//! Errors of calling cargo.

use super::{MissingMain, Unresolved};
use crate::interrupt;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

/// The reason why nothing was built.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Cargo has printed the reason.
    #[error("cargo failed with exit code {0}")]
    Cargo(u8),
    /// Cargo has printed errors about a crate that the compiler didn't find.
    #[error("{}", .reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Unresolved { code: u8, reasons: Vec<Unresolved> },
    /// Cargo has printed errors about targets without a `main`.
    #[error("{}", .targets.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    MissingMain { code: u8, targets: Vec<MissingMain> },
    /// Their sources have changed, but not in a way that cargo looks at.
    #[error(
        "cargo doesn't build {} again although its sources have changed: they are vendored, or have an old time \
         stamp\nto have it built: {}", .packages.join(", "), clean(.packages, .profile)
    )]
    Outdated { packages: Vec<String>, profile: String },
    #[error("cargo was killed: {0}")]
    Killed(ExitStatus),
    #[error("interrupted while cargo was running")]
    Interrupted,
    #[error("cannot start `{program}`: {source}\ninstall cargo, or add it to PATH")]
    Start { program: String, source: io::Error },
    #[error("the workspace changed while it was built\nrun the command again")]
    WorkspaceChanged,
    #[error("cannot read the output of `cargo metadata`: {0}")]
    Metadata(#[source] cargo_metadata::Error),
    #[error("cannot read cargo's messages: {0}")]
    Messages(#[source] io::Error),
    #[error("cannot read the executable {path}: {source}")]
    Executable { path: PathBuf, source: io::Error },
    #[error("no package in this workspace matches `{spec}`\n{hint}")]
    UnknownPackage { spec: String, hint: String },
    #[error("`{spec}` matches several packages: {}\nname one of them", .names.join(", "))]
    AmbiguousPackage { spec: String, names: Vec<String> },
    #[error("`{text}` is not a valid pattern: {message}")]
    Pattern { text: String, message: &'static str },
    #[error("--exclude requires --workspace")]
    ExcludeAlone,
    #[error("no {kind} of the selected packages is named `{name}`\n{hint}")]
    UnknownTarget { kind: &'static str, name: String, hint: String },
}

impl Error {
    /// Creates the error of a program that did not start.
    pub fn start(command: &Command) -> impl FnOnce(io::Error) -> Self + use<> {
        let program = command.get_program().display().to_string();
        move |source| Self::Start { program, source }
    }

    /// Creates the error of a cargo command that failed.
    pub(super) fn from_status(status: ExitStatus) -> Self {
        const CARGO_FAILED: u8 = 101;
        if interrupt::ended(status) || interrupt::requested() {
            return Self::Interrupted;
        }
        match status.code() {
            Some(code) => Self::Cargo(u8::try_from(code).unwrap_or(CARGO_FAILED)),
            None => Self::Killed(status),
        }
    }

    /// Returns whether the user knows the reason: cargo printed it, or the user pressed Ctrl-C.
    pub fn is_reported(&self) -> bool {
        matches!(self, Self::Cargo(_) | Self::Interrupted)
    }
}

/// Returns the command that has these packages built again.
fn clean(packages: &[String], profile: &str) -> String {
    let packages: String = packages.iter().map(|name| format!(" -p {name}")).collect();
    format!("cargo clean --profile {profile}{packages}")
}
