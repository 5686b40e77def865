//! Processes that a killed run has left: descendants of a benchmark, which don't end with it.

use crate::descendants::{end, is_started_for};
use std::fs;
use std::path::Path;

/// Ends the processes that were started for a connection in `folder`. The folder's name is random,
/// and they have it in their environment.
pub(super) fn end_started_for(folder: &Path) {
    let Some(folder) = folder.to_str() else { return };
    let address = format!("unix:{folder}/");
    let Ok(processes) = fs::read_dir("/proc") else { return };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| is_started_for(id, &address)).for_each(end);
}
