//! What can go wrong between us and git.

use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

/// Why there is no such revision, or no tree of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("--against needs git, and there is no `git` in PATH")]
    NoGit,
    #[error("cannot start git: {0}")]
    Start(io::Error),
    #[error("--against needs a git repository, and {} is in none\ngit says: {}", .folder.display(), quoted(.said))]
    NoRepository { folder: PathBuf, said: String },
    #[error("there is no revision `{}`{}", escape(.name), lines(.hints))]
    Unknown { name: String, hints: Vec<String> },
    #[error("there is nothing to take the merge base with{}", lines(.hints))]
    NoDefaultBranch { hints: Vec<String> },
    #[error("this branch and {with} have no commit in common{}", lines(.hints))]
    NoMergeBase { with: String, hints: Vec<String> },
    #[error("the submodules of {name} can't be had\ngit says: {}\nit must be possible to clone them: git submodule update --init --recursive", quoted(.said))]
    Submodules { name: String, said: String },
    #[error("cannot {what} {}: {source}", .path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error("`{}` failed\ngit says: {}", escape(.call), quoted(.said))]
    Failed { call: String, said: String },
}

/// What git printed, line by line.
fn quoted(said: &str) -> String {
    said.lines().map(escape).collect::<Vec<_>>().join("\n")
}

fn lines(hints: &[String]) -> String {
    hints.iter().map(|hint| format!("\n{hint}")).collect()
}
