//! Fingerprints of files, which show whether two files have the same content.

use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt::{self, Display};
use std::fs::{File, Metadata};
use std::io::{self, BufReader};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// A 128-bit hash of a file's content, written as `xxh3:` and 32 hexadecimal digits, or 32 bits of
/// one.
///
/// A cryptographic hash is not needed, because nobody gains by forging an executable here. XXH3 is
/// as fast as memory, and one crate without dependencies. The prefix allows for another hash later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Computes the fingerprint of a file with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Fingerprint(format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(bytes)))
    }

    /// Computes the fingerprint of a file.
    pub fn from_file(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(256 * 1024, File::open(path)?);
        let mut hash = Xxh3::new();
        io::copy(&mut file, &mut hash)?;
        Ok(Fingerprint(format!("xxh3:{:032x}", hash.digest128())))
    }

    /// Computes the fingerprint of a file, or of the target of a symbolic link to anything else. `None` if
    /// it is neither, or can't be read.
    pub fn of_path(path: &Path) -> Option<Self> {
        if path.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Fingerprint::from_file(path).ok();
        }
        Some(Fingerprint::of(path.read_link().ok()?.as_os_str().as_encoded_bytes()))
    }

    /// Computes the fingerprint of a path as above, within the `unread_bytes`, which it takes the size of the
    /// file from: the size and the time of modification of a larger one stand for its content.
    pub fn of_path_within(path: &Path, unread_bytes: &Cell<u64>) -> Option<Self> {
        let metadata = path.metadata().ok().filter(Metadata::is_file);
        let size = metadata.as_ref().map_or(0, Metadata::len);
        if let Some(unread) = unread_bytes.get().checked_sub(size) {
            unread_bytes.set(unread);
            return Fingerprint::of_path(path);
        }
        let modified = metadata?.modified().ok();
        Some(Fingerprint::of(format!("{size} {modified:?}").as_bytes()))
    }

    /// Computes a fingerprint that doesn't tell the bytes: of short ones, the whole hash would. The 32
    /// bits are those of countless texts.
    pub fn of_secret(bytes: &[u8]) -> Self {
        Fingerprint::of(bytes).into_short()
    }

    /// Returns its digits, which are fit for the name of a file even if a stranger wrote them.
    pub fn digits(&self) -> String {
        let digits = self.0.rsplit(':').next().unwrap_or_default();
        digits.chars().filter(char::is_ascii_hexdigit).collect()
    }

    /// Returns the last 32 bits of it.
    pub fn into_short(self) -> Self {
        let (_, end) = self.0.split_at(self.0.len().saturating_sub(8));
        Fingerprint(format!("xxh3:{end}"))
    }
}

impl Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beyond_the_limit_is_known_by_its_size_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12").unwrap();
        let modified = path.metadata().unwrap().modified().unwrap();
        let describe = |unread: u64| Fingerprint::of_path_within(&path, &Cell::new(unread)).unwrap();
        let [read, unread] = [describe(2), describe(1)];
        std::fs::write(&path, "34").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(describe(1), unread, "same size and time");
        assert_ne!(describe(2), read);
        std::fs::write(&path, "345").unwrap();
        assert_ne!(describe(1), unread);
        let left = Cell::new(5);
        Fingerprint::of_path_within(&path, &left).unwrap();
        assert_eq!(left.get(), 2);
        assert_eq!(Fingerprint::of_path_within(&folder.path().join("gone"), &left), None);
        assert_eq!(Fingerprint::of_path_within(folder.path(), &left), None);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_known_by_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("current");
        let describe = |target: &str| {
            drop(std::fs::remove_file(&path));
            std::os::unix::fs::symlink(target, &path).unwrap();
            Fingerprint::of_path(&path).unwrap()
        };
        assert_eq!(describe("v1"), describe("v1"));
        assert_ne!(describe("v1"), describe("v2"));
        std::fs::write(folder.path().join("file"), "1").unwrap();
        let to_file = describe("file");
        std::fs::write(folder.path().join("file"), "2").unwrap();
        assert_ne!(describe("file"), to_file, "its content counts");
    }

    #[test]
    fn depends_on_the_content_only() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            Fingerprint::from_file(&path).unwrap()
        };
        // The published test vector of an empty input.
        assert_eq!(write("empty", b"").to_string(), "xxh3:99aa06d3014798d86001c324468d497f");
        let long = vec![7; 600_000];
        assert_eq!(write("long", &long), Fingerprint::of(&long));
        assert_eq!(write("a", &long), write("b", &long));
        assert_ne!(write("a", &long), write("b", &long[1..]));
        assert_ne!(Fingerprint::of_secret(b"1"), Fingerprint::of_secret(b"2"));
        assert_eq!(Fingerprint::of_secret(&long).to_string().len(), "xxh3:".len() + 8);
    }
}
