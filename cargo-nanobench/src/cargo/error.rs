//! What can go wrong between us and cargo.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use crate::exit::Exit;

/// Why there is nothing built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Cargo has said why already.
    #[error("cargo ended with exit code {0}")]
    Cargo(u8),
    #[error("cargo died: {0}")]
    Died(ExitStatus),
    #[error("interrupted while cargo was at work")]
    Interrupted,
    #[error("failed to start `{program}`: {source}\nis cargo installed, and in PATH?")]
    Start { program: String, source: io::Error },
    #[error("failed to read what `cargo metadata` says: {0}")]
    Metadata(#[source] cargo_metadata::Error),
    #[error("failed to read cargo's messages: {0}")]
    Messages(#[source] io::Error),
    #[error("failed to read the executable {path}: {source}")]
    Executable { path: PathBuf, source: io::Error },
    #[error("no package in this workspace is `{spec}`\n{hint}")]
    UnknownPackage { spec: String, hint: String },
    #[error("`{spec}` is several packages: {}", .names.join(", "))]
    AmbiguousPackage { spec: String, names: Vec<String> },
    #[error("`{text}` is not a pattern: {message}")]
    Pattern { text: String, message: &'static str },
    #[error("--exclude can only be used together with --workspace")]
    ExcludeAlone,
    #[error("no {kind} of the selected packages is named `{name}`\n{hint}")]
    UnknownTarget { kind: &'static str, name: String, hint: String },
}

impl Error {
    /// The error for a program that did not start.
    pub(crate) fn start(command: &Command) -> impl FnOnce(io::Error) -> Self + use<> {
        let program = command.get_program().display().to_string();
        move |source| Self::Start { program, source }
    }

    /// The exit code that it ends with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Cargo(code) => Exit::Cargo(*code),
            Self::Interrupted => Exit::Interrupted,
            Self::Died(_) => Exit::Cargo(101),
            Self::Start { .. } | Self::Metadata(_) | Self::Messages(_) | Self::Executable { .. } => {
                Exit::Surroundings
            }
            Self::UnknownPackage { .. }
            | Self::AmbiguousPackage { .. }
            | Self::Pattern { .. }
            | Self::ExcludeAlone
            | Self::UnknownTarget { .. } => Exit::Usage,
        }
    }

    /// The user knows already: cargo has printed it, or they pressed Ctrl-C.
    pub(crate) fn is_reported(&self) -> bool {
        matches!(self, Self::Cargo(_) | Self::Interrupted)
    }
}
