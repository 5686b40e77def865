//! The store of runs: executables by their content, records that are never changed, and names that
//! point to records. `layout` shows them on disk.

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
mod named_inputs;
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
pub use archive::{ArchiveError, Exported, Imported};
pub use baseline_ref::{BaselineRef, LAST_RUN, in_sentence};
pub use comparisons::{MeasuredChange, MeasuredChanges, OtherSide};
pub use describe::{age, describe, short_commit, summary};
pub use error::Error;
pub use executable::{Executable, StoredCopy};
pub use format::{Origin, RunRecord, StoredBenchmark};
pub use inputs::{Input, InputName, changed_inputs};
pub use io_error::IoError;
pub use name::{BaselineName, NameError};
pub use named_inputs::{NamedInputs, contain, generated_files, is_for_all_programs, variables};
pub use outside_files::OutsideFile;
pub use prune::PruneRule;
pub use run_order::RunOrder;
pub use saving::{BuiltExecutable, RunToSave, StagedRun};
pub use store::{ListedBaseline, LoadedBaseline, LockedStore, Store};

#[cfg(test)]
mod tests;
