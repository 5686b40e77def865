//! The files of a working tree.

use super::command::GitCommand;

/// Returns the paths of all files of the repository that contains a folder, relative to that folder
/// and with slashes, apart from those that git ignores. `None` without git or a repository.
pub(crate) fn files_around(folder: &std::path::Path) -> Option<Vec<String>> {
    let git = GitCommand::in_folder(folder).arg("--no-optional-locks");
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ":/"];
    let names = git.args(&list).output().ok()?;
    Some(names.split_terminator('\0').map(str::to_owned).collect())
}
