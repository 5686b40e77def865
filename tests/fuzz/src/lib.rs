//! The fuzz targets: each is a function that takes any bytes, and panics if the tool or its library
//! would, or if a promise doesn't hold. `tests/fuzz/run` runs them.
//!
//! cargo-nanobench has no library, so its modules are compiled into this crate from their files.

#![allow(dead_code, unused_imports, clippy::all)]

// The modules of main.rs.
#[path = "../../../cargo-nanobench/src/background.rs"]
mod background;
#[path = "../../../cargo-nanobench/src/baseline/mod.rs"]
mod baseline;
#[path = "../../../cargo-nanobench/src/benchmark_id.rs"]
mod benchmark_id;
#[path = "../../../cargo-nanobench/src/cargo/mod.rs"]
mod cargo;
#[path = "../../../cargo-nanobench/src/cli/mod.rs"]
mod cli;
#[path = "../../../cargo-nanobench/src/code/mod.rs"]
mod code;
#[path = "../../../cargo-nanobench/src/commands/mod.rs"]
mod commands;
#[path = "../../../cargo-nanobench/src/costs/mod.rs"]
mod costs;
#[path = "../../../cargo-nanobench/src/deadline.rs"]
mod deadline;
#[cfg(target_os = "linux")]
#[path = "../../../cargo-nanobench/src/descendants.rs"]
mod descendants;
#[path = "../../../cargo-nanobench/src/disturbance.rs"]
mod disturbance;
#[path = "../../../cargo-nanobench/src/doctor/mod.rs"]
mod doctor;
#[path = "../../../cargo-nanobench/src/earlier_comparison.rs"]
mod earlier_comparison;
#[path = "../../../cargo-nanobench/src/environment/mod.rs"]
mod environment;
#[path = "../../../cargo-nanobench/src/error.rs"]
mod error;
#[path = "../../../cargo-nanobench/src/exit.rs"]
mod exit;
#[path = "../../../cargo-nanobench/src/experiment/mod.rs"]
mod experiment;
#[path = "../../../cargo-nanobench/src/fingerprint.rs"]
mod fingerprint;
#[path = "../../../cargo-nanobench/src/git/mod.rs"]
mod git;
#[path = "../../../cargo-nanobench/src/instructions/mod.rs"]
mod instructions;
#[path = "../../../cargo-nanobench/src/interrupt.rs"]
mod interrupt;
#[path = "../../../cargo-nanobench/src/limits.rs"]
mod limits;
#[path = "../../../cargo-nanobench/src/load_beside.rs"]
mod load_beside;
#[path = "../../../cargo-nanobench/src/new_file.rs"]
mod new_file;
#[path = "../../../cargo-nanobench/src/output/mod.rs"]
mod output;
#[path = "../../../cargo-nanobench/src/regular_file.rs"]
mod regular_file;
#[path = "../../../cargo-nanobench/src/relink/mod.rs"]
mod relink;
#[path = "../../../cargo-nanobench/src/report/mod.rs"]
mod report;
#[path = "../../../cargo-nanobench/src/revision/mod.rs"]
mod revision;
#[path = "../../../cargo-nanobench/src/scratch/mod.rs"]
mod scratch;
#[path = "../../../cargo-nanobench/src/session/mod.rs"]
mod session;
#[path = "../../../cargo-nanobench/src/style.rs"]
mod style;
#[path = "../../../cargo-nanobench/src/suggest.rs"]
mod suggest;
#[path = "../../../cargo-nanobench/src/tune/mod.rs"]
mod tune;
#[path = "../../../cargo-nanobench/src/warnings.rs"]
mod warnings;

// Again, because the targets need items that only the parents of these modules see.
#[path = "../../../cargo-nanobench/src/cli/duration.rs"]
mod duration;
#[path = "../../../cargo-nanobench/src/cargo/marker.rs"]
mod entry_point;
#[path = "../../../cargo-nanobench/src/commands/baseline/list.rs"]
mod list;
#[path = "../../../cargo-nanobench/src/session/validation.rs"]
mod validation;
#[path = "../../../cargo-nanobench/src/commands/baseline/view.rs"]
mod view;

mod folder;
mod targets;

pub use targets::*;
