//! An executable of a run, with what its benchmarks depend on. It is stored with the dynamic
//! libraries of the workspace that it loads, so that later builds don't change the code that it runs,
//! and with its link inputs, from which layouts of it are linked.

use super::Fingerprint;
use super::format::Origin;
use super::inputs::{Input, changed_inputs};
use super::layout;
use super::outside_files::OutsideFile;
use super::pointer::BlobId;
use crate::cargo::libraries_folder;
use crate::relink;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Component, Path, PathBuf};

/// An executable that the store keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Executable {
    /// The name of the file that cargo has built.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    pub hash: Fingerprint,
    /// The libraries of the workspace that it loads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Library>,
    /// The other files whose code its benchmarks ran or may have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside_files: Vec<OutsideFile>,
    /// The files and variables that its benchmarks may have read. `None` if nobody looked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<Input>>,
    /// The size of its link inputs in bytes, if they are stored beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_inputs: Option<u64>,
}

/// A library that is stored beside its executable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Its name, by which the executable loads it.
    pub file: FileName,
    /// The size in bytes.
    pub(super) size: u64,
    pub(super) hash: Fingerprint,
}

/// The name of a library's file. It is never a path that leads out of the folder of libraries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileName(String);

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut components = Path::new(&name).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(only)), None)
                if only == name.as_str() && !name.contains(['/', '\\', ':']) =>
            {
                Ok(FileName(name))
            }
            _ => Err(format!("{name:?} is not a file's name")),
        }
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> String {
        name.0
    }
}

impl AsRef<Path> for FileName {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

/// A file of a stored executable.
#[derive(Debug)]
pub(super) struct StoredFile {
    /// The name of its library; empty for the executable itself.
    end: String,
    pub(super) size: u64,
    /// `None` for link inputs, which the executable doesn't need to run.
    pub(super) hash: Option<Fingerprint>,
}

/// A stored copy of an executable, which may be gone or changed.
#[derive(Debug, Clone)]
pub struct StoredCopy {
    pub path: PathBuf,
    pub executable: Executable,
}

impl StoredCopy {
    /// Returns its path if it and its libraries are as they were stored. Reads all of them.
    pub fn into_intact(self) -> Option<PathBuf> {
        self.executable.is_intact(&self.path).then_some(self.path)
    }
}

impl Library {
    /// Describes the file of a library.
    pub(super) fn new(path: &Path) -> io::Result<Library> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let invalid = |reason| io::Error::new(io::ErrorKind::InvalidFilename, reason);
        let file = FileName::try_from(name).map_err(invalid)?;
        Ok(Library { file, size: layout::size(path), hash: Fingerprint::from_file(path)? })
    }
}

impl StoredFile {
    /// Returns its path if that of the executable is this one.
    pub(super) fn path(&self, executable: &Path) -> PathBuf {
        let mut path = executable.as_os_str().to_owned();
        path.push(&self.end);
        path.into()
    }

    /// Returns whether it is at this path, unchanged. The content of link inputs says whose they are.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == self.size)
            && self
                .hash
                .as_ref()
                .is_none_or(|hash| Fingerprint::from_file(path).is_ok_and(|found| found == *hash))
    }
}

impl Executable {
    /// Returns its place in the store.
    pub(super) fn blob(&self, origin: Origin) -> BlobId {
        let mut name = self.hash.digits();
        if !self.libraries.is_empty() {
            let text = |Library { file, hash, .. }: &Library| format!("{}/{hash}/", file.0);
            let libraries: String = self.libraries.iter().map(text).collect();
            name += &format!("-{}", Fingerprint::of(libraries.as_bytes()).into_short().digits());
        }
        if self.name.ends_with(".exe") {
            name += ".exe";
        }
        BlobId(format!("{}/{name}", BlobId::folder(origin)))
    }

    /// Returns its paths in an archive, below the folder of executables, with the files.
    pub(super) fn archived(&self) -> Vec<(String, StoredFile)> {
        let BlobId(blob) = self.blob(Origin::Run);
        let name = blob.rsplit('/').next().unwrap_or_default();
        self.files().into_iter().map(|file| (format!("{name}{}", file.end), file)).collect()
    }

    /// Returns its files: itself, its libraries and its link inputs.
    pub(super) fn files(&self) -> Vec<StoredFile> {
        let end_of = |path: PathBuf| path.display().to_string();
        let libraries_end = end_of(libraries_folder(Path::new("")));
        let own = StoredFile { end: String::new(), size: self.size, hash: Some(self.hash.clone()) };
        let libraries = self.libraries.iter().map(|Library { file, size, hash }| StoredFile {
            end: format!("{libraries_end}/{}", file.0),
            size: *size,
            hash: Some(hash.clone()),
        });
        let link_inputs = self.link_inputs.map(|size| StoredFile {
            end: end_of(relink::file_of(Path::new(""))),
            size,
            hash: None,
        });
        std::iter::once(own).chain(libraries).chain(link_inputs).collect()
    }

    /// Returns whether it and its libraries are at this path, unchanged. Reads all of them.
    pub(super) fn is_intact(&self, path: &Path) -> bool {
        self.files().iter().filter(|file| file.hash.is_some()).all(|file| file.is_at(&file.path(path)))
    }

    /// Returns whether another executable and its libraries have the same bytes.
    pub fn has_code_of(&self, other: &Executable) -> bool {
        self.hash == other.hash && self.libraries == other.libraries
    }

    /// Returns whether another executable had the same inputs, as far as they are known.
    pub fn has_inputs_of(&self, other: &Executable) -> bool {
        let inputs = self.inputs.as_deref().zip(other.inputs.as_deref());
        inputs.is_none_or(|(one, other)| changed_inputs(one, other).is_empty())
    }

    /// Adds those files outside of it that are not listed yet.
    pub(super) fn add_outside_files(&mut self, files: &[OutsideFile]) {
        for file in files {
            if !self.outside_files.contains(file) {
                self.outside_files.push(file.clone());
            }
        }
    }
}

/// Returns the paths of the files beside an executable, and its own at last.
pub(super) fn places(executable: &Path) -> [PathBuf; 3] {
    [libraries_folder(executable), relink::file_of(executable), executable.to_owned()]
}

/// Returns the size of a stored executable and the files beside it, in bytes.
pub(super) fn size(executable: &Path) -> u64 {
    places(executable).iter().map(|place| layout::size(place)).fold(0, u64::saturating_add)
}
