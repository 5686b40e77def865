//! Packages that are built without optimisation, in whatever way that is configured.

use super::messages::BuildMessages;
use super::profile::Profile;
use cargo_metadata::Artifact;

/// Returns a warning for each of the executables, and for each of their dependencies, that a
/// profile or an override of it leaves unoptimised. Debug builds have a warning of their own.
pub(super) fn warnings(profile: &Profile, builds: &[BuildMessages]) -> Vec<String> {
    let harnesses = builds.iter().flat_map(BuildMessages::harnesses);
    let unoptimized =
        harnesses.filter(|artifact| is_unoptimized(artifact) && !artifact.profile.debug_assertions);
    let mut targets: Vec<&str> = unoptimized.map(|artifact| artifact.target.name.as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    let built = |package: &str| {
        let artifacts = || builds.iter().flat_map(|build| &build.artifacts);
        let is_it = |artifact: &&Artifact| package == "*" || library_name(package) == artifact.target.name;
        artifacts().filter(is_it).any(is_unoptimized)
    };
    // Their own package is known by its targets.
    let packages = profile.unoptimized_packages().into_iter().filter(|package| {
        let name = library_name(package);
        built(package) && !targets.iter().any(|target| library_name(target) == name)
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

/// Returns the name of a package's library, without a version.
fn library_name(package: &str) -> String {
    package.split('@').next().unwrap_or(package).replace('-', "_")
}
