//! The package of the fuzz targets compiles the tool's modules. It is not in the workspace, so this test
//! says what it lacks. `.ci/run` checks the rest.

use nanobench_tests::repository;
use std::fs;

fn lines(file: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(file)).expect(file);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_fuzz_package_has_the_modules_of_the_tool() {
    let fuzzed = lines("tests/fuzz/src/lib.rs");
    for module in lines("cargo-nanobench/src/main.rs").iter().filter(|line| line.starts_with("mod ")) {
        assert!(fuzzed.contains(module), "add this to tests/fuzz/src/lib.rs, with its path: {module}");
    }
}

#[test]
fn the_fuzz_package_has_the_dependencies_of_the_tool() {
    let fuzzed = lines("tests/fuzz/Cargo.toml");
    let manifest = lines("cargo-nanobench/Cargo.toml");
    let dependencies = manifest.iter().skip_while(|line| *line != "[dependencies]");
    let dependencies = dependencies.take_while(|line| *line != "[dev-dependencies]");
    let versions = dependencies.filter(|line| line.contains(" = ") && !line.contains("workspace"));
    for dependency in versions {
        assert!(fuzzed.contains(dependency), "add this to tests/fuzz/Cargo.toml: {dependency}");
    }
}
