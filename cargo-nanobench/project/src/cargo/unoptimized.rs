//! Packages that are built without optimisation, in whatever way that is configured.

use super::Project;
use super::messages::BuildMessages;
use super::profile::Profile;
use cargo_metadata::Artifact;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fs;
use toml::{Table, Value};

/// Returns a warning for each of the executables, and for each of their dependencies, that a
/// profile or an override of it leaves unoptimised. Debug builds have a warning of their own.
pub(super) fn warnings(profile: &Profile, project: &Project, builds: &[BuildMessages]) -> Vec<String> {
    let harnesses = || builds.iter().flat_map(BuildMessages::harnesses);
    let unoptimized =
        harnesses().filter(|artifact| is_unoptimized(artifact) && !artifact.profile.debug_assertions);
    let mut targets: Vec<&str> = unoptimized.map(|artifact| artifact.target.name.as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    let artifacts = || builds.iter().flat_map(|build| &build.artifacts);
    let linked = LazyCell::new(|| {
        let members = harnesses().filter_map(|artifact| project.member_of(artifact));
        let at_compile_time = artifacts().filter(|artifact| artifact.target.is_proc_macro());
        let lock = fs::read_to_string(project.root().join("Cargo.lock")).ok()?;
        linked_libraries(
            &lock,
            members.map(|member| library_name(&member.name)),
            at_compile_time.map(|artifact| artifact.target.name.clone()).collect(),
        )
    });
    let is_linked = |artifact: &Artifact| {
        linked.as_ref().is_none_or(|libraries| libraries.contains(&artifact.target.name))
    };
    let is_built = |package: &str| {
        let is_it = |artifact: &&Artifact| package == "*" || library_name(package) == artifact.target.name;
        artifacts().filter(is_it).any(|artifact| is_unoptimized(artifact) && is_linked(artifact))
    };
    // Their own package is known by its targets.
    let packages = profile.unoptimized_packages().into_iter().filter(|package| {
        let name = library_name(package);
        is_built(package) && !targets.iter().any(|target| library_name(target) == name)
    });
    let targets = targets.iter().map(|target| {
        format!(
            "the target `{target}` is built without optimisation (`opt-level = 0`), so its figures say \
             nothing about optimised code: remove that from the profile, or from its override for the package"
        )
    });
    let packages = packages.map(|package| {
        let whose =
            if package == "*" { "all dependencies are".to_owned() } else { format!("`{package}` is") };
        format!(
            "{whose} built without optimisation: if you measure it, remove `opt-level = 0` from the \
             profile's `package.\"{package}\"`"
        )
    });
    targets.chain(packages).collect()
}

fn is_unoptimized(artifact: &Artifact) -> bool {
    artifact.profile.opt_level == "0"
}

/// Returns the libraries of `members` and their dependencies in Cargo.lock, without `at_compile_time`
/// and what only those need. Build dependencies can't be told from others. `None`
/// if the file can't be parsed.
fn linked_libraries(
    lock: &str,
    members: impl Iterator<Item = String>,
    at_compile_time: BTreeSet<String>,
) -> Option<BTreeSet<String>> {
    let lock: Table = lock.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let dependencies = |library: &str| {
        let is_it = |package: &&Value| {
            package.get("name").and_then(Value::as_str).is_some_and(|name| library_name(name) == library)
        };
        let entries =
            packages.iter().filter(is_it).filter_map(|package| package.get("dependencies")?.as_array());
        // A version may follow the name.
        let names = entries.flatten().filter_map(|entry| entry.as_str()?.split(' ').next());
        names.map(library_name).collect::<Vec<_>>()
    };
    let mut linked: BTreeSet<String> = members.collect();
    let mut next: Vec<String> = linked.iter().flat_map(|member| dependencies(member)).collect();
    while let Some(library) = next.pop() {
        if !at_compile_time.contains(&library) && linked.insert(library.clone()) {
            next.extend(dependencies(&library));
        }
    }
    Some(linked)
}

/// Returns the name of a package's library, without a version.
fn library_name(package: &str) -> String {
    package.split('@').next().unwrap_or(package).replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_procedural_macros_need_is_not_linked() {
        let lock = r#"
            version = 4
            [[package]]
            name = "my-crate"
            version = "0.1.0"
            dependencies = ["derive-it", "fast-hash 2.0.0", "shared"]
            [[package]]
            name = "derive-it"
            version = "1.0.0"
            dependencies = ["quote", "shared"]
            [[package]]
            name = "fast-hash"
            version = "1.0.0"
            dependencies = ["old-block"]
            [[package]]
            name = "fast-hash"
            version = "2.0.0"
            dependencies = ["my-crate", "simd"]
        "#;
        let linked = |lock| {
            let members = ["my_crate".to_owned()].into_iter();
            linked_libraries(lock, members, BTreeSet::from(["derive_it".to_owned()]))
        };
        let expected = ["fast_hash", "my_crate", "old_block", "shared", "simd"];
        assert_eq!(linked(lock), Some(expected.map(str::to_owned).into()));
        assert_eq!(linked("[[package"), None);
        assert_eq!(linked("version = 4"), None);
    }
}
