//! The inputs that benchmarks may read while they run: files of the project and variables of the
//! environment whose names are in an executable.

use super::source::Source;
use crate::baseline::Input;
use crate::cargo::Executable;
use crate::code;
use crate::git;
use memchr::memmem;
use path_clean::PathClean as _;
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use walkdir::WalkDir;

/// The limit for the files that are considered without git.
const MAX_FILES: usize = 10_000;
/// The limit for the inputs of an executable.
const MAX_INPUTS: usize = 1000;
/// The number of bytes at the end of a name that are searched for. The compiler puts longer texts
/// into instructions in parts.
const TAIL: usize = 8;

/// Variables of cargo, of the tool, of the loader and of the terminal, which say nothing about the
/// work of a benchmark or differ in each run.
const OTHER_VARIABLES: [&str; 16] = [
    "COLORTERM",
    "COLUMNS",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "LINES",
    "OLDPWD",
    "OUT_DIR",
    "PATH",
    "PWD",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_MIN_STACK",
    "RUST_RECURSION_COUNT",
    "SHLVL",
    "TERM",
    "_",
];
const OTHER_PREFIXES: [&str; 3] = ["CARGO", "NANOBENCH_", "RUSTUP_"];

/// The inputs that a project has to offer.
pub(super) struct ProjectInputs {
    root: PathBuf,
    /// The paths of files from the root, with slashes, by their names.
    files: BTreeMap<String, Vec<String>>,
}

impl ProjectInputs {
    /// Starts to list the files of a project while it is built. `None` for the built-in benchmarks.
    pub(super) fn start(source: &Source) -> Option<JoinHandle<ProjectInputs>> {
        let project = source.project()?;
        let (root, target) = (project.root().to_owned(), project.target_directory().to_owned());
        Some(thread::spawn(move || ProjectInputs::list(root, &target)))
    }

    fn list(root: PathBuf, target: &Path) -> ProjectInputs {
        let paths = git::files_around(&root).unwrap_or_else(|| walk(&root, target));
        // Perhaps git doesn't ignore it.
        let target = target.strip_prefix(&root).map(Path::to_owned).ok();
        let is_built = |path: &str| target.as_ref().is_some_and(|target| Path::new(path).starts_with(target));
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in paths.into_iter().filter(|path| !is_source(path) && !is_built(path)) {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            files.entry(name).or_default().push(path);
        }
        ProjectInputs { root, files }
    }

    /// Returns the inputs of an executable at this path, which runs as `executable` does.
    pub(super) fn of(&self, path: &Path, executable: &Executable) -> Vec<Input> {
        let bytes = fs::read(path).unwrap_or_default();
        let sections = code::loaded(&bytes);
        let variables = variables(executable);
        let names = self.files.keys().map(String::as_bytes);
        let found = tails_within(&sections, names.chain(variables.keys().map(String::as_bytes)));
        let is_named = |name: &str| found.contains(tail(name.as_bytes()));
        let is_whole =
            |name: &str| sections.iter().any(|bytes| memmem::find(bytes, name.as_bytes()).is_some());
        let variables = variables.iter().filter(|(name, _)| is_named(name) && is_whole(name));
        let variables = variables.map(|(name, value)| Input::variable(name, value));
        let files = self.files.iter().filter(|(name, _)| is_named(name)).flat_map(|(_, paths)| paths);
        let files = files.filter_map(|path| Input::file(path, &self.root.join(path).clean()));
        variables.chain(files).take(MAX_INPUTS).collect()
    }
}

/// Returns the files below a folder, without hidden ones and those of cargo's target directory.
fn walk(root: &Path, target: &Path) -> Vec<String> {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| entry.path() != target && !is_hidden(entry.file_name()));
    let files = entries.flatten().filter(|entry| entry.file_type().is_file()).take(MAX_FILES);
    let path = |path: &Path| {
        let names = path.strip_prefix(root).ok()?.iter().map(OsStr::to_str);
        Some(names.collect::<Option<Vec<_>>>()?.join("/"))
    };
    files.filter_map(|entry| path(entry.path())).collect()
}

