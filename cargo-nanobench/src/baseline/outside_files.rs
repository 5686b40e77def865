//! The files outside of an executable whose code its benchmarks run: libraries that they open, and
//! programs of the workspace that they start. A baseline keeps no copies of them, as benchmarks find
//! them by paths of their own, but notices if they have changed.

use super::Fingerprint;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A file outside of an executable whose code its benchmarks run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutsideFile {
    path: PathBuf,
    hash: Fingerprint,
}

impl OutsideFile {
    /// Describes a file. `None` if it can't be read.
    pub(super) fn new(path: &Path) -> Option<OutsideFile> {
        let hash = fingerprint(path)?;
        Some(OutsideFile { path: path.to_owned(), hash })
    }

    /// Returns its path if it has changed since, or is gone.
    pub(crate) fn changed(&self) -> Option<&Path> {
        (fingerprint(&self.path).as_ref() != Some(&self.hash)).then_some(&self.path)
    }
}

/// Computes the fingerprint of a file. Devices have none.
fn fingerprint(path: &Path) -> Option<Fingerprint> {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_file { Fingerprint::from_file(path).ok() } else { None }
}

/// Returns the files that cargo built for users, beside the folder of an executable, and whose paths
/// the executable contains: programs (`env!("CARGO_BIN_EXE_name")`) and libraries.
pub(crate) fn named_files(executable: &Path) -> Vec<PathBuf> {
    output_folder(executable).map_or_else(Vec::new, |folder| named_files_in(folder, executable))
}

/// Returns the folder of the files that cargo builds for users, with an executable or another one of
/// the same build.
pub(crate) fn output_folder(executable: &Path) -> Option<&Path> {
    executable.parent()?.parent()
}

/// Returns the files that cargo built for users in a folder, and whose paths the executable
/// contains.
pub(crate) fn named_files_in(folder: &Path, executable: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_built = |path: &PathBuf| path.extension().is_none_or(|end| end != "d") && path.is_file();
    let built: Vec<PathBuf> = files.map(|file| file.path()).filter(is_built).collect();
    if built.is_empty() {
        return built;
    }
    let bytes = fs::read(executable).unwrap_or_default();
    let is_named = |path: &Path| memmem::find(&bytes, path.as_os_str().as_encoded_bytes()).is_some();
    if !is_named(folder) {
        return Vec::new();
    }
    built.into_iter().filter(|path| is_named(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn an_executable_names_the_programs_that_it_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deps")).unwrap();
        ["tool", "tool.d", "other"].iter().for_each(|name| fs::write(path(name), "").unwrap());
        let harness = path("deps").join("harness");
        fs::write(&harness, format!("code\0{}\0more", path("tool").display())).unwrap();
        assert_eq!(named_files(&harness), [path("tool")]);
        assert!(named_files(Path::new("harness")).is_empty());
    }
}
