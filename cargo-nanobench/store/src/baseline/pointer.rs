//! The names of runs. A name is a small file that points to the record of its run, and to that of the
//! previous one. It is replaced in one step, so that a name has its old meaning or its new one.

use super::{BaselineRef, Origin, RunRecord};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The meaning of a name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Pointer {
    /// The meaning of `main`.
    pub(super) run: Option<Target>,
    /// The meaning of `main~1`.
    pub(super) previous: Option<Target>,
}

/// The files of a run, by their paths in the store, with slashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Target {
    pub(super) record: String,
    /// The places of its executables, which may be gone. The name knows them, so that nobody has to
    /// read all records to find the files that no run needs.
    pub(super) blobs: BTreeSet<BlobId>,
}

/// The place of an executable in the store, which its content determines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct BlobId(pub(super) String);

impl Pointer {
    pub(super) fn get(&self, baseline: &BaselineRef) -> Option<&Target> {
        if baseline.is_previous() { self.previous.as_ref() } else { self.run.as_ref() }
    }

    pub(super) fn get_mut(&mut self, baseline: &BaselineRef) -> &mut Option<Target> {
        if baseline.is_previous() { &mut self.previous } else { &mut self.run }
    }

    pub(super) fn targets(&self) -> impl Iterator<Item = &Target> {
        self.run.iter().chain(&self.previous)
    }
}

impl Target {
    pub(super) fn new(record: String, run: &RunRecord) -> Target {
        let blobs = run.executables.iter().map(|executable| executable.blob(run.origin)).collect();
        Target { record, blobs }
    }
}

impl BlobId {
    pub(super) fn path(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }

    /// Returns the folder of the executables of runs of this origin. What strangers wrote is apart:
    /// it must never be taken for an executable that was built here, whatever its hash.
    pub(super) fn folder(origin: Origin) -> &'static str {
        if origin == Origin::Import { super::layout::IMPORTS } else { super::layout::BLOBS }
    }
}
