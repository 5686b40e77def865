//! The files of a working tree.

use super::command::GitCommand;
use std::path::Path;

/// Returns the paths of the files below a folder that git doesn't ignore, relative to it and with
/// slashes. If there are more than `limit`, these are tracked ones. `None` without git, outside of a
/// repository, and if there is no such file.
pub(crate) fn unignored_files(folder: &Path, limit: usize) -> Option<Vec<String>> {
    let list = |kinds: &[&str]| {
        let git = GitCommand::in_folder(folder).args(&["--no-optional-locks", "ls-files", "-z"]);
        git.args(kinds).args(&["--", "."]).items(limit)
    };
    let mut paths = list(&["--cached", "--others", "--exclude-standard"])?;
    if paths.len() == limit {
        // Git prints the others first.
        paths = list(&["--cached"])?;
    }
    Some(paths).filter(|paths| !paths.is_empty())
}
