//! The keys of a package's Cargo.toml that `cargo metadata` doesn't report.

use super::kind::Kind;
use cargo_metadata::Package;
use path_clean::PathClean as _;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Returns the name of the package of a Cargo.toml, if it has one.
pub fn package_name(manifest: &Path) -> Option<String> {
    let Manifest(table) = Manifest::read_file(manifest);
    Some(table.get("package")?.get("name")?.as_str()?.to_owned())
}

/// Returns the packages that the `[patch]` of a manifest or of cargo's configuration replaces, and the
/// paths of those in their place, which start from a folder.
pub(super) fn patches(file: &Path, folder: &Path) -> Vec<(String, PathBuf)> {
    let Manifest(table) = Manifest::read_file(file);
    let sources = table.get("patch").and_then(Value::as_table);
    let patches = sources.into_iter().flat_map(Table::values).filter_map(Value::as_table).flatten();
    let path = |patch: &Value| Some(folder.join(patch.get("path")?.as_str()?).clean());
    patches.filter_map(|(name, patch)| Some((name.clone(), path(patch)?))).collect()
}

/// A package's Cargo.toml. Empty if it can't be read: cargo has reported that.
#[derive(Debug, Default)]
pub(super) struct Manifest(Table);

impl Manifest {
    pub(super) fn read(package: &Package) -> Self {
        Self::read_file(package.manifest_path.as_std_path())
    }

    fn read_file(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Self(text.parse().unwrap_or_default())
    }

    /// Returns the key that keeps cargo from looking for targets of a kind, if it is set.
    pub(super) fn key_against_discovery(&self, kind: Kind) -> Option<&'static str> {
        let key = match kind {
            Kind::Lib => return None,
            Kind::Bin => "autobins",
            Kind::Bench => "autobenches",
            Kind::Test => "autotests",
            Kind::Example => "autoexamples",
        };
        let value = self.0.get("package").and_then(|package| package.get(key));
        (value.and_then(Value::as_bool) == Some(false)).then_some(key)
    }

    /// Returns whether a target has `harness = false`.
    pub(super) fn has_own_harness(&self, kind: Kind, target: &str) -> bool {
        let is_named = |table: &&Value| table.get("name").and_then(Value::as_str) == Some(target);
        let table = match self.0.get(kind.as_str()) {
            Some(Value::Array(tables)) => tables.iter().find(is_named),
            library => library,
        };
        table.and_then(|table| table.get("harness")).and_then(Value::as_bool) == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_targets() {
        let text = "[package]\nautobenches = false\nautotests = true\n[lib]\nharness = false\n\
                    [[bench]]\nname = \"own\"\nharness = false\n[[bench]]\nname = \"plain\"";
        let manifest = Manifest(text.parse().unwrap());
        assert_eq!(manifest.key_against_discovery(Kind::Bench), Some("autobenches"));
        for kind in [Kind::Lib, Kind::Bin, Kind::Test] {
            assert_eq!(manifest.key_against_discovery(kind), None, "{kind:?}");
        }
        assert!(manifest.has_own_harness(Kind::Bench, "own") && manifest.has_own_harness(Kind::Lib, "x"));
        assert!(!manifest.has_own_harness(Kind::Bench, "plain"));
        assert!(!Manifest::default().has_own_harness(Kind::Test, "own"));
    }
}
