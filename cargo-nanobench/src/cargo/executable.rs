//! Executables that hold benchmarks: what is known of them, and how they are found among what was built.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use cargo_metadata::Artifact;

use super::kind::Kind;
use super::marker::{self, EntryPoint};
use super::messages::Messages;
use super::runtime::{self, LibraryPaths};
use super::{Error, Project, SkipReason, SkippedTarget};

/// An executable with benchmarks, and what it needs to run.
#[derive(Debug, Clone)]
pub(crate) struct Executable {
    pub(crate) package: Package,
    /// The package's folder: where cargo runs its benchmarks.
    pub(crate) manifest_dir: PathBuf,
    /// Name of the target.
    pub(crate) target: String,
    pub(crate) kind: Kind,
    pub(crate) path: PathBuf,
    pub(crate) entry: EntryPoint,
    /// What cargo would add to the environment of the run.
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// The package of an executable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Cargo's id of it.
    pub(crate) id: String,
}

impl Executable {
    /// What stands before `::path` in the ids of its benchmarks. Different for every target of a workspace.
    pub(crate) fn id_prefix(&self) -> String {
        let (package, target) = (&self.package.name, &self.target);
        match self.kind {
            // These would be the words of another kind.
            Kind::Bench if matches!(target.as_str(), "lib" | "bin" | "bench" | "test" | "example") => {
                format!("{package}::bench::{target}")
            }
            Kind::Bench => format!("{package}::{target}"),
            Kind::Lib => format!("{package}::lib"),
            Kind::Bin | Kind::Test | Kind::Example => format!("{package}::{}::{target}", self.kind.as_str()),
        }
    }

    /// The same target as it was built at another time, kept in `path`. `None` where nothing in it can be run.
    pub(crate) fn stored_at(&self, path: PathBuf) -> io::Result<Option<Self>> {
        let entry = marker::entry(&std::fs::read(&path)?);
        Ok(entry.map(|entry| Self { path, entry, ..self.clone() }))
    }

    /// The arguments with which it hands over to the harness.
    pub(crate) fn arguments(&self) -> Vec<String> {
        match &self.entry {
            EntryPoint::Test(path) => {
                ["--exact", path, "--nocapture", "--test-threads=1", "--include-ignored"]
                    .map(str::to_owned)
                    .to_vec()
            }
            EntryPoint::Main => vec!["--bench".to_owned()],
        }
    }
}

/// Finds the executables with benchmarks in what cargo built.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    project: &'a Project,
    /// What all processes get.
    environment: Vec<(OsString, OsString)>,
    found: Vec<(usize, Executable)>,
    skipped: Vec<SkippedTarget>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        project: &'a Project,
        environment: Vec<(OsString, OsString)>,
        skipped: Vec<SkippedTarget>,
    ) -> Self {
        Self { project, environment, found: Vec::new(), skipped }
    }

    /// Looks at what one call of cargo built.
    pub(super) fn add(&mut self, messages: &Messages, library_paths: &LibraryPaths) -> Result<(), Error> {
        let members = self.project.members();
        for artifact in messages.harnesses() {
            let position = members.iter().position(|member| member.id == artifact.package_id);
            let (Some(position), Some(kind), Some(path)) =
                (position, Kind::of(&artifact.target), executable(artifact))
            else {
                continue;
            };
            let package = members[position];
            let bytes =
                std::fs::read(&path).map_err(|source| Error::Executable { path: path.clone(), source })?;
            let Some(entry) = marker::entry(&bytes) else {
                self.skipped.push(SkippedTarget::target(
                    package,
                    &artifact.target,
                    kind,
                    SkipReason::NoBenchmark,
                ));
                continue;
            };
            let own = runtime::environment(package, artifact, messages, library_paths, self.project);
            let executable = Executable {
                package: Package {
                    name: package.name.to_string(),
                    version: package.version.to_string(),
                    id: package.id.repr.clone(),
                },
                manifest_dir: runtime::manifest_dir(package),
                target: artifact.target.name.clone(),
                kind,
                environment: self.environment.iter().cloned().chain(own).collect(),
                entry,
                path,
            };
            self.found.push((position, executable));
        }
        Ok(())
    }

    /// The executables, in order, and what was passed over.
    pub(super) fn finish(mut self) -> (Vec<Executable>, Vec<SkippedTarget>) {
        self.found.sort_by(|(a_position, a), (b_position, b)| {
            (a_position, a.kind, &a.target).cmp(&(b_position, b.kind, &b.target))
        });
        (self.found.into_iter().map(|(_, executable)| executable).collect(), self.skipped)
    }
}

fn executable(artifact: &Artifact) -> Option<PathBuf> {
    artifact.executable.as_ref().map(|path| path.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(kind: Kind, entry: EntryPoint) -> Executable {
        Executable {
            package: Package { name: "my-crate".into(), version: "0.1.0".into(), id: "id".into() },
            manifest_dir: PathBuf::new(),
            target: "first".into(),
            kind,
            path: PathBuf::new(),
            entry,
            environment: Vec::new(),
        }
    }

    #[test]
    fn ids_tell_the_targets_apart() {
        let prefix = |kind| executable(kind, EntryPoint::Main).id_prefix();
        assert_eq!(prefix(Kind::Bench), "my-crate::first");
        assert_eq!(prefix(Kind::Lib), "my-crate::lib");
        assert_eq!(prefix(Kind::Bin), "my-crate::bin::first");
        assert_eq!(prefix(Kind::Test), "my-crate::test::first");
        assert_eq!(prefix(Kind::Example), "my-crate::example::first");
    }

    #[test]
    fn arguments_name_one_test_and_not_bench() {
        let arguments = executable(Kind::Bench, EntryPoint::Test("a::nanobench_f".into())).arguments();
        assert_eq!(arguments[..2], ["--exact", "a::nanobench_f"]);
        assert!(!arguments.contains(&"--bench".to_owned()), "libtest passes over tests when it sees --bench");
        assert_eq!(executable(Kind::Bench, EntryPoint::Main).arguments(), ["--bench"]);
    }
}
