//! The files in which Linux tells about itself. Elsewhere they are not there, and nothing is known.

use std::fs;
use std::path::PathBuf;

/// `/`, or for tests a folder that looks like it.
#[derive(Debug)]
pub(crate) struct System {
    root: PathBuf,
}

impl System {
    /// The one that we run on.
    pub(crate) fn here() -> System {
        System { root: PathBuf::from("/") }
    }

    /// All of a file. Paths are given without the first slash.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// The first line of a file, unless it is empty.
    pub(super) fn line(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let line = text.lines().next()?.trim_matches([' ', '\0']);
        (!line.is_empty()).then(|| line.to_owned())
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The names in a folder, in order.
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

    /// A system that has these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> (TempDir, System) {
        let temp = TempDir::new().unwrap();
        for (path, text) in files {
            let path = temp.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = temp.path().to_owned();
        (temp, System { root })
    }

    #[test]
    fn what_is_not_there_is_not_known() {
        let (_temp, system) = with(&[("proc/one", "first \nsecond\n"), ("proc/none", "\n")]);
        assert_eq!(system.line("proc/one").as_deref(), Some("first"));
        assert_eq!((system.line("proc/none"), system.line("proc/two")), (None, None));
        assert_eq!(system.names("proc"), ["none", "one"]);
        assert!(system.names("sys").is_empty() && system.exists("proc") && !system.exists("sys"));
    }
}
