//! The facts of a baseline that lists print, in a small file beside `baseline.json`. A list of many
//! baselines would otherwise read all of their samples.
//!
//! The file only saves time: it counts as long as `baseline.json` has the size and time that it
//! notes, and a list reads `baseline.json` itself if it doesn't.

use super::format::Baseline;
use super::layout::{JSON, OVERVIEW};
use crate::regular_file;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The limit for the size of the file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The facts of a baseline that lists print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Overview {
    /// The run, without its benchmarks.
    pub(crate) run: Baseline,
    /// The number of its benchmarks.
    pub(crate) benchmarks: usize,
    /// The number of benchmarks that were measured in earlier runs.
    pub(crate) measured_before: usize,
    /// The end of the earliest of these runs.
    pub(crate) oldest: Option<Timestamp>,
}

/// The file, with the state of the `baseline.json` that it describes.
#[derive(Serialize, Deserialize)]
struct Note {
    state: State,
    overview: Overview,
}

/// The size of a file, and the time at which it was written.
#[derive(PartialEq, Serialize, Deserialize)]
struct State {
    bytes: u64,
    nanoseconds: u128,
}

impl Overview {
    /// Returns the overview of a baseline.
    pub(crate) fn of(baseline: &Baseline) -> Overview {
        let times = baseline.benchmarks.iter().map(|benchmark| baseline.measured_at(benchmark));
        let earlier: Vec<Timestamp> = times.filter(|&time| time != baseline.created).collect();
        Overview {
            run: baseline.without_benchmarks(),
            benchmarks: baseline.benchmarks.len(),
            measured_before: earlier.len(),
            oldest: earlier.into_iter().min(),
        }
    }

    /// Reads the overview in a baseline's folder. `None` if there is none of this `baseline.json`.
    pub(super) fn read(folder: &Path) -> Option<Overview> {
        let text = regular_file::read(&folder.join(OVERVIEW), MAX_BYTES).ok()?;
        let note: Note = serde_json::from_slice(&text).ok()?;
        (note.state == State::of(&folder.join(JSON)).ok()?).then_some(note.overview)
    }

    /// Writes the overview of a complete folder.
    pub(super) fn write(baseline: &Baseline, folder: &Path) -> io::Result<()> {
        let note = Note { state: State::of(&folder.join(JSON))?, overview: Overview::of(baseline) };
        fs::write(folder.join(OVERVIEW), serde_json::to_vec(&note)?)
    }
}

impl State {
    fn of(file: &Path) -> io::Result<State> {
        let metadata = file.metadata()?;
        let time = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(State { bytes: metadata.len(), nanoseconds: time.as_nanos() })
    }
}
