//! Fingerprints of files, which show whether two files have the same content.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::fs::File;
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
pub(crate) struct Fingerprint(String);

impl Fingerprint {
    /// Computes the fingerprint of a file with these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Fingerprint(format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(bytes)))
    }

    /// Computes the fingerprint of a file.
    pub(crate) fn from_file(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(256 * 1024, File::open(path)?);
        let mut hash = Xxh3::new();
        io::copy(&mut file, &mut hash)?;
        Ok(Fingerprint(format!("xxh3:{:032x}", hash.digest128())))
    }

    /// Computes the fingerprint of a file, or of the target of a symbolic link to anything else. `None` if
    /// it is neither, or can't be read.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        if path.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Fingerprint::from_file(path).ok();
        }
        Some(Fingerprint::of(path.read_link().ok()?.as_os_str().as_encoded_bytes()))
    }

    /// Computes a fingerprint that doesn't tell the bytes: of short ones, the whole hash would. The 32
    /// bits are those of countless texts.
    pub(crate) fn of_secret(bytes: &[u8]) -> Self {
        let hash = xxhash_rust::xxh3::xxh3_128(bytes);
        Fingerprint(format!("xxh3:{:08x}", hash & u128::from(u32::MAX)))
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
