//! Runs that are kept to compare with: their names, their format, their place on disk.

mod archive;
mod carry;
mod columns;
mod describe;
mod error;
mod fingerprint;
mod format;
mod housekeeping;
mod layout;
mod lock;
mod name;
mod place;
mod prune;
mod record;
mod stage;
mod store;

pub(crate) use archive::{Exported, Imported};
pub(crate) use describe::{age, short_commit, summary};
pub(crate) use error::Error;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use format::{Baseline, Executable, FileName, StoredBenchmark};
pub(crate) use name::{BaselineName, NameError};
pub(crate) use place::Place;
pub(crate) use prune::Pruning;
pub(crate) use stage::{Built, Staged};
pub(crate) use store::{Listed, LockedStore, Saved, Store};

#[cfg(test)]
mod tests;
