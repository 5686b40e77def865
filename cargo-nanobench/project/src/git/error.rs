//! The errors of git commands.

use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("--against needs git, but `git` is not in PATH: install git")]
    NoGit,
    #[error("cannot start git: {0}")]
    Start(io::Error),
    #[error("--against needs a git repository, but {} is not in one\ngit reports: {}", .folder.display(), quoted(.stderr))]
    NoRepository { folder: PathBuf, stderr: String },
    #[error(
        "this repository has no commits yet, so there is no other version to compare with\n\
         commit the present one: git add --all && git commit\n\
         or save a baseline before a change: cargo nanobench --save-baseline main"
    )]
    NoCommits,
    #[error("there is no revision `{}`{}", escape(.name), lines(.hints))]
    UnknownRevision { name: String, hints: Vec<String> },
    #[error("cannot find the merge base: the default branch is not known here{}", lines(.hints))]
    NoDefaultBranch { hints: Vec<String> },
    #[error("cannot find the merge base: this branch and {with} have no common commit{}", lines(.hints))]
    NoMergeBase { with: String, hints: Vec<String> },
    #[error("cannot find the merge base: this clone lacks commits of this branch or of {with}{}", lines(.hints))]
    UncertainMergeBase { with: String, hints: Vec<String> },
    #[error("cannot {action} {}: {source}", .path.display())]
    File { action: &'static str, path: PathBuf, source: io::Error },
    #[error("interrupted while git was running")]
    Interrupted,
    #[error("`{}` failed\ngit reports: {}", escape(.command), quoted(.stderr))]
    Failed { command: String, stderr: String },
}

/// Escapes each line of the stderr of git.
fn quoted(stderr: &str) -> String {
    stderr.lines().map(escape).collect::<Vec<_>>().join("\n")
}

fn lines(hints: &[String]) -> String {
    hints.iter().map(|hint| format!("\n{hint}")).collect()
}
