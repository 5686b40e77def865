//! What a build was made of, as rustc notes it beside what it builds: `deps/*.d`.

use crate::git::{self, Commit, Repository};
use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A build of a tree.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    /// Those with benchmarks.
    pub(super) executables: Vec<&'a Path>,
    /// Root of the workspace, where the paths begin that rustc notes.
    pub(super) root: &'a Path,
    /// Top of the tree.
    pub(super) top: &'a Path,
}

/// Whether no tracked file differs that a benchmark could read: what executables are made of makes no difference where these
/// came out the same.
pub(super) fn same_files(
    repository: &Repository,
    commit: &Commit,
    builds: [Sources<'_>; 2],
) -> Result<bool, git::Error> {
    let files = repository.files_differing_from(commit)?;
    if files.is_empty() {
        return Ok(true);
    }
    let [Some(one), Some(other)] = builds.map(|build| build.noted()) else {
        return Ok(files.iter().all(|file| file.extension().is_some_and(|extension| extension == "rs")));
    };
    Ok(files.iter().all(|file| one.contains(file) || other.contains(file)))
}

impl Sources<'_> {
    /// The files that it was made of, as seen from the top. `None` where nothing is noted.
    fn noted(&self) -> Option<HashSet<PathBuf>> {
        // What git says of the top is without symbolic links.
        let (root, top) = (self.root.canonicalize().ok()?, self.top.canonicalize().ok()?);
        let folders: HashSet<&Path> = self.executables.iter().filter_map(|path| path.parent()).collect();
        let of_executables: Vec<_> = folders.iter().map(|folder| notes(folder)).collect();
        if of_executables.is_empty() || of_executables.iter().any(Vec::is_empty) {
            return None;
        }
        // Libraries lie there for an example, too; build scripts have a folder each.
        let profiles: HashSet<&Path> = folders.iter().filter_map(|folder| folder.parent()).collect();
        let elsewhere = profiles.iter().flat_map(|profile| {
            let scripts = entries(&profile.join("build"));
            scripts.into_iter().chain([profile.join("deps")]).flat_map(|folder| notes(&folder))
        });
        let mut files = HashSet::new();
        for note in of_executables.into_iter().flatten().chain(elsewhere) {
            let text = fs::read_to_string(note).ok()?;
            let within = |path| Some(plain(&root.join(path)).strip_prefix(&top).ok()?.to_owned());
            files.extend(mentioned(&text).filter_map(within));
        }
        Some(files)
    }
}

/// The files that rustc has left such notes in.
fn notes(folder: &Path) -> Vec<PathBuf> {
    let is_note = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "d");
    entries(folder).into_iter().filter(is_note).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The files in a note. It is a Makefile, in which each has a rule of its own that needs nothing: `src/a\ b.rs:`.
fn mentioned(note: &str) -> impl Iterator<Item = PathBuf> {
    let rules = note.lines().filter(|line| !line.starts_with('#'));
    rules.filter_map(|line| Some(line.strip_suffix(':')?.replace("\\ ", " ").into()))
}

/// The path without `.` and `..`: `include_str!` leaves `src/../data.txt`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(top: &Path) -> Option<Vec<PathBuf>> {
        let executable = top.join("target/release/deps/work-1");
        let sources = Sources { executables: vec![&executable], root: &top.join("member"), top };
        let mut files: Vec<PathBuf> = sources.noted()?.into_iter().collect();
        files.sort();
        Some(files)
    }

    #[test]
    fn what_rustc_notes_is_seen_from_the_top() {
        let top = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = top.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("member/Cargo.toml", "");
        assert_eq!(noted(top.path()), None);
        write("target/release/build/work-2/script.d", "script: build.rs\n\nbuild.rs:\n");
        assert_eq!(noted(top.path()), None, "nothing of the executable");
        let of_work = "work-1: benches/two\\ words.rs src/../../data.txt\n\nbenches/two\\ words.rs:\n\
                       src/../../data.txt:\n/elsewhere/lib.rs:\n\n# env-dep:A=b:\n";
        write("target/release/deps/work-1.d", of_work);
        let paths = ["data.txt", "member/benches/two words.rs", "member/build.rs"];
        assert_eq!(noted(top.path()), Some(paths.map(PathBuf::from).to_vec()));
    }
}
