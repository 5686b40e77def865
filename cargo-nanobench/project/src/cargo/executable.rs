//! Executables that hold benchmarks, and the search for them in a build.

use super::compiler::Compiler;
use super::file_state::FileState;
use super::kind::Kind;
use super::manifest::Manifest;
use super::marker::{self, EntryPoint};
use super::messages::BuildMessages;
use super::runtime::{LIBRARY_PATH, PROGRAM_PREFIX};
use super::{Error, Project, SkipReason, SkippedTarget, runtime};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// An executable with benchmarks, and all that is needed to run it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    pub package: Package,
    /// The package's folder, in which cargo runs its benchmarks.
    pub manifest_dir: PathBuf,
    /// The name of the target.
    pub target: String,
    pub kind: Kind,
    pub path: PathBuf,
    pub entry: EntryPoint,
    /// The variables that cargo would add to the environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The state of its file when the entry point was found. `None` if that is unknown.
    pub state: Option<FileState>,
}

/// The package of an executable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// Cargo's id of the package.
    pub id: String,
}

impl Executable {
    /// Returns the executable of this process as one of a package of this name, with a `main` that
    /// hands over to the harness. Its benchmarks run in `folder`.
    pub fn of_this_process(package: &str, target: &str, folder: &Path) -> io::Result<Self> {
        let package = package.to_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self {
            package: Package { id: package.clone(), name: package, version },
            manifest_dir: folder.to_owned(),
            target: target.to_owned(),
            kind: Kind::Bench,
            path: std::env::current_exe()?,
            entry: EntryPoint::Main,
            environment: Vec::new(),
            state: None,
        })
    }

    /// Returns another build of this target, stored at `path`. `None` if it has no entry point.
    pub fn stored_at(&self, path: PathBuf) -> io::Result<Option<Self>> {
        let entry = marker::find_entry_point(&std::fs::read(&path)?);
        let environment = self.environment_at(&path);
        Ok(entry.map(|entry| Self { path, entry, environment, state: None, ..self.clone() }))
    }

    /// Returns whether its file is certainly as it was when the entry point was found.
    pub fn is_unchanged(&self) -> bool {
        self.state.is_some() && self.state == FileState::of(&self.path)
    }

    /// Returns whether its file is certainly another one than when the entry point was found.
    pub fn is_replaced(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|before| FileState::of(&self.path).is_none_or(|now| before.has_other_content(&now)))
    }

    /// Returns the folders in which the system looks for its dynamic libraries first.
    pub fn library_folders(&self) -> Vec<PathBuf> {
        let variable = self.environment.iter().rfind(|(name, _)| name == LIBRARY_PATH);
        variable.map(|(_, folders)| std::env::split_paths(folders).collect()).unwrap_or_default()
    }

    /// Returns the programs of its package, which cargo built for it to start.
    pub fn programs(&self) -> impl Iterator<Item = &Path> {
        let is_program = |name: &OsString| name.as_encoded_bytes().starts_with(PROGRAM_PREFIX.as_bytes());
        self.environment.iter().filter(move |(name, _)| is_program(name)).map(|(_, path)| Path::new(path))
    }

    /// Returns the environment of an executable that is stored at this path: it loads the libraries
    /// that are stored with it.
    fn environment_at(&self, path: &Path) -> Vec<(OsString, OsString)> {
        let mut environment = self.environment.clone();
        let own = libraries_folder(path);
        if own.is_dir() {
            let folders = std::iter::once(own).chain(self.library_folders());
            let folders = std::env::join_paths(folders).ok();
            environment.extend(folders.map(|folders| (LIBRARY_PATH.into(), folders)));
        }
        environment
    }

    /// Returns whether the default harness hands over, rather than a `main` of the user's own.
    pub fn enters_by_test(&self) -> bool {
        matches!(self.entry, EntryPoint::Test(_))
    }

    /// Returns whether its program passes benchmarks one after another, so that a process runs each once.
    pub fn passes_in_order(&self) -> bool {
        self.entry == EntryPoint::InOrder
    }

    /// Returns the arguments that make the executable hand over to the harness.
    pub fn arguments(&self) -> Vec<String> {
        match &self.entry {
            EntryPoint::Test(path) => {
                ["--exact", path, "--nocapture", "--test-threads=1", "--include-ignored"]
                    .map(str::to_owned)
                    .to_vec()
            }
            EntryPoint::Main | EntryPoint::InOrder => vec!["--bench".to_owned()],
        }
    }
}

