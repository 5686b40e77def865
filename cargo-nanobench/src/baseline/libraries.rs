//! The dynamic libraries of the workspace that a stored executable loads. They are stored in a
//! folder beside it, so that later builds don't change the code that a baseline runs.

use super::format::FileName;
use super::io_error::IoContext as _;
use super::{Executable, Fingerprint, IoError, layout, link_inputs};
use crate::cargo::{LIBRARIES, libraries_folder};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A library that is stored beside its executable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Library {
    /// Its name, by which the executable loads it.
    pub(crate) file: FileName,
    /// The size in bytes.
    pub(super) size: u64,
    pub(super) hash: Fingerprint,
}

/// A file below the folder of a baseline's executables.
#[derive(Debug)]
pub(super) struct StoredFile {
    /// Its path from that folder, with slashes.
    pub(super) place: String,
    pub(super) size: u64,
    /// `None` for link inputs, which the executable doesn't need to run.
    pub(super) hash: Option<Fingerprint>,
}

/// Returns the files of an executable: itself, its libraries and its link inputs.
pub(super) fn files_of(executable: &Executable) -> Vec<StoredFile> {
    let Executable { file: name, size, hash, libraries, link_inputs, .. } = executable;
    let own = StoredFile { place: name.to_string(), size: *size, hash: Some(hash.clone()) };
    let link_inputs =
        link_inputs.map(|size| StoredFile { place: link_inputs::place(name), size, hash: None });
    let libraries = libraries.iter().map(|Library { file, size, hash }| StoredFile {
        place: format!("{name}{LIBRARIES}/{file}"),
        size: *size,
        hash: Some(hash.clone()),
    });
    std::iter::once(own).chain(libraries).chain(link_inputs).collect()
}

/// Copies the libraries of a stored executable beside it. A name that occurs twice is copied once,
/// as the loader uses the first file that it finds.
pub(super) fn store(libraries: &[PathBuf], executable: &Path) -> Result<Vec<Library>, IoError> {
    if libraries.is_empty() {
        return Ok(Vec::new());
    }
    let folder = libraries_folder(executable);
    fs::create_dir_all(&folder).context("create", &folder)?;
    let (mut names, mut stored) = (HashSet::new(), Vec::new());
    for path in libraries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !names.insert(name.clone()) {
            continue;
        }
        let invalid = |reason| io::Error::new(io::ErrorKind::InvalidFilename, reason);
        let file = FileName::try_from(name).map_err(invalid).context("copy", path)?;
        let copy = folder.join(&file);
        let size = layout::copy_file(path, &copy).context("write", &copy)?;
        let hash = Fingerprint::from_file(&copy).context("read", &copy)?;
        stored.push(Library { file, size, hash });
    }
    Ok(stored)
}

/// Puts the libraries of a stored executable beside another copy of it, without using more disk
/// space if possible.
pub(super) fn share(libraries: &[Library], from: &Path, to: &Path) -> Result<(), IoError> {
    let [from, to] = [from, to].map(libraries_folder);
    if !libraries.is_empty() {
        fs::create_dir_all(&to).context("create", &to)?;
    }
    for Library { file, .. } in libraries {
        let copy = to.join(file);
        layout::link_or_copy(&from.join(file), &copy).context("write", &copy)?;
    }
    Ok(())
}

/// Returns whether all libraries of a stored executable are beside it, unchanged.
pub(super) fn are_intact(libraries: &[Library], executable: &Path) -> bool {
    let folder = libraries_folder(executable);
    libraries.iter().all(|Library { file, size, hash }| {
        let path = folder.join(file);
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == *size)
            && Fingerprint::from_file(&path).is_ok_and(|found| found == *hash)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_libraries_stay_beside_their_executable() {
        let folder = tempfile::tempdir().unwrap();
        let [built, one, other] = ["built.so", "one", "other"].map(|name| folder.path().join(name));
        fs::write(&built, "code").unwrap();
        let libraries = store(&[built.clone(), built.clone()], &one).unwrap();
        assert_eq!(libraries.len(), 1);
        fs::write(&built, "other code").unwrap();
        assert!(are_intact(&libraries, &one) && !are_intact(&libraries, &other));
        share(&libraries, &one, &other).unwrap();
        assert!(are_intact(&libraries, &other));
        let stored = libraries_folder(&other).join("built.so");
        fs::remove_file(&stored).unwrap();
        fs::write(&stored, "edit").unwrap();
        assert!(!are_intact(&libraries, &other) && are_intact(&libraries, &one));
        assert!(store(&[], &folder.path().join("none")).unwrap().is_empty());
        assert!(!libraries_folder(&folder.path().join("none")).exists());
    }
}
