//! Packages in which files mention the library or not.

use super::*;

/// Returns whether `benches/a.rs` of a package with these files mentions nanobench. The files
/// have `@` for the name, so that this file itself holds no benchmark.
fn mentions(files: &[(&str, &str)]) -> bool {
    let package = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = package.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace('@', "nanobench")).unwrap();
    }
    let mut sources = Sources::new(&package.path().join("benches/a.rs"), package.path());
    sources.any(|source| source.text.is_none_or(|text| text.contains("nanobench")))
}

#[test]
fn root_file() {
    assert!(mentions(&[("benches/a.rs", "use @::@;")]));
    assert!(!mentions(&[("benches/a.rs", "fn main() {}")]));
    assert!(mentions(&[]), "cargo reports a missing file");
}

#[test]
fn other_root_files_are_other_targets() {
    assert!(!mentions(&[("benches/a.rs", "fn main() {}"), ("benches/b.rs", "use @::@;")]));
    assert!(!mentions(&[
        ("benches/a.rs", "mod common;"),
        ("benches/common/mod.rs", "mod text;"),
        ("benches/b/main.rs", "use @::@; mod text;"),
        ("benches/b/text.rs", "use @::@;"),
    ]));
}

#[test]
fn modules_in_all_places() {
    for (root, file) in [
        ("mod common;", "benches/common.rs"),
        ("pub mod common ;", "benches/common/mod.rs"),
        ("#[cfg(test)]\nmod r#type;", "benches/type.rs"),
        ("mod größe;", "benches/größe.rs"),
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
fn includes_that_cannot_be_followed_count_as_mentions() {
    assert!(mentions(&[("benches/a.rs", "include!(part!());")]));
    assert!(mentions(&[("benches/a.rs", "include!(\"missing.rs\");")]));
    assert!(!mentions(&[("benches/a.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));")]));
    let comment = "const T: &str = include_str!(\"missing.txt\"); // include it";
    assert!(!mentions(&[("benches/a.rs", comment)]));
}

#[test]
fn module_names() {
    let text = "mod a; pub mod b ;\nmod\tr#c\n; mod inline { mod d; } my_mod e; mods f; mod $g; mod h";
    let named = modules(text).map(|(name, is_inline)| if is_inline { "{" } else { name });
    assert_eq!(named.collect::<Vec<_>>(), ["a", "b", "c", "{", "d"]);
}

#[test]
fn paths() {
    let text =
        r##"#[path = "a.rs"] #[cfg_attr(x, path="b.rs")] #[path = r#"c.rs"#] a.path = b; my_path = "d""##;
    assert_eq!(module_paths(text).collect::<Vec<_>>(), ["a.rs", "b.rs", "c.rs"]);
}

#[test]
fn included_files() {
    let text = r#"include!("a.rs"); include! { "b.rs" } ; include_str!("c"); include!(concat!(env!("OUT_DIR"), "/d.rs"));
            include!($file); // include! it"#;
    assert_eq!(includes(text).collect::<Vec<_>>(), [Some("a.rs"), Some("b.rs"), None]);
}
