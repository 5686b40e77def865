//! Features of the selected packages: those that targets require, and those that an invocation of
//! cargo is given.

use super::options::{CargoOptions, FeatureOptions};
use super::{Error, command};
use cargo_metadata::{Dependency, Package, Target};
use std::collections::{BTreeSet, HashSet};
use std::process::Command;

/// The enabled features of the selected packages. Cargo refuses to build a target by name while a
/// feature that it requires is off, so they have to be known before.
#[derive(Debug)]
pub(super) struct EnabledFeatures {
    /// Pairs of a package's name and `feature` or `dependency/feature`.
    enabled: HashSet<(String, String)>,
}

impl EnabledFeatures {
    /// Asks cargo which features are on if these packages are built together.
    pub(super) fn query(packages: &[&Package], args: &CargoOptions) -> Result<Self, Error> {
        let mut command = Command::new(command::program());
        command.args(["tree", "--depth=1", "--prefix=depth", "--no-dedupe", "--format= {f} {p}"]);
        for package in packages {
            command.args(["--package", &package.id.repr]);
        }
        command.args(split(&args.features).map(|feature| format!("--features={feature}")));
        command::configure_build(&mut command, args);
        Ok(Self::parse(&command::stdout(command)?, packages))
    }

    /// Reads lines of depth, features and package: `0 default,std my-crate v0.1.0 (/path)`.
    fn parse(tree: &str, packages: &[&Package]) -> Self {
        let mut enabled = HashSet::new();
        let mut parent = None;
        for line in tree.lines() {
            let [depth, features, name] = line.splitn(4, ' ').take(3).collect::<Vec<_>>()[..] else {
                continue;
            };
            let features = features.split(',').filter(|feature| !feature.is_empty());
            if depth == "0" {
                parent = packages.iter().find(|package| package.name.as_str() == name);
                enabled.extend(features.map(|feature| (name.to_owned(), feature.to_owned())));
            } else if let Some(package) = parent {
                let dependencies = package.dependencies.iter().filter(|dependency| dependency.name == name);
                let keys: BTreeSet<&str> = dependencies.map(key).collect();
                for feature in features {
                    let features = keys.iter().map(|key| format!("{key}/{feature}"));
                    enabled.extend(features.map(|feature| (package.name.to_string(), feature)));
                }
            }
        }
        Self { enabled }
    }

    /// Returns the features that the target requires and that are off.
    pub(super) fn missing(&self, package: &Package, target: &Target) -> Vec<String> {
        let is_off =
            |feature: &&String| !self.enabled.contains(&(package.name.to_string(), feature.to_string()));
        target.required_features.iter().filter(is_off).cloned().collect()
    }
}

/// Returns the values of `--features` for one invocation. Features of other selected packages are
/// left out, as cargo refuses a feature that no package of the invocation has.
pub(super) fn for_invocation(
    selected: &[&Package],
    packages: &[&Package],
    flags: &FeatureOptions,
) -> Vec<String> {
    let is_own = |feature: &str| packages.iter().any(|package| has(package, feature));
    let is_of_others = |feature: &str| selected.iter().any(|package| has(package, feature));
    split(flags).filter(|feature| is_own(feature) || !is_of_others(feature)).map(str::to_owned).collect()
}

/// Splits the values of `--features` into single features.
fn split(flags: &FeatureOptions) -> impl Iterator<Item = &str> {
    flags.features.iter().flat_map(|list| list.split([',', ' '])).filter(|feature| !feature.is_empty())
}

/// Returns whether the package has a feature of the command line: `own`, `package/own` or
/// `dependency/feature`.
fn has(package: &Package, feature: &str) -> bool {
    match feature.split_once('/') {
        None => package.features.contains_key(feature),
        Some((name, own)) if name == package.name.as_str() => package.features.contains_key(own),
        Some((name, _)) => {
            package.dependencies.iter().any(|dependency| key(dependency) == name.trim_end_matches('?'))
        }
    }
}

/// Returns the name of a dependency within its package.
fn key(dependency: &Dependency) -> &str {
    dependency.rename.as_deref().unwrap_or(&dependency.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::fixture;
    use serde_json::json;

    #[test]
    fn required_features_are_looked_up_in_the_tree() {
        let renamed = fixture::dependency("b", &json!({"rename": "b2"}));
        let a = fixture::package("a", &[], &json!({}), &json!([renamed]));
        let tree = "0 default,std a v0.1.0 (/w/a)\n1 x b v0.1.0 (/w/b)\n1  c v0.2.0\n\n0  b v0.1.0 (/w/b)\n1 y b v2.0.0\n";
        let enabled = EnabledFeatures::parse(tree, &[&a]);
        let mut target = fixture::target("bench", "first");
        target.required_features = ["std", "x", "b2/x", "b2/y", "b/x", "y"].map(str::to_owned).to_vec();
        assert_eq!(enabled.missing(&a, &target), ["x", "b2/y", "b/x", "y"]);
    }

    #[test]
    fn invocation_gets_the_features_of_its_packages() {
        let a = fixture::package("a", &[], &json!({"x": [], "both": []}), &json!([]));
        let dependency = fixture::dependency("c", &json!({}));
        let b = fixture::package("b", &[], &json!({"y": [], "both": []}), &json!([dependency]));
        let features = ["x y", "both,c/z", "a/x", "unknown"].map(str::to_owned).to_vec();
        let flags = FeatureOptions { features, ..FeatureOptions::default() };
        let features = |package| for_invocation(&[&a, &b], &[package], &flags);
        assert_eq!(features(&a), ["x", "both", "a/x", "unknown"]);
        assert_eq!(features(&b), ["y", "both", "c/z", "unknown"]);
    }
}
