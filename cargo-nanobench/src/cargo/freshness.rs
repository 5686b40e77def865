//! Finds crates that cargo takes for up to date although their sources have changed. Cargo goes by the
//! time stamps of files, and doesn't look at vendored crates at all.

use super::file_state::FileState;
use super::messages::BuildMessages;
use super::{Error, Project, build_inputs, dep_info};
use crate::fingerprint::Fingerprint;
use crate::regular_file;
use cargo_metadata::Artifact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file to read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The sources of compiled crates, by their dep-info files.
type Compiled = BTreeMap<PathBuf, Sources>;

/// The sources of a compiled crate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Sources {
    /// The state of what was compiled: another cargo may compile it again.
    output: FileState,
    hash: Fingerprint,
}

/// Returns an error if cargo left packages as they are although their sources have changed since they
/// were compiled. Notes what the others were compiled from, for the next build.
pub(super) fn check(project: &Project, builds: &[BuildMessages], profile: &str) -> Result<(), Error> {
    let file = project.kept().join("sources");
    let read = || serde_json::from_slice(&regular_file::read(&file, MAX_BYTES).ok()?).ok();
    let mut compiled: Compiled = read().unwrap_or_default();
    let before = compiled.clone();
    let mut outdated = Vec::new();
    let artifacts = builds.iter().flat_map(|build| build.artifacts.iter().map(move |it| (build, it)));
    for (build, artifact) in artifacts.filter(|(_, artifact)| may_be_edited(artifact, project)) {
        let Some((dep_info, sources)) = Sources::of(artifact, build, project.root()) else { continue };
        let known = compiled.get(&dep_info).filter(|known| known.output == sources.output);
        if artifact.fresh && known.is_some_and(|known| known.hash != sources.hash) {
            outdated.push(specification(&artifact.package_id.repr).to_owned());
        } else {
            compiled.insert(dep_info, sources);
        }
    }
    compiled.retain(|dep_info, _| dep_info.is_file());
    if compiled != before {
        // Without it, the next run takes what cargo says.
        let _ = serde_json::to_vec(&compiled).map(|bytes| fs::write(&file, bytes));
    }
    outdated.sort();
    outdated.dedup();
    if outdated.is_empty() {
        return Ok(());
    }
    Err(Error::Outdated { packages: outdated, profile: profile.to_owned() })
}

/// Returns whether somebody may edit a crate: it is in the workspace's tree, as vendored ones are, or
/// anywhere else by a path. Nobody edits what cargo has downloaded.
fn may_be_edited(artifact: &Artifact, project: &Project) -> bool {
    let is_downloaded =
        ["registry+", "git+", "sparse+"].iter().any(|it| artifact.package_id.repr.starts_with(it));
    !is_downloaded || artifact.manifest_path.starts_with(project.root())
}

/// Returns what `cargo clean -p` takes for a package of this id: `path+file:///project/dep#0.1.0`,
/// `registry+https://index#itoa@1.0.0`.
fn specification(id: &str) -> &str {
    let (source, name) = id.split_once('#').unwrap_or((id, ""));
    let has_name = name.starts_with(|first: char| !first.is_ascii_digit());
    if has_name { name } else { source.rsplit('/').next().unwrap_or(source) }
}

impl Sources {
    /// Returns what a crate was compiled from, as it is now, with its dep-info file. `None` if that is
    /// unknown.
    fn of(artifact: &Artifact, build: &BuildMessages, root: &Path) -> Option<(PathBuf, Sources)> {
        let output = artifact.executable.as_ref().or(artifact.filenames.first())?.as_std_path();
        let dep_info = dep_info::beside(output).filter(|file| file.is_file())?;
        let hash = |path: &Path| Fingerprint::of_path(path).map_or_else(String::new, |hash| hash.to_string());
        let inputs = build_inputs::of_crate(artifact, build, root).into_iter();
        let hashes: String = inputs.map(|path| format!("{}\0{}\0", path.display(), hash(&path))).collect();
        Some((dep_info, Sources { output: FileState::of(output)?, hash: Fingerprint::of(hashes.as_bytes()) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_as_cargo_takes_them() {
        assert_eq!(specification("path+file:///project/dep#0.1.0"), "dep");
        assert_eq!(specification("path+file:///project/folder#dep@0.1.0"), "dep@0.1.0");
        assert_eq!(specification("registry+https://index#itoa@1.0.0"), "itoa@1.0.0");
    }
}
