//! Export and import: a run as one file, a `tar` compressed by gzip. This is the part of `Store` and
//! `LockedStore` for it.
//!
//! ```text
//! <name>/baseline.json
//! <name>/executables/<hash>
//! <name>/executables/<hash>.libraries/<file>
//! <name>/executables/<hash>.link
//! ```
//!
//! Anyone may have written such a file. So its paths are compared with these forms and never used
//! themselves, and each executable and library must have the size and hash that `baseline.json`
//! records. Link inputs say which linker to start, so nothing is linked from those of an executable
//! that may not run. As a few bytes may expand to gigabytes, nothing is decompressed beyond the
//! limit for its part of the file: a header, `baseline.json`, or a program of the recorded size.

mod export;
mod import;

use super::allowance;
use super::error::escaped;
use super::{BaselineName, BaselineRef, Error, IoError, NameError, RunRecord};
use indicatif::HumanBytes;
use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

#[cfg(test)]
pub(super) use import::extract;

/// The file with the record in an archive.
const JSON: &str = "baseline.json";
/// The folder of the executables in an archive.
const EXECUTABLES: &str = "executables";

/// The limits for an archive, far above those of any suite.
const MAX_EXECUTABLES: usize = 4096;
const MAX_EXECUTABLE_BYTES: u64 = 16 << 30;
/// The limit for executables that the user doesn't know to be large.
const USUAL_EXECUTABLE_BYTES: u64 = 2 << 30;
const MAX_NAME_BYTES: usize = 255;

/// A baseline that was written to a file.
#[derive(Debug)]
pub struct Exported {
    pub baseline: BaselineRef,
    /// The number of executables in the file.
    pub executables: usize,
    /// The number of executables that are gone or changed.
    pub missing: usize,
    /// The size of the file, in bytes.
    pub size: u64,
}

/// A baseline that was read from a file.
#[derive(Debug)]
pub struct Imported {
    /// The name that it was saved as.
    pub name: BaselineName,
    pub baseline: RunRecord,
    /// The number of executables in the file.
    pub executables: usize,
    /// The reference to the baseline that had the name before.
    pub earlier: Option<BaselineRef>,
}

/// A failure of an export or import.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Store(#[from] Error),
    #[error("`{}` can't be imported: {flaw}\nnothing was changed", escaped(.file))]
    Invalid { file: PathBuf, flaw: ArchiveFlaw },
    /// The operating system refused the file that the user named.
    #[error("cannot {action} `{}`: {reason}\n{advice}", escaped(.file))]
    File { action: &'static str, file: PathBuf, reason: io::Error, advice: &'static str },
    #[error(
        "`{}` exists already and is not an exported baseline\nname another file, or delete it first",
        escaped(.file)
    )]
    NotReplaceable { file: PathBuf },
    #[error("`{}` is not a regular file, so no baseline can be exported to it\nname another file", escaped(.file))]
    NotAFile { file: PathBuf },
}

/// The reason why a file can't be imported.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFlaw {
    #[error("it is not an exported baseline, or it is truncated: {}", escape(&.0.to_string()))]
    NotAnArchive(io::Error),
    #[error("it contains `{}`, which exported baselines don't", escape(.0))]
    UnexpectedEntry(String),
    #[error("its {JSON} is damaged: {}", escape(&.0.to_string()))]
    Damaged(serde_json::Error),
    #[error("a newer cargo-nanobench wrote it, in a format that this version ({}) can't read; update: cargo install cargo-nanobench", env!("CARGO_PKG_VERSION"))]
    NewerFormat,
    #[error("an earlier cargo-nanobench wrote it, in a format that this version ({}) can't read; save and export it again", env!("CARGO_PKG_VERSION"))]
    OlderFormat,
    #[error("the size or hash of its `{}` differs from that of the measured executable", escape(.0))]
    ExecutableMismatch(String),
    #[error("it is not a file that `Bench::save` wrote: {}", escape(.0))]
    BenchFile(String),
    #[error("it has more than {}, the limit for a file of `Bench::save`", HumanBytes(*.0))]
    LargeBenchFile(u64),
    #[error("its name is invalid\n{0}\nchoose another name: --name NAME")]
    Name(NameError),
    #[error("it contains no baseline")]
    Empty,
    #[error("{0}, more than a baseline may have")]
    TooLarge(String),
    #[error("its executables have {}; to import them all the same, add --large", HumanBytes(*.0))]
    Large(u64),
    #[error("one of its parts is larger than it says or may be")]
    Oversized,
}

impl From<io::Error> for ArchiveFlaw {
    fn from(error: io::Error) -> Self {
        if allowance::is_exceeded(&error) { Self::Oversized } else { Self::NotAnArchive(error) }
    }
}

impl From<IoError> for ArchiveError {
    fn from(error: IoError) -> Self {
        Self::Store(error.into())
    }
}
