//! Tracked files that benchmarks may read as data, and that differ from the commit. With them and the
//! commit, a later run can tell which of all tracked files have changed since.

use super::Checkout;
use crate::fingerprint::Fingerprint;
use crate::git::Repository;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The limit for the number of files, and for their bytes.
const MAX_FILES: usize = 1000;
const MAX_BYTES: u64 = 64 << 20;

/// A tracked file that differs from the commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChangedFile {
    /// The path from the workspace's root, with slashes.
    file: String,
    /// `None` if it is gone.
    hash: Option<Fingerprint>,
}

/// Returns whether benchmarks may read a file. A change of a source makes cargo build again, so that
/// the executable shows it, and the files that explain a project to people are no data, either.
pub(crate) fn is_data_file(path: &Path) -> bool {
    let is_source = path.extension().is_some_and(|extension| extension == "rs")
        || ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config"]
            .iter()
            .any(|source| path.ends_with(source));
    let is_for_people = |name: &str| {
        let starts = ["README", "LICENSE", "CHANGELOG"];
        name == ".gitignore" || starts.iter().any(|start| name.starts_with(start))
    };
    !is_source && !path.file_name().is_some_and(|name| is_for_people(&name.to_string_lossy()))
}

/// Describes those of the files that may be data and are below a folder. `differing`: their paths in
/// the repository of the folder. `None` if there are too many.
pub(super) fn describe(folder: &Path, differing: &[PathBuf]) -> Option<Vec<ChangedFile>> {
    if !differing.iter().any(|path| is_data_file(path)) {
        return Some(Vec::new());
    }
    let files = data_below(&Repository::find(folder).ok()?, differing);
    let size = |file: &String| folder.join(file).metadata().map_or(0, |metadata| metadata.len());
    if files.len() > MAX_FILES || files.iter().map(size).sum::<u64>() > MAX_BYTES {
        return None;
    }
    let describe = |file: String| ChangedFile { hash: Fingerprint::of_path(&folder.join(&file)), file };
    Some(files.into_iter().map(describe).collect())
}

/// Returns those of the files that may be data and are below the folder by which the repository was
/// found, as paths from there.
fn data_below(repository: &Repository, files: &[PathBuf]) -> Vec<String> {
    let below = files.iter().filter_map(|path| path.strip_prefix(repository.prefix()).ok());
    below.filter(|path| is_data_file(path)).map(with_slashes).collect()
}

fn with_slashes(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl Checkout {
    /// Returns the tracked files below `folder` that may be data and have changed since another checkout
    /// there. `None` if that is unknown.
    pub(crate) fn data_changed_since(&self, before: &Checkout, folder: &Path) -> Option<BTreeSet<String>> {
        let changed_before = before.changed_data()?;
        let mut changed: BTreeSet<String> = if before.hash == self.hash {
            self.changed_data()?.iter().map(|changed| changed.file.clone()).collect()
        } else {
            let repository = Repository::find(folder).ok()?;
            let differing = repository.files_differing_from(&before.hash).ok()?;
            data_below(&repository, &differing).into_iter().collect()
        };
        for ChangedFile { file, hash } in changed_before {
            if Fingerprint::of_path(&folder.join(file)) == *hash {
                changed.remove(file);
            } else {
                changed.insert(file.clone());
            }
        }
        Some(changed)
    }

    fn changed_data(&self) -> Option<&[ChangedFile]> {
        if self.dirty { self.changed_data.as_deref() } else { Some(&[]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn sources_and_texts_for_people_are_no_data() {
        let names = ["src/lib.rs", "../Cargo.lock", "part/Cargo.toml", "part/.cargo/config.toml"];
        for path in names.into_iter().chain(["README.md", "a/LICENSE-MIT", ".gitignore"]) {
            assert!(!is_data_file(Path::new(path)), "{path}");
        }
        for path in ["data/steps.txt", "config.toml", "lib.rs.txt", "a.csv", "data/license_plates.csv", "a"] {
            assert!(is_data_file(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn data_are_compared_with_those_of_an_earlier_checkout() {
        let temp = tempfile::tempdir().unwrap();
        let git = |arguments: &str| {
            let identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
            let mut git = std::process::Command::new("git");
            git.args(identity).args(arguments.split(' ')).current_dir(temp.path()).output().unwrap()
        };
        if !git("init -q").status.success() {
            return; // There is no git on this machine.
        }
        let folder = temp.path().join("workspace");
        fs::create_dir(&folder).unwrap();
        let write = |file: &str, text: &str| fs::write(folder.join(file), text).unwrap();
        let commit = || {
            git("add .");
            git("commit -q -m more");
            Checkout::query(&folder).unwrap()
        };
        ["a.txt", "b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "1"));
        let first = commit();
        let changed_since = |before: &Checkout| -> Vec<String> {
            let now = Checkout::query(&folder).unwrap();
            now.data_changed_since(before, &folder).unwrap().into_iter().collect()
        };
        assert_eq!(changed_since(&first), [""; 0]);
        ["b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "2"));
        assert_eq!(changed_since(&first), ["b.txt"], "no source, and nothing outside");
        let second = Checkout::query(&folder).unwrap();
        assert_eq!(changed_since(&second), [""; 0], "changed before");
        let third = commit();
        assert_eq!(changed_since(&second), [""; 0], "committed as it was");
        assert_eq!(changed_since(&first), ["b.txt"]);
        write("b.txt", "3");
        fs::remove_file(folder.join("a.txt")).unwrap();
        for before in [&first, &second, &third] {
            assert_eq!(changed_since(before), ["a.txt", "b.txt"]);
        }
        write("b.txt", "1");
        assert_eq!(changed_since(&first), ["a.txt"], "changed back");
        let now = Checkout::query(&folder).unwrap();
        let older = Checkout { changed_data: None, ..now.clone() };
        assert_eq!(now.data_changed_since(&older, &folder), None, "it was not noted");
        let unknown = Checkout { hash: "3f2a91c0".repeat(5), ..first };
        assert_eq!(now.data_changed_since(&unknown, &folder), None, "no commit here");
    }
}
