//! The inputs that benchmarks may read while they run: files of the project and variables of the
//! environment whose names are in an executable.

use super::named_texts::{contain, first_word, named_within};
use super::untracked_files::UntrackedFiles;
use crate::baseline::{Input, is_dynamic_library, is_for_all_programs, output_folder};
use crate::cargo::Executable;
use crate::code::LoadedSections;
use crate::environment::is_data_file;
use crate::git;
use memchr::memmem;
use path_clean::PathClean as _;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The limit for the files that are considered. With more, nothing is known of any.
const MAX_FILES: usize = 20_000;
/// The limit for the files that an executable may read, and for all folders. With more, they count as
/// unknown.
const MAX_INPUTS: usize = 1000;
/// The limit for the bytes of files that a run reads. The time of modification stands for the content
/// of others.
const MAX_READ_BYTES: u64 = 256 << 20;
/// The least bytes in the name of a variable.
const MIN_VARIABLE_NAME: usize = 4;
/// Variables of cargo, of the tool, of the loader and of the terminal, which say nothing about the
/// work of a benchmark or differ in each run.
const OTHER_VARIABLES: [&str; 13] = [
    "COLORTERM",
    "COLUMNS",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "LINES",
    "OLDPWD",
    "OUT_DIR",
    "PATH",
    "PWD",
    "RUST_MIN_STACK",
    "RUST_RECURSION_COUNT",
    "SHLVL",
    "TERM",
];
const OTHER_PREFIXES: [&str; 3] = ["CARGO", "NANOBENCH_", "RUSTUP_"];

/// The inputs that a project has to offer.
pub(super) struct ProjectInputs {
    root: PathBuf,
    /// The paths of files from the root, with slashes, by their names.
    files: BTreeMap<String, Vec<String>>,
    /// The paths of the files in each folder, and whether git knows them.
    folders: BTreeMap<String, BTreeMap<String, bool>>,
    /// Git tracks files of the project.
    is_tracked: bool,
    /// There are more files than the limit.
    is_incomplete: bool,
    /// The inputs that were described already, by their paths.
    described: RefCell<HashMap<String, Option<Input>>>,
    /// The bytes that may still be read.
    unread_bytes: Cell<u64>,
}

/// The variables and the paths of files that are named in an executable.
pub(super) struct NamedInputs {
    variables: Vec<(String, OsString)>,
    files: Vec<String>,
}

impl ProjectInputs {
    /// Lists the files of a project.
    pub(super) fn list(root: PathBuf, target: &Path) -> ProjectInputs {
        let untracked = UntrackedFiles::search(root.clone(), MAX_FILES);
        let tracked = git::tracked_files(&root, MAX_FILES);
        let is_tracked = tracked.is_some();
        let (tracked, untracked) = match tracked {
            Some(tracked) => (tracked, untracked.found()),
            None => (Vec::new(), Some(walk(&root, target))),
        };
        let is_incomplete =
            tracked.len() >= MAX_FILES || untracked.as_ref().is_none_or(|all| all.len() >= MAX_FILES);
        let untracked = untracked.unwrap_or_default();
        // Perhaps git doesn't ignore it.
        let target = target.strip_prefix(&root).map(Path::to_owned).ok();
        let is_built = |path: &str| target.as_ref().is_some_and(|target| Path::new(path).starts_with(target));
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut folders: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
        let paths = tracked.into_iter().map(|path| (path, true));
        let paths = paths.chain(untracked.into_iter().map(|path| (path, false)));
        for (path, is_tracked) in paths.filter(|(path, _)| is_data_file(Path::new(path)) && !is_built(path)) {
            let folder = path[..path.len() - name(&path).len()].trim_end_matches('/').to_owned();
            folders.entry(folder).or_default().insert(path.clone(), is_tracked);
            if is_tracked || may_be_named(&path) {
                files.entry(name(&path).to_owned()).or_default().push(path);
            }
        }
        let (described, unread_bytes) = (RefCell::default(), Cell::new(MAX_READ_BYTES));
        ProjectInputs { root, files, folders, is_tracked, is_incomplete, described, unread_bytes }
    }

    pub(super) fn is_tracked(&self) -> bool {
        self.is_tracked
    }

    /// Returns the inputs of an executable with these bytes, which runs as `executable` does.
    pub(super) fn of(&self, bytes: &[u8], executable: &Executable) -> Vec<Input> {
        self.describe_all(&self.named_in(bytes, executable))
    }

    /// Returns what is named in an executable with these bytes, which runs as `executable` does.
    pub(super) fn named_in(&self, bytes: &[u8], executable: &Executable) -> NamedInputs {
        let LoadedSections { data, other } = LoadedSections::new(bytes);
        let variables = variables(executable);
        let everything = [&data[..], &other[..]].concat();
        // The compiler may put a name into instructions, in parts.
        let starts: Vec<String> = variables.keys().map(|name| first_word(name).to_owned()).collect();
        let named = named_within(&everything, starts.iter());
        let is_named = |name: &str| is_for_all_programs(name) || named.contains(first_word(name));
        let named_files = self.named_files(&data).into_iter().map(str::to_owned);
        let generated = generated_files(&executable.path, bytes).into_iter();
        let below_root = |path: PathBuf| path.strip_prefix(&self.root).map(Path::to_owned).unwrap_or(path);
        let generated = generated.map(|path| below_root(path).to_string_lossy().replace('\\', "/"));
        NamedInputs {
            variables: variables.into_iter().filter(|(name, _)| is_named(name)).collect(),
            files: named_files.chain(generated).collect(),
        }
    }

