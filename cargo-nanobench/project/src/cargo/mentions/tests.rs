//! Packages in which files mention the library or not.

use super::*;
use std::fs;

/// Returns whether `benches/a.rs` of a package with these files mentions nanobench. The files
/// have `@` for the name, so that this file itself holds no benchmark.
fn mentions(files: &[(&str, &str)]) -> bool {
    let package = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = package.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace('@', "nanobench")).unwrap();
    }
    let is_mention = |text: &[u8]| memmem::find(text, NAME).is_some();
    Search::new(&package.path().join("benches/a.rs"), package.path(), is_mention).finds_mention()
}

#[test]
fn lines_outside_of_tests() {
    let line = |text: &str| first_line_outside_tests(&text.replace('@', "nanobench"));
    assert_eq!(line("fn main() {}\n\n#[@::@]\nfn f() {}"), Some(3));
    assert_eq!(line("use @::@;\n"), Some(1));
    assert_eq!(line("mod benchmarks {\n    use @::@;\n}"), Some(2));
    let code = "fn f(c: char) {\n    if !is(c) {\n        g('\"', \"a\\\"b\");\n    }\n}\n\n";
    assert_eq!(line(&format!("{code}#[@::@]\nfn b() {{}}")), Some(7));
    assert_eq!(line("pub mod other {\n}\nmod benchmarks {\n    #[@::@]\n    fn f() {}\n}"), Some(4));
    for limited in [
        "#[cfg(test)]\nuse @::@;",
        "#[cfg(test)]\n#[doc(hidden)]\n// With a reason.\n#[@::@]\nfn f() {}",
        "#[cfg(test)]\nmod benchmarks {\n    use @::@;\n}",
        "#[cfg(test)]\nmod benchmarks {\nuse @::@;\n}",
        "#![cfg(test)]\nuse @::@;",
        "//! With `@`.\nfn @_like() {}",
        "#[cfg(test)]\nmod benchmarks;",
        "mod outer {\n    #[cfg(test)]\n    mod benchmarks {\n        use @::@;\n    }\n}",
        "mod outer {\n    macro_rules! marked {\n        () => {\n            #[@::@]\n        };\n    }\n}",
        "mod outer {\n}\nmacro_rules! marked {\n    () => {\n        #[@::@]\n    };\n}",
        "/*\nmod old {\n    use @::@;\n}\n*/",
        "pub mod parse {\n    #[test]\n    fn parses() {\n        use @::@;\n    }\n}",
        "mod outer {\n    fn f() {\n        use @::@;\n    }\n}",
        "mod outer {\n    const TEXT: &str = \"\n    use @::@;\n\";\n}",
        "mod inner {\n    test_only! {\n    use @::@;\n    }\n}",
        "test_only! {\nmod inner {\n    use @::@;\n}\n}",
    ] {
        assert_eq!(line(limited), None, "{limited}");
    }
}

#[test]
fn attributes_that_may_not_be_imported() {
    let may_lack = |text: &str| may_lack_import(text.replace('@', "nanobench").as_bytes());
    for text in [
        "#[@]\nfn f() {}",
        "#[@(args = [1])]\nfn f(n: u64) {}",
        "use @::@;\n\n#[cfg(test)]\nmod tests {\n    #[@]\n    fn f() {}\n}",
        "use other::Thing;\n#[@]\nfn f() {}",
        "use @::Rng;\n#[@]\nfn f() {}",
        "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[@]\n    fn f() {}\n}",
    ] {
        assert!(may_lack(text), "{text}");
    }
    for text in [
        "use @::@;\n\n#[@]\nfn f() {}",
        "use @::{@, black_box};\n\n#[@]\nfn f() {}",
        "#[@::@]\nfn f() {}",
        "use prelude::*;\n#[@]\nfn f() {}",
        "use @::@;\nmod tests {\n    use super::*;\n    #[@]\n    fn f() {}\n}",
        "mod tests {\n    use @::*;\n    #[@]\n    fn f() {}\n}",
        "use @::@;\nmacro_rules! sorts {\n    ($f:ident) => {\n        #[@]\n        fn $f() {}\n    };\n}",
        "#[macro_use]\nextern crate @;\n#[@]\nfn f() {}",
        "use @::{\n    @, Rng,\n};\n#[@]\nfn f() {}",
        "// #[@] marks a benchmark\nfn f() {}",
    ] {
        assert!(!may_lack(text), "{text}");
    }
}

#[test]
fn modules_without_a_condition() {
    let modules = |text| unconditional_modules(text).collect::<Vec<_>>();
    assert_eq!(modules("mod a;\npub mod b;\n\n// Tests.\n#[cfg(test)]\nmod c;"), ["a", "b"]);
    assert_eq!(modules("#[cfg(test)]\n// A reason.\nmod c;\nmod d;"), ["d"]);
    assert!(modules("#![cfg(test)]\nmod a;").is_empty());
    assert!(modules("mod inline {\n    mod a;\n}").is_empty());
}

#[test]
fn comments_are_no_code() {
    let is_in_code = |text: &str| is_in_code(text.replace('@', "nanobench").as_bytes());
    assert!(is_in_code("fn f() {}\n#[@::@] // A benchmark.\nfn g() {}"));
    assert!(!is_in_code("//! With @.\n// @\nfn f() {} // @"));
}

#[test]
fn texts_that_may_use_it_outside_of_tests() {
    let may_be = |text: &str| may_be_outside_tests(text.replace('@', "nanobench").as_bytes());
    assert!(may_be("mod m {\n    use @::@;\n}"));
    assert!(may_be("#[cfg(test)]\nmod tests {}\n\n#[@::@]\nfn f() {}"));
    assert!(!may_be("#[cfg(test)]\nmod benchmarks {\n    use @::@;\n}"));
    assert!(!may_be("fn main() {}"));
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
    assert_eq!(modules(text).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
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
    assert_eq!(
        includes(text).collect::<Vec<_>>(),
        [Include::File("a.rs"), Include::File("b.rs"), Include::Generated, Include::Unknown]
    );
}
