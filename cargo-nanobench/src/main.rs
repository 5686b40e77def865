//! The `cargo nanobench` subcommand.

mod background;
mod baseline;
mod benchmark_id;
mod cargo;
mod cli;
mod code;
mod commands;
mod costs;
mod deadline;
#[cfg(target_os = "linux")]
mod descendants;
mod disturbance;
mod doctor;
mod earlier_comparison;
mod environment;
mod error;
mod exit;
mod experiment;
mod fingerprint;
mod git;
mod instructions;
mod interrupt;
mod limits;
mod load_beside;
mod new_file;
mod output;
mod regular_file;
mod relink;
mod report;
mod revision;
mod scratch;
mod session;
mod style;
mod suggest;
mod tune;
mod warnings;

use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    if relink::is_stand_in() {
        return relink::link(cargo::has_marker);
    }
    if costs::is_harness() {
        return costs::serve();
    }
    // The built-in benchmarks are in this executable, but `--bench` is a flag of the tool here.
    nanobench::__private::own_main_runs();
    let command = cli::parse();
    command.common().apply_color();
    warnings::read_environment();
    warnings::show_all_if(command.common().options().verbose > 0);
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