    /// Describes inputs as they are now.
    pub(super) fn describe_all(&self, named: &NamedInputs) -> Vec<Input> {
        let variables = named.variables.iter().map(|(name, value)| Input::variable(name, value));
        let mut inputs: Vec<Input> = variables.collect();
        if self.is_incomplete || named.files.len() > MAX_INPUTS {
            inputs.push(Input::too_many("files"));
        } else {
            inputs.extend(named.files.iter().filter_map(|path| self.describe(path)));
        }
        if self.is_incomplete || self.folders.len() > MAX_INPUTS {
            inputs.push(Input::too_many("folders"));
        } else {
            let folders = self.folders.iter();
            inputs.extend(folders.map(|(folder, files)| self.describe_folder(folder, files)));
        }
        inputs
    }

    /// Returns the paths of files whose names are in these sections. Of several files of one name,
    /// these are all, or those with their folder before it. All are the last.
    fn named_files(&self, sections: &[&[u8]]) -> Vec<&str> {
        let named = named_within(sections, self.files.keys());
        let named = self.files.iter().filter(|(name, _)| named.contains(name.as_str()));
        let (mut certain, mut others) = (Vec::new(), Vec::new());
        for (_, paths) in named {
            let has_folder =
                |path: &&String| name_in_folder(path).is_some_and(|name| contain(sections, name));
            let in_folder: Vec<&String> = paths.iter().filter(has_folder).collect();
            match (&in_folder[..], &paths[..]) {
                ([], [only]) => certain.push(only),
                ([], _) => others.extend(paths),
                _ => certain.extend(in_folder),
            }
        }
        certain.into_iter().chain(others).map(String::as_str).collect()
    }

    /// Describes a folder by the names of its files, and by the contents of those that git doesn't know.
    fn describe_folder(&self, folder: &str, files: &BTreeMap<String, bool>) -> Input {
        let content = |path: &str, is_tracked: bool| {
            let input = if is_tracked { None } else { self.describe(path) };
            format!("{path}\0{}\0", input.map_or_else(String::new, |input| input.hash().to_string()))
        };
        let listing: String = files.iter().map(|(path, is_tracked)| content(path, *is_tracked)).collect();
        Input::folder(folder, listing.as_bytes())
    }

    /// Describes a file, once in a run.
    fn describe(&self, path: &str) -> Option<Input> {
        let mut described = self.described.borrow_mut();
        let describe = || Input::file(path, &self.root.join(path).clean(), &self.unread_bytes);
        described.entry(path.to_owned()).or_insert_with(describe).clone()
    }
}

/// Returns the name of a file, without its folders.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name of a file with that of its folder before it, if it has one.
fn name_in_folder(path: &str) -> Option<&str> {
    let folders = path.strip_suffix(name(path))?.strip_suffix('/')?;
    Some(&path[folders.len() - name(folders).len()..])
}

/// Returns the files below a folder, without hidden ones and those of cargo's target directory.
fn walk(root: &Path, target: &Path) -> Vec<String> {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| entry.path() != target && !is_hidden(entry.file_name()));
    let files = entries.take(MAX_FILES).flatten().filter(|entry| entry.file_type().is_file());
    let path = |path: &Path| {
        let names = path.strip_prefix(root).ok()?.iter().map(OsStr::to_str);
        Some(names.collect::<Option<Vec<_>>>()?.join("/"))
    };
    files.filter_map(|entry| path(entry.path())).collect()
}

/// Returns whether a file that git doesn't know may be data that an executable names. Without an
/// extension, a short name is in too many other texts.
fn may_be_named(path: &str) -> bool {
    const MIN_NAME: usize = 5;
    Path::new(path).extension().is_some() || name(path).len() >= MIN_NAME
}

/// Returns the files that build scripts have made for an executable of these bytes, as far as it names
/// their folders. Libraries are none: each side has its own, and the ones that it opens are known.
pub(super) fn generated_files(executable: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let is_named = |path: &Path| memmem::find(bytes, path.as_os_str().as_encoded_bytes()).is_some();
    let Some(build) = output_folder(executable).map(|folder| folder.join("build")) else { return Vec::new() };
    if !is_named(&build) {
        return Vec::new();
    }
    let units = fs::read_dir(build).into_iter().flatten().flatten().map(|unit| unit.path().join("out"));
    let folders = units.filter(|folder| is_named(folder));
    let entries = folders.flat_map(|folder| WalkDir::new(folder).sort_by_file_name()).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    let files = files.map(walkdir::DirEntry::into_path).filter(|path| !is_dynamic_library(path));
    files.take(MAX_FILES).collect()
}

