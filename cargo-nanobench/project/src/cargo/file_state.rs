//! The state of a file, by which a later run recognises it without reading it.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// The state of a file. It changes with each write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    device: u64,
    inode: u64,
    size: u64,
    /// When the content was written, and when any of this was changed, in seconds and ns.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileState {
    /// Returns whether this is certainly the state of another content. A new hard link, or other permissions,
    /// are no content.
    pub(super) fn has_other_content(&self, now: &FileState) -> bool {
        let content = |it: &FileState| (it.device, it.inode, it.size, it.modified);
        content(self) != content(now)
    }

    /// Returns whether another file was written later.
    pub(super) fn is_older_than(&self, path: &Path) -> bool {
        FileState::of(path).is_some_and(|other| other.modified > self.modified)
    }

    /// Returns the state of a file now. `None` on other systems than Unix, where files have no time
    /// of change that programs can't set.
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> Option<FileState> {
        use std::os::unix::fs::MetadataExt as _;
        let file = path.metadata().ok()?;
        Some(FileState {
            device: file.dev(),
            inode: file.ino(),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }

    #[cfg(not(unix))]
    pub(super) fn of(_path: &Path) -> Option<FileState> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_write_changes_the_state_even_if_the_time_is_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(FileState::of(&path), None);
        fs::write(&path, "one").unwrap();
        let (before, time) =
            (FileState::of(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        assert_eq!(FileState::of(&path).as_ref(), Some(&before));
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(&path, "two").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_ne!(FileState::of(&path), Some(before));
        let before = FileState::of(&path).unwrap();
        fs::hard_link(&path, folder.path().join("other")).unwrap();
        assert!(!before.has_other_content(&FileState::of(&path).unwrap()));
        fs::write(&path, "three").unwrap();
        assert!(before.has_other_content(&FileState::of(&path).unwrap()));
    }
}
