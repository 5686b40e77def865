//! Errors of building another revision.

use crate::{cargo, git};
use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

/// The reason why there is no other revision to compare with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Git(#[from] git::Error),
    #[error(
        "{} ({short}) doesn't build{}\nname another revision, or measure your working tree alone: cargo nanobench",
        escape(.name), details(.source)
    )]
    Build { name: String, short: String, source: cargo::Error },
    #[error(
        "{} ({short}) can't be built in a separate worktree: the path of its dependency `{dependency}` leads out of the \
         repository, to {}\ncommit the dependency to the repository, or name a revision of it in Cargo.toml (git, rev)",
        escape(.name), .path.display()
    )]
    Outside { name: String, short: String, dependency: String, path: PathBuf },
    #[error("cannot {action} {}: {source}", .path.display())]
    File { action: &'static str, path: PathBuf, source: io::Error },
    #[error("interrupted while the other revision was built")]
    Interrupted,
}

/// Returns cargo's error, unless cargo has printed it.
fn details(error: &cargo::Error) -> String {
    if error.is_reported() { ": cargo's error is above".to_owned() } else { format!(": {error}") }
}

impl Error {
    /// Returns whether the user knows the reason.
    pub fn is_reported(&self) -> bool {
        matches!(
            self,
            Error::Interrupted
                | Error::Git(git::Error::Interrupted)
                | Error::Build { source: cargo::Error::Interrupted, .. }
        )
    }
}
