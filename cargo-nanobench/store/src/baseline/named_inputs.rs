//! The inputs that an executable names, and that its benchmarks may read while they run: variables of the
//! environment, and files that build scripts have made.

use super::Input;
use crate::cargo::{Executable, is_dynamic_library, output_folder};
use crate::environment::MAX_READ_BYTES;
use machine_code::code::LoadedSections;
use memchr::memmem;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

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

/// The variables, or starts of their names, that the loader or the allocator of the C library reads in
/// every program.
const FOR_ALL_PROGRAMS: [&str; 4] = ["GLIBC_TUNABLES", "LD_BIND_NOW", "LD_PRELOAD", "MALLOC_"];

/// Returns whether every program reads the variable of this name.
pub fn is_for_all_programs(variable: &str) -> bool {
    FOR_ALL_PROGRAMS.iter().any(|start| variable.starts_with(start))
}

/// The inputs that an executable names.
pub struct NamedInputs {
    variables: Vec<(String, OsString)>,
    files: Vec<PathBuf>,
}

impl NamedInputs {
    /// Finds what is named in an executable with these bytes, which runs as `executable` does.
    pub fn find(bytes: &[u8], executable: &Executable) -> NamedInputs {
        let LoadedSections { data, other } = LoadedSections::new(bytes);
        let sections = [data, other].concat();
        // The compiler may put a name into instructions, in parts.
        let is_named = |name: &str| is_for_all_programs(name) || contain(&sections, first_word(name));
        NamedInputs {
            variables: variables(executable).into_iter().filter(|(name, _)| is_named(name)).collect(),
            files: generated_files(&executable.path, bytes),
        }
    }

    /// Describes them as they are now. `root`: the workspace's.
    pub fn describe(&self, root: &Path) -> Vec<Input> {
        let unread_bytes = Cell::new(MAX_READ_BYTES);
        let file = |path: &PathBuf| {
            let below_root = path.strip_prefix(root).unwrap_or(path);
            let name = below_root.to_string_lossy().replace('\\', "/");
            Input::file(&name, path, &unread_bytes)
        };
        let variables = self.variables.iter().map(|(name, value)| Input::variable(name, value));
        variables.chain(self.files.iter().filter_map(file)).collect()
    }
}

/// Returns whether one of the sections contains a text.
pub fn contain(sections: &[&[u8]], text: &str) -> bool {
    sections.iter().any(|bytes| memmem::find(bytes, text.as_bytes()).is_some())
}

/// Returns the first bytes of a name, as many as an instruction moves at once.
fn first_word(name: &str) -> &str {
    const WORD: usize = 4;
    name.get(..if name.len() < 2 * WORD { WORD } else { 2 * WORD }).unwrap_or(name)
}

/// Returns the files that build scripts have made for an executable of these bytes, as far as it names
/// their folders. Libraries are none: each side has its own, and the ones that it opens are known.
pub fn generated_files(executable: &Path, bytes: &[u8]) -> Vec<PathBuf> {
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
    files.collect()
}

/// Returns the environment of an executable, as far as it may matter.
pub fn variables(executable: &Executable) -> BTreeMap<String, OsString> {
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

    #[test]
    fn a_variable_in_instructions_is_found_by_its_first_bytes() {
        assert_eq!(["TMPDIR", "TWO_STEPS", "HOME", "a"].map(first_word), ["TMPD", "TWO_STEP", "HOME", "a"]);
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
}
