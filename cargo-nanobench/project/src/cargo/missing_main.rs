//! Explains a failed build of a target without a `main`, whose Cargo.toml keeps the default harness
//! from writing one: `harness = false` often remains from another library.

use super::Error;
use super::invocation::Invocation;
use super::kind::Kind;
use super::manifest::Manifest;
use cargo_metadata::{Package, Target};
use std::fmt;

/// A target with `harness = false` and without a `main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingMain {
    package: String,
    kind: Kind,
    target: String,
}

impl fmt::Display for MissingMain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, kind, target } = self;
        let kind = kind.as_str();
        write!(
            f,
            "{kind} `{target}` of `{package}` has no `main`, but its Cargo.toml says `harness = false`: \
             remove that line, or write nanobench::main!();"
        )
    }
}

/// Returns the reason why cargo failed, if it is a missing `main`. Cargo has printed the error.
pub(super) fn explain(error: Error, invocation: &Invocation<'_>) -> Error {
    let Error::Cargo(code) = error else { return error };
    let missing: Vec<MissingMain> =
        invocation.targets().filter_map(|(package, target)| missing_main(package, target)).collect();
    if missing.is_empty() { error } else { Error::MissingMain { code, targets: missing } }
}

fn missing_main(package: &Package, target: &Target) -> Option<MissingMain> {
    let kind = Kind::from_target(target)?;
    let has_own_harness = || Manifest::read(package).has_own_harness(kind, &target.name);
    let needs_main = !matches!(kind, Kind::Lib | Kind::Bin) && has_own_harness();
    let text = needs_main.then(|| std::fs::read_to_string(&target.src_path).ok())??;
    let (package, target) = (package.name.to_string(), target.name.clone());
    (!may_have_main(&text)).then_some(MissingMain { package, kind, target })
}

/// Returns whether a text has a `main`, imports one, or has a macro that may write one.
fn may_have_main(text: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.any(|word| matches!(word, "main" | "include") || word.ends_with("_main"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_macros_may_be_main() {
        for text in [
            "fn main() {}",
            "nanobench::main!();",
            "criterion_main!(benches);",
            "pub use a::own_main as main;",
            "use harness::main;",
            "use harness::{main, other};",
            "include!(\"other.rs\");",
        ] {
            assert!(may_have_main(text), "{text}");
        }
        assert!(!may_have_main("use nanobench::nanobench;\n#[nanobench]\nfn domain() {}"));
        assert!(!may_have_main("// The main benchmark.\n#[nanobench]\nfn f() {}"));
    }
}
