//! A log of all blocks, for experiments with the rules: a line of JSON for each block, in the file
//! that `NANOBENCH_BLOCKS` names.

use super::block::Block;
use crate::warnings::warn;
use nanobench::model::{Launch, RowId, Sample};
use std::fs::File;
use std::io::Write as _;

/// The log, if it is requested.
#[derive(Debug)]
pub(super) struct BlockLog(Option<File>);

impl BlockLog {
    /// Opens the log that the environment requests. Warns and continues without it if the file
    /// can't be opened.
    pub(super) fn from_environment() -> BlockLog {
        let Some(path) = std::env::var_os("NANOBENCH_BLOCKS") else { return BlockLog(None) };
        let file = File::options().append(true).create(true).open(&path);
        if let Err(error) = &file {
            warn(format!("NANOBENCH_BLOCKS: cannot write {}: {error}", path.display()));
        }
        BlockLog(file.ok())
    }

    /// Appends a block.
    pub(super) fn append(&mut self, row: &RowId, block: &Block) {
        let Some(file) = &mut self.0 else { return };
        let times: Vec<Vec<f64>> = block
            .launches
            .iter()
            .map(|launch| launch.samples.iter().map(|s| s.elapsed as f64 / s.iterations as f64).collect())
            .collect();
        let waited: Vec<Option<Vec<f64>>> =
            block.waited.iter().zip(&block.launches).map(|(waited, launch)| ticks(waited, launch)).collect();
        let line = serde_json::json!({
            "id": row.to_string(),
            "changes": block.changes,
            "aa_ratios": block.side_ratios,
            "elapsed": block.elapsed.as_secs_f64(),
            "start_time": block.start_time.as_secs_f64(),
            "core": block.core,
            "samples_per_turn": block.samples_per_turn,
            // Ticks of each iteration, by process and sample: two of the baseline, two of the
            // candidate.
            "times": times,
            // The part of these in which other programs ran. Null for a process in which it is
            // unknown.
            "waited": waited,
        });
        // `writeln!` would make a system call for each number. The log is an aid, so a failure to write it
        // does not end the run.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

/// Returns the ticks of each iteration that these times in ns are.
fn ticks(waited: &Option<Vec<u64>>, launch: &Launch) -> Option<Vec<f64>> {
    let ticks = |(&time, sample): (&u64, &Sample)| {
        time as f64 * launch.clock.frequency / 1e9 / sample.iterations as f64
    };
    Some(waited.as_ref()?.iter().zip(&launch.samples).map(ticks).collect())
}
