//! Copies of the packages in `fixtures/`, each in a separate folder.
//!
//! Each copy has its own target directory, and so its own baselines. Unedited copies look the same to
//! cargo, down to the files' times, and share their executables.

use crate::builds::BuildDirectory;
use crate::invocation::Invocation;
use crate::product::{folder_of_the_product, product};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use tempfile::TempDir;

/// The version in the manifest of every fixture.
const VERSION: &str = r#"version = "0.0.0""#;
/// The version of slower copies of `compare`: cargo keeps the executables of both.
const SLOWER_VERSION: &str = r#"version = "0.0.0-slower""#;
/// The work of `changing` in `compare`.
const STEPS: &str = "STEPS: u64 = 2_000";
const MORE_STEPS: &str = "STEPS: u64 = 40_000";

/// A copy of a fixture, removed when it is dropped.
pub struct Fixture {
    temp: TempDir,
    root: PathBuf,
    /// The name of the fixture of which this is an unedited copy.
    unedited: Option<String>,
    build: OnceLock<BuildDirectory>,
}

impl Fixture {
    /// Copies `fixtures/NAME`, for tests that leave it unchanged.
    pub fn of(name: &str) -> Self {
        Self::copy(name, None)
    }

    /// Copies `fixtures/NAME`, for tests that edit it. The copy has its own version and thus its
    /// own executables.
    pub fn to_edit(name: &str) -> Self {
        Self::copy(name, Some(&own_version()))
    }

    /// Copies `compare`, runs it with these arguments, and then makes it slower.
    pub fn slowed_down(arguments: &str) -> Self {
        let fixture = Self::of("compare");
        fixture.nanobench(arguments).run().exits(0);
        fixture.slow_down();
        fixture
    }

    /// Like [`Self::slowed_down`], for tests that edit the copy then.
    pub fn slowed_down_to_edit(arguments: &str) -> Self {
        let fixture = Self::to_edit("compare");
        fixture.nanobench(arguments).run().exits(0);
        fixture.edit("benches/work.rs", STEPS, MORE_STEPS);
        fixture
    }

    /// Makes `changing` in an unedited copy of `compare` do twenty times the work, which shows even on a
    /// machine that is busy with other tests. All slower copies share their executables.
    pub fn slow_down(&self) {
        self.change_with_time("benches/work.rs", STEPS, MORE_STEPS);
        self.change_with_time("Cargo.toml", VERSION, SLOWER_VERSION);
    }

    /// Undoes [`Self::slow_down`].
    pub fn speed_up(&self) {
        self.change_with_time("benches/work.rs", MORE_STEPS, STEPS);
        self.change_with_time("Cargo.toml", SLOWER_VERSION, VERSION);
    }

    /// Replaces `from` by `to` in a file, whose time stays.
    fn change_with_time(&self, file: &str, from: &str, to: &str) {
        let (path, text) = (self.path(file), self.text(file));
        assert!(text.contains(from), "{file} does not hold {from:?}");
        let time = path.metadata().and_then(|file| file.modified()).expect("files have times");
        self.write(file, text.replace(from, to));
        let file = fs::File::options().write(true).open(path).expect("it was written");
        file.set_modified(time).expect("the time can be set");
    }

    /// Creates an empty folder for a package.
    pub fn empty() -> Self {
        let temp = TempDir::new().expect("a temporary folder");
        let root = temp.path().join("made");
        fs::create_dir_all(&root).expect("a folder for the package");
        fs::create_dir_all(temp.path().join("files")).expect("a folder for its files");
        Self { temp, root, unedited: None, build: OnceLock::new() }
    }

    fn copy(name: &str, version: Option<&str>) -> Self {
        let unedited = version.is_none().then(|| name.to_owned());
        let fixture = Self { unedited, ..Self::empty() };
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        copy_folder(&from, &fixture.root, version)
            .unwrap_or_else(|error| panic!("the fixture `{name}` cannot be copied: {error}"));
        fixture.lock_versions();
        fixture
    }

    /// Copies this repository's `Cargo.lock`, so that cargo resolves and downloads nothing new.
    pub fn lock_versions(&self) {
        fs::copy(repository().join("Cargo.lock"), self.path("Cargo.lock"))
            .expect("the repository's Cargo.lock");
    }

