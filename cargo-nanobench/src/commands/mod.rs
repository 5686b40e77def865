//! One module per subcommand, each a short sequence of calls to the other modules.

mod asm;
pub(crate) mod baseline;
mod code_site;
mod compatibility;
mod completions;
mod costs;
mod doctor;
mod error;
mod outputs;
mod profile;
mod report;
mod run;
pub(crate) mod saved;
mod tune;
mod why;

pub(crate) use error::Error;

use crate::cli::Command;
use crate::exit::Exit;
use crate::init;

/// Runs the subcommand of the command line.
pub(crate) fn dispatch(command: &Command) -> Result<Exit, Error> {
    tune::recover();
    match command {
        Command::Run(args) => run::run(args),
        Command::Baseline(args) => baseline::run(args),
        Command::Costs(args) => costs::run(args),
        Command::Report(args) => report::run(args),
        Command::Why(args) => why::run(args),
        Command::Asm(args) => asm::run(args),
        Command::Profile(args) => profile::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Init(args) => {
            init::run(&args.common.options(), args.package.as_deref(), args.path.as_deref())?;
            Ok(Exit::Success)
        }
        Command::Completions(args) => Ok(completions::print(args.shell)?),
        Command::Man(args) => completions::write_manual(&args.folder),
    }
}
