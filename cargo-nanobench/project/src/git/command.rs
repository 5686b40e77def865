//! Runs git as a child process, without prompts and without the user's hooks.

use super::Error;
use crate::interrupt;
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Variables by which git tells a hook and its child processes the repository. A process that runs
/// in another repository or folder must not inherit them. Those of `git rev-parse --local-env-vars`,
/// except for settings, and the namespace.
pub const REPOSITORY_VARIABLES: [&str; 13] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The settings of every command. Without `longpaths`, Windows limits the length of paths.
const SETTINGS: [&str; 4] = ["-c", "core.hooksPath=/dev/null", "-c", "core.longpaths=true"];

/// A git command before its start.
#[derive(Debug)]
pub(super) struct GitCommand {
    command: Command,
}

impl GitCommand {
    /// Creates a command that runs in a folder.
    pub(super) fn in_folder(folder: &Path) -> GitCommand {
        let mut command = Command::new("git");
        command.current_dir(folder).args(SETTINGS).stdin(Stdio::null()).env("GIT_TERMINAL_PROMPT", "0");
        for variable in REPOSITORY_VARIABLES {
            command.env_remove(variable);
        }
        GitCommand { command }
    }

    /// Creates a command that runs in the root of a worktree. It fails if the folder is only a part
    /// of a worktree.
    pub(super) fn in_worktree_root(folder: &Path) -> GitCommand {
        let mut git = GitCommand::in_folder(folder);
        git.command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
        git
    }

    pub(super) fn arg(mut self, argument: impl AsRef<OsStr>) -> GitCommand {
        self.command.arg(argument);
        self
    }

    pub(super) fn args(mut self, arguments: &[&str]) -> GitCommand {
        self.command.args(arguments);
        self
    }

    /// Runs the command and returns its stdout without the last line break.
    pub(super) fn output(mut self) -> Result<String, Error> {
        let output = self.command.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::NoGit,
            _ => Error::Start(error),
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches(['\r', '\n']).to_owned());
        }
        if interrupt::ended(output.status) {
            return Err(Error::Interrupted);
        }
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(Error::Failed { command: self.to_line(), stderr })
    }

    /// Runs the command and returns its stdout. Returns `None` if it fails or prints nothing.
    pub(super) fn output_if_any(self) -> Result<Option<String>, Error> {
        match self.output() {
            Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            Err(Error::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs the command and returns the first of the items that it prints, each with a null byte behind
    /// it. Returns `None` if it fails.
    pub(super) fn items(mut self, limit: usize) -> Option<Vec<String>> {
        let mut child = self.command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let items = BufReader::new(child.stdout.take()?).split(0).take(limit);
        let items: Result<Vec<Vec<u8>>, io::Error> = items.collect();
        // Git ends at the closed pipe if it has more.
        let status = child.wait().ok()?;
        let items = items.ok().filter(|items| status.success() || items.len() == limit)?;
        Some(items.iter().map(|item| String::from_utf8_lossy(item).into_owned()).collect())
    }

    /// Returns the command as a user would type it.
    fn to_line(&self) -> String {
        let words = self.command.get_args().skip(SETTINGS.len()).map(OsStr::to_string_lossy);
        ["git".into()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}
