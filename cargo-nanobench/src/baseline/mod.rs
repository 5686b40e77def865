//! The store of runs: executables by their content, records that are never changed, and names that
//! point to records. [`layout`] shows them on disk.

mod allowance;
mod archive;
mod baseline_ref;
mod bench_file;
mod columns;
mod comparisons;
mod describe;
mod error;
mod executable;
mod format;
mod housekeeping;
mod inputs;
mod io_error;
mod layout;
mod lock;
mod merging;
mod name;
mod outside_files;
mod place;
mod pointer;
mod prune;
mod record;
mod run_order;
mod saving;
mod store;
mod stored_measurement;

use crate::fingerprint::Fingerprint;
pub(crate) use archive::{ArchiveError, Exported, Imported};
pub(crate) use baseline_ref::{BaselineRef, LAST_RUN, in_sentence};
pub(crate) use comparisons::{MeasuredChange, MeasuredChanges, OtherSide};
pub(crate) use describe::{age, describe, short_commit, summary};
pub(crate) use error::Error;
pub(crate) use executable::{Executable, StoredCopy};
pub(crate) use format::{Origin, RunRecord, StoredBenchmark};
pub(crate) use inputs::{Input, InputName, changed_inputs};
pub(crate) use io_error::IoError;
pub(crate) use name::{BaselineName, NameError};
pub(crate) use outside_files::OutsideFile;
pub(crate) use prune::PruneRule;
pub(crate) use run_order::RunOrder;
pub(crate) use saving::{BuiltExecutable, RunToSave, StagedRun};
pub(crate) use store::{ListedBaseline, LoadedBaseline, LockedStore, Store};

#[cfg(test)]
mod tests;
