//! The dep-info files that rustc writes beside what it compiles: Makefiles with a rule for each output.

use std::path::{Path, PathBuf};

/// Returns the sources that a dep-info file names: `libplug.so: src/a\ b.rs src/lib.rs`.
pub(crate) fn sources(dep_info: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let rules = dep_info.lines().filter(|line| !line.starts_with('#'));
    for (_, sources) in rules.filter_map(|rule| rule.split_once(": ")) {
        let sources = sources.replace("\\ ", "\0");
        paths.extend(sources.split(' ').map(|path| PathBuf::from(path.replace('\0', " "))));
    }
    paths
}

/// Returns the place of the dep-info file of an output in a folder `deps`: `libitoa-0a1b.rlib` has
/// `itoa-0a1b.d`.
pub(super) fn beside(output: &Path) -> Option<PathBuf> {
    let folder = output.parent().filter(|folder| folder.ends_with("deps"))?;
    let stem = output.file_name()?.to_str()?.split('.').next()?;
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
        assert_eq!(beside("/t/release/libitoa.rlib"), None);
    }
}
