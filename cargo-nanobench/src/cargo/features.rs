//! Which features are on, as far as it matters for a target's `required-features`.
//!
//! Cargo refuses to build a target by name when a feature that it requires is off, so this has to be known before.
//! It is computed among the workspace's members only. Where cargo may turn a feature on that is not seen here (by way
//! of another package, or for one platform), the target is passed over, and `-v` says why.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Dependency, DependencyKind, Package, Target};

use super::Project;
use super::wanted::Wanted;

/// The features that are on in each member that is built.
#[derive(Debug)]
pub(super) struct Features<'a> {
    members: Vec<&'a Package>,
    /// By package name. With `dep:name` for an optional dependency that is on, and `name/feature` as written.
    on: BTreeMap<&'a str, BTreeSet<String>>,
    selected: BTreeSet<&'a str>,
}

impl<'a> Features<'a> {
    /// What the flags turn on in the selected packages, and what follows from that.
    pub(super) fn enabled(
        project: &'a Project,
        selected: &[&'a Package],
        flags: &clap_cargo::Features,
    ) -> Self {
        Self::among(project.members(), selected, flags)
    }

    fn among(members: Vec<&'a Package>, selected: &[&'a Package], flags: &clap_cargo::Features) -> Self {
        let names = selected.iter().map(|package| package.name.as_str()).collect();
        let mut features = Self { members, on: BTreeMap::new(), selected: names };
        for package in selected {
            features.activate(package, !flags.no_default_features);
            for feature in flags.all_features.then_some(package.features.keys()).into_iter().flatten() {
                features.turn_on(package, feature);
            }
            for feature in split(flags).filter(|feature| applies(package, feature)) {
                match feature.split_once('/') {
                    Some((name, own)) if name == package.name.as_str() => features.turn_on(package, own),
                    _ => features.turn_on(package, feature),
                }
            }
        }
        features
    }

    /// The features that the target requires and that are off.
    pub(super) fn missing(&self, package: &Package, target: &Target) -> Vec<String> {
        target.required_features.iter().filter(|feature| !self.is_on(package, feature)).cloned().collect()
    }

    fn is_on(&self, package: &Package, feature: &str) -> bool {
        let on = self.on.get(package.name.as_str());
        if on.is_some_and(|on| on.contains(feature)) {
            return true;
        }
        // `dependency/feature`, turned on by the dependency's own declaration or by anyone else.
        feature.split_once('/').is_some_and(|(name, feature)| {
            named(package, name).any(|dependency| {
                self.is_active(package, dependency)
                    && (dependency.features.iter().any(|own| own == feature)
                        || self.member(dependency).is_some_and(|member| self.is_on(member, feature)))
            })
        })
    }

    /// Takes a package into the build, with the dependencies that it always has.
    fn activate(&mut self, package: &'a Package, default: bool) {
        let is_new = !self.on.contains_key(package.name.as_str());
        self.on.entry(package.name.as_str()).or_default();
        if default && package.features.contains_key("default") {
            self.turn_on(package, "default");
        }
        if is_new {
            for dependency in package.dependencies.iter().filter(|dependency| !dependency.optional) {
                self.activate_dependency(package, dependency);
            }
        }
    }

    fn activate_dependency(&mut self, package: &Package, dependency: &'a Dependency) {
        if !self.is_active(package, dependency) {
            return;
        }
        if let Some(member) = self.member(dependency) {
            self.activate(member, dependency.uses_default_features);
            for feature in &dependency.features {
                self.turn_on(member, feature);
            }
        }
    }

