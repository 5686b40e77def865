//! Finds crates that cargo takes for up to date although their sources have changed. Cargo goes by the
//! time stamps of files, and doesn't look at vendored crates at all.

use super::file_state::FileState;
use super::messages::BuildMessages;
use super::start::Kept;
use super::{Error, Project, build_inputs, dep_info};
use crate::fingerprint::Fingerprint;
use cargo_metadata::Artifact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The sources of compiled crates, by their dep-info files.
type Compiled = BTreeMap<PathBuf, Sources>;

/// The sources of a compiled crate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Sources {
    /// The state of what was compiled: another cargo may compile it again.
    output: FileState,
    /// The hashes of its inputs. Those of a file that is missing, and of a folder, are empty.
    inputs: BTreeMap<PathBuf, String>,
}

/// Returns an error if cargo left packages as they are although their sources have changed since they
/// were compiled. Notes what the others were compiled from, for the next build.
pub(super) fn check(project: &Project, builds: &[BuildMessages], profile: &str) -> Result<(), Error> {
    let kept = Kept::new(&project.kept(), "sources", "");
    let read = || serde_json::from_str(&kept.read()?).ok();
    let mut compiled: Compiled = read().unwrap_or_default();
    let before = compiled.clone();
    let mut outdated = Vec::new();
    let artifacts = builds.iter().flat_map(|build| build.artifacts.iter().map(move |it| (build, it)));
    for (build, artifact) in artifacts.filter(|(_, artifact)| may_be_edited(artifact, project)) {
        let Some((dep_info, sources)) = Sources::of(artifact, build, project.root()) else { continue };
        let known = compiled.get(&dep_info).filter(|known| !known.output.has_other_content(&sources.output));
        if let Some(known) = known.filter(|known| artifact.fresh && known.differ(&sources)) {
            // Cargo builds a crate again the next time if somebody has edited it during this build.
            if !known.is_built_next(artifact, project.root()) {
                outdated.push(specification(&artifact.package_id.repr).to_owned());
            }
        } else {
            compiled.insert(dep_info, sources);
        }
    }
    compiled.retain(|dep_info, _| dep_info.is_file());
    if compiled != before
        && let Ok(text) = serde_json::to_string(&compiled)
    {
        // Without it, the next run takes what cargo says.
        kept.write(&text);
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
        // Checkouts of one project may share a target directory, and cargo takes their crates for the same.
        let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        let inputs = build_inputs::of_crate(artifact, build, root).into_iter();
        let inputs = inputs.map(|path| (name(&path), hash(&path))).collect();
        Some((dep_info, Sources { output: FileState::of(output)?, inputs }))
    }

    /// Returns whether a file of the crate, as far as cargo looks at it, is newer than what was compiled.
    fn is_built_next(&self, artifact: &Artifact, root: &Path) -> bool {
        let is_newer = |path: &PathBuf| self.output.is_older_than(&root.join(path));
        artifact.package_id.repr.starts_with("path+") && self.inputs.keys().any(is_newer)
    }

    /// Returns whether inputs have another content now. A build of more packages may know more of them:
    /// those of each build script of the package.
    fn differ(&self, now: &Sources) -> bool {
        self.inputs.iter().any(|(path, hash)| now.inputs.get(path).is_some_and(|now| now != hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_inputs_that_are_known_from_both_builds_can_differ() {
        let output = FileState::of(&std::env::current_exe().unwrap()).unwrap();
        let of = |inputs: &[(&str, &str)]| {
            let inputs = inputs.iter().map(|(path, hash)| (PathBuf::from(path), (*hash).to_owned()));
            Sources { output: output.clone(), inputs: inputs.collect() }
        };
        let known = of(&[("src/lib.rs", "1"), ("data", "")]);
        assert!(!known.differ(&of(&[("src/lib.rs", "1"), ("host.txt", "2")])));
        assert!(known.differ(&of(&[("src/lib.rs", "2"), ("data", "")])));
        assert!(known.differ(&of(&[("data", "1")])));
    }

    #[test]
    fn packages_are_named_as_cargo_takes_them() {
        assert_eq!(specification("path+file:///project/dep#0.1.0"), "dep");
        assert_eq!(specification("path+file:///project/folder#dep@0.1.0"), "dep@0.1.0");
        assert_eq!(specification("registry+https://index#itoa@1.0.0"), "itoa@1.0.0");
    }
}
