//! The store: saved runs with their executables, by content, and the names that point to them.

#![expect(missing_docs, reason = "fields and variants whose names say it all have no documentation")]

pub mod baseline;

use machine_code::relink;
use project::{
    benchmark_id, cargo, environment, fingerprint, limits, new_file, output, regular_file, suggest,
};
use verdicts::earlier_comparison;
