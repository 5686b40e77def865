//! The list of baselines as JSON.

use crate::baseline::{ListedBaseline, Origin};
use crate::environment::Environment;
use crate::revision::{self, RevisionFolder};
use jiff::Timestamp;
use serde::Serialize;
use std::io;

/// The version of the list. New fields keep it; changed and removed fields raise it.
const FORMAT: u64 = 2;

/// All baselines of a target directory.
#[derive(Debug, Serialize)]
struct List<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    baselines: Vec<Entry<'a>>,
    /// The builds of revisions.
    revisions: Revisions,
}

#[derive(Debug, Serialize)]
struct Revisions {
    builds: usize,
    /// The size of all their files, in bytes.
    size: u64,
}

/// A baseline in the list. Most fields are `null` if it can't be read.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'a str,
    /// The reason why it can't be read.
    error: Option<String>,
    /// The size of all its files, in bytes.
    size: u64,
    created: Option<Timestamp>,
    environment: Option<&'a Environment>,
    origin: Option<Origin>,
    from_other_machine: Option<bool>,
    benchmarks: Option<usize>,
    executables: Option<usize>,
}

/// Returns the list as a JSON document, with a newline at its end.
pub(crate) fn json(listed: &[ListedBaseline], revisions: &[RevisionFolder]) -> io::Result<String> {
    let baselines = listed.iter().map(entry).collect();
    let revisions = Revisions { builds: revisions.len(), size: revision::size(revisions) };
    let list = List { format: FORMAT, cargo_nanobench: env!("CARGO_PKG_VERSION"), baselines, revisions };
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

fn entry(listed: &ListedBaseline) -> Entry<'_> {
    let baseline = listed.baseline.as_ref().ok();
    Entry {
        name: &listed.name,
        error: listed.baseline.as_ref().err().map(ToString::to_string),
        size: listed.size,
        created: baseline.map(|baseline| baseline.created),
        environment: baseline.map(|baseline| &baseline.environment),
        origin: baseline.map(|baseline| baseline.origin),
        from_other_machine: baseline.map(|baseline| baseline.from_other_machine),
        benchmarks: baseline.map(|baseline| baseline.benchmarks.len()),
        executables: baseline.map(|baseline| baseline.executables.len()),
    }
}
