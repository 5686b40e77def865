//! Errors of the store.

use super::{BaselineRef, IoError, NameError};
use nanobench::report::escape;
use std::path::{Path, PathBuf};

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("there is no {baseline}\n{known}")]
    Unknown { baseline: BaselineRef, known: String },
    #[error("there is no last run yet\nmeasure first: {command}")]
    NoLastRun { command: &'static str },
    #[error(
        "no previous run is kept\na run of different code keeps the last run as the previous one: {command}"
    )]
    NoPreviousRun { command: &'static str },
    #[error(
        "the last run can't be removed: the next run replaces it\nto delete it anyway, delete the file `{}`",
        escaped(.file)
    )]
    CannotRemoveLast { file: PathBuf },
    #[error(
        "the last run can't be renamed: the next run replaces it\n\
         to keep it as {new}: cargo nanobench baseline export last FILE, then baseline import FILE --use-executables --name {}",
        .new.argument()
    )]
    CannotRenameLast { new: BaselineRef },
    #[error(
        "{baseline} already exists\nrename it, or remove it: cargo nanobench baseline remove {}",
        .baseline.argument()
    )]
    NameTaken { baseline: BaselineRef },
    /// The name exists without the record of its run.
    #[error(
        "{baseline} is incomplete: `{}` is missing\n\
         a cache may have dropped it, or a copy may have been interrupted\n{}",
        escaped(.file), recovery(.baseline, .file)
    )]
    Incomplete { baseline: BaselineRef, file: PathBuf },
    /// No version writes such a file. The reason has line and column.
    #[error(
        "{baseline} is damaged: {}\nin `{}`\n{}",
        escape(&.reason.to_string()), escaped(.file), recovery(.baseline, .file)
    )]
    Damaged { baseline: BaselineRef, file: PathBuf, reason: serde_json::Error },
    #[error(
        "{baseline} was written by {}, in a format that this version ({}) can't read\n\
         `{}` stays as it is\n\
         update: cargo install cargo-nanobench\n\
         {}",
        newer_tool(.tool.as_deref()), env!("CARGO_PKG_VERSION"), escaped(.file), removal(.baseline, .file)
    )]
    NewerFormat {
        baseline: BaselineRef,
        file: PathBuf,
        /// The version that wrote it, if the file names it.
        tool: Option<String>,
    },
    #[error(
        "{baseline} was saved by an earlier version of cargo-nanobench, \
         in a format that this version ({}) can't read\n\
         {}",
        env!("CARGO_PKG_VERSION"), recovery(.baseline, .file)
    )]
    OlderFormat { baseline: BaselineRef, file: PathBuf },
    #[error(transparent)]
    Io(#[from] IoError),
    #[error("interrupted while waiting for another cargo nanobench")]
    Interrupted,
}

impl Error {
    /// Returns whether the unreadable baseline is useless to this version and later ones, so that a
    /// new run may replace it.
    pub fn may_be_replaced(&self) -> bool {
        matches!(self, Error::Incomplete { .. } | Error::Damaged { .. } | Error::OlderFormat { .. })
    }
}

/// Returns advice on how to replace an unreadable baseline.
fn recovery(baseline: &BaselineRef, file: &Path) -> String {
    let argument = baseline.argument();
    match baseline {
        BaselineRef::Last => removal(baseline, file),
        BaselineRef::BeforeLast | BaselineRef::Earlier(_) => {
            format!("remove it: cargo nanobench baseline remove {argument}")
        }
        BaselineRef::Named(_) => {
            format!("save it again: cargo nanobench --save-baseline {argument}\n{}", removal(baseline, file))
        }
    }
}

/// Returns advice on how to remove a baseline.
fn removal(baseline: &BaselineRef, file: &Path) -> String {
    match baseline {
        BaselineRef::Last => {
            format!("to remove it, delete the file `{}`", escaped(file))
        }
        BaselineRef::BeforeLast | BaselineRef::Named(_) | BaselineRef::Earlier(_) => {
            format!("or remove it: cargo nanobench baseline remove {}", baseline.argument())
        }
    }
}

fn newer_tool(version: Option<&str>) -> String {
    let version = version.map(|version| format!("cargo-nanobench {}", escape(version)));
    version.unwrap_or_else(|| "a later cargo-nanobench".to_owned())
}

/// Returns a path that is safe to print to a terminal.
pub(super) fn escaped(path: &Path) -> String {
    escape(&path.to_string_lossy())
}
