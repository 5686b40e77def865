//! Why there is no other revision to run beside.

use crate::exit::Exit;
use crate::{cargo, git};
use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

/// Each says of which of the two sides it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Git(#[from] git::Error),
    #[error(
        "{} ({short}) does not build{}\nwhat is here does: measure it alone with cargo nanobench, or name another revision",
        escape(.name), details(.source)
    )]
    Build { name: String, short: String, source: cargo::Error },
    #[error(
        "{} ({short}) does not build in a tree of its own: its dependency `{dependency}` is a path that leads out of the \
         repository, to {}\nlink what is meant to that place, or write the path in full in Cargo.toml",
        escape(.name), .path.display()
    )]
    Outside { name: String, short: String, dependency: String, path: PathBuf },
    #[error("cannot {what} {}: {source}", .path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error("interrupted while the other revision was made")]
    Interrupted,
}

/// What cargo has not said itself.
fn details(error: &cargo::Error) -> String {
    if error.is_reported() { ": cargo's own error is above".to_owned() } else { format!(": {error}") }
}

impl Error {
    /// The exit code that it ends with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::Git(error) => error.exit(),
            Error::Build { source, .. } => source.exit(),
            Error::File { .. } | Error::Outside { .. } => Exit::Surroundings,
            Error::Interrupted => Exit::Interrupted,
        }
    }

    /// Whether the user knows already.
    pub(crate) fn is_reported(&self) -> bool {
        matches!(self, Error::Interrupted | Error::Build { source: cargo::Error::Interrupted, .. })
    }
}
