//! The source files of a build, from the dep-info files that rustc writes: `deps/*.d`.

use crate::cargo::{dep_info_sources, named_files_in, output_folder};
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

/// Returns whether the files that benchmarks could read are the same in both trees. Manifests,
/// lockfiles and source files may differ, as the executables show whether that makes a difference.
/// `differing`: the tracked files that differ, relative to the top folder.
pub(super) fn same_files(differing: &[PathBuf], builds: [&Build<'_>; 2]) -> bool {
    let mut differing = differing.iter().filter(|file| !is_manifest(file)).peekable();
    if differing.peek().is_none() {
        return true;
    }
    // Another file that rustc includes may be read as well.
    let is_rust = |file: &Path| file.extension().is_some_and(|extension| extension == "rs");
    let [Some(one), Some(other)] = builds.map(Build::source_files) else {
        return differing.all(|file| is_rust(file));
    };
    differing.all(|file| is_rust(file) && (one.contains(file) || other.contains(file)))
}

/// Returns the files of the build `here` that may have been built from other sources or with other
/// settings than those `there`, and that executables of the build `there` run, too: `loaded` libraries,
/// and files whose paths they contain.
pub(super) fn shared_files(
    differing: &[PathBuf],
    here: &Build<'_>,
    there: &Build<'_>,
    loaded: Vec<PathBuf>,
) -> Vec<PathBuf> {
    if differing.is_empty() {
        return Vec::new();
    }
    let named = there.executables.iter().flat_map(|executable| {
        let bytes = fs::read(executable).unwrap_or_default();
        let folders = here.output_folders().into_iter();
        folders.flat_map(move |folder| named_files_in(folder, &bytes))
    });
    // Each of these may change a dependency, a feature or the profile.
    let settings_differ = differing.iter().any(|file| is_manifest(file) || is_cargo_configuration(file));
    let may_differ = |file: &PathBuf| settings_differ || here.may_be_built_from(file, differing);
    let mut shared: Vec<PathBuf> = named.chain(loaded).filter(may_differ).collect();
    shared.sort();
    shared.dedup();
    shared
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
            let text = fs::read_to_string(&dep_info).ok()?;
            if is_of_dynamic_library(&dep_info, &text) {
                continue;
            }
            // `include_str!` leaves paths like `src/../data.txt`.
            let relative = |path| Some(root.join(path).clean().strip_prefix(&top).ok()?.to_owned());
            files.extend(dep_info_sources(&text).into_iter().filter_map(relative));
        }
        Some(files)
    }

    /// Returns the folders of the files that cargo builds for users.
    pub(super) fn output_folders(&self) -> HashSet<&Path> {
        self.executables.iter().filter_map(|path| output_folder(path)).collect()
    }

    /// Returns whether a file that cargo built may be built from any of these sources. The dep-info
    /// file beside one for users has all of its sources. For the library of a dependency, there are
    /// only those of each crate, so all in the folder count.
    fn may_be_built_from(&self, file: &Path, sources: &[PathBuf]) -> bool {
        let Ok(top) = self.top.canonicalize() else { return true };
        let own = file.with_extension("d");
        let is_for_users = own.is_file() || file.parent().is_none_or(|folder| !folder.ends_with("deps"));
        let dep_infos = match is_for_users {
            true => vec![own],
            false => file.parent().map(dep_info_files).unwrap_or_default(),
        };
        let texts: Result<Vec<String>, _> = dep_infos.iter().map(fs::read_to_string).collect();
        let Some(texts) = texts.ok().filter(|texts| !texts.is_empty()) else { return true };
        let is_unknown_or_source = |path: PathBuf| {
            let path = self.root.join(path);
            let Ok(real) = path.canonicalize() else {
                // With `build.dep-info-basedir`, paths may be relative to an unknown folder. Those
                // that rustc writes are not: without its source, the crate is of an earlier build.
                return is_for_users || !was_within(&path, &top);
            };
            real.strip_prefix(&top).is_ok_and(|path| sources.iter().any(|source| source == path))
        };
        texts.iter().flat_map(|text| dep_info_sources(text)).any(is_unknown_or_source)
    }
}

