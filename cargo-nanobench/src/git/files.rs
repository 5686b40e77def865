//! The files of a working tree.

use super::command::GitCommand;
use std::path::Path;

/// Returns the paths of tracked files below a folder, relative to it and with slashes. `None` without
/// git, outside of a repository, and if none is tracked.
pub(crate) fn tracked_files(folder: &Path, limit: usize) -> Option<Vec<String>> {
    list(folder, &["--cached"], limit).filter(|paths| !paths.is_empty())
}

/// Returns the paths of files below a folder that git neither tracks nor ignores. Git walks through
/// the whole folder to find them, without those of other repositories in it.
pub(crate) fn untracked_files(folder: &Path, limit: usize) -> Option<Vec<String>> {
    list(folder, &["--others", "--exclude-standard"], limit)
}

fn list(folder: &Path, kinds: &[&str], limit: usize) -> Option<Vec<String>> {
    let git = GitCommand::in_folder(folder).args(&["--no-optional-locks", "ls-files", "-z"]);
    git.args(kinds).args(&["--", "."]).items(limit)
}
