//! Files in which Linux describes the machine and the process. On other systems there are none.

use std::fs;
use std::path::PathBuf;

/// The root folder of these files: `/`, or a folder of a test.
#[derive(Debug)]
pub struct SystemFiles {
    root: PathBuf,
}

impl SystemFiles {
    /// Returns the files of this machine.
    pub fn at_root() -> SystemFiles {
        SystemFiles { root: PathBuf::from("/") }
    }

    /// Returns the content of a file. Paths have no leading slash.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// Returns the first line of a file, unless it is empty.
    pub(super) fn line(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let line = text.lines().next()?.trim_matches([' ', '\0']);
        (!line.is_empty()).then(|| line.to_owned())
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Returns the names in a folder, sorted.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tempfile::TempDir;

    /// Returns a system with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> (TempDir, SystemFiles) {
        let temp = TempDir::new().unwrap();
        for (path, text) in files {
            let path = temp.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = temp.path().to_owned();
        (temp, SystemFiles { root })
    }

    #[test]
    fn missing_files_have_no_text() {
        let (_temp, system) = with(&[("proc/one", "first \nsecond\n"), ("proc/none", "\n")]);
        assert_eq!(system.line("proc/one").as_deref(), Some("first"));
        assert_eq!((system.line("proc/none"), system.line("proc/two")), (None, None));
        assert_eq!(system.names("proc"), ["none", "one"]);
        assert!(system.names("sys").is_empty() && system.exists("proc") && !system.exists("sys"));
    }
}
