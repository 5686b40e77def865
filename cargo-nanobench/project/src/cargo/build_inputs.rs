//! The files that a build reads besides Rust's sources: C code, and files for `include_str!`. A change of
//! theirs shows in what is built.

use super::dep_info;
use super::messages::BuildMessages;
use cargo_metadata::Artifact;
use path_clean::PathClean as _;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The extensions of C and its relatives, which build scripts compile whole folders of.
const C_EXTENSIONS: [&str; 13] =
    ["asm", "c", "cc", "cpp", "cu", "cxx", "h", "hh", "hpp", "hxx", "inc", "s", "S"];

/// The inputs of a build.
#[derive(Debug, Clone, Default)]
pub struct BuildInputs {
    files: HashSet<PathBuf>,
    /// The folders that build scripts depend on.
    folders: HashSet<PathBuf>,
}

/// Returns the files and folders that a crate was built from, as far as its dep-info file and the build
/// script of its package tell. `root`: the workspace's, where cargo starts the compiler for its crates.
pub(super) fn of_crate(artifact: &Artifact, build: &BuildMessages, root: &Path) -> Vec<PathBuf> {
    let package = artifact.manifest_path.parent().map_or(root, |folder| folder.as_std_path());
    let output = artifact.executable.as_ref().or(artifact.filenames.first());
    let dep_info = output.and_then(|output| dep_info::beside(output.as_std_path()));
    let text = dep_info.and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    // For others than its own crates, it starts it in the package's folder.
    let found = |path: PathBuf| {
        let mut places = [root, package].into_iter().map(|folder| folder.join(&path));
        places.find(|place| place.exists()).unwrap_or(path)
    };
    let mut inputs: Vec<PathBuf> = dep_info::sources(&text).into_iter().map(found).collect();
    // The script itself isn't compiled again because of them.
    let is_script = artifact.target.is_custom_build();
    let scripts = build.build_scripts.iter().filter(|script| script.package_id == artifact.package_id);
    for script in scripts.filter(|_| !is_script) {
        let output = fs::read_to_string(script.out_dir.with_file_name("output")).unwrap_or_default();
        inputs.extend(dependencies(&output).map(|path| package.join(path)));
    }
    inputs.sort();
    inputs.dedup();
    inputs
}

impl BuildInputs {
    /// Finds the inputs of the packages below a workspace's root.
    pub(super) fn find(builds: &[BuildMessages], root: &Path) -> BuildInputs {
        let own = builds.iter().flat_map(|build| {
            let artifacts = build.artifacts.iter().filter(|it| it.manifest_path.starts_with(root));
            artifacts.flat_map(move |artifact| of_crate(artifact, build, root))
        });
        // A path of `include_str!` may lead through other folders.
        let (folders, files) = own.map(|path| path.clean()).partition(|path| path.is_dir());
        BuildInputs { files, folders }
    }

    /// Returns whether a change of a file shows in what is built, if anywhere: the build read it, and the
    /// executable is not the same (`is_same`), or it is C code, which benchmarks don't read. Of a folder, a
    /// build script may have read anything, so only C code counts.
    pub fn shows(&self, path: &Path, is_same: bool) -> bool {
        let is_c = path.extension().is_some_and(|it| C_EXTENSIONS.iter().any(|c| it == *c));
        let is_read = self.files.contains(path);
        is_read && (is_c || !is_same) || is_c && path.ancestors().any(|folder| self.folders.contains(folder))
    }
}

/// Returns the paths that a build script, by its output, depends on.
fn dependencies(output: &str) -> impl Iterator<Item = &str> {
    let prefixes = ["cargo::rerun-if-changed=", "cargo:rerun-if-changed="];
    output.lines().filter_map(move |line| prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_script_tells_its_files_and_folders() {
        let output = "cargo::rerun-if-changed=c/a.c\ncargo:rerun-if-env-changed=CC\ncargo:rerun-if-changed=c";
        assert_eq!(dependencies(output).collect::<Vec<_>>(), ["c/a.c", "c"]);
    }

    #[test]
    fn of_a_folder_only_c_code_is_built() {
        let inputs = BuildInputs {
            files: ["/w/words.txt"].map(PathBuf::from).into(),
            folders: ["/w/c"].map(PathBuf::from).into(),
        };
        for (path, is_same, is_input) in [
            ("/w/words.txt", false, true),
            ("/w/words.txt", true, false),
            ("/w/c/deep/a.h", true, true),
            ("/w/c/a.txt", false, false),
            ("/w/d/a.c", false, false),
        ] {
            assert_eq!(inputs.shows(Path::new(path), is_same), is_input, "{path}");
        }
    }
}
