//! The files outside of an executable whose code its benchmarks run: libraries that they open,
//! those outside of the workspace, and programs of the workspace that they start. A baseline keeps
//! no copies of them, as benchmarks find them by paths of their own, but notices if they have
//! changed.

use super::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file outside of an executable whose code its benchmarks run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutsideFile {
    path: PathBuf,
    hash: Fingerprint,
}

impl OutsideFile {
    /// Describes each of these files that can be read.
    pub fn all<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Vec<OutsideFile> {
        let paths: BTreeSet<&PathBuf> = paths.into_iter().collect();
        paths.into_iter().filter_map(|path| OutsideFile::new(path)).collect()
    }

    /// Describes a file. `None` if it can't be read.
    fn new(path: &Path) -> Option<OutsideFile> {
        let hash = fingerprint(path)?;
        Some(OutsideFile { path: path.to_owned(), hash })
    }

    /// Returns its path if it has changed since, or is gone.
    pub fn changed(&self) -> Option<&Path> {
        (fingerprint(&self.path).as_ref() != Some(&self.hash)).then_some(&self.path)
    }

    /// Makes its path relative to the workspace, for another machine. Of one that is elsewhere, only the
    /// name is left.
    pub(super) fn leave(&mut self, workspace: &Path) {
        let real = self.path.canonicalize();
        let path = real.as_deref().unwrap_or(&self.path);
        let name = || path.file_name().map(Path::new);
        self.path = path.strip_prefix(workspace).ok().or_else(name).unwrap_or(path).to_owned();
    }

    /// Makes its path absolute again.
    pub(super) fn enter(&mut self, workspace: &Path) {
        self.path = workspace.join(&self.path);
    }
}

/// Computes the fingerprint of a file. Devices have none.
fn fingerprint(path: &Path) -> Option<Fingerprint> {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_file { Fingerprint::from_file(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn paths_lead_from_one_workspace_into_another() {
        let moved = |from: &str| {
            let mut file = OutsideFile { path: from.into(), hash: Fingerprint::of(b"") };
            file.leave(Path::new("/no/workspace"));
            let left = file.path.clone();
            file.enter(Path::new("/other"));
            (left, file.path)
        };
        let expected = |left: &str| (left.into(), Path::new("/other").join(left));
        assert_eq!(moved("/no/workspace/target/libplug.so"), expected("target/libplug.so"));
        assert_eq!(moved("/no/where/libplug.so"), expected("libplug.so"));
    }

    #[test]
    fn a_changed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libplug.so");
        assert_eq!(OutsideFile::new(&path), None);
        fs::write(&path, "code").unwrap();
        let file = OutsideFile::new(&path).unwrap();
        assert_eq!(file.changed(), None);
        fs::write(&path, "edit").unwrap();
        assert_eq!(file.changed(), Some(&*path));
        fs::remove_file(&path).unwrap();
        assert_eq!(file.changed(), Some(&*path));
    }
}
