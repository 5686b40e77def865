//! The places of benchmarks: `benches/` with either harness, `src/`, modules, crates of each
//! edition.

use super::form::Form;
use nanobench_tests::repository;

/// The editions, each a package.
const EDITIONS: [&str; 3] = ["2018", "2021", "2024"];

/// A module in a file of a package.
#[derive(Debug)]
pub(crate) struct Place {
    edition: &'static str,
    kind: Kind,
    pub(crate) forms: Vec<Form>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Library,
    DefaultHarness,
    OwnMain,
}

/// All places, among which the forms are distributed.
pub(crate) fn all(forms: &[Form]) -> Vec<Place> {
    let kinds = [Kind::Library, Kind::DefaultHarness, Kind::OwnMain];
    let mut places: Vec<Place> = EDITIONS
        .into_iter()
        .flat_map(|edition| kinds.map(|kind| Place { edition, kind, forms: Vec::new() }))
        .collect();
    let length = places.len();
    for (index, form) in forms.iter().enumerate() {
        // Shifted by one in each round, so that an option is not always in the same place.
        places[(index + index / length) % length].forms.push(form.clone());
    }
    places
}

/// The files of the workspace.
pub(crate) fn files(places: &[Place]) -> Vec<(String, String)> {
    let members = EDITIONS.map(|edition| format!("\"edition-{edition}\"")).join(", ");
    let of_package = |edition: &str| format!("[profile.bench.package.edition-{edition}]\nopt-level = 0\n");
    let unoptimised = EDITIONS.map(of_package).concat();
    let manifest = WORKSPACE.replace("{members}", &members).replace("{unoptimised}", &unoptimised);
    let mut files = vec![("Cargo.toml".to_owned(), manifest)];
    for edition in EDITIONS {
        let core = repository().join("nanobench-core");
        let manifest = PACKAGE.replace("{edition}", edition).replace("{core}", &core.to_string_lossy());
        files.push((format!("edition-{edition}/Cargo.toml"), manifest));
    }
    files.extend(places.iter().map(|place| (place.file(), place.source())));
    files
}

impl Place {
    /// Its benchmarks are tests of Rust's own harness.
    pub(crate) fn has_tests(&self) -> bool {
        self.kind != Kind::OwnMain
    }

    /// The ids of all rows.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        let target = match self.kind {
            Kind::Library => "lib::benches",
            Kind::DefaultHarness => "given",
            Kind::OwnMain => "own::inner",
        };
        let before = format!("edition-{}::{target}", self.edition);
        self.forms.iter().flat_map(move |form| {
            let before = format!("{before}::{}", form.function());
            form.cases().into_iter().map(move |case| format!("{before}{case}"))
        })
    }

    fn file(&self) -> String {
        let file = match self.kind {
            Kind::Library => "src/lib.rs",
            Kind::DefaultHarness => "benches/given.rs",
            Kind::OwnMain => "benches/own.rs",
        };
        format!("edition-{}/{file}", self.edition)
    }

    fn source(&self) -> String {
        let forms: String = self.forms.iter().map(Form::source).collect();
        let body = format!("{PRELUDE}\n{forms}");
        let head = "//! Written by a program.\n\n#![forbid(unsafe_code)]\n#![deny(warnings)]\n";
        match self.kind {
            Kind::Library => format!("{head}\n#[cfg(test)]\nmod benches {{\n{body}}}\n"),
            Kind::DefaultHarness => format!("{head}\n{body}"),
            Kind::OwnMain => format!("{head}\nnanobench::main!();\n\nmod inner {{\n{body}}}\n"),
        }
    }
}

const WORKSPACE: &str = r#"[workspace]
resolver = "2"
members = [{members}]

# As in the fixtures, so that the dependencies need not be compiled again.
[profile.bench]
opt-level = 1
debug = false
{unoptimised}

[profile.dev]
debug = false
incremental = false
"#;

const PACKAGE: &str = r#"[package]
name = "edition-{edition}"
version = "0.0.0"
edition = "{edition}"
publish = false

[[bench]]
name = "own"
harness = false

[dev-dependencies]
nanobench-core = { path = '{core}' }
"#;

/// Items that the forms use.
const PRELUDE: &str = r#"#[allow(unused_imports)]
use nanobench::{nanobench, TimeControl};
#[allow(unused_imports)]
use std::hint::black_box;

#[allow(dead_code)]
fn two_numbers() -> Vec<u8> {
    vec![2, 1]
}

#[allow(dead_code)]
fn shared() -> Vec<u64> {
    vec![0, 1, 2]
}

#[allow(dead_code)]
fn nothing() {}

/// Drives futures that are ready at once.
#[allow(dead_code)]
struct Runtime;

impl Runtime {
    #[allow(dead_code)]
    fn block_on<F: std::future::Future>(&self, future: F) -> F::Output {
        struct Nobody;
        impl std::task::Wake for Nobody {
            fn wake(self: std::sync::Arc<Self>) {}
        }
        let waker = std::task::Waker::from(std::sync::Arc::new(Nobody));
        let mut future = Box::pin(future);
        match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            std::task::Poll::Ready(output) => output,
            std::task::Poll::Pending => panic!("not ready"),
        }
    }
}
"#;
