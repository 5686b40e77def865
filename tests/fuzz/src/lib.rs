//! The fuzz targets: each is a function that takes any bytes, and panics if the tool or its library
//! would, or if a promise doesn't hold. `tests/fuzz/run` runs them.
//!
//! The crates of the tool are libraries. cargo-nanobench itself has none, so its modules are compiled into
//! this crate from their files.

#![allow(dead_code, unused_imports, clippy::all)]

// The modules of main.rs.
use machine_code::{code, relink};
use project::{
    background, benchmark_id, cargo, deadline, environment, fingerprint, git, interrupt, limits, load_beside,
    new_file, output, regular_file, scratch, style, suggest, tune, warnings,
};
use running::{disturbance, experiment, instructions, revision, session};
use store::baseline;
use verdicts::earlier_comparison;

#[path = "../../../cargo-nanobench/src/cli/mod.rs"]
mod cli;
#[path = "../../../cargo-nanobench/src/commands/mod.rs"]
mod commands;
#[path = "../../../cargo-nanobench/src/costs/mod.rs"]
mod costs;
#[path = "../../../cargo-nanobench/src/doctor/mod.rs"]
mod doctor;
#[path = "../../../cargo-nanobench/src/error.rs"]
mod error;
#[path = "../../../cargo-nanobench/src/exit.rs"]
mod exit;
#[path = "../../../cargo-nanobench/src/report/mod.rs"]
mod report;

// Again, because the targets need items that only the parents of these modules see.
#[path = "../../../cargo-nanobench/src/cli/duration.rs"]
mod duration;
#[path = "../../../cargo-nanobench/project/src/cargo/marker.rs"]
mod entry_point;
#[path = "../../../cargo-nanobench/src/commands/baseline/list.rs"]
mod list;
#[path = "../../../cargo-nanobench/running/src/session/validation.rs"]
mod validation;
#[path = "../../../cargo-nanobench/src/commands/baseline/view.rs"]
mod view;

mod folder;
mod targets;

pub use targets::*;
