//! Texts that mention the library.

use super::*;

#[test]
fn lines_outside_of_tests() {
    let line = |text: &str| first_line_outside_tests(&text.replace('@', "nanobench"));
    assert_eq!(line("fn main() {}\n\n#[@::@]\nfn f() {}"), Some(3));
    assert_eq!(line("use @::@;\n"), Some(1));
    assert_eq!(line("mod benchmarks {\n    use @::@;\n}"), Some(2));
    let code = "fn f(c: char) {\n    if !is(c) {\n        g('\"', \"a\\\"b\");\n    }\n}\n\n";
    assert_eq!(line(&format!("{code}#[@::@]\nfn b() {{}}")), Some(7));
    assert_eq!(line("pub mod other {\n}\nmod benchmarks {\n    #[@::@]\n    fn f() {}\n}"), Some(4));
    assert_eq!(line("mod outer {\n    fn f() {\n        use @::@;\n    }\n}"), Some(3));
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
        "mod outer {\n    const TEXT: &str = \"\n    use @::@;\n\";\n}",
        "mod inner {\n    test_only! {\n    use @::@;\n    }\n}",
        "test_only! {\nmod inner {\n    use @::@;\n}\n}",
    ] {
        assert_eq!(line(limited), None, "{limited}");
    }
}

#[test]
fn attributes_that_may_not_be_imported() {
    let may_lack = |text: &str| may_lack_import(&text.replace('@', "nanobench"));
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
    let is_in_code = |text: &str| is_in_code(&text.replace('@', "nanobench"));
    assert!(is_in_code("fn f() {}\n#[@::@] // A benchmark.\nfn g() {}"));
    assert!(!is_in_code("//! With @.\n// @\nfn f() {} // @"));
}

#[test]
fn texts_that_may_use_it_outside_of_tests() {
    let may_be = |text: &str| may_be_outside_tests(&text.replace('@', "nanobench"));
    assert!(may_be("mod m {\n    use @::@;\n}"));
    assert!(may_be("#[cfg(test)]\nmod tests {}\n\n#[@::@]\nfn f() {}"));
    assert!(!may_be("#[cfg(test)]\nmod benchmarks {\n    use @::@;\n}"));
    assert!(!may_be("fn main() {}"));
}