/// Returns the environment of an executable, as far as it may matter.
pub(super) fn variables(executable: &Executable) -> BTreeMap<String, OsString> {
    let own = executable.environment.iter().cloned();
    let all = env::vars_os().chain(own);
    let all = all.filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    all.filter(|(name, _)| may_matter(name, cfg!(windows))).collect()
}

/// Returns whether a variable of this name may matter, on a system that ignores case or not.
fn may_matter(name: &str, ignores_case: bool) -> bool {
    let upper = if ignores_case { name.to_ascii_uppercase() } else { name.to_owned() };
    let is_other = OTHER_VARIABLES.contains(&upper.as_str())
        || OTHER_PREFIXES.iter().any(|prefix| upper.starts_with(prefix));
    // Windows keeps the folder of each drive in a variable that begins with `=`.
    name.len() >= MIN_VARIABLE_NAME && !name.starts_with('=') && !is_other
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn inputs(root: &Path, files: &[&str]) -> ProjectInputs {
        for file in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "1").unwrap();
        }
        ProjectInputs::list(root.to_owned(), &root.join("target"))
    }

    #[test]
    fn files_are_named_as_wholes_and_if_ambiguous_with_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["big-steps.txt", "a/words.txt", "b/words.txt", "words.txt", "one/b/numbers.csv"];
        let inputs = inputs(folder.path(), &files);
        let named = |data: &str| inputs.named_files(&[data.as_bytes()]);
        assert_eq!(named("xdata/steps.txt"), [""; 0], "the end of another name");
        assert_eq!(named("xbig-steps.txty"), ["big-steps.txt"]);
        assert_eq!(named("words.txt"), ["a/words.txt", "b/words.txt", "words.txt"]);
        assert_eq!(named("xa/words.txty"), ["a/words.txt"]);
        assert_eq!(named("../b/words.txt numbers.csv"), ["one/b/numbers.csv", "b/words.txt"]);
    }

    #[test]
    fn a_file_is_read_once_and_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path(), &["first.txt", "second.txt"]);
        let first = inputs.describe("first.txt");
        assert_eq!(inputs.unread_bytes.get(), MAX_READ_BYTES - 1);
        fs::write(folder.path().join("first.txt"), "2").unwrap();
        assert_eq!(inputs.describe("first.txt"), first, "as the run began");
        assert_eq!(inputs.unread_bytes.get(), MAX_READ_BYTES - 1);
        inputs.unread_bytes.set(0);
        assert_ne!(inputs.describe("second.txt"), None);
        assert_eq!(inputs.unread_bytes.get(), 0);
    }

    #[test]
    fn an_untracked_file_without_an_extension_needs_a_long_name() {
        assert!(!may_be_named("data/a") && !may_be_named("data.d/a"));
        assert!(may_be_named("data/words") && may_be_named("n.db"));
    }

    #[test]
    fn a_folder_is_known_by_its_names_and_by_what_git_does_not_track() {
        let folder = tempfile::tempdir().unwrap();
        let listed = |files: &[&str]| {
            let inputs = inputs(folder.path(), files);
            let named = NamedInputs { variables: Vec::new(), files: Vec::new() };
            inputs.describe_all(&named)
        };
        let before = listed(&["data/a", "data/b", "other/c"]);
        assert_eq!(listed(&[]), before);
        let changed = |now: &[Input]| -> Vec<String> {
            crate::baseline::changed_inputs(&before, now).iter().map(ToString::to_string).collect()
        };
        assert_eq!(changed(&listed(&["data/d"])), ["folder data"]);
        fs::remove_file(folder.path().join("data/d")).unwrap();
        fs::write(folder.path().join("other/c"), "2").unwrap();
        assert_eq!(changed(&listed(&[])), ["folder other"]);
    }

    #[test]
    fn files_of_a_build_script_are_found_by_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |file: &str| folder.path().join(file);
        let files = ["release/build/a-1/out/deep/words.txt", "release/build/b-2/out/other.txt"];
        for file in files {
            fs::create_dir_all(path(file).parent().unwrap()).unwrap();
            fs::write(path(file), "").unwrap();
        }
        let bytes = format!("code\0{}\0", path("release/build/a-1/out/").display());
        assert_eq!(generated_files(&path("release/deps/bench-1"), bytes.as_bytes()), [path(files[0])]);
        assert!(generated_files(&path("release/deps/bench-1"), b"code").is_empty());
    }

    #[test]
    fn variables_of_the_system_are_no_inputs() {
        for name in ["PATH", "CARGO_HOME", "NANOBENCH_SAMPLES", "CI", "_", "", "=C:"] {
            assert!(!may_matter(name, false), "{name}");
        }
        for name in ["TWO_STEPS", "Path", "PATHS"] {
            assert!(may_matter(name, false), "{name}");
        }
        assert!(!may_matter("Path", true) && !may_matter("Cargo_Home", true) && may_matter("steps", true));
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
