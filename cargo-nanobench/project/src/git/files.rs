//! The files of a working tree.

use super::command::GitCommand;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The beginning of a pointer of Git LFS.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Returns the paths of tracked files below a folder, relative to it and with slashes. `None` without
/// git, outside of a repository, and if none is tracked.
pub fn tracked_files(folder: &Path, limit: usize) -> Option<Vec<String>> {
    list(folder, &["--cached"], limit).filter(|paths| !paths.is_empty())
}

/// Returns the paths of files below a folder that git neither tracks nor ignores. Git walks through
/// the whole folder to find them, without those of other repositories in it. Folders of caches, which
/// have a tag (<https://bford.info/cachedir/>), are left out.
pub fn untracked_files(folder: &Path) -> Option<Vec<String>> {
    let files = list(folder, &["--others", "--exclude-standard"], usize::MAX)?;
    let tagged = files.iter().filter_map(|path| path.strip_suffix("CACHEDIR.TAG"));
    let caches: Vec<String> = tagged.filter(|cache| !cache.is_empty()).map(str::to_owned).collect();
    // Another repository is only a folder.
    let is_data =
        |path: &String| !path.ends_with('/') && !caches.iter().any(|cache| path.starts_with(cache.as_str()));
    Some(files.into_iter().filter(is_data).collect())
}

/// Returns the paths of tracked files below a folder in which git overlooks changes, as it was told to:
/// `assume-unchanged`, `skip-worktree`.
pub fn overlooked_files(folder: &Path) -> Option<Vec<String>> {
    let files = list(folder, &["--cached", "-v"], usize::MAX)?;
    let overlooked = files.iter().filter_map(|line| line.split_once(' '));
    let overlooked = overlooked.filter(|(tag, _)| *tag == "S" || tag.starts_with(char::is_lowercase));
    Some(overlooked.map(|(_, file)| file.to_owned()).collect())
}

/// Returns the paths of tracked files below a folder that Git LFS has not fetched: in their place are
/// pointers.
pub fn lfs_pointers(folder: &Path, limit: usize) -> Vec<String> {
    let git = GitCommand::in_folder(folder).args(&["--no-optional-locks", "ls-files", "-z"]);
    let mut files = git.args(&["--", ":(attr:filter=lfs)"]).items(limit).unwrap_or_default();
    let is_pointer = |path: &String| {
        let mut start = [0; LFS_POINTER.len()];
        let file = File::open(folder.join(path));
        file.is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == *LFS_POINTER)
    };
    files.retain(is_pointer);
    files
}

fn list(folder: &Path, kinds: &[&str], limit: usize) -> Option<Vec<String>> {
    let git = GitCommand::in_folder(folder).args(&["--no-optional-locks", "ls-files", "-z"]);
    git.args(kinds).args(&["--", "."]).items(limit)
}
