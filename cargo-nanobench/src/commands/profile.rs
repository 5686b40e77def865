//! `cargo nanobench profile`: one benchmark, called until its profiler ends, or Ctrl-C.

use super::code_site;
use super::error::Error;
use super::run::{self, Profiler};
use crate::cargo::Project;
use crate::cli::ProfileArgs;
use crate::exit::Exit;
use crate::interrupt;

/// Runs the benchmark with its profiler.
pub(super) fn run(args: &ProfileArgs) -> Result<Exit, Error> {
    interrupt::watch();
    let flags = args.build.run_args();
    let project = Project::load_to_build(&flags.cargo.options())?;
    let options = code_site::options(&flags, &project)?;
    let profiler = Profiler::of_command(&args.command);
    run::endless(&args.id, &options.suite, &options.measuring.sampling, &project, &profiler)
}
