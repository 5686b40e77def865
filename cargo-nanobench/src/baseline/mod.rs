//! Runs that are kept to compare with: their names, their format, their place on disk.

mod columns;
mod describe;
mod error;
mod fingerprint;
mod format;
mod layout;
mod lock;
mod name;
mod stage;
mod store;

pub(crate) use describe::{age, short_commit, summary};
pub(crate) use error::Error;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use format::{Baseline, Executable, StoredBenchmark};
pub(crate) use layout::Place;
pub(crate) use name::{BaselineName, NameError};
pub(crate) use stage::{Built, Staged};
pub(crate) use store::{Listed, LockedStore, Saved, Store};

#[cfg(test)]
mod tests;
