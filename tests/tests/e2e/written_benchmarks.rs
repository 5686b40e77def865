//! Benchmarks whose attribute is written by macros of other crates or by a build script, in files that
//! don't mention nanobench.

use crate::finding_the_way::{DEPENDENCY, package};
use nanobench_tests::{Fixture, own_version};

/// Adds a crate to a package. `manifest` follows the lines of its name, and `{core}` in it is the path of
/// nanobench-core.
fn add_crate(fixture: &Fixture, name: &str, manifest: &str, library: &str) {
    let core = nanobench_tests::repository().join("nanobench-core");
    let manifest = manifest.replace("{core}", &core.to_string_lossy());
    let head = format!("[package]\nname = '{name}'\n{}\nedition = '2024'\n", own_version());
    fixture.write(format!("{name}/Cargo.toml"), head + &manifest);
    fixture.write(format!("{name}/src/lib.rs"), library);
}

#[test]
fn macros_of_a_crate_that_depends_on_nanobench_write_benchmarks() {
    let manifest = "\n[dev-dependencies]\nmy-kit = { path = 'kit', package = 'kit' }\n\n[workspace]\n";
    let files = [
        ("benches/first.rs", "my_kit::bench!(one);\n"),
        ("src/lib.rs", "#[cfg(test)]\nmod timed {\n    my_kit::bench!(private);\n}\n"),
        ("tests/checks.rs", "#[test]\nfn passes() {}\n"),
    ];
    let fixture = package(manifest, &files);
    let library = "pub use nanobench;\n\n#[macro_export]\nmacro_rules! bench {\n    ($name:ident) => {\n        \
                   #[$crate::nanobench::nanobench(crate = $crate::nanobench)]\n        fn $name() {}\n    };\n}\n";
    add_crate(&fixture, "kit", "\n[dependencies]\nnanobench-core = { path = '{core}' }\n", library);
    let run = fixture.nanobench("--list -v --all-targets").run();
    run.exits(0).prints("way::first::one").prints("way::lib::timed::private");
    run.says("test `checks` of `way`: its sources don't mention nanobench");
    fixture.nanobench("--samples 3").run().exits(0).row("one");
}

#[test]
fn procedural_macros_and_build_scripts_write_benchmarks() {
    let manifest = format!("build = 'build.rs'\n{DEPENDENCY}timed = {{ path = 'timed' }}\n\n[workspace]\n");
    let build = "fn main() {\n    let text = concat!(\"#[nano\", \"bench::nano\", \"bench] fn generated() {}\");\n    \
                 std::fs::write(std::env::var(\"OUT_DIR\").unwrap() + \"/generated.rs\", text).unwrap();\n}\n";
    let include = "include!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));\n";
    let files = [
        ("build.rs", build),
        ("benches/generated.rs", include),
        ("benches/marked.rs", "#[timed::timed]\nfn two() {}\n"),
        ("benches/nightly.rs", "#![feature(test)]\nextern crate test;\n"),
        ("tests/checks.rs", "#[timed::timed]\nfn three() {}\n"),
    ];
    let fixture = package(&manifest, &files);
    let library = "use proc_macro::TokenStream;\n\n#[proc_macro_attribute]\n\
                   pub fn timed(_: TokenStream, item: TokenStream) -> TokenStream {\n    \
                   format!(\"#[nanobench::nanobench] {item}\").parse().unwrap()\n}\n";
    add_crate(&fixture, "timed", "\n[lib]\nproc-macro = true\n", library);
    let ids = ["way::generated::generated", "way::marked::two"];
    fixture.nanobench("--list").run().exits(0).lists(&ids);
    fixture.nanobench("--list --bench marked").run().exits(0).lists(&ids[1..]);
    fixture.nanobench("--list --test checks").run().exits(0).lists(&["way::test::checks::three"]);
}