/// Returns whether a change of a file makes cargo build again, so that the executable shows it.
fn is_source(path: &str) -> bool {
    let path = Path::new(path);
    path.extension().is_some_and(|extension| extension == "rs")
        || ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config"]
            .iter()
            .any(|source| path.ends_with(source))
}

/// Returns the environment of an executable, as far as it may matter.
fn variables(executable: &Executable) -> BTreeMap<String, OsString> {
    let own = executable.environment.iter().cloned();
    let all = env::vars_os().chain(own);
    let all = all.filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let is_other = |name: &str| {
        OTHER_VARIABLES.contains(&name) || OTHER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    all.filter(|(name, _)| !name.is_empty() && !is_other(name)).collect()
}

/// Returns the last bytes of a name.
fn tail(name: &[u8]) -> &[u8] {
    &name[name.len().saturating_sub(TAIL)..]
}

/// Returns those ends of names that occur in the sections.
fn tails_within<'n>(sections: &[&[u8]], names: impl Iterator<Item = &'n [u8]>) -> HashSet<&'n [u8]> {
    let (long, short): (HashSet<&[u8]>, HashSet<&[u8]>) =
        names.map(tail).partition(|tail| tail.len() == TAIL);
    let occurs = |tail: &&[u8]| sections.iter().any(|bytes| memmem::find(bytes, tail).is_some());
    let mut found: HashSet<&[u8]> = short.into_iter().filter(occurs).collect();
    // A pass over the sections finds all of the others. Few windows pass the filter.
    let mut filter = vec![false; 1 << 16];
    long.iter().for_each(|tail| filter[slot(tail)] = true);
    if !long.is_empty() {
        for window in sections.iter().flat_map(|bytes| bytes.windows(TAIL)) {
            if filter[slot(window)] {
                found.extend(long.get(window).copied());
            }
        }
    }
    found
}

/// Returns the place of the last bytes of a long name in the filter.
fn slot(tail: &[u8]) -> usize {
    usize::from(
        u16::from_le_bytes([tail[2], tail[3]]) ^ u16::from_le_bytes([tail[6], tail[7]]).rotate_left(5),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_ends() {
        let sections: [&[u8]; 2] = [b"xTWO_STEPSdata/steps.txtcal", b"\x48\xb8ta/a.csv\x00\x00"];
        let found = |name: &str| {
            let names = ["other", "another.txt", name];
            let found = tails_within(&sections, names.iter().map(|name| name.as_bytes()));
            assert!(found.len() <= 1);
            found.contains(tail(name.as_bytes()))
        };
        for name in ["TWO_STEPS", "steps.txt", "a.csv", "data/a.csv"] {
            assert!(found(name), "{name}");
        }
        for name in ["TWO_STEP_", "steps.csv", "b.csv", "STEPS2"] {
            assert!(!found(name), "{name}");
        }
        assert!(tails_within(&sections, std::iter::empty()).is_empty());
        assert!(tails_within(&[b"short"], [&b"longer than that"[..]].into_iter()).is_empty());
    }

    #[test]
    fn sources_of_the_build_are_no_inputs() {
        for path in ["src/lib.rs", "../Cargo.lock", "part/Cargo.toml", "part/.cargo/config.toml"] {
            assert!(is_source(path), "{path}");
        }
        for path in ["data/steps.txt", "config.toml", "lib.rs.txt", "LICENSE"] {
            assert!(!is_source(path), "{path}");
        }
    }

    #[test]
    fn without_git_files_are_found_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for file in ["a.txt", "data/b.txt", "target/c.txt", ".hidden/d.txt", ".e"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        assert_eq!(walk(root, &root.join("target")), ["a.txt", "data/b.txt"]);
    }
}
