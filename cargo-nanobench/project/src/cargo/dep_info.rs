//! The dep-info files that rustc writes beside what it compiles: Makefiles with a rule for each output.

use super::units::hash as unit_hash;
use std::path::{Path, PathBuf};

/// Returns the sources that a dep-info file names: `libplug.so: src/a\ b.rs src/lib.rs`.
pub fn sources(dep_info: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let rules = dep_info.lines().filter(|line| !line.starts_with('#'));
    for (_, sources) in rules.filter_map(|rule| rule.split_once(": ")) {
        let sources = sources.replace("\\ ", "\0");
        paths.extend(sources.split(' ').map(|path| PathBuf::from(path.replace('\0', " "))));
    }
    paths
}

/// Returns the place of the dep-info file of an output in a folder `deps`: `libitoa-0a1b.rlib` has
/// `itoa-0a1b.d`. That of a build script, `cc-0a1b/build-script-build`, is `build_script_build-0a1b.d`.
pub(super) fn beside(output: &Path) -> Option<PathBuf> {
    let folder = output.parent()?;
    let stem = output.file_name()?.to_str()?.split('.').next()?;
    if folder.parent().is_some_and(|folder| folder.ends_with("build")) {
        let hash = unit_hash(folder.file_name()?.to_str()?)?;
        return Some(folder.join(format!("{}-{hash}.d", stem.replace('-', "_"))));
    }
    if !folder.ends_with("deps") {
        return None;
    }
    let is_library = output.extension().is_some_and(|extension| extension != "exe");
    let name = if is_library { stem.strip_prefix("lib").unwrap_or(stem) } else { stem };
    Some(folder.join(format!("{name}.d")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dep_info_lies_beside_outputs() {
        let beside = |output: &str| beside(Path::new(output)).map(|path| path.display().to_string());
        assert_eq!(beside("/t/deps/libitoa-0a1b.rlib").as_deref(), Some("/t/deps/itoa-0a1b.d"));
        assert_eq!(beside("/t/deps/lib_bench-0a1b").as_deref(), Some("/t/deps/lib_bench-0a1b.d"));
        assert_eq!(
            beside("/t/build/cc-0123456789abcdef/build-script-build").as_deref(),
            Some("/t/build/cc-0123456789abcdef/build_script_build-0123456789abcdef.d")
        );
        assert_eq!(beside("/t/release/libitoa.rlib"), None);
    }
}
