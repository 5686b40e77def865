//! The files of a working tree.

use super::command::GitCommand;
use std::path::Path;

/// Returns the paths of tracked files below a folder, relative to it and with slashes. `None` without
/// git, outside of a repository, and if none is tracked.
pub(crate) fn tracked_files(folder: &Path, limit: usize) -> Option<Vec<String>> {
    let git = GitCommand::in_folder(folder).arg("--no-optional-locks");
    let paths = git.args(&["ls-files", "-z", "--cached", "--", "."]).items(limit)?;
    Some(paths).filter(|paths| !paths.is_empty())
}
