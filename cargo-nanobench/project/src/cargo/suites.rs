//! Suites for other libraries, which run unchanged: Cargo.toml gives the name of that library to one of
//! nanobench's packages, so the sources need not mention nanobench.

use super::Project;
use cargo_metadata::Package;
use std::path::Path;

/// The packages in place of other libraries, and those libraries.
const RUNTIMES: [(&str, &str); 2] = [("nanobench-criterion", "criterion"), ("nanobench-divan", "divan")];

/// Returns whether a package is in place of another library.
pub(super) fn is_runtime(package: &str) -> bool {
    RUNTIMES.iter().any(|(runtime, _)| *runtime == package)
}

/// Returns whether a package depends on one in place of another library, under any name and for any
/// platform: the macros of a dependency may write all of a target.
pub(super) fn may_have_some(package: &Package) -> bool {
    package.dependencies.iter().any(|dependency| is_runtime(&dependency.name))
}

/// Returns the entry of Cargo.toml for each other library that a package depends on, which puts nanobench's
/// package in its place. `core`: the folder of nanobench-core, if not by version.
pub fn entries_instead(package: &Package, core: Option<&Path>) -> Vec<(&'static str, String)> {
    let mut entries: Vec<(&'static str, String)> = Vec::new();
    for (runtime, library) in RUNTIMES {
        let Some(dependency) = package.dependencies.iter().find(|dependency| dependency.name == library)
        else {
            continue;
        };
        let place = match core {
            Some(core) => format!("path = {:?}", core.join("compat").join(library).display().to_string()),
            None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
        };
        let name = dependency.rename.as_deref().unwrap_or(library);
        let defaults = if dependency.uses_default_features { "" } else { ", default-features = false" };
        let features = match &dependency.features[..] {
            [] => String::new(),
            features => format!(", features = {features:?}"),
        };
        entries
            .push((library, format!("{name} = {{ package = \"{runtime}\", {place}{defaults}{features} }}")));
    }
    entries
}

/// A package whose suite ran by another library before, and runs by nanobench now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigratedSuite {
    pub package: String,
    pub library: &'static str,
}

impl MigratedSuite {
    /// Returns the packages that depend on another library in one version of a workspace, and on the
    /// package in its place in another version.
    pub fn between(before: &Project, now: &Project) -> Vec<MigratedSuite> {
        let depends = |project: &Project, package: &str, on: &str| {
            project.member(package).is_some_and(|member| member.dependencies.iter().any(|it| it.name == on))
        };
        let mut migrated = Vec::new();
        for member in now.members() {
            for (runtime, library) in RUNTIMES {
                let was_other =
                    depends(before, &member.name, library) && !depends(before, &member.name, runtime);
                if was_other && depends(now, &member.name, runtime) {
                    migrated.push(MigratedSuite { package: member.name.to_string(), library });
                }
            }
        }
        migrated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::fixture::{dependency, package, target};
    use serde_json::json;

    #[test]
    fn the_name_and_the_platform_of_the_dependency_do_not_matter() {
        let has_some = |name: &str, fields: serde_json::Value| {
            let dependencies = json!([dependency("serde", &json!({})), dependency(name, &fields)]);
            may_have_some(&package("mine", &[target("bench", "all")], &json!({}), &dependencies))
        };
        assert!(has_some("nanobench-divan", json!({ "rename": "divan", "kind": "dev" })));
        assert!(has_some("nanobench-criterion", json!({ "rename": "bencher" })));
        assert!(has_some("nanobench-criterion", json!({ "kind": "dev", "target": "cfg(bench)" })));
        assert!(!has_some("criterion", json!({ "kind": "dev" })));
    }

    #[test]
    fn the_entry_keeps_the_name_and_the_features() {
        let entry = |fields: serde_json::Value, core: Option<&str>| {
            let dependencies = json!([dependency("criterion", &fields)]);
            let package = package("mine", &[target("bench", "all")], &json!({}), &dependencies);
            entries_instead(&package, core.map(Path::new)).remove(0).1
        };
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            entry(
                json!({ "kind": "dev", "features": ["async_tokio"], "uses_default_features": false }),
                None
            ),
            format!(
                "criterion = {{ package = \"nanobench-criterion\", version = \"{version}\", default-features = false, \
                 features = [\"async_tokio\"] }}"
            )
        );
        assert_eq!(
            entry(json!({ "rename": "bencher", "uses_default_features": true }), Some("../core")),
            "bencher = { package = \"nanobench-criterion\", path = \"../core/compat/criterion\" }"
        );
    }
}
