//! Files that git neither tracks nor ignores, found in a thread of their own.

use crate::git;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// The limit for the time that the search for untracked files may take longer than that for others.
const UNTRACKED_TIME: Duration = Duration::from_secs(10);

/// The files that git neither tracks nor ignores, while they are searched.
pub(super) struct UntrackedFiles(Receiver<Option<Vec<String>>>);

impl UntrackedFiles {
    /// Starts to search a folder for at most as many as the limit.
    pub(super) fn search(root: PathBuf, limit: usize) -> UntrackedFiles {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // Nobody may be waiting any more.
            drop(sender.send(git::untracked_files(&root, limit)));
        });
        UntrackedFiles(receiver)
    }

    /// Returns those that may be data. `None` if git fails or takes too long. Folders of caches have a
    /// tag (<https://bford.info/cachedir/>).
    pub(super) fn found(self) -> Option<Vec<String>> {
        let files = self.0.recv_timeout(UNTRACKED_TIME).ok()??;
        let caches: Vec<String> =
            files.iter().filter_map(|path| Some(path.strip_suffix("CACHEDIR.TAG")?.to_owned())).collect();
        let is_data = |path: &String| !caches.iter().any(|cache| path.starts_with(cache.as_str()));
        Some(files.into_iter().filter(is_data).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untracked_files_are_data_unless_they_are_in_a_cache() {
        let (sender, receiver) = mpsc::channel();
        let files = ["words.txt", "a/CACHEDIR.TAG", "a/b/words.txt", "ab/words.txt"];
        sender.send(Some(files.map(str::to_owned).to_vec())).unwrap();
        assert_eq!(UntrackedFiles(receiver).found().unwrap(), ["words.txt", "ab/words.txt"]);
    }
}
