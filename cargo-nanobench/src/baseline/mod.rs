//! The store of baselines: their names, their format and their place on disk.

mod allowance;
mod archive;
mod baseline_ref;
mod bench_file;
pub(crate) mod bounded;
mod columns;
mod describe;
mod error;
mod evidence_file;
mod executable;
mod format;
mod housekeeping;
mod inputs;
mod io_error;
mod last_comparison;
mod layout;
mod libraries;
mod link_inputs;
mod lock;
mod merge_previous;
mod moves;
mod name;
mod outside_files;
mod place;
mod previous_run;
mod prune;
mod record;
mod run_order;
mod stage;
mod store;
mod stored_measurement;

use crate::fingerprint::Fingerprint;
pub(crate) use archive::{ArchiveError, Exported, Imported};
pub(crate) use baseline_ref::{BaselineRef, LAST_RUN, in_sentence};
pub(crate) use describe::{age, describe, short_commit, summary};
pub(crate) use error::Error;
pub(crate) use executable::{Executable, IntactCopy, StoredCopy};
pub(crate) use format::{Baseline, FileName, Origin, StoredBenchmark};
pub(crate) use inputs::{Input, InputName, changed_inputs, is_for_all_programs};
pub(crate) use io_error::IoError;
pub(crate) use last_comparison::{MeasuredChange, MeasuredChanges, OtherSide};
pub(crate) use name::{BaselineName, NameError};
pub(crate) use outside_files::{
    OutsideFile, is_dynamic_library, named_files_in, named_folders, output_folder,
};
pub(crate) use prune::PruneRule;
pub(crate) use run_order::RunOrder;
pub(crate) use stage::{BuiltExecutable, StagedRun};
pub(crate) use store::{ListedBaseline, LoadedBaseline, LockedStore, Store};

#[cfg(test)]
mod tests;
