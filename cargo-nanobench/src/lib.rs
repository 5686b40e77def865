//! The `cargo nanobench` subcommand. Its program only calls [`main`].
//!
//! A library, so that the fuzz targets can call it. It has no interface for others.

mod cli;
mod commands;
mod costs;
mod error;
mod exit;
#[doc(hidden)]
pub mod fuzzed;
mod report;

use exit::Exit;
use machine_code::{code, relink};
use project::{
    background, benchmark_id, cargo, deadline, doctor, environment, fingerprint, git, init, interrupt,
    load_beside, new_file, output, regular_file, scratch, style, suggest, tune, warnings,
};
use running::{disturbance, experiment, instructions, revision, session};
use std::process::ExitCode;
use store::baseline;
use verdicts::earlier_comparison;

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    if relink::is_stand_in() {
        return relink::link(cargo::has_marker);
    }
    if costs::is_harness() {
        return costs::serve();
    }
    // The built-in benchmarks are in this executable, but `--bench` is a flag of the tool here.
    nanobench::__private::own_main_runs();
    let command = cli::parse();
    command.terminal().apply_color();
    warnings::read_environment();
    warnings::show_all_if(command.terminal().verbose > 0);
    let mut result = commands::dispatch(&command);
    if result.is_err() && cargo::workspace_has_changed() {
        // It began with cargo's answers to the last run. Now it has the new ones.
        result = commands::dispatch(&command);
    }
    warnings::conclude();
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            error::print(&error);
            Exit::from(&error).into()
        }
    }
}
