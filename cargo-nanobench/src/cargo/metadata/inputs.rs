//! Everything that `cargo metadata --no-deps` reads, as a hash: its arguments, the environment,
//! cargo's configuration, manifests, and the names of files that cargo takes for targets.
//! Cargo.lock and dependencies from elsewhere are not among it.

use super::super::options::CommonOptions;
use crate::regular_file;
use cargo_metadata::Metadata;
use cargo_metadata::camino::Utf8Path;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::Xxh3;

/// The largest manifest or configuration to read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// The beginnings of the names of variables that cargo reads, and that decide on its home.
const VARIABLES: [&str; 6] = ["CARGO", "__CARGO", "RUST", "HOME", "USERPROFILE", "HOMEDRIVE"];
/// Files of a package whose existence cargo reports.
const FILES: [&str; 4] = ["build.rs", "README.md", "README.txt", "README"];
/// The folders of a package in which cargo looks for targets.
const FOLDERS: [&str; 5] = ["src", "src/bin", "benches", "tests", "examples"];

/// A call of cargo whose answer depends on nothing but what is hashed here.
#[derive(Debug)]
pub(super) struct Request {
    program: PathBuf,
    arguments: Vec<OsString>,
    folder: PathBuf,
    cargo_home: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

impl Request {
    /// Returns the request that a command makes. `None` if its answer depends on more: on files
    /// that flags name, on another environment, or on the choice of a cargo by rustup.
    pub(super) fn new(command: &Command, common: &CommonOptions) -> Option<Request> {
        let program = fs::canonicalize(command.get_program()).ok()?;
        let is_script =
            common.manifest_path.as_ref().is_some_and(|path| path.file_name() != Some("Cargo.toml".as_ref()));
        let has_more =
            !common.config.is_empty() || !common.unstable.is_empty() || common.other_tree.is_some();
        if !Path::new(command.get_program()).is_absolute() || is_of_rustup(&program) || is_script || has_more
        {
            return None;
        }
        let folder = env::current_dir().ok()?;
        let home = || Some(env::home_dir()?.join(".cargo"));
        let cargo_home = env::var_os("CARGO_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
        let cargo_home = cargo_home.or_else(home)?;
        // Windows ignores the case of names.
        let is_read = |name: &OsStr| {
            let name = name.to_ascii_uppercase();
            VARIABLES.iter().any(|start| name.as_encoded_bytes().starts_with(start.as_bytes()))
        };
        let mut variables: Vec<_> = env::vars_os().filter(|(name, _)| is_read(name)).collect();
        variables.sort_unstable();
        let arguments = command.get_args().map(OsStr::to_owned).collect();
        Some(Request { program, arguments, cargo_home: folder.join(cargo_home), folder, variables })
    }

    #[cfg(test)]
    pub(super) fn in_folder(self, folder: PathBuf, cargo_home: PathBuf) -> Request {
        Request { folder, cargo_home, ..self }
    }

    #[cfg(test)]
    pub(super) fn without_variables(self) -> Request {
        Request { variables: Vec::new(), ..self }
    }

    #[cfg(test)]
    pub(super) fn with_variable(mut self, name: &str, value: &str) -> Request {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Returns the folders in which this workspace's answer may be kept: below the one that a
    /// variable names, or else below the workspace's root.
    pub(super) fn target_directories(&self, manifest: Option<&Path>) -> Vec<PathBuf> {
        let is_named = |name: &OsStr| name == "CARGO_TARGET_DIR" || name == "CARGO_BUILD_TARGET_DIR";
        let named = self.variables.iter().filter(|(name, value)| is_named(name) && !value.is_empty());
        let mut folders: Vec<PathBuf> = named.map(|(_, value)| self.folder.join(value)).collect();
        let manifest = path_clean::clean(self.folder.join(manifest.unwrap_or("Cargo.toml".as_ref())));
        let roots = manifest.ancestors().skip(1).filter(|folder| folder.join("Cargo.toml").is_file());
        folders.extend(roots.map(|root| root.join("target")));
        folders
    }
}

/// The state of everything that cargo reads for a request.
#[derive(Default)]
pub(super) struct Inputs {
    hash: Xxh3,
    newest: Option<SystemTime>,
    /// Some of it can't be read, or names files that are not among it.
    has_more: bool,
}

impl Inputs {
    /// Reads what the answer to a request depends on, if this is the answer. The text of the answer
    /// is a part of it, so that a damaged one differs.
    pub(super) fn read(request: &Request, text: &str, metadata: &Metadata) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.add(text.as_bytes());
        inputs.add_request(request);
        let members = metadata.packages.iter();
        let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
        let packages: BTreeSet<&Path> = members
            .filter_map(|package| package.manifest_path.parent())
            .chain(dependencies.filter_map(|dependency| dependency.path.as_deref()))
            .map(Utf8Path::as_std_path)
            .collect();
        packages.iter().for_each(|folder| inputs.add_package(folder));
        for target in metadata.packages.iter().flat_map(|package| &package.targets) {
            inputs.add_existence(target.src_path.as_std_path());
        }
        // Cargo looks for the workspace of each of them.
        let starts = packages.into_iter().chain([metadata.workspace_root.as_std_path(), &request.folder]);
        let folders: BTreeSet<&Path> = starts.flat_map(Path::ancestors).collect();
        for folder in folders {
            let manifest = inputs.add_file(&folder.join("Cargo.toml"));
            inputs.has_more |= manifest.is_some_and(|text| has_pattern_of_members(&text));
        }
        let homes = request.folder.ancestors().map(|folder| folder.join(".cargo"));
        for home in homes.chain([request.cargo_home.clone()]) {
            for name in ["config", "config.toml"] {
                let configuration = inputs.add_file(&home.join(name));
                inputs.has_more |= configuration.is_some_and(|text| text.contains("include"));
            }
            inputs.add_time(&home);
        }
        inputs
    }

    /// Returns the hash, as hexadecimal digits. `None` if the answer may depend on more.
    pub(super) fn digest(&self) -> Option<String> {
        (!self.has_more).then(|| format!("{:032x}", self.hash.digest128()))
    }

    /// Returns whether everything is older than a time, by more than the coarsest times of files,
    /// so that it was the same then.
    pub(super) fn is_older_than(&self, time: SystemTime) -> bool {
        let age = self.newest.and_then(|newest| time.duration_since(newest).ok());
        age.is_some_and(|age| age.as_secs() > 2)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hash.update(&bytes.len().to_le_bytes());
        self.hash.update(bytes);
    }

    fn add_request(&mut self, request: &Request) {
        let Request { program, arguments, folder, cargo_home, variables } = request;
        let paths = [program, folder, cargo_home].map(|path| path.as_os_str());
        let variables = variables.iter().flat_map(|(name, value)| [name, value]);
        for word in arguments.iter().chain(variables).map(OsString::as_os_str).chain(paths) {
            self.add(word.as_encoded_bytes());
        }
        // As for the compiler, the time tells whether it is still the same.
        let metadata = fs::metadata(program).ok();
        let size = metadata.as_ref().map(fs::Metadata::len);
        let time = metadata.and_then(|metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        self.add(format!("{size:?} {time:?}").as_bytes());
    }

    /// Adds the names of files from which cargo takes the targets of a package.
    fn add_package(&mut self, folder: &Path) {
        self.add(folder.as_os_str().as_encoded_bytes());
        self.add_time(folder);
        FILES.iter().for_each(|name| self.add_existence(&folder.join(name)));
        FOLDERS.iter().for_each(|name| self.add_sources(&folder.join(name)));
    }

    /// Adds the names of the sources in a folder, and of the folders with a `main.rs` in it.
    fn add_sources(&mut self, folder: &Path) {
        self.add_time(folder);
        let mut names: Vec<OsString> = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let Ok(entry) = entry else {
                self.has_more = true;
                return;
            };
            let path = entry.path();
            if path.extension() == Some(OsStr::new("rs")) || path.join("main.rs").exists() {
                names.push(entry.file_name());
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.add_time(&path);
            }
        }
        names.sort_unstable();
        self.add(&names.len().to_le_bytes());
        names.iter().for_each(|name| self.add(name.as_encoded_bytes()));
    }

    fn add_existence(&mut self, file: &Path) {
        self.add(file.as_os_str().as_encoded_bytes());
        self.add(&[u8::from(file.exists())]);
    }

    /// Adds the content of a file, and returns it if it exists.
    fn add_file(&mut self, file: &Path) -> Option<String> {
        self.add(file.as_os_str().as_encoded_bytes());
        if !file.exists() {
            self.add(b"absent");
            return None;
        }
        self.add_time(file);
        let text = regular_file::read(file, MAX_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        match &text {
            Some(text) if (text.len() as u64) < MAX_BYTES => self.add(text.as_bytes()),
            _ => self.has_more = true,
        }
        text
    }

    /// Notes when a file or folder was changed, if it exists.
    fn add_time(&mut self, path: &Path) {
        let Ok(metadata) = fs::metadata(path) else { return };
        let Some(time) = changed(&metadata) else {
            self.has_more = true;
            return;
        };
        self.newest = self.newest.max(Some(time));
    }
}

/// Returns whether a program is rustup, which chooses a cargo. Under the name of cargo, it is a
/// link to rustup beside it. A hard link keeps its name.
fn is_of_rustup(program: &Path) -> bool {
    let is_rustup = program.file_stem() == Some(OsStr::new("rustup"));
    is_rustup || program.with_file_name(format!("rustup{}", env::consts::EXE_SUFFIX)).is_file()
}

/// Returns when a file was written or, on Unix, moved to its place.
fn changed(metadata: &fs::Metadata) -> Option<SystemTime> {
    let modified = metadata.modified().ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::time::Duration;
        let moved = UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(metadata.ctime()).ok()?))?;
        Some(modified.max(moved))
    }
    #[cfg(not(unix))]
    Some(modified)
}

/// Returns whether a manifest names members by patterns. Which folders match them is not hashed.
fn has_pattern_of_members(manifest: &str) -> bool {
    if !manifest.contains("members") {
        return false;
    }
    let Ok(manifest) = manifest.parse::<toml::Table>() else { return true };
    let Some(workspace) = manifest.get("workspace") else { return false };
    let lists = ["members", "default-members"].into_iter().filter_map(|key| workspace.get(key)?.as_array());
    lists.flatten().any(|member| member.as_str().is_none_or(|member| member.contains(['*', '?', '['])))
}
