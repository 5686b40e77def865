//! The source files of a build, from the dep-info files that rustc writes: `deps/*.d`.

use crate::git::{self, Commit, Repository};
use path_clean::PathClean as _;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A build of a tree.
#[derive(Debug)]
pub(super) struct Build<'a> {
    /// The executables with benchmarks.
    pub(super) executables: Vec<&'a Path>,
    /// The workspace's root folder. Paths in dep-info files are relative to it.
    pub(super) root: &'a Path,
    /// The top folder of the tree.
    pub(super) top: &'a Path,
}

/// Returns whether the files that benchmarks could read are the same in both trees. Source files
/// may differ, as the executables show whether that makes a difference.
pub(super) fn same_files(
    repository: &Repository,
    commit: &Commit,
    builds: [Build<'_>; 2],
) -> Result<bool, git::Error> {
    let differing = repository.files_differing_from(commit)?;
    if differing.is_empty() {
        return Ok(true);
    }
    let [Some(one), Some(other)] = builds.map(|build| build.source_files()) else {
        return Ok(differing.iter().all(|file| file.extension().is_some_and(|extension| extension == "rs")));
    };
    Ok(differing.iter().all(|file| one.contains(file) || other.contains(file)))
}

impl Build<'_> {
    /// Returns the source files, relative to the top folder. `None` if there are no dep-info files.
    fn source_files(&self) -> Option<HashSet<PathBuf>> {
        // The top folder that git reports has no symbolic links.
        let (root, top) = (self.root.canonicalize().ok()?, self.top.canonicalize().ok()?);
        let folders: HashSet<&Path> = self.executables.iter().filter_map(|path| path.parent()).collect();
        let own: Vec<_> = folders.iter().map(|folder| dep_info_files(folder)).collect();
        if own.is_empty() || own.iter().any(Vec::is_empty) {
            return None;
        }
        // The libraries of an example are in `deps`, and each build script has its own folder.
        let profiles: HashSet<&Path> = folders.iter().filter_map(|folder| folder.parent()).collect();
        let others = profiles.iter().flat_map(|profile| {
            let scripts = entries(&profile.join("build"));
            scripts.into_iter().chain([profile.join("deps")]).flat_map(|folder| dep_info_files(&folder))
        });
        let mut files = HashSet::new();
        for dep_info in own.into_iter().flatten().chain(others) {
            let text = fs::read_to_string(dep_info).ok()?;
            // `include_str!` leaves paths like `src/../data.txt`.
            let relative = |path| Some(root.join(path).clean().strip_prefix(&top).ok()?.to_owned());
            files.extend(dependencies(&text).filter_map(relative));
        }
        Some(files)
    }
}

/// Returns the dep-info files of a folder.
fn dep_info_files(folder: &Path) -> Vec<PathBuf> {
    let is_dep_info = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "d");
    entries(folder).into_iter().filter(is_dep_info).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Returns the files that a dep-info file names. It is a Makefile with an empty rule for each
/// source file: `src/a\ b.rs:`.
fn dependencies(dep_info: &str) -> impl Iterator<Item = PathBuf> {
    let rules = dep_info.lines().filter(|line| !line.starts_with('#'));
    rules.filter_map(|line| Some(line.strip_suffix(':')?.replace("\\ ", " ").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source_files(top: &Path) -> Option<Vec<PathBuf>> {
        let executable = top.join("target/release/deps/work-1");
        let build = Build { executables: vec![&executable], root: &top.join("member"), top };
        let mut files: Vec<PathBuf> = build.source_files()?.into_iter().collect();
        files.sort();
        Some(files)
    }

    #[test]
    fn source_files_are_relative_to_the_top() {
        let top = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = top.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("member/Cargo.toml", "");
        assert_eq!(source_files(top.path()), None);
        write("target/release/build/work-2/script.d", "script: build.rs\n\nbuild.rs:\n");
        assert_eq!(source_files(top.path()), None, "no dep-info file of the executable");
        let dep_info = "work-1: benches/two\\ words.rs src/../../data.txt\n\nbenches/two\\ words.rs:\n\
                       src/../../data.txt:\n/elsewhere/lib.rs:\n\n# env-dep:A=b:\n";
        write("target/release/deps/work-1.d", dep_info);
        let paths = ["data.txt", "member/benches/two words.rs", "member/build.rs"];
        assert_eq!(source_files(top.path()), Some(paths.map(PathBuf::from).to_vec()));
    }
}
