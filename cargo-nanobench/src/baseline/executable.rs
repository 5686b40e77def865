//! An executable of a baseline, with what its benchmarks depend on.

use super::Fingerprint;
use super::format::FileName;
use super::inputs::{Input, changed_inputs};
use super::libraries::{self, Library};
use super::outside_files::OutsideFile;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// An executable that is stored next to `baseline.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Executable {
    /// Its name in the baseline's folder of executables.
    pub(crate) file: FileName,
    /// The size in bytes.
    pub(crate) size: u64,
    pub(crate) hash: Fingerprint,
    /// The libraries of the workspace that it loads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) libraries: Vec<Library>,
    /// The other files whose code its benchmarks ran or may have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) outside_files: Vec<OutsideFile>,
    /// The files and variables that its benchmarks may have read. `None` in files of versions that
    /// didn't note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<Vec<Input>>,
    /// The size of its link inputs in bytes, if they are stored beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) link_inputs: Option<u64>,
}

/// A stored copy of an executable, which may be gone or changed.
#[derive(Debug, Clone)]
pub(crate) struct StoredCopy {
    pub(crate) path: PathBuf,
    pub(crate) executable: Executable,
}

/// A stored copy of an executable that was found to be as it was stored.
#[derive(Debug, Clone)]
pub(crate) struct IntactCopy {
    pub(crate) path: PathBuf,
    pub(crate) hash: Fingerprint,
}

impl StoredCopy {
    /// Returns the copy if it and its libraries are as they were stored. Reads all of them.
    pub(crate) fn into_intact(self) -> Option<IntactCopy> {
        let StoredCopy { path, executable: Executable { size, hash, libraries, .. } } = self;
        let is_intact = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == size)
            && Fingerprint::from_file(&path).is_ok_and(|found| found == hash)
            && libraries::are_intact(&libraries, &path);
        is_intact.then_some(IntactCopy { path, hash })
    }
}

impl Executable {
    /// Returns whether another executable and its libraries have the same bytes.
    pub(crate) fn has_code_of(&self, other: &Executable) -> bool {
        self.hash == other.hash && self.libraries == other.libraries
    }

    /// Returns whether another executable had the same inputs, as far as they are known.
    pub(crate) fn has_inputs_of(&self, other: &Executable) -> bool {
        let inputs = self.inputs.as_deref().zip(other.inputs.as_deref());
        inputs.is_none_or(|(one, other)| changed_inputs(one, other).is_empty())
    }

    /// Adds those files outside of it that are not listed yet.
    pub(super) fn add_outside_files(&mut self, files: &[OutsideFile]) {
        for file in files {
            if !self.outside_files.contains(file) {
                self.outside_files.push(file.clone());
            }
        }
    }
}
