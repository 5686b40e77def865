//! The units of a build: compiled crates, and outputs of build scripts. Cargo names the files of each by a
//! hash of all that it is compiled from but its sources: version, features, flags, and its dependencies.

use super::messages::BuildMessages;
use cargo_metadata::PackageId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A unit of a build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The folder of its profile, from the build directory: `release`.
    pub profile: PathBuf,
    /// The hash in the names of its files.
    pub hash: String,
    /// The folder of its package's manifest.
    pub package: PathBuf,
}

/// Returns the units of builds in a build directory. Without those of a layout that is not known here.
pub(super) fn of(builds: &[BuildMessages], build_directory: &Path) -> Vec<Unit> {
    let artifacts = || builds.iter().flat_map(|build| &build.artifacts);
    let manifests: HashMap<&PackageId, &Path> =
        artifacts().map(|artifact| (&artifact.package_id, artifact.manifest_path.as_std_path())).collect();
    let compiled = artifacts().filter_map(|it| Some((&it.package_id, it.filenames.first()?.as_std_path())));
    let scripts = builds.iter().flat_map(|build| &build.build_scripts);
    let run = scripts.map(|script| (&script.package_id, script.out_dir.as_std_path()));
    let unit = |(package, file): (&PackageId, &Path)| {
        let (profile, hash) = profile_and_hash(file)?;
        Some(Unit {
            profile: profile.strip_prefix(build_directory).ok()?.to_owned(),
            hash: hash.to_owned(),
            package: manifests.get(package)?.parent()?.to_owned(),
        })
    };
    compiled.chain(run).filter_map(unit).collect()
}

/// Returns the folder of the profile and the hash of a unit, by one of its files:
/// `release/deps/libitoa-<hash>.rlib`, `release/build/serde-<hash>/build-script-build`, `../out`.
fn profile_and_hash(file: &Path) -> Option<(&Path, &str)> {
    let folder = file.parent()?;
    let named = if folder.ends_with("deps") { file } else { folder };
    let is_known = ["deps", "build"].iter().any(|known| named.parent().is_some_and(|it| it.ends_with(known)));
    let profile = named.parent()?.parent()?;
    Some((profile, hash(named.file_name()?.to_str()?)?)).filter(|_| is_known)
}

/// Returns the hash in the name of a file: `libitoa-<hash>.rlib`.
pub fn hash(name: &str) -> Option<&str> {
    Some(name.split('.').next()?.rsplit_once('-')?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_their_files() {
        for (file, profile) in [
            ("/b/release/deps/libitoa-0a1b.rlib", Some("/b/release")),
            ("/b/triple/release/deps/serde_derive-0a1b.dll.lib", Some("/b/triple/release")),
            ("/b/release/build/proc-macro2-0a1b/build-script-build", Some("/b/release")),
            ("/b/release/build/proc-macro2-0a1b/out", Some("/b/release")),
            ("/b/release/libmember.rlib", None),
            ("/b/release/build/itoa/0a1b/out/libitoa-0a1b.rlib", None),
        ] {
            let expected = profile.map(|profile| (Path::new(profile), "0a1b"));
            assert_eq!(profile_and_hash(Path::new(file)), expected, "{file}");
        }
    }
}
