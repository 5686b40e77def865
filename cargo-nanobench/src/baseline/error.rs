//! What can go wrong with baselines: what happened, where, and what to do.

use super::archive::ArchiveFlaw;
use super::{BaselineRef, NameError};
use nanobench::report::escape;
use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A text that can't be a baseline's name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no baseline of this name.
    #[error("there is no {place}\n{here}")]
    Unknown {
        /// What was asked for.
        place: BaselineRef,
        /// Those that there are.
        here: Here,
    },
    /// There was no run yet.
    #[error("there is no last run yet\nmeasure first: cargo nanobench")]
    NoLastRun,
    /// The last run was to be removed.
    #[error(
        "the last run is no baseline that could be removed: the next run takes its place\nto do without it, delete `{}`",
        Shown(.folder)
    )]
    CannotRemoveLast {
        /// Where it is.
        folder: PathBuf,
    },
    /// The last run was to get a name.
    #[error(
        "the last run can't be renamed: the next run takes its place\n\
         to keep it as {wanted}: cargo nanobench baseline export last FILE, then baseline import FILE --name {}",
        .wanted.argument()
    )]
    CannotRenameLast {
        /// What it was to be.
        wanted: BaselineRef,
    },
    /// What a name is to be given to another one has.
    #[error("there is {place} already\nrename or remove that first: cargo nanobench baseline remove {}", .place.argument())]
    NameTaken {
        /// What is in the way.
        place: BaselineRef,
    },
    /// Where a folder belongs is something else.
    #[error(
        "{place} is none: `{}` is a file where a folder belongs\n\
         move it away; if it was exported: cargo nanobench baseline import FILE",
        Shown(.path)
    )]
    NotAFolder {
        /// Where.
        place: BaselineRef,
        /// What is there.
        path: PathBuf,
    },
    /// A file is no exported baseline, or not a whole one.
    #[error("`{}` can't be imported: {flaw}\nnothing was changed", Shown(.file))]
    NotImported {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        flaw: ArchiveFlaw,
    },
    /// The operating system refused a file that was named to export to or import from.
    #[error("cannot {doing} `{}`: {reason}\n{advice}", Shown(.file))]
    File {
        /// What was tried: `read`, `write`.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        reason: io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// An exported baseline would take the place of a file that is none.
    #[error("`{}` is there already and is no exported baseline\nname another file, or delete it first", Shown(.file))]
    NotReplaceable {
        /// The file.
        file: PathBuf,
    },
    /// The folder is there, its `baseline.json` is not.
    #[error(
        "{place} is incomplete: `{}` is missing\n\
         a cache may have dropped it, or a copy was cut short\n{}",
        Shown(.file), Remedy(.place, .file)
    )]
    Incomplete {
        /// Which.
        place: BaselineRef,
        /// What is missing.
        file: PathBuf,
    },
    /// `baseline.json` isn't what any version writes.
    #[error("{place} is damaged: {}\nin `{}`\n{}", escape(&.reason.to_string()), Shown(.file), Remedy(.place, .file))]
    Damaged {
        /// Which.
        place: BaselineRef,
        /// The file that was read.
        file: PathBuf,
        /// What is wrong in it, with line and column.
        reason: serde_json::Error,
    },
    /// A later version wrote it, in a format that this one doesn't know.
    #[error(
        "{place} was written by {}, in a format that this version ({}) doesn't know\n\
         `{}` stays as it is\n\
         update: cargo install cargo-nanobench\n\
         {}",
        Tool(.tool), env!("CARGO_PKG_VERSION"), Shown(.file), Removal(.place, .file)
    )]
    Newer {
        /// Which.
        place: BaselineRef,
        /// The file that was read.
        file: PathBuf,
        /// The version that wrote it, where the file says so.
        tool: Option<String>,
    },
    /// The operating system refused.
    #[error("cannot {doing} `{}`: {reason}\n{}", Shown(.path), advice(.reason))]
    System {
        /// What was tried: `write`, `copy`.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the operating system said.
        reason: io::Error,
    },
    /// Ctrl-C while waiting for another run.
    #[error("interrupted while waiting for another cargo nanobench")]
    Interrupted,
}

impl Error {
    /// Whether what can't be read is of no use to any version, so that a new run may take its place.
    pub(crate) fn may_be_replaced(&self) -> bool {
        matches!(self, Error::Incomplete { .. } | Error::Damaged { .. })
    }
}

/// Says what was done to which path when the operating system refused.
pub(super) trait At<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|reason| Error::System { doing, path: path.to_owned(), reason })
    }
}

/// The baselines that there are, when one was asked for that isn't.
#[derive(Debug, Default)]
pub(crate) struct Here {
    /// Each with what a list says of it.
    pub(super) baselines: Vec<String>,
    /// The name most like the one that was asked for.
    pub(super) nearest: Option<String>,
}

impl Display for Here {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.baselines.is_empty() {
            f.write_str("there is none yet; save one: cargo nanobench --save-baseline NAME")?;
        } else {
            write!(f, "these are here: {}", self.baselines.join(", "))?;
        }
        match &self.nearest {
            Some(name) => write!(f, "\ndid you mean `{}`?", escape(name)),
            None => Ok(()),
        }
    }
}

/// How to get a baseline back that can't be read.
struct Remedy<'a>(&'a BaselineRef, &'a Path);

impl Display for Remedy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BaselineRef::Last => Removal(self.0, self.1).fmt(f),
            BaselineRef::Earlier(_) => {
                write!(f, "remove it: cargo nanobench baseline remove {}", self.0.argument())
            }
            BaselineRef::Named(_) => {
                writeln!(f, "save it again: cargo nanobench --save-baseline {}", self.0.argument())?;
                Removal(self.0, self.1).fmt(f)
            }
        }
    }
}

/// How to do without a baseline that this version must leave alone.
struct Removal<'a>(&'a BaselineRef, &'a Path);

impl Display for Removal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BaselineRef::Last => {
                write!(f, "to do without it, delete `{}`", Shown(self.1.parent().unwrap_or(self.1)))
            }
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => {
                write!(f, "or remove it: cargo nanobench baseline remove {}", self.0.argument())
            }
        }
    }
}

struct Tool<'a>(&'a Option<String>);

impl Display for Tool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(version) => write!(f, "cargo-nanobench {}", escape(version)),
            None => f.write_str("a later cargo-nanobench"),
        }
    }
}

struct Shown<'a>(&'a Path);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.0.to_string_lossy()))
    }
}

fn advice(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or name a target directory elsewhere: --target-dir DIR"
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            "make it writable, or name a target directory that is: --target-dir DIR"
        }
        _ => "put it right, or name another target directory: --target-dir DIR",
    }
}