/// Returns whether a file that is gone was in a folder or in one of its subfolders, some of which
/// may be gone, too.
fn was_within(file: &Path, folder: &Path) -> bool {
    let left = file.clean().ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    left.is_some_and(|left| left.starts_with(folder))
}

fn is_manifest(file: &Path) -> bool {
    file.ends_with("Cargo.toml") || file.ends_with("Cargo.lock")
}

fn is_cargo_configuration(file: &Path) -> bool {
    file.parent().is_some_and(|folder| folder.ends_with(".cargo"))
}

/// Returns the dep-info files of a folder.
fn dep_info_files(folder: &Path) -> Vec<PathBuf> {
    let is_dep_info = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "d");
    entries(folder).into_iter().filter(is_dep_info).collect()
}

/// Returns whether a dep-info file is that of a dynamic library, which is no part of an executable.
/// Dep-info files of procedural macros have a hash in their names.
fn is_of_dynamic_library(path: &Path, text: &str) -> bool {
    let has_hash = path.file_stem().is_some_and(|name| name.to_string_lossy().contains('-'));
    let has_output = |extension: &str| text.contains(&format!(".{extension}: "));
    let is_dynamic = ["so", "dylib", "dll"].into_iter().any(has_output);
    is_dynamic && !has_hash && !has_output("rlib")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
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
        // Nothing of a dynamic library is in the executable, unless it is a Rust library, too.
        write("target/release/deps/plug.d", "deps/libplug.so: plug/lib.rs\n\nplug/lib.rs:\n");
        let both = "deps/libboth.rlib: both.rs\n\ndeps/libboth.so: both.rs\n\nboth.rs:\n";
        write("target/release/deps/both.d", both);
        let paths = ["data.txt", "member/benches/two words.rs", "member/both.rs", "member/build.rs"];
        assert_eq!(source_files(top.path()), Some(paths.map(PathBuf::from).to_vec()));
    }

    #[test]
    fn libraries_of_the_working_tree_are_shared_if_the_other_executables_open_them() {
        let top = tempfile::tempdir().unwrap();
        let path = |file: &str| top.path().join(file);
        ["release/deps", "other/release/deps"].iter().for_each(|dir| fs::create_dir_all(path(dir)).unwrap());
        let [plug, own] = ["release/libplug.so", "other/release/libplug.so"].map(path);
        [&plug, &own].iter().for_each(|file| fs::write(file, "").unwrap());
        let [dep_info, source] = [path("release/libplug.d"), path("a dir").join("plug.rs")];
        fs::create_dir(path("a dir")).unwrap();
        fs::write(&source, "").unwrap();
        let escaped = source.display().to_string().replace(' ', "\\ ");
        let write_dep_info =
            |source: &str| fs::write(&dep_info, format!("{}: {source}\n", plug.display())).unwrap();
        write_dep_info(&escaped);
        let [here, there] = ["release/deps/work-1", "other/release/deps/work-1"].map(path);
        let build = |path| Build { executables: vec![path], root: top.path(), top: top.path() };
        let shared = |library: &Path, differing: &str| {
            fs::write(&there, format!("code\0{}\0", library.display())).unwrap();
            shared_files(&[PathBuf::from(differing)], &build(&here), &build(&there), Vec::new())
        };
        assert_eq!(shared(&plug, "a dir/plug.rs"), std::slice::from_ref(&plug));
        assert!(shared(&plug, "README.md").is_empty());
        assert!(shared(&own, "a dir/plug.rs").is_empty(), "each side has its own");
        for settings in ["Cargo.lock", "member/Cargo.toml", ".cargo/config.toml"] {
            assert_eq!(shared(&plug, settings), std::slice::from_ref(&plug), "{settings}");
            assert!(shared(&own, settings).is_empty(), "{settings}");
        }
        write_dep_info("a\\ dir/../a\\ dir/plug.rs");
        assert_eq!(shared(&plug, "a dir/plug.rs"), std::slice::from_ref(&plug), "relative to the root");
        assert!(shared(&plug, "README.md").is_empty());
        write_dep_info("plug.rs");
        assert_eq!(shared(&plug, "README.md"), std::slice::from_ref(&plug), "relative to another folder");
        fs::remove_file(&dep_info).unwrap();
        assert_eq!(shared(&plug, "README.md"), std::slice::from_ref(&plug), "unknown sources");
    }

    #[test]
    fn libraries_of_dependencies_are_shared_if_any_source_of_the_build_differs() {
        let top = tempfile::tempdir().unwrap();
        let path = |file: &str| top.path().join(file);
        ["release/deps", "other/release/deps", "src"]
            .iter()
            .for_each(|dir| fs::create_dir_all(path(dir)).unwrap());
        let [plug, linked] = ["release/deps/libplug.so", "release/deps/liblinked.so"].map(path);
        let sources = ["src/plug.rs", "src/part.rs"];
        [&plug, &linked].iter().for_each(|file| fs::write(file, "").unwrap());
        sources.iter().for_each(|source| fs::write(path(source), "").unwrap());
        let [here, there] = ["release/deps/work-1", "other/release/deps/work-1"].map(path);
        fs::write(&there, format!("code\0{}\0", plug.display())).unwrap();
        let build = |path| Build { executables: vec![path], root: top.path(), top: top.path() };
        let shared = |differing: &str| {
            shared_files(&[PathBuf::from(differing)], &build(&here), &build(&there), vec![linked.clone()])
        };
        let both = [linked.clone(), plug.clone()];
        assert_eq!(shared("README.md"), both, "unknown sources");
        // rustc lists the sources of a crate only, and the library may contain other crates.
        for (file, source) in [("release/deps/plug.d", sources[0]), ("release/deps/part-1.d", sources[1])] {
            fs::write(path(file), format!("lib: {source}\n")).unwrap();
        }
        assert!(shared("README.md").is_empty());
        assert_eq!(shared("src/plug.rs"), both);
        assert_eq!(shared("src/part.rs"), both);
        assert_eq!(shared("Cargo.lock"), both);
        // Cargo leaves the dep-info of earlier builds, whose sources may have been moved since.
        fs::write(path("release/deps/part-2.d"), "lib: src/old.rs src/old/part.rs\n").unwrap();
        assert!(shared("README.md").is_empty());
        assert_eq!(shared("src/part.rs"), both);
        let elsewhere = tempfile::tempdir().unwrap();
        let gone = elsewhere.path().join("old.rs");
        fs::write(path("release/deps/part-3.d"), format!("lib: {}\n", gone.display())).unwrap();
        assert_eq!(shared("README.md"), both, "unknown sources");
    }

    #[test]
    fn manifests_are_no_input_files() {
        let top = tempfile::tempdir().unwrap();
        let build = Build { executables: Vec::new(), root: top.path(), top: top.path() };
        let same = |differing: &[&str]| {
            let differing: Vec<PathBuf> = differing.iter().map(PathBuf::from).collect();
            same_files(&differing, [&build, &build])
        };
        assert!(same(&["Cargo.lock", "member/Cargo.toml"]));
        assert!(!same(&["Cargo.lock", "data.txt"]));
    }

    #[test]
    fn a_file_that_rustc_includes_may_be_read_as_well() {
        let top = tempfile::tempdir().unwrap();
        let deps = top.path().join("target/release/deps");
        fs::create_dir_all(&deps).unwrap();
        fs::write(deps.join("work-1.d"), "work-1: src/lib.rs data.txt\n").unwrap();
        let executable = deps.join("work-1");
        let build = Build { executables: vec![&executable], root: top.path(), top: top.path() };
        let same = |differing: &str| same_files(&[PathBuf::from(differing)], [&build, &build]);
        assert_eq!(["src/lib.rs", "src/other.rs", "data.txt"].map(same), [true, false, false]);
    }
}
