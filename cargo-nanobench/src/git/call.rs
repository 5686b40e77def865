//! git as a child: arguments as arrays, nothing interactive, none of the user's hooks.

use super::Error;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Variables with which git tells a hook, and all that it starts, which repository it is in. What runs elsewhere must not
/// inherit them.
pub(crate) const REPOSITORY_VARIABLES: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
];

/// Settings of every call. Hooks are for what the user does. Windows has short paths otherwise.
const SETTINGS: [&str; 4] = ["-c", "core.hooksPath=/dev/null", "-c", "core.longpaths=true"];

/// A call of git that is not started yet.
#[derive(Debug)]
pub(super) struct Git {
    command: Command,
}

impl Git {
    /// In this folder.
    pub(super) fn within(folder: &Path) -> Git {
        let mut command = Command::new("git");
        command.current_dir(folder).args(SETTINGS).stdin(Stdio::null()).env("GIT_TERMINAL_PROMPT", "0");
        for variable in REPOSITORY_VARIABLES {
            command.env_remove(variable);
        }
        Git { command }
    }

    /// In a folder that must be the top of its own worktree: no repository around it is taken for its own.
    pub(super) fn at_the_top(folder: &Path) -> Git {
        let mut git = Git::within(folder);
        git.command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
        git
    }

    pub(super) fn arg(mut self, argument: impl AsRef<OsStr>) -> Git {
        self.command.arg(argument);
        self
    }

    pub(super) fn args(mut self, arguments: &[&str]) -> Git {
        self.command.args(arguments);
        self
    }

    /// What it prints to stdout, without the last line's end. An error where it doesn't succeed.
    pub(super) fn output(mut self) -> Result<String, Error> {
        let output = self.command.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::NoGit,
            _ => Error::Start(error),
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches(['\r', '\n']).to_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(Error::Failed { call: self.line(), said })
    }

    /// The same where a failure is an answer, too.
    pub(super) fn answer(self) -> Result<Option<String>, Error> {
        match self.output() {
            Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            Err(Error::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// As one would type it.
    fn line(&self) -> String {
        let words = self.command.get_args().skip(SETTINGS.len()).map(OsStr::to_string_lossy);
        ["git".into()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}
