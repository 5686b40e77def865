//! One module per subcommand, each a short story told with the other modules.

pub(crate) mod baseline;
mod compatibility;
pub(crate) mod doctor;
pub(crate) mod init;
pub(crate) mod run;

use crate::cli::Command;
use crate::exit::Exit;

/// An error that ends a subcommand.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Run(#[from] run::Error),
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Doctor(#[from] doctor::Error),
    #[error(transparent)]
    Init(#[from] init::Error),
}

/// Runs the subcommand of the command line.
pub(crate) fn dispatch(command: &Command) -> Result<Exit, Error> {
    match command {
        Command::Run(args) => Ok(run::run(args)?),
        Command::Baseline(args) => Ok(baseline::run(args)?),
        Command::Doctor(args) => Ok(doctor::run(args)?),
        Command::Init(args) => Ok(init::run(args)?),
    }
}