    /// Turns on a feature, as the values of the features table write it, and all that it turns on.
    fn turn_on(&mut self, package: &'a Package, feature: &str) {
        if !self.on.entry(package.name.as_str()).or_default().insert(feature.to_owned()) {
            return;
        }
        if let Some(values) = package.features.get(feature) {
            for value in values {
                self.turn_on(package, value);
            }
        }
        if let Some(name) = feature.strip_prefix("dep:") {
            named(package, name).for_each(|dependency| self.activate_dependency(package, dependency));
        } else if let Some((name, of_dependency)) = feature.split_once('/') {
            if !name.ends_with('?') {
                self.turn_on(package, &format!("dep:{name}"));
            }
            for dependency in named(package, name.trim_end_matches('?')) {
                if let Some(member) = self.member(dependency) {
                    self.turn_on(member, of_dependency);
                }
            }
        }
    }

    /// Whether a dependency is part of the build. One of a platform is not, for want of knowing the platform.
    fn is_active(&self, package: &Package, dependency: &Dependency) -> bool {
        let on = self.on.get(package.name.as_str());
        let kind_is_built = match dependency.kind {
            DependencyKind::Normal => true,
            DependencyKind::Development => self.selected.contains(package.name.as_str()),
            _ => false,
        };
        kind_is_built
            && dependency.target.is_none()
            && (!dependency.optional || on.is_some_and(|on| on.contains(&format!("dep:{}", key(dependency)))))
    }

    fn member(&self, dependency: &Dependency) -> Option<&'a Package> {
        dependency.path.as_ref()?;
        self.members.iter().copied().find(|member| member.name.as_str() == dependency.name)
    }
}

/// The values of `--features` for one call of cargo. Cargo refuses a feature that none of a call's packages has, so
/// what is meant for other selected packages is left out.
pub(super) fn of_call(
    selected: &[&Package],
    call: &[Wanted<'_>],
    flags: &clap_cargo::Features,
) -> Vec<String> {
    let applies_in_call = |feature: &str| call.iter().any(|wanted| applies(wanted.package, feature));
    let is_for_others = |feature: &str| selected.iter().any(|package| applies(package, feature));
    split(flags)
        .filter(|feature| applies_in_call(feature) || !is_for_others(feature))
        .map(str::to_owned)
        .collect()
}

/// The features that make nanobench-core read the processor's counters, for the packages of a call: it may have another name
/// in each.
pub(super) fn counters(call: &[Wanted<'_>]) -> BTreeSet<String> {
    let dependencies = call.iter().flat_map(|wanted| &wanted.package.dependencies);
    let core = dependencies.filter(|dependency| dependency.name == "nanobench-core");
    core.map(|dependency| format!("{}/counters", key(dependency))).collect()
}

/// The single features of `--features`.
fn split(flags: &clap_cargo::Features) -> impl Iterator<Item = &str> {
    flags.features.iter().flat_map(|list| list.split([',', ' '])).filter(|feature| !feature.is_empty())
}

/// Whether a feature of the command line is one of this package: `own`, `package/own` or `dependency/feature`.
fn applies(package: &Package, feature: &str) -> bool {
    match feature.split_once('/') {
        None => package.features.contains_key(feature),
        Some((name, own)) if name == package.name.as_str() => package.features.contains_key(own),
        Some((name, _)) => {
            package.dependencies.iter().any(|dependency| key(dependency) == name.trim_end_matches('?'))
        }
    }
}

/// The dependencies of this name: one, or several for different kinds and platforms.
fn named<'p>(package: &'p Package, name: &str) -> impl Iterator<Item = &'p Dependency> {
    package.dependencies.iter().filter(move |dependency| key(dependency) == name)
}

