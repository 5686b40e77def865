//! The one error type of the program, with an exit code for each kind, and how an error is printed.

use anstyle::{AnsiColor, Style};

use crate::baseline;
use crate::cargo;
use crate::commands::baseline::compare;
use crate::commands::{doctor, init, run};
use crate::exit::Exit;

/// Why a command could not do what was asked for. Each message is made beside the code that raises it: the first
/// line says what happened, the others what there is and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Cargo(#[from] cargo::Error),
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Compare(#[from] compare::Error),
    #[error("that is longer ago than a calendar goes back: {0}")]
    Age(#[from] jiff::Error),
    #[error(transparent)]
    Run(#[from] run::Error),
    #[error(transparent)]
    Doctor(#[from] doctor::Error),
    #[error(transparent)]
    Init(#[from] init::Error),
    #[error("cannot write to stdout: {0}")]
    Output(#[from] std::io::Error),
}

impl Error {
    /// The exit code that it ends with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Cargo(error) => error.exit(),
            Self::Baseline(error) => error.exit(),
            Self::Compare(error) => error.exit(),
            Self::Age(_) => Exit::Usage,
            Self::Run(error) => error.exit(),
            Self::Doctor(doctor::Error::Output(_)) | Self::Output(_) => Exit::Surroundings,
            Self::Init(error) => error.exit(),
        }
    }

    /// Prints it to stderr, unless the user has been told already.
    pub(crate) fn print(&self) {
        const RED: Style = AnsiColor::BrightRed.on_default().bold();
        if !self.is_reported() {
            anstream::eprintln!("{RED}error{RED:#}: {}", indented(&self.to_string()));
        }
    }

    fn is_reported(&self) -> bool {
        match self {
            Self::Cargo(error)
            | Self::Init(init::Error::Cargo(error))
            | Self::Run(run::Error::Cargo(error)) => error.is_reported(),
            Self::Run(run::Error::Revision(error)) => error.is_reported(),
            Self::Doctor(_)
            | Self::Init(_)
            | Self::Run(_)
            | Self::Baseline(_)
            | Self::Compare(_)
            | Self::Age(_)
            | Self::Output(_) => false,
        }
    }
}

/// The text with all lines but the first two spaces further in.
fn indented(text: &str) -> String {
    let indent = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
    let mut lines = text.trim_end().lines();
    let first = lines.next().unwrap_or_default().to_owned();
    [first].into_iter().chain(lines.map(indent)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_are_indented() {
        assert_eq!(indented("no\nhere: a\n\ndid you mean a?\n"), "no\n  here: a\n\n  did you mean a?");
    }
}