/// Returns the executables with benchmarks among cargo's artifacts, in the order of their packages
/// in the workspace, then by kind and name. The others are added to `skipped`. Those `known` from the
/// last build are not read again if they are unchanged.
pub(super) fn find(
    project: &Project,
    builds: &[BuildMessages],
    environment: &[(OsString, OsString)],
    compiler: &Compiler,
    known: &[Executable],
    skipped: &mut Vec<SkippedTarget>,
) -> Result<Vec<Executable>, Error> {
    let members = project.members();
    let mut executables: Vec<(usize, Executable)> = Vec::new();
    let artifacts = builds.iter().flat_map(|build| build.harnesses().map(move |artifact| (build, artifact)));
    for (build, artifact) in artifacts {
        let target = &artifact.target;
        let position = members.iter().position(|member| member.id == artifact.package_id);
        let (Some(position), Some(kind), Some(path)) =
            (position, Kind::from_target(target), artifact.executable.clone().map(PathBuf::from))
        else {
            continue;
        };
        let package = members[position];
        let state = FileState::of(&path);
        let known = known.iter().find(|known| known.path == path && known.state == state && state.is_some());
        let entry = match known {
            Some(known) => Some(known.entry.clone()),
            None => {
                let bytes = std::fs::read(&path);
                let bytes = bytes.map_err(|source| Error::Executable { path: path.clone(), source })?;
                marker::find_entry_point(&bytes)
            }
        };
        let Some(entry) = entry else {
            let has_own_harness = Manifest::read(package).has_own_harness(kind, &target.name);
            let reason = if has_own_harness { SkipReason::ForeignMain } else { SkipReason::NoBenchmark };
            skipped.push(SkippedTarget::new(package, target, kind, reason));
            continue;
        };
        let own = runtime::environment(package, artifact, build, compiler, project);
        let executable = Executable {
            package: Package {
                name: package.name.to_string(),
                version: package.version.to_string(),
                id: package.id.repr.clone(),
            },
            manifest_dir: runtime::manifest_dir(package),
            target: target.name.clone(),
            kind,
            environment: environment.iter().cloned().chain(own).collect(),
            entry,
            path,
            state,
        };
        executables.push((position, executable));
    }
    executables.sort_by(|(a_position, a), (b_position, b)| {
        (a_position, a.kind, &a.target).cmp(&(b_position, b.kind, &b.target))
    });
    Ok(executables.into_iter().map(|(_, executable)| executable).collect())
}

/// Returns the folder with the libraries of a stored executable, which exists if it has any.
pub fn libraries_folder(executable: &Path) -> PathBuf {
    let mut name = executable.file_name().unwrap_or_default().to_owned();
    name.push(".libraries");
    executable.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Executable {
        /// Returns a benchmark target's executable, with the state of the file at `path`.
        pub(in crate::cargo) fn fixture(path: &Path) -> Executable {
            let any = Executable::of_this_process("my-crate", "first", Path::new("")).unwrap();
            Executable { path: path.to_owned(), state: FileState::of(path), ..any }
        }
    }

    #[test]
    fn arguments_select_one_test() {
        let main = Executable::fixture(Path::new(""));
        assert_eq!((main.enters_by_test(), &main.arguments()[..]), (false, &["--bench".to_owned()][..]));
        let test = Executable { entry: EntryPoint::Test("a::nanobench_f".into()), ..main };
        assert!(test.enters_by_test());
        let arguments = test.arguments();
        assert_eq!(arguments[..2], ["--exact", "a::nanobench_f"]);
        assert!(!arguments.contains(&"--bench".to_owned()), "libtest skips tests if it is given --bench");
    }
}
