//! Tracked files that benchmarks may read as data, and that differ from the commit. With them and the
//! commit, a later run can tell which of all tracked files have changed since.

use super::Checkout;
use crate::baseline::bounded;
use crate::fingerprint::Fingerprint;
use crate::git::Repository;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The limit for the number of files, and for their bytes.
const MAX_FILES: usize = 1000;
const MAX_BYTES: u64 = 64 << 20;

/// Files of the project's tools.
const TOOL_FILES: [&str; 4] = ["Makefile", "clippy.toml", "justfile", "rustfmt.toml"];

/// A tracked file that differs from the commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChangedFile {
    /// The path from the workspace's root, with slashes.
    file: String,
    /// `None` if it is gone.
    hash: Option<Fingerprint>,
}

/// Reads a list within the limit.
pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<ChangedFile>>, D::Error> {
    bounded::list::<MAX_FILES, _, _>(deserializer).map(Some)
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

/// Returns whether benchmarks may read a file that their executable doesn't name. Texts and settings
/// change in many commits, and hardly any benchmark reads them.
fn is_unnamed_data_file(path: &Path) -> bool {
    let is_hidden = path.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
    let is_text = path.extension().is_some_and(|extension| extension == "md");
    let is_for_tools = TOOL_FILES.iter().any(|file| path.ends_with(file));
    is_data_file(path) && !is_hidden && !is_text && !is_for_tools
}

/// Describes those of the files that may be data and are below a folder. `differing`: their paths in
/// the repository of the folder. `None` if there are too many.
pub(super) fn describe(folder: &Path, differing: &[PathBuf]) -> Option<Vec<ChangedFile>> {
    if !differing.iter().any(|path| is_data_file(path)) {
        return Some(Vec::new());
    }
    let files = data_below(&Repository::find(folder).ok()?, differing);
    let sizes = files.iter().map(|file| size(&folder.join(file)));
    if files.len() > MAX_FILES || sizes.fold(0, u64::saturating_add) > MAX_BYTES {
        return None;
    }
    let describe = |file: String| ChangedFile { hash: Fingerprint::of_path(&folder.join(&file)), file };
    Some(files.into_iter().map(describe).collect())
}

/// Returns those of the files that may be data and are below the folder by which the repository was
/// found, as paths from there.
fn data_below(repository: &Repository, files: &[PathBuf]) -> Vec<String> {
    let below = files.iter().filter_map(|path| path.strip_prefix(repository.prefix()).ok());
    below.filter(|path| is_unnamed_data_file(path)).map(with_slashes).collect()
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// Returns whether a path leads to no place outside of its folder.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns whether this is a full hash of git, with either of its algorithms.
fn is_full_hash(text: &str) -> bool {
    [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn with_slashes(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl Checkout {
    /// Returns the tracked files below `folder` that may be data and have changed since another checkout
    /// there, which may be that of an imported baseline. `None` if that is unknown.
    pub(crate) fn data_changed_since(&self, before: &Checkout, folder: &Path) -> Option<BTreeSet<String>> {
        let changed_before = before.changed_data()?;
        if !is_full_hash(&before.hash)
            || !changed_before.iter().all(|changed| is_inside(changed.file.as_ref()))
        {
            return None;
        }
        let mut changed: BTreeSet<String> = if before.hash == self.hash {
            self.changed_data()?.iter().map(|changed| changed.file.clone()).collect()
        } else {
            let repository = Repository::find(folder).ok()?;
            let differing = repository.own_files_differing_from(&before.hash).ok()?;
            data_below(&repository, &differing).into_iter().collect()
        };
        let mut unread_bytes = MAX_BYTES;
        for ChangedFile { file, hash } in changed_before {
            let path = folder.join(file);
            // All of them were within the limit, so one beyond it shows a change.
            let rest = unread_bytes.checked_sub(size(&path));
            unread_bytes = rest.unwrap_or(unread_bytes);
            if rest.is_some() && Fingerprint::of_path(&path) == *hash {
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
            assert!(is_unnamed_data_file(Path::new(path)), "{path}");
        }
        let named = [".cache/steps.txt", "a/.steps", "docs/guide.md", "rustfmt.toml", "a/Makefile"];
        for path in named.into_iter().chain(["clippy.toml", "justfile"]) {
            assert!(is_data_file(Path::new(path)) && !is_unnamed_data_file(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_checkout_of_strangers_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("outside"), "1").unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let checkout = |hash: &str, files: &[&str]| {
            let changed = |file: &&str| ChangedFile { file: (*file).to_owned(), hash: None };
            let changed_data = Some(files.iter().map(changed).collect());
            Checkout { hash: hash.to_owned(), branch: None, dirty: true, changed_data }
        };
        let hash = "3f2a91c0".repeat(5);
        let changed = |hash: &str, file: &str| {
            let changed = checkout(hash, &[]).data_changed_since(&checkout(hash, &[file]), &inner);
            changed.map(|files| files.len())
        };
        assert_eq!(changed(&hash, "gone"), Some(0));
        for file in ["../outside", "a/../../outside", folder.path().join("outside").to_str().unwrap()] {
            assert_eq!(changed(&hash, file), None, "{file}");
        }
        for hash in ["", "HEAD", "--output=stolen", &hash[1..], &"g".repeat(40)] {
            assert_eq!(changed(hash, "gone"), None, "{hash}");
        }
        let large = fs::File::create(inner.join("large")).unwrap();
        large.set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(changed(&hash, "large"), Some(1));
        let parse = |number: usize| {
            let files = vec![r#"{"file":"a","hash":null}"#; number].join(",");
            let text = format!(r#"{{"hash":"","branch":null,"dirty":true,"changed_data":[{files}]}}"#);
            serde_json::from_str::<Checkout>(&text)
        };
        assert!(parse(MAX_FILES).is_ok() && parse(MAX_FILES + 1).is_err());
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
            Checkout::query(&folder).unwrap().unwrap()
        };
        ["a.txt", "b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "1"));
        let first = commit();
        let changed_since = |before: &Checkout| -> Vec<String> {
            let now = Checkout::query(&folder).unwrap().unwrap();
            now.data_changed_since(before, &folder).unwrap().into_iter().collect()
        };
        assert_eq!(changed_since(&first), [""; 0]);
        ["b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "2"));
        assert_eq!(changed_since(&first), ["b.txt"], "no source, and nothing outside");
        let second = Checkout::query(&folder).unwrap().unwrap();
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
        let now = Checkout::query(&folder).unwrap().unwrap();
        let older = Checkout { changed_data: None, ..now.clone() };
        assert_eq!(now.data_changed_since(&older, &folder), None, "it was not noted");
        let unknown = Checkout { hash: "3f2a91c0".repeat(5), ..first };
        assert_eq!(now.data_changed_since(&unknown, &folder), None, "no commit here");
    }
}
