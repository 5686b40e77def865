//! The changes that the last comparison with a named baseline or a revision has measured, which
//! `why` explains.

use super::name::LAST;
use super::{LockedStore, Store, layout};
use crate::fingerprint::Fingerprint;
use crate::regular_file;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The limit for the size of the file, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
struct LastComparison {
    /// The executables that were measured.
    executables: Vec<Fingerprint>,
    with: Vec<MeasuredChanges>,
}

/// The changes since a baseline or a revision.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasuredChanges {
    pub(crate) since: OtherSide,
    /// The typical times that changed.
    pub(crate) changes: Vec<MeasuredChange>,
}

/// The other side of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OtherSide {
    Baseline {
        name: String,
        /// The end of its run.
        created: Timestamp,
    },
    Revision {
        /// As typed.
        name: String,
        /// The full hash.
        commit: String,
    },
}

/// The change of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasuredChange {
    /// Its id.
    pub(crate) benchmark: String,
    /// The change of its typical time, as a share.
    pub(crate) change: f64,
}

impl OtherSide {
    pub(crate) fn is_last_run(&self) -> bool {
        matches!(self, OtherSide::Baseline { name, .. } if name == LAST)
    }

    /// Returns whether it has the code of another one.
    pub(crate) fn is_code_of(&self, other: &OtherSide) -> bool {
        match (self, other) {
            (OtherSide::Revision { commit, .. }, OtherSide::Revision { commit: other, .. }) => {
                commit == other
            }
            _ => self == other,
        }
    }
}

impl MeasuredChanges {
    /// Returns the change of a benchmark's typical time, as a share. `None` if none was found.
    pub(crate) fn of(&self, benchmark: &str) -> Option<f64> {
        let of_it = self.changes.iter().find(|change| change.benchmark == benchmark);
        of_it.map(|of_it| of_it.change)
    }
}

impl Store {
    /// Returns the changes that the last comparison has measured with an executable, first those
    /// since the baseline that was named first. None if another executable was measured.
    pub(crate) fn measured_changes(&self, executable: &Path) -> Vec<MeasuredChanges> {
        let read = || {
            let text = regular_file::read(&self.root().join(layout::COMPARISON), MAX_BYTES).ok()?;
            let last: LastComparison = serde_json::from_slice(&text).ok()?;
            let is_measured = last.executables.contains(&Fingerprint::from_file(executable).ok()?);
            is_measured.then_some(last.with)
        };
        read().unwrap_or_default()
    }
}

impl LockedStore<'_> {
    /// Returns what [`Store::measured_changes`] does.
    pub(crate) fn measured_changes(&self, executable: &Path) -> Vec<MeasuredChanges> {
        self.store.measured_changes(executable)
    }

    /// Keeps the changes that a comparison has measured with these executables.
    pub(crate) fn keep_measured_changes(&self, executables: &[&Path], with: Vec<MeasuredChanges>) {
        let fingerprint = |path: &&Path| Fingerprint::from_file(path).ok();
        let executables = executables.iter().filter_map(fingerprint).collect();
        // Nothing but a part of an explanation is lost if this fails.
        let _ = serde_json::to_vec(&LastComparison { executables, with })
            .map(|text| fs::write(self.store.root().join(layout::COMPARISON), text));
    }
}
