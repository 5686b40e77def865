//! Printing errors, and the exit code of each. Messages are written next to the code that raises
//! them: the first line says what failed, and the other lines say why and how to fix it.

use crate::baseline::ArchiveError;
use crate::commands::Error;
use crate::exit::Exit;
use crate::experiment::SuiteError;
use crate::init;
use crate::session::RequestError;
use crate::style::ERROR;
use crate::{baseline, cargo, git, interrupt, output, revision, session};

/// Prints an error to stderr, unless the user knows it already.
pub(crate) fn print(error: &Error) {
    if !is_reported(error) {
        output::report(ERROR, "error", &indented(&error.to_string()));
    }
}

/// Returns whether cargo has printed the error, or the user pressed Ctrl-C.
fn is_reported(error: &Error) -> bool {
    match error {
        Error::Cargo(error) | Error::Init(init::Error::Cargo(error)) => error.is_reported(),
        Error::Revision(error) => error.is_reported(),
        _ => false,
    }
}

/// Returns the text with all lines but the first indented by two spaces.
fn indented(text: &str) -> String {
    let indent = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
    let mut lines = text.trim_end().lines();
    let first = lines.next().unwrap_or_default().to_owned();
    [first].into_iter().chain(lines.map(indent)).collect::<Vec<_>>().join("\n")
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Exit {
        match error {
            Error::Cargo(_) | Error::Revision(_) if interrupt::requested() => Exit::Interrupted,
            Error::Cargo(error) => error.into(),
            Error::Baseline(error) => error.into(),
            Error::Archive(error) => error.into(),
            Error::Suite(error) => error.into(),
            Error::RevisionSuite { source, .. } => source.as_ref().into(),
            Error::Revision(error) => error.into(),
            Error::Init(error) => error.into(),
            Error::Config(_)
            | Error::AmbiguousName(_)
            | Error::Age(_)
            | Error::Template(_)
            | Error::ListFormat
            | Error::SeveralReports
            | Error::ListComparison => Exit::Usage,
            Error::NoneListed(_) | Error::Endless { .. } | Error::EndlessRowGone { .. } => {
                Exit::BenchmarkFailed
            }
            Error::NoMatch { .. }
            | Error::NoCosts { .. }
            | Error::NoBenchmark { .. }
            | Error::NoBenchmarkHere { .. }
            | Error::NoBenchmarkInRevision { .. }
            | Error::NoLastRun
            | Error::More(_) => Exit::NothingToRun,
            Error::Profiler(_)
            | Error::OwnExecutable(_)
            | Error::NoDataDirectory
            | Error::Folder { .. }
            | Error::Replaced(_)
            | Error::Tune(_) => Exit::Environment,
            Error::ExecutableGone { .. } | Error::NoAssembly(_) | Error::OwnMachineCode(_) => {
                Exit::Environment
            }
            Error::Incomparable(_) | Error::Output { .. } | Error::File(_) | Error::Render(_) => {
                Exit::Environment
            }
        }
    }
}

impl From<&init::Error> for Exit {
    fn from(error: &init::Error) -> Exit {
        match error {
            init::Error::Cargo(error) => error.into(),
            init::Error::WhichPackage { .. } | init::Error::NotTheLibrary { .. } => Exit::Usage,
            init::Error::Add { code } => Exit::Cargo(*code),
            init::Error::Write { .. } | init::Error::Print { .. } => Exit::Environment,
        }
    }
}

impl From<&cargo::Error> for Exit {
    fn from(error: &cargo::Error) -> Exit {
        match error {
            cargo::Error::Cargo(code)
            | cargo::Error::Unresolved { code, .. }
            | cargo::Error::MissingMain { code, .. } => Exit::Cargo(*code),
            cargo::Error::Interrupted => Exit::Interrupted,
            cargo::Error::Killed(_) | cargo::Error::Outdated { .. } | cargo::Error::WorkspaceChanged => {
                Exit::Cargo(101)
            }
            cargo::Error::Start { .. }
            | cargo::Error::Metadata(_)
            | cargo::Error::Messages(_)
            | cargo::Error::Executable { .. } => Exit::Environment,
            cargo::Error::UnknownPackage { .. }
            | cargo::Error::AmbiguousPackage { .. }
            | cargo::Error::Pattern { .. }
            | cargo::Error::ExcludeAlone
            | cargo::Error::UnknownTarget { .. } => Exit::Usage,
        }
    }
}

impl From<&revision::Error> for Exit {
    fn from(error: &revision::Error) -> Exit {
        match error {
            revision::Error::Git(error) => error.into(),
            revision::Error::Build { source, .. } => source.into(),
            revision::Error::File { .. } | revision::Error::Outside { .. } => Exit::Environment,
            revision::Error::Interrupted => Exit::Interrupted,
        }
    }
}

impl From<&git::Error> for Exit {
    fn from(error: &git::Error) -> Exit {
        match error {
            git::Error::UnknownRevision { .. }
            | git::Error::NoCommits
            | git::Error::NoDefaultBranch { .. }
            | git::Error::NoMergeBase { .. }
            | git::Error::UncertainMergeBase { .. } => Exit::Usage,
            git::Error::Interrupted => Exit::Interrupted,
            git::Error::NoGit
            | git::Error::Start(_)
            | git::Error::NoRepository { .. }
            | git::Error::File { .. }
            | git::Error::Failed { .. } => Exit::Environment,
        }
    }
}

impl From<&SuiteError> for Exit {
    fn from(error: &SuiteError) -> Exit {
        match error {
            SuiteError::Session(error) => (&**error).into(),
            SuiteError::Duplicates(_) => Exit::Environment,
        }
    }
}

impl From<&session::Error> for Exit {
    fn from(error: &session::Error) -> Exit {
        match error {
            session::Error::NoAnswer { reason: RequestError::Interrupted, .. } => Exit::Interrupted,
            session::Error::NoAnswer { .. } => Exit::BenchmarkFailed,
            session::Error::Start { .. }
            | session::Error::Protocol { .. }
            | session::Error::Unable { .. } => Exit::Environment,
        }
    }
}

impl From<&baseline::Error> for Exit {
    fn from(error: &baseline::Error) -> Exit {
        match error {
            baseline::Error::Name(_)
            | baseline::Error::Unknown { .. }
            | baseline::Error::NoLastRun { .. }
            | baseline::Error::NoPreviousRun { .. }
            | baseline::Error::CannotRemoveLast { .. }
            | baseline::Error::CannotRenameLast { .. }
            | baseline::Error::NameTaken { .. } => Exit::Usage,
            baseline::Error::Incomplete { .. }
            | baseline::Error::Damaged { .. }
            | baseline::Error::NewerFormat { .. }
            | baseline::Error::OlderFormat { .. }
            | baseline::Error::Io(_) => Exit::Environment,
            baseline::Error::Interrupted => Exit::Interrupted,
        }
    }
}

impl From<&ArchiveError> for Exit {
    fn from(error: &ArchiveError) -> Exit {
        match error {
            ArchiveError::Store(error) => error.into(),
            ArchiveError::NotReplaceable { .. } | ArchiveError::NotAFile { .. } => Exit::Usage,
            ArchiveError::Invalid { .. } | ArchiveError::File { .. } => Exit::Environment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_are_indented() {
        assert_eq!(indented("no\nhere: a\n\ndid you mean a?\n"), "no\n  here: a\n\n  did you mean a?");
    }
}
