//! What a duel has measured, for whoever looks into its rules: a line of JSON for each block, in the file that
//! `NANOBENCH_BLOCKS` names.

use super::block::Block;
use nanobench::model::RowId;
use std::fs::File;
use std::io::Write as _;

/// The environment variable that names the file.
const VARIABLE: &str = "NANOBENCH_BLOCKS";

/// The file, if there is one.
#[derive(Debug)]
pub(super) struct Record(Option<File>);

impl Record {
    /// As the environment wants it. A file that can't be written is said, and does without.
    pub(super) fn of_environment() -> Record {
        let Some(path) = std::env::var_os(VARIABLE) else { return Record(None) };
        let file = File::options().append(true).create(true).open(&path);
        if let Err(error) = &file {
            crate::warnings::warn(format!("{VARIABLE}: cannot write {}: {error}", path.display()));
        }
        Record(file.ok())
    }

    pub(super) fn note(&mut self, row: &RowId, confirming: bool, block: &Block) {
        let Some(file) = &mut self.0 else { return };
        let times: Vec<Vec<f64>> = block
            .launches
            .iter()
            .map(|launch| launch.samples.iter().map(|s| s.elapsed as f64 / s.iterations as f64).collect())
            .collect();
        let line = serde_json::json!({
            "id": row.to_string(),
            "confirming": confirming,
            "changes": block.changes,
            "placebos": block.aa_ratios,
            "took": block.took.as_secs_f64(),
            "start": block.start.as_secs_f64(),
            "core": block.core,
            // Ticks of each iteration, by process and round: two of the baseline, two of the candidate.
            "times": times,
        });
        // It is an aid: a run does not end because it can't be written.
        let _ = writeln!(file, "{line}");
    }
}
