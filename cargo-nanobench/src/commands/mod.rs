//! One file per subcommand, each a short story told with the other modules.

pub(crate) mod baseline;
mod compatibility;
pub(crate) mod doctor;
pub(crate) mod init;
pub(crate) mod run;

use crate::cli::Command;
use crate::error::Error;
use crate::exit::Exit;

/// Does what the command line asks for.
pub(crate) fn dispatch(command: &Command) -> Result<Exit, Error> {
    match command {
        Command::Run(args) => Ok(run::run(args)?),
        Command::Baseline(args) => baseline::run(args),
        Command::Doctor(args) => Ok(doctor::run(args)?),
        Command::Init(args) => Ok(init::run(args)?),
    }
}
