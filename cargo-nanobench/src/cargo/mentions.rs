//! Whether anything in a target mentions nanobench. What doesn't is not built.
//!
//! Source text is searched, not parsed: a mention in a comment counts, and a module is looked for wherever its file
//! may be. So a target may be built for nothing, but none with a benchmark is missed, unless another crate's macro
//! writes the attribute, or a build script's output does.

mod listing;
mod source;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{Package, Target};
use memchr::memmem;

use super::runtime::manifest_dir;
use listing::Listing;
use source::Include;

/// What to look for.
const NAME: &str = "nanobench";

/// Whether the target's root file, or a file that may be a module of it, mentions nanobench.
pub(super) fn nanobench(package: &Package, target: &Target) -> bool {
    Scan::new(target.src_path.as_std_path(), &manifest_dir(package)).finds_mention()
}

/// A walk through the files of a target.
#[derive(Debug)]
struct Scan<'a> {
    root: &'a Path,
    package: &'a Path,
    open: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
    listing: Listing,
}

impl<'a> Scan<'a> {
    fn new(root: &'a Path, package: &'a Path) -> Self {
        Self { root, package, open: vec![root.to_owned()], seen: HashSet::new(), listing: Listing::default() }
    }

    fn finds_mention(&mut self) -> bool {
        while let Some(file) = self.open.pop() {
            if !self.seen.insert(file.clone()) {
                continue;
            }
            match std::fs::read(&file) {
                Ok(text) if memmem::find(&text, NAME.as_bytes()).is_some() => return true,
                Ok(text) if !self.follow(&file, &String::from_utf8_lossy(&text)) => return true,
                // Cargo has an error for a target without its file: let it be built.
                Err(_) if file == self.root => return true,
                Ok(_) | Err(_) => {}
            }
        }
        false
    }

    /// Notes the files that `file` may take in. False where that can't be told.
    fn follow(&mut self, file: &Path, text: &str) -> bool {
        let folder = file.parent().unwrap_or(self.package);
        for name in source::modules(text) {
            let relative = [PathBuf::from(format!("{name}.rs")), Path::new(name).join("mod.rs")];
            let own_folder = folder.join(file.file_stem().unwrap_or_default());
            for relative in &relative {
                self.open.extend([folder.join(relative), own_folder.join(relative)]);
                // A module within an inline module.
                self.open.extend(self.listing.below(folder, relative));
            }
        }
        for path in source::module_paths(text) {
            self.open.push(folder.join(path));
            self.open.extend(self.listing.below(folder, Path::new(path)));
        }
        source::includes(text).all(|include| match include {
            Include::Generated => true,
            Include::File(path) => {
                let places = [folder.join(path), self.package.join(path.trim_start_matches('/'))];
                let place = places.into_iter().find(|place| place.is_file());
                let found = place.is_some();
                self.open.extend(place);
                found
            }
            Include::Unknown => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Whether `benches/a.rs` of a package with these files mentions it. The name is written `@` here, so that this
    /// crate's own files don't all look like benchmarks.
    fn mentions(files: &[(&str, &str)]) -> bool {
        let package = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = package.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replace('@', NAME)).unwrap();
        }
        Scan::new(&package.path().join("benches/a.rs"), package.path()).finds_mention()
    }

    #[test]
    fn the_root_file() {
        assert!(mentions(&[("benches/a.rs", "use @::@;")]));
        assert!(!mentions(&[("benches/a.rs", "fn main() {}")]));
        assert!(mentions(&[]), "cargo has the error for a missing file");
    }

    #[test]
    fn other_roots_of_the_folder_are_other_targets() {
        assert!(!mentions(&[("benches/a.rs", "fn main() {}"), ("benches/b.rs", "use @::@;")]));
        assert!(!mentions(&[
            ("benches/a.rs", "mod common;"),
            ("benches/common/mod.rs", "mod text;"),
            ("benches/b/main.rs", "use @::@; mod text;"),
            ("benches/b/text.rs", "use @::@;"),
        ]));
    }

    #[test]
    fn modules_wherever_they_are() {
        for (root, file) in [
            ("mod common;", "benches/common.rs"),
            ("pub(crate) mod common ;", "benches/common/mod.rs"),
            ("#[cfg(test)]\nmod r#type;", "benches/type.rs"),
            ("mod outer { mod inner; }", "benches/outer/inner.rs"),
            ("#[path = \"x/y.rs\"] mod z;", "benches/x/y.rs"),
            ("#[cfg_attr(unix, path = \"../shared/y.rs\")] mod z;", "shared/y.rs"),
            ("mod outer { #[path = \"y.rs\"] mod z; }", "benches/outer/y.rs"),
            ("include!(\"part.in\");", "benches/part.in"),
            ("include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/part.in\"));", "part.in"),
        ] {
            assert!(mentions(&[("benches/a.rs", root), (file, "use @::@;")]), "{root}");
            assert!(!mentions(&[("benches/a.rs", root), (file, "fn nothing() {}")]), "{root}");
        }
    }

    #[test]
    fn modules_of_modules() {
        let files = [("benches/a.rs", "mod b;"), ("benches/b.rs", "mod c;"), ("benches/b/c.rs", "mod d;")];
        assert!(!mentions(&files));
        assert!(mentions(&[&files[..], &[("benches/b/c/d.rs", "use @::@;")]].concat()));
    }

    #[test]
    fn includes_that_cannot_be_followed() {
        assert!(mentions(&[("benches/a.rs", "include!(part!());")]));
        assert!(mentions(&[("benches/a.rs", "include!(\"missing.rs\");")]));
        assert!(!mentions(&[("benches/a.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));")]));
        assert!(!mentions(&[(
            "benches/a.rs",
            "const T: &str = include_str!(\"missing.txt\"); // include it"
        )]));
    }
}
