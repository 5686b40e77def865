//! The files of a project that benchmarks may read as data, as a run found them: those of the commit, and
//! each that differs from it. A later run can tell which of all have changed since.

use super::bounded;
use crate::fingerprint::Fingerprint;
use crate::git::{self, FileChange, Repository};
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path};
use walkdir::WalkDir;

/// The limit for the files that differ from the commit. With more, nothing is known of any.
const MAX_FILES: usize = 1000;
/// The limit for the bytes of files that are read. The time of modification stands for the content of
/// others.
pub const MAX_READ_BYTES: u64 = 256 << 20;

/// Files of the project's tools.
const TOOL_FILES: [&str; 4] = ["Makefile", "clippy.toml", "justfile", "rustfmt.toml"];

/// The data files of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataFiles {
    /// The full hash of the commit. `None` without one: the files are all.
    commit: Option<String>,
    /// The files that differ from it.
    #[serde(deserialize_with = "list")]
    files: Vec<DataFile>,
}

/// A file that differs from the commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct DataFile {
    /// The path from the workspace's root, with slashes.
    file: String,
    /// `None` if it is gone.
    hash: Option<Fingerprint>,
    /// Git neither tracks nor ignores it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    untracked: bool,
    /// The commit may not have it as it is: it was added, or git doesn't track it or was told to overlook it.
    /// Only known of this run's.
    #[serde(skip)]
    is_added: bool,
}

/// A data file that has changed since an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedFile {
    /// The path from the workspace's root, with slashes.
    pub file: String,
    pub is_untracked: bool,
    /// It was added or removed.
    pub is_other_listing: bool,
}

impl ChangedFile {
    /// Returns whether benchmarks may read it although their executable doesn't name it. Texts and settings
    /// change in many commits, and hardly any benchmark reads them; and what git doesn't track is mostly the
    /// output of tools.
    pub fn may_be_unnamed(&self) -> bool {
        let path = Path::new(&self.file);
        let is_hidden = path.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
        let is_text = path.extension().is_some_and(|extension| extension == "md");
        let is_for_tools = TOOL_FILES.iter().any(|file| path.ends_with(file));
        !self.is_untracked && !is_hidden && !is_text && !is_for_tools
    }
}

/// Reads a list within the limit.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<DataFile>, D::Error> {
    bounded::list::<MAX_FILES, _, _>(deserializer)
}

impl DataFiles {
    /// Finds the data files below a workspace's root, without those in cargo's target directory. `None` if
    /// there are too many, or if git fails.
    pub fn find(root: &Path, target: &Path) -> Option<DataFiles> {
        let is_data = |file: &str| is_data_file(Path::new(file)) && !root.join(file).starts_with(target);
        let (commit, files) = match tracked(root) {
            None => (None, walk(root, target).into_iter().map(|file| (file, false, true)).collect()),
            Some((repository, commit)) => {
                let changes = repository.own_changes_since(&commit).ok()?.into_iter();
                let changes = changes.map(|change| (change.file, false, change.is_other_listing));
                let overlooked = git::overlooked_files(root)?.into_iter().map(|file| (file, false, true));
                let untracked = git::untracked_files(root)?.into_iter().map(|file| (file, true, true));
                (Some(commit), changes.chain(overlooked).chain(untracked).collect::<Vec<_>>())
            }
        };
        let unread_bytes = Cell::new(MAX_READ_BYTES);
        let files = files.into_iter().filter(|(file, ..)| is_data(file)).take(MAX_FILES + 1);
        let data_file = |(file, untracked, is_added): (String, bool, bool)| {
            let hash = describe(&root.join(&file), &unread_bytes);
            DataFile { file, hash, untracked, is_added }
        };
        let files: Vec<DataFile> = files.map(data_file).collect();
        (files.len() <= MAX_FILES).then_some(DataFiles { commit, files })
    }

    /// Returns the files that have changed since an earlier run, which may be an imported one. `root`: the
    /// workspace's. `None` if git can't tell.
    pub fn changed_since(&self, before: &DataFiles, root: &Path) -> Option<BTreeSet<ChangedFile>> {
        let (earlier, now) = (before.by_path(), self.by_path());
        if !earlier.keys().all(|file| is_inside(Path::new(file))) {
            return None;
        }
        let mut changed = BTreeSet::new();
        let is_same_commit = before.commit == self.commit;
        if !is_same_commit {
            let commit = before.commit.as_ref().filter(|hash| is_full_hash(hash) && self.commit.is_some())?;
            let changes = Repository::find(root).ok()?.own_changes_since(commit).ok()?;
            let others = changes.into_iter().filter(|FileChange { file, .. }| {
                is_data_file(Path::new(file)) && !earlier.contains_key(file.as_str())
            });
            changed.extend(others.map(|FileChange { file, is_other_listing }| ChangedFile {
                file,
                is_untracked: false,
                is_other_listing,
            }));
        }
        // Of another commit, git told what is tracked.
        let new =
            now.iter().filter(|(file, now)| (is_same_commit || now.is_added) && !earlier.contains_key(*file));
        changed.extend(new.map(|(file, now)| ChangedFile {
            file: (*file).to_owned(),
            is_untracked: now.untracked,
            is_other_listing: now.is_added || now.hash.is_none(),
        }));
        let unread_bytes = Cell::new(MAX_READ_BYTES);
        for (file, DataFile { hash, untracked, .. }) in earlier {
            let read = || describe(&root.join(file), &unread_bytes);
            let hash_now = now.get(file).map_or_else(read, |now| now.hash.clone());
            if hash_now != *hash {
                let is_untracked =
                    *untracked && (hash_now.is_none() || now.get(file).is_some_and(|now| now.untracked));
                let is_other_listing = hash_now.is_some() != hash.is_some();
                changed.insert(ChangedFile { file: file.to_owned(), is_untracked, is_other_listing });
            }
        }
        Some(changed)
    }

    fn by_path(&self) -> BTreeMap<&str, &DataFile> {
        self.files.iter().map(|file| (file.file.as_str(), file)).collect()
    }
}

/// Computes a fingerprint that doesn't tell the content: git may not track it because it is a secret.
fn describe(path: &Path, unread_bytes: &Cell<u64>) -> Option<Fingerprint> {
    Fingerprint::of_path_within(path, unread_bytes).map(Fingerprint::into_short)
}

/// Returns the repository that tracks files of a workspace, and the hash of its commit.
fn tracked(root: &Path) -> Option<(Repository, String)> {
    git::tracked_files(root, 1)?;
    let repository = Repository::find(root).ok()?;
    let commit = repository.commit("HEAD").ok()?.hash;
    Some((repository, commit))
}

/// Returns the files below a folder, without hidden ones and those of cargo's target directory.
fn walk(root: &Path, target: &Path) -> Vec<String> {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| entry.path() != target && !is_hidden(entry.file_name()));
    let is_file = |kind: std::fs::FileType| kind.is_file() || kind.is_symlink();
    let files = entries.flatten().filter(|entry| is_file(entry.file_type()));
    let path = |path: &Path| {
        let names = path.strip_prefix(root).ok()?.iter().map(OsStr::to_str);
        Some(names.collect::<Option<Vec<_>>>()?.join("/"))
    };
    files.filter_map(|entry| path(entry.path())).collect()
}

/// Returns whether benchmarks may read a file. A change of a source makes cargo build again, so that
/// the executable shows it, and the files that explain a project to people are no data, either.
fn is_data_file(path: &Path) -> bool {
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

/// Returns whether a path leads to no place outside of its folder.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns whether this is a full hash of git, with either of its algorithms.
fn is_full_hash(text: &str) -> bool {
    [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests;
