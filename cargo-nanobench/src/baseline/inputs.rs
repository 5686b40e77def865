//! The inputs that benchmarks may read while they run: files of the project, and variables of the
//! environment. Both sides of a comparison would read today's, so a baseline remembers fingerprints.

use super::Fingerprint;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::path::Path;

/// The name of an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InputName {
    /// A file, by its path from the workspace's root, with slashes.
    File(String),
    /// A folder that they may list, by its path from there.
    Folder(String),
    /// A variable of the environment.
    Variable(String),
    /// All `files` or `folders`: there are too many to look at each.
    TooMany(String),
}

/// The variables, or starts of their names, that the loader or the allocator of the C library reads in
/// every program.
const FOR_ALL_PROGRAMS: [&str; 4] = ["GLIBC_TUNABLES", "LD_BIND_NOW", "LD_PRELOAD", "MALLOC_"];

/// Returns whether every program reads the variable of this name.
pub(crate) fn is_for_all_programs(variable: &str) -> bool {
    FOR_ALL_PROGRAMS.iter().any(|start| variable.starts_with(start))
}

impl Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::File(path) => f.write_str(path),
            InputName::Folder(path) if path.is_empty() => f.write_str("workspace's folder"),
            InputName::Folder(path) => write!(f, "folder {path}"),
            InputName::Variable(name) => write!(f, "value of {name}"),
            InputName::TooMany(what) => write!(f, "too many {what}"),
        }
    }
}

/// An input that benchmarks of an executable may read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Input {
    #[serde(flatten)]
    name: InputName,
    hash: Fingerprint,
}

impl Input {
    /// Describes a file with its path from the workspace's root, or a symbolic link to anything else by
    /// its target. The size and time of modification of a file stand for its content if that is more
    /// than the `unread_bytes`, which it takes its size from. `None` if it can't be read.
    pub(crate) fn file(name: &str, path: &Path, unread_bytes: &Cell<u64>) -> Option<Input> {
        let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file);
        let size = metadata.as_ref().map_or(0, std::fs::Metadata::len);
        let hash = if let Some(unread) = unread_bytes.get().checked_sub(size) {
            unread_bytes.set(unread);
            Fingerprint::of_path(path)?
        } else {
            let modified = metadata?.modified().ok();
            Fingerprint::of(format!("{size} {modified:?}").as_bytes())
        };
        Some(Input { name: InputName::File(name.to_owned()), hash })
    }

    /// Describes a folder by the text of its listing.
    pub(crate) fn folder(path: &str, listing: &[u8]) -> Input {
        Input { name: InputName::Folder(path.to_owned()), hash: Fingerprint::of(listing) }
    }

    /// Stands for all `files`, or all `folders`.
    pub(crate) fn too_many(what: &str) -> Input {
        Input { name: InputName::TooMany(what.to_owned()), hash: Fingerprint::of(b"") }
    }

    /// Returns whether it stands for all of these.
    pub(crate) fn stands_for(&self, what: &str) -> bool {
        matches!(&self.name, InputName::TooMany(all) if all == what)
    }

    /// Returns the fingerprint of its content or value.
    pub(crate) fn hash(&self) -> &Fingerprint {
        &self.hash
    }

    /// Describes a variable. Its value is not kept, as it may be a secret.
    pub(crate) fn variable(name: &str, value: &OsStr) -> Input {
        let hash = Fingerprint::of_secret(value.as_encoded_bytes());
        Input { name: InputName::Variable(name.to_owned()), hash }
    }
}

/// Returns the inputs that were changed, added or removed.
pub(crate) fn changed_inputs(before: &[Input], now: &[Input]) -> Vec<InputName> {
    let hashes = |inputs: &'_ [Input]| -> BTreeMap<InputName, Fingerprint> {
        inputs.iter().map(|input| (input.name.clone(), input.hash.clone())).collect()
    };
    let (before, now) = (hashes(before), hashes(now));
    let changed = before.keys().chain(now.keys().filter(|name| !before.contains_key(*name)));
    changed.filter(|name| before.get(*name) != now.get(*name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn changed_new_and_missing_inputs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).unwrap();
            Input::file(name, &folder.path().join(name), &Cell::new(1)).unwrap()
        };
        let variable = |name: &str, value: &str| Input::variable(name, OsStr::new(value));
        let before = [file("a", "1"), file("b", "1"), variable("A", "1"), variable("B", "1")];
        assert!(changed_inputs(&before, &before).is_empty());
        let now = [variable("C", "1"), variable("A", "2"), file("a", "1"), file("b", "2")];
        let changed = changed_inputs(&before, &now).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(changed, ["b", "value of A", "value of B", "value of C"]);
        assert_eq!(changed_inputs(&before[..1], &[]), [InputName::File("a".to_owned())]);
        let unread = Cell::new(1);
        assert!(Input::file("gone", &folder.path().join("gone"), &unread).is_none());
        assert!(Input::file("folder", folder.path(), &unread).is_none());
    }

    #[test]
    fn a_file_beyond_the_limit_is_known_by_its_size_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12").unwrap();
        let modified = path.metadata().unwrap().modified().unwrap();
        let describe = |unread: u64| Input::file("a", &path, &Cell::new(unread)).unwrap();
        let [read, unread] = [describe(2), describe(1)];
        fs::write(&path, "34").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(describe(1), unread, "same size and time");
        assert_ne!(describe(2), read);
        fs::write(&path, "345").unwrap();
        assert_ne!(describe(1), unread);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_known_by_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("current");
        let describe = |target: &str| {
            drop(fs::remove_file(&path));
            std::os::unix::fs::symlink(target, &path).unwrap();
            Input::file("current", &path, &Cell::new(1)).unwrap()
        };
        assert_eq!(describe("v1"), describe("v1"));
        assert_ne!(describe("v1"), describe("v2"));
        fs::write(folder.path().join("file"), "1").unwrap();
        let to_file = describe("file");
        fs::write(folder.path().join("file"), "2").unwrap();
        assert_ne!(describe("file"), to_file, "its content counts");
    }

    #[test]
    fn values_are_not_stored() {
        let inputs =
            [Input::variable("TOKEN", OsStr::new("secret")), Input::variable("EMPTY", OsStr::new(""))];
        let text = serde_json::to_string(&inputs).unwrap();
        assert!(text.starts_with("[{\"variable\":\"TOKEN\",\"hash\":\"xxh3:") && !text.contains("secret"));
        assert_eq!(serde_json::from_str::<Vec<Input>>(&text).unwrap(), inputs);
        let hash = |input: &Input| input.hash.to_string().len();
        assert_eq!(inputs.each_ref().map(hash), [13; 2], "32 bits fit many values");
    }
}
