//! The files that cargo built with an executable, and whose paths it contains: its benchmarks may run
//! their code.

use memchr::memmem;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders with files that cargo built with an executable of these bytes, and that it
/// contains the paths of. Cargo's setting `build.build-dir` keeps the executable outside of the target
/// directory.
pub fn named_folders(executable: &Path, bytes: &[u8], target_directory: &Path) -> Vec<PathBuf> {
    let Some(folder) = output_folder(executable) else { return Vec::new() };
    // `release`, or that in the folder of a target.
    let below = |depth: usize| folder.iter().skip(folder.iter().count().saturating_sub(depth));
    let in_target = [1, 2].map(|depth| target_directory.join(below(depth).collect::<PathBuf>()));
    let folders: BTreeSet<PathBuf> = in_target.into_iter().chain([folder.to_owned()]).collect();
    folders.into_iter().filter(|folder| is_named(folder, bytes)).collect()
}

/// Returns the folder of the files that cargo builds for users, with an executable or another one of
/// the same build.
pub fn output_folder(executable: &Path) -> Option<&Path> {
    executable.parent()?.parent()
}

/// Returns the files that cargo built for users in a folder, or for packages in its folder `deps`, and
/// whose paths an executable of these bytes contains: programs (`env!("CARGO_BIN_EXE_name")`), and
/// libraries. In `deps`, that is libraries of dependencies.
pub fn named_files_in(folder: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    if !is_named(folder, bytes) {
        return Vec::new();
    }
    let is_built = |path: &PathBuf| path.extension().is_none_or(|end| end != "d");
    let built = entries(folder).filter(is_built);
    let of_dependencies = entries(&folder.join("deps")).filter(|path| is_dynamic_library(path));
    built.chain(of_dependencies).filter(|path| is_named(path, bytes) && path.is_file()).collect()
}

/// Returns whether an executable of these bytes contains a path.
fn is_named(path: &Path, bytes: &[u8]) -> bool {
    memmem::find(bytes, path.as_os_str().as_encoded_bytes()).is_some()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Returns whether a file is a dynamic library of any system.
pub fn is_dynamic_library(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["so", "dylib", "dll"].iter().any(|end| extension == *end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_files(executable: &Path, bytes: &[u8], target_directory: &Path) -> Vec<PathBuf> {
        let folders = named_folders(executable, bytes, target_directory).into_iter();
        folders.flat_map(|folder| named_files_in(&folder, bytes)).collect()
    }

    #[test]
    fn an_executable_names_the_programs_that_it_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deps")).unwrap();
        let files = ["tool", "tool.d", "other", "deps/libplug.so", "deps/libother.so", "deps/libplug.rlib"];
        files.iter().for_each(|name| fs::write(path(name), "").unwrap());
        let harness = path("deps").join("harness");
        let named =
            ["tool", "deps/libplug.so", "deps/libplug.rlib"].map(|name| path(name).display().to_string());
        let bytes = format!("code\0{}\0more", named.join("\0")).into_bytes();
        let found = named_files(&harness, &bytes, Path::new("target"));
        assert_eq!(found, ["tool", "deps/libplug.so"].map(path));
        assert!(named_files(&harness, b"code", folder.path()).is_empty());
        assert!(named_files(Path::new("harness"), &bytes, folder.path()).is_empty());
    }

    #[test]
    fn a_program_outside_of_the_build_directory_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for (below, deps) in [("release", "release/deps"), ("a-target/release", "a-target/release/deps")] {
            let tool = folder.path().join("target").join(below).join("tool");
            let deps = folder.path().join("build").join(deps);
            fs::create_dir_all(tool.parent().unwrap()).unwrap();
            fs::create_dir_all(&deps).unwrap();
            fs::write(&tool, "").unwrap();
            let bytes = format!("code\0{}\0more", tool.display()).into_bytes();
            let target = folder.path().join("target");
            assert_eq!(named_files(&deps.join("harness"), &bytes, &target), [tool]);
        }
    }
}