    /// Returns the path of a file or folder of the copy.
    pub fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.root.join(below)
    }

    /// Returns the path of a file or folder below `target/nanobench`.
    pub fn stored(&self, below: impl AsRef<Path>) -> PathBuf {
        self.path("target/nanobench").join(below)
    }

    /// Returns the path of the record of a saved run: `main`, `main~1`, `last`.
    pub fn baseline(&self, name: &str) -> PathBuf {
        self.stored("runs").join(self.saved(name)["record"].as_str().unwrap_or("none"))
    }

    /// Returns the paths of the executables of a saved run.
    pub fn executables(&self, name: &str) -> Vec<PathBuf> {
        let saved = self.saved(name);
        let blobs = saved["blobs"].as_array().expect("a saved run");
        blobs.iter().map(|blob| self.stored(blob.as_str().expect("a path"))).collect()
    }

    /// Returns what a name points to; null if there is no such run.
    fn saved(&self, name: &str) -> serde_json::Value {
        let (name, version) = name.strip_suffix("~1").map_or((name, "run"), |name| (name, "previous"));
        let pointer = fs::read(self.stored("names").join(format!("{name}.json"))).unwrap_or_default();
        let pointer: serde_json::Value = serde_json::from_slice(&pointer).unwrap_or_default();
        pointer[version].clone()
    }

    /// Saves a text as the record of a run.
    #[track_caller]
    pub fn plant(&self, name: &str, record: impl AsRef<[u8]>) {
        let file = format!("{name}.json");
        let pointer = serde_json::json!({"run": {"record": file, "blobs": []}, "previous": null});
        self.write(self.stored("names").join(&file), pointer.to_string());
        self.write(self.stored("runs").join(&file), record);
    }

    /// Returns the build directory of the copy.
    pub fn build_directory(&self) -> &Path {
        let get = || self.unedited.as_deref().map_or_else(BuildDirectory::own, BuildDirectory::shared);
        self.build.get_or_init(get).path()
    }

    /// Returns the folder in which benchmarks and test exchange files: `E2E_FILES` in their
    /// environment.
    pub fn files(&self) -> PathBuf {
        self.temp.path().join("files")
    }

    /// Returns the folder of the builds of other revisions.
    pub fn cache(&self) -> PathBuf {
        self.temp.path().join("cache")
    }

    /// Returns the number of lines that the benchmarks wrote to a file.
    pub fn left(&self, name: &str) -> usize {
        self.lines_left(name).len()
    }

    /// Returns the lines that the benchmarks wrote to a file.
    pub fn lines_left(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.files().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Reads a text file of the copy.
    #[track_caller]
    pub fn text(&self, file: impl AsRef<Path>) -> String {
        let path = self.path(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reads a file of the copy.
    #[track_caller]
    pub fn bytes(&self, file: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(file);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes a file and creates its folders. Use `edit` for files that cargo builds.
    #[track_caller]
    pub fn write(&self, file: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        let folder = path.parent().expect("a file lies in a folder");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Replaces `from` by `to` in a file of the copy.
    #[track_caller]
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        assert!(self.unedited.is_none(), "only Fixture::to_edit(..) may be edited");
        let text = self.text(file);
        assert!(text.contains(from), "{file} does not hold {from:?}");
        self.write(file, text.replace(from, to));
    }

    /// Optimises the package at the top, but not its dependencies, which need not be compiled again.
    #[track_caller]
    pub fn optimise(&self, package: &str) {
        let profile = format!("\n[profile.bench.package.{package}]\nopt-level = 3\n");
        self.edit("Cargo.toml", "\n[profile.dev]\n", &format!("{profile}\n[profile.dev]\n"));
    }

    /// Returns the command `cargo nanobench ARGUMENTS` in the copy. The arguments are split at
    /// spaces. A comparison with a baseline or a revision includes benchmarks whose code is the
    /// same.
    pub fn nanobench(&self, arguments: &str) -> Invocation {
        self.comparing(arguments, "--include-unchanged")
    }

    /// Returns the command `cargo nanobench ARGUMENTS` in the copy. The arguments are split at
    /// spaces. No comparison includes a benchmark at random.
    pub fn nanobench_by_default(&self, arguments: &str) -> Invocation {
        self.comparing(arguments, "--include-unchanged=0")
    }

    fn command(&self, program: &Path) -> Invocation {
        Invocation::new(program, &self.root, &self.files(), self.build_directory())
    }

    /// Returns the command `cargo nanobench ARGUMENTS` in the copy, with another build directory.
    pub(crate) fn nanobench_into(&self, build: &Path, arguments: &str) -> Invocation {
        Invocation::new(product(), &self.root, &self.files(), build).arg("nanobench").args(arguments)
    }

    /// Returns the command `cargo ARGUMENTS` in the copy, with another build directory.
    pub(crate) fn cargo_into(&self, build: &Path, arguments: &str) -> Invocation {
        Invocation::new(Path::new("cargo"), &self.root, &self.files(), build).args(arguments)
    }

    /// Returns a command with one more flag before the first one of a run that asks for a comparison.
    fn comparing(&self, arguments: &str, flag: &str) -> Invocation {
        let compares = |word: &&str| {
            ["--baseline", "--against", "--save-on-pass"].contains(&word.split('=').next().unwrap_or(word))
        };
        let mut words: Vec<&str> = arguments.split_whitespace().collect();
        let is_run = words.first().is_some_and(|first| !["asm", "profile", "report", "why"].contains(first));
        if let Some(first) = words.iter().position(compares).filter(|_| is_run) {
            words.insert(first, flag);
        }
        self.command(product()).arg("nanobench").args(&words.join(" "))
    }

    /// Returns the command `cargo nanobench ARGUMENTS` without the privileges of root, for whom no
    /// file is undeletable. `None` if the system has no `setpriv`.
    #[cfg(target_os = "linux")]
    pub fn nanobench_unprivileged(&self, arguments: &str) -> Option<Invocation> {
        let without = "--bounding-set=-all --inh-caps=-all --";
        let exists = std::process::Command::new("setpriv").arg("--version").output().is_ok();
        let setpriv = || self.command(Path::new("setpriv")).args(without);
        exists.then(|| setpriv().arg(product()).arg("nanobench").args(arguments))
    }

    /// Returns the command `cargo ARGUMENTS` in the copy, with the tool on the `PATH`.
    pub fn cargo(&self, arguments: &str) -> Invocation {
        let mut path = vec![folder_of_the_product().to_owned()];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let path = std::env::join_paths(path).expect("PATH can be extended");
        self.command(Path::new("cargo")).env("PATH", path).args(arguments)
    }

    /// Returns the comparison by the action for GitHub, whose files are in the folder `job` of the
    /// copy. `arguments` are those of the tool, one on each line.
    pub fn action(&self, against: &str, arguments: &str) -> Invocation {
        fs::create_dir_all(self.path("job")).expect("a folder for the job");
        self.command(Path::new("bash"))
            .arg(repository().join("action/compare"))
            .env("TOOL", product())
            .env("AGAINST", against)
            .env("FAIL_ON", "slower,failed")
            .env("FAIL_ABOVE", "5%")
            .env("ARGUMENTS", arguments)
            .env("RUNNER_TEMP", self.path("job"))
            .env("GITHUB_OUTPUT", self.path("job/output"))
            .env("GITHUB_STEP_SUMMARY", self.path("job/summary.md"))
    }
}

/// Returns a version for the manifest of a package that only this test builds: cargo takes packages
/// of one name and version for the same, wherever they are.
pub fn own_version() -> String {
    let this = thread::current();
    let test = this.name().unwrap_or("main").replace(['_', ':'], "-");
    format!(r#"version = "0.0.0-{test}""#)
}

/// Returns the root folder of this repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("`tests` lies in the repository")
}

/// Copies `from` into `to`. Manifests get the path of `nanobench-core` and, if there is one, the
/// `version`; without a version, the copies keep the times of the originals.
fn copy_folder(from: &Path, to: &Path, version: Option<&str>) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            fs::create_dir(&to)?;
            copy_folder(&from, &to, version)?;
        } else {
            let mut text = fs::read_to_string(&from)?;
            if from.ends_with("Cargo.toml") {
                let core = repository().join("nanobench-core");
                text = text.replace("{{nanobench-core}}", &core.to_string_lossy());
                text = text.replace(VERSION, version.unwrap_or(VERSION));
            }
            fs::write(&to, text)?;
            if version.is_none() {
                fs::File::options().write(true).open(&to)?.set_modified(from.metadata()?.modified()?)?;
            }
        }
    }
    Ok(())
}

/// Copies a folder with its contents. Cargo compares the files' times, so these are copied, too.
pub fn copy_with_times(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_with_times(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::copy(from, to)?;
    fs::File::options().write(true).open(to)?.set_modified(from.metadata()?.modified()?)
}