/// The name that a dependency has in its package.
fn key(dependency: &Dependency) -> &str {
    dependency.rename.as_deref().unwrap_or(&dependency.name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::cargo::fixture;

    fn flags(features: &[&str]) -> clap_cargo::Features {
        let mut flags = clap_cargo::Features::default();
        flags.features = features.iter().map(|&feature| feature.to_owned()).collect();
        flags
    }

    /// The features that are missing for a target of the first package that requires all of these, where the first
    /// is selected.
    fn missing(packages: &[Package], flags: &clap_cargo::Features, required: &[&str]) -> Vec<String> {
        let features = Features::among(packages.iter().collect(), &[&packages[0]], flags);
        let target = fixture::target("bench", "b", required);
        features.missing(&packages[0], &target)
    }

    fn package(features: &Value, dependencies: &Value) -> Package {
        fixture::package("a", &[], features, dependencies)
    }

    #[test]
    fn closure_of_the_command_line() {
        let table = json!({"default": ["std"], "std": [], "fast": ["simd"], "simd": ["std", "deep"], "deep": [], "off": []});
        let packages = [package(&table, &json!([]))];
        let required = ["std", "fast", "deep", "off"];
        assert_eq!(missing(&packages, &flags(&[]), &required), ["fast", "deep", "off"]);
        assert_eq!(missing(&packages, &flags(&["fast"]), &required), ["off"]);
        assert_eq!(missing(&packages, &flags(&["a/off,fast", "x"]), &required), [""; 0]);
        let mut bare = flags(&["deep"]);
        bare.no_default_features = true;
        assert_eq!(missing(&packages, &bare, &required), ["std", "fast", "off"]);
        let mut all = flags(&[]);
        all.all_features = true;
        assert_eq!(missing(&packages, &all, &required), [""; 0]);
    }

    #[test]
    fn features_of_dependencies() {
        let table = json!({"with_b": ["dep:b", "b/x"], "weak": ["b?/x"]});
        let optional = fixture::dependency("b", &json!({"optional": true}));
        let b = fixture::package("b", &[], &json!({"default": ["y"], "x": [], "y": []}), &json!([]));
        let packages = [package(&table, &json!([optional])), b];
        assert_eq!(missing(&packages, &flags(&[]), &["b/x", "b/y"]), ["b/x", "b/y"]);
        assert_eq!(missing(&packages, &flags(&["with_b"]), &["b/x", "b/y", "dep:b"]), [""; 0]);
        assert_eq!(missing(&packages, &flags(&["weak"]), &["b/x"]), ["b/x"]);
    }

    #[test]
    fn features_that_a_member_turns_on_in_another() {
        let a = fixture::package("a", &[], &json!({"x": [], "y": [], "default": ["y"]}), &json!([]));
        let uses_a = fixture::dependency("a", &json!({"features": ["x"], "uses_default_features": false}));
        let user = fixture::package("user", &[], &json!({}), &json!([uses_a]));
        let target = fixture::target("bench", "b", &["x", "y"]);
        let off = |selected: &[&Package]| {
            let members = vec![&a, &user];
            Features::among(members, selected, &flags(&[])).missing(&a, &target)
        };
        assert_eq!(off(&[&a]), ["x"]);
        assert_eq!(off(&[&a, &user]), [""; 0]);
        assert_eq!(off(&[&user]), ["y"]);
    }

    #[test]
    fn a_platforms_dependency_turns_nothing_on() {
        let a = fixture::package("a", &[], &json!({"x": []}), &json!([]));
        let uses_a = fixture::dependency("a", &json!({"features": ["x"], "target": "cfg(windows)"}));
        let user = fixture::package("user", &[], &json!({}), &json!([uses_a]));
        let features = Features::among(vec![&a, &user], &[&a, &user], &flags(&[]));
        assert_eq!(features.missing(&a, &fixture::target("bench", "b", &["x"])), ["x"]);
    }

    #[test]
    fn a_call_gets_the_features_that_concern_it() {
        let a = fixture::package("a", &[], &json!({"x": [], "both": []}), &json!([]));
        let b = fixture::package(
            "b",
            &[],
            &json!({"y": [], "both": []}),
            &json!([fixture::dependency("c", &json!({}))]),
        );
        let call = |package| [Wanted { package, targets: Vec::new() }];
        let flags = flags(&["x y", "both,c/z", "a/x", "unknown"]);
        assert_eq!(of_call(&[&a, &b], &call(&a), &flags), ["x", "both", "a/x", "unknown"]);
        assert_eq!(of_call(&[&a, &b], &call(&b), &flags), ["y", "both", "c/z", "unknown"]);
    }
}
