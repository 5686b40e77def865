//! `cargo nanobench asm`: the machine code of a benchmark.

use super::code_site::{self, CodeSite};
use super::error::Error;
use crate::cargo::Project;
use crate::cli::AsmArgs;
use crate::code::Disassembler;
use crate::exit::Exit;
use crate::output;
use crate::report::assembly::{self, SourceOf};

/// Prints the machine code of a benchmark.
pub(super) fn run(args: &AsmArgs) -> Result<Exit, Error> {
    let flags = args.build.run_args();
    let project = Project::load_to_build(&flags.cargo.options())?;
    let CodeSite { benchmark, executable, .. } = match &args.baseline {
        Some(baseline) => CodeSite::stored(&args.id, baseline, &project)?,
        None => CodeSite::built(&args.id, &code_site::options(&flags, &project)?.suite, &project)?,
    };
    let assembly =
        Disassembler::read(&executable)?.assembly(&benchmark.code(), &benchmark.name(), args.depth)?;
    let source =
        SourceOf { workspace: project.root(), file: &benchmark.spec.file, line: benchmark.spec.line };
    output::print(&assembly::text(&assembly, args.source.then_some(source), output::width()))?;
    Ok(Exit::Success)
}
