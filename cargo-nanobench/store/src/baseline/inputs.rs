//! The inputs that an executable names, and that its benchmarks may read while they run: variables of the
//! environment, and files of build scripts. Both sides of a comparison would read today's, so a baseline
//! remembers fingerprints.

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
pub enum InputName {
    /// A file, by its path from the workspace's root, with slashes.
    File(String),
    /// A variable of the environment.
    Variable(String),
}

impl Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::File(path) => f.write_str(path),
            InputName::Variable(name) => write!(f, "value of {name}"),
        }
    }
}

/// An input that benchmarks of an executable may read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    #[serde(flatten)]
    name: InputName,
    hash: Fingerprint,
}

impl Input {
    /// Describes a file with its path from the workspace's root. `None` if it can't be read. `unread_bytes`:
    /// the bytes that may still be read.
    pub fn file(name: &str, path: &Path, unread_bytes: &Cell<u64>) -> Option<Input> {
        let hash = Fingerprint::of_path_within(path, unread_bytes)?;
        Some(Input { name: InputName::File(name.to_owned()), hash })
    }

    /// Describes a variable. Its value is not kept, as it may be a secret.
    pub fn variable(name: &str, value: &OsStr) -> Input {
        let hash = Fingerprint::of_secret(value.as_encoded_bytes());
        Input { name: InputName::Variable(name.to_owned()), hash }
    }
}

/// Returns the inputs that were changed, added or removed.
pub fn changed_inputs(before: &[Input], now: &[Input]) -> Vec<InputName> {
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
        assert!(Input::file("gone", &folder.path().join("gone"), &Cell::new(1)).is_none());
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
