//! Comparisons, as far as they are kept: the changes that the last one of each executable with a baseline, a
//! revision or other code of the last run has measured, which `why` explains; and the evidence of the
//! last one, with which `--more` goes on.

use super::layout::NAMES;
use super::name::LAST;
use super::{Error, IoError, LockedStore, Store, layout};
use crate::fingerprint::Fingerprint;
use crate::regular_file;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};
use std::path::Path;

const CHANGES: &str = "comparison.json";
const EVIDENCE: &str = "evidence.json";
/// The limit for the size of each file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The largest number of executables whose comparisons are kept.
const MAX_EXECUTABLES: usize = 256;

/// The last comparison of an executable. The file has a list of them, the latest first.
#[derive(Debug, Serialize, Deserialize)]
struct LastComparison {
    executable: Fingerprint,
    /// First the changes since the baseline that was named first.
    with: Vec<MeasuredChanges>,
}

/// The changes of an executable's benchmarks since a baseline or a revision.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredChanges {
    pub since: OtherSide,
    /// The typical times that changed.
    pub changes: Vec<MeasuredChange>,
    /// The premises of the verdicts that aren't known to be equal, by the ids of the benchmarks.
    #[serde(default)]
    pub premises: BTreeMap<String, Vec<String>>,
}

/// The other side of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherSide {
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
pub struct MeasuredChange {
    /// Its id.
    pub benchmark: String,
    /// The change of its typical time, as a share.
    pub change: f64,
}

impl OtherSide {
    pub fn is_last_run(&self) -> bool {
        matches!(self, OtherSide::Baseline { name, .. } if name == LAST)
    }

    /// Returns whether it has the code of another one. A baseline may get another name: if it is
    /// replaced, it is the previous one of that name.
    pub fn is_code_of(&self, other: &OtherSide) -> bool {
        match (self, other) {
            (OtherSide::Revision { commit, .. }, OtherSide::Revision { commit: other, .. }) => {
                commit == other
            }
            (OtherSide::Baseline { created, .. }, OtherSide::Baseline { created: other, .. }) => {
                created == other
            }
            _ => false,
        }
    }
}

impl MeasuredChanges {
    /// Returns the change of a benchmark's typical time, as a share. `None` if none was found.
    pub fn of(&self, benchmark: &str) -> Option<f64> {
        let of_it = self.changes.iter().find(|change| change.benchmark == benchmark);
        of_it.map(|of_it| of_it.change)
    }
}

impl Store {
    /// Returns the changes that the last comparison of an executable has measured, first those since
    /// the baseline that was named first. None if it wasn't compared.
    pub fn measured_changes(&self, executable: &Path) -> Vec<MeasuredChanges> {
        let Ok(fingerprint) = Fingerprint::from_file(executable) else { return Vec::new() };
        let mut all = self.last_comparisons().into_iter();
        all.find(|last| last.executable == fingerprint).map(|last| last.with).unwrap_or_default()
    }

    /// Returns the evidence of the last comparison; `None` without one that this version can read.
    pub fn evidence<T: DeserializeOwned>(&self) -> Option<T> {
        self.kept(EVIDENCE)
    }

    fn last_comparisons(&self) -> Vec<LastComparison> {
        self.kept(CHANGES).unwrap_or_default()
    }

    fn kept<T: DeserializeOwned>(&self, file: &str) -> Option<T> {
        serde_json::from_slice(&regular_file::read(&self.root().join(file), MAX_BYTES).ok()?).ok()
    }
}

impl LockedStore<'_> {
    /// Keeps the changes that a comparison has measured with each of these executables.
    pub fn keep_measured_changes(&self, compared: Vec<(&Path, Vec<MeasuredChanges>)>) {
        let last =
            |(path, with)| Some(LastComparison { executable: Fingerprint::from_file(path).ok()?, with });
        let mut all: Vec<LastComparison> = compared.into_iter().filter_map(last).collect();
        for last in self.store.last_comparisons() {
            if all.iter().all(|newer| newer.executable != last.executable) {
                all.push(last);
            }
        }
        all.truncate(MAX_EXECUTABLES);
        // Nothing but a part of an explanation is lost if this fails.
        let _ = self.keep(CHANGES, &all);
    }

    /// Keeps the evidence of a comparison in place of that of the last one.
    pub fn keep_evidence(&self, evidence: &impl Serialize) -> Result<(), IoError> {
        self.keep(EVIDENCE, evidence)
    }

    /// Deletes the evidence of the last comparison: another one has taken place.
    pub fn drop_evidence(&self) -> Result<(), Error> {
        Ok(layout::remove(&self.store.root().join(EVIDENCE))?)
    }

    fn keep(&self, file: &str, value: &impl Serialize) -> Result<(), IoError> {
        let root = self.store.root();
        layout::replace(&root.join(file), &root.join(NAMES), |file| {
            let mut buffer = BufWriter::new(file);
            serde_json::to_writer(&mut buffer, value)?;
            buffer.flush()
        })
    }
}
