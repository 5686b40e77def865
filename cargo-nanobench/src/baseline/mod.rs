//! The store of baselines: their names, their format and their place on disk.

mod archive;
mod baseline_ref;
mod columns;
mod describe;
mod error;
mod fingerprint;
mod format;
mod housekeeping;
mod io_error;
mod layout;
mod lock;
mod merge_previous;
mod name;
mod prune;
mod record;
mod stage;
mod store;

pub(crate) use archive::{ArchiveError, Exported, Imported};
pub(crate) use baseline_ref::BaselineRef;
pub(crate) use describe::{age, short_commit, summary};
pub(crate) use error::Error;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use format::{Baseline, Executable, FileName, StoredBenchmark};
pub(crate) use io_error::IoError;
pub(crate) use name::{BaselineName, NameError};
pub(crate) use prune::PruneRule;
pub(crate) use stage::StagedRun;
pub(crate) use store::{ListedBaseline, LoadedBaseline, LockedStore, Store};

#[cfg(test)]
mod tests;
