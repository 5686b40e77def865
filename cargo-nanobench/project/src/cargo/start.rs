//! The start of a run, most of which would be waiting for cargo. So a run speculates, verifies and
//! discards:
//!
//! - It begins with the answer that `cargo metadata` gave to the last run, because cargo takes as long for
//!   it as for half of the check that a build is up to date. It asks again beside that check. If the
//!   answer differs, the whole command begins anew.
//! - It prepares the executables of the last build if their files are unchanged. Only those that cargo
//!   then finds in the same state are used.
//! - It takes the compiler's description of itself from the last run if the files of the compiler are
//!   unchanged. The compiler loads 300 MB of libraries to print it, which takes as long as `cargo metadata`.

use super::compiler::Compiler;
use super::executable::Executable;
use super::interception::Interception;
use super::options::{CargoOptions, CommonOptions};
use super::project::KEPT;
use super::{Error, command};
use crate::regular_file;
use cargo_metadata::{Metadata, MetadataCommand};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::{env, fs};
use tempfile::NamedTempFile;

/// The largest file to read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The kept answer of `cargo metadata` was another one than cargo's.
static HAS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Returns whether this process began with an answer that cargo no longer gives. The new one is kept.
pub fn has_changed() -> bool {
    HAS_CHANGED.load(Ordering::Relaxed)
}

/// The answers of the last run, and those that are awaited.
#[derive(Debug, Default)]
pub(super) struct Start {
    /// The folder of what runs keep. The first run that is saved creates it.
    folder: PathBuf,
    /// True if cargo still describes the workspace as in the last run.
    pub(super) is_confirmed: Early<bool>,
    /// Set once it has answered.
    compiler: OnceLock<Compiler>,
    /// The executables of the last build, once they were read.
    last_executables: OnceLock<Vec<Executable>>,
    /// The interception of the links of the first build.
    pub(super) interception: Early<Option<Interception>>,
}

impl Start {
    /// Creates the start of a run that builds nothing.
    pub(super) fn in_folder(folder: PathBuf) -> Start {
        Start { folder, ..Start::default() }
    }

    /// Returns an error if cargo no longer describes the workspace as it did in the last run.
    pub(super) fn confirm(&self) -> Result<(), Error> {
        if self.is_confirmed.take() == Some(false) { Err(Error::WorkspaceChanged) } else { Ok(()) }
    }

    /// Returns an interception of links for one build.
    pub(super) fn interception(&self) -> Option<Interception> {
        self.interception.take().unwrap_or_else(Interception::start)
    }

    /// Returns the answers of the compiler for a target. It is asked once.
    pub(super) fn compiler(&self, target: Option<&str>) -> &Compiler {
        self.compiler.get_or_init(|| Compiler::query(target, &self.folder))
    }

    /// Returns the executables of the last build with these options, as far as they are still the same.
    pub(super) fn last_executables(&self, args: &CargoOptions) -> &[Executable] {
        self.last_executables.get_or_init(|| {
            let kept = kept_executables(&self.folder, args).read();
            let mut executables: Vec<Executable> =
                kept.and_then(|kept| serde_json::from_str(&kept).ok()).unwrap_or_default();
            executables.retain(Executable::is_unchanged);
            executables
        })
    }

    /// Keeps the executables of a build with these options for the next one.
    pub(super) fn keep_executables(&self, args: &CargoOptions, executables: &[Executable]) {
        if self.last_executables(args) != executables
            && let Ok(text) = serde_json::to_string(executables)
        {
            kept_executables(&self.folder, args).write(&text);
        }
    }
}

/// Returns the place of the executables of a build. Other options select other executables.
fn kept_executables(folder: &Path, args: &CargoOptions) -> Kept {
    Kept::new(folder, "executables", &format!("{args:?}"))
}

/// Asks cargo about the workspace of `--manifest-path` or of the current directory.
pub(super) fn metadata(common: &CommonOptions) -> Result<Metadata, Error> {
    parse(&command::stdout(question(common))?)
}

/// Returns the kept answer, if there is one, and whether it turns out to be cargo's; else cargo's.
pub(super) fn early_metadata(
    common: &CommonOptions,
    target_dir: Option<&Path>,
) -> Result<(Metadata, Early<bool>), Error> {
    let mut command = question(common);
    let places = places(&command, common, target_dir);
    // The first place that exists. Without one, the next run asks cargo first.
    let keep = |answer: &str, places: &[Kept]| {
        places.iter().find(|place| place.has_folder()).into_iter().for_each(|place| place.write(answer));
    };
    if let Some((text, metadata)) = places.iter().find_map(kept_metadata) {
        // The build reports errors of cargo.
        command.stderr(Stdio::null());
        let is_same = move || {
            let Some(now) = command::stdout(command).ok().filter(|now| *now != text) else { return true };
            keep(&now, &places);
            HAS_CHANGED.store(true, Ordering::Relaxed);
            false
        };
        return Ok((metadata, Early::start(is_same)));
    }
    let text = command::stdout(command)?;
    keep(&text, &places);
    Ok((parse(&text)?, Early::default()))
}

fn parse(text: &str) -> Result<Metadata, Error> {
    MetadataCommand::parse(text).map_err(Error::Metadata)
}

fn question(common: &CommonOptions) -> Command {
    let mut command = Command::new(command::program());
    // The build would repeat cargo's warnings.
    command.args(["metadata", "--format-version=1", "--no-deps", "--quiet"]);
    command::configure(&mut command, common);
    command
}

/// Returns the places where an answer of `cargo metadata` may be kept. Only the answer tells the target
/// directory for certain, so these are in the usual ones: that of a flag or a variable, or below the
/// workspace's root.
fn places(command: &Command, common: &CommonOptions, target_dir: Option<&Path>) -> Vec<Kept> {
    let Ok(folder) = env::current_dir() else { return Vec::new() };
    let variables = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"].into_iter().filter_map(env::var_os);
    let named = target_dir.map(Path::to_owned).into_iter().chain(variables.map(PathBuf::from));
    let manifest = common.manifest_path.as_deref().unwrap_or("Cargo.toml".as_ref());
    let manifest = path_clean::clean(folder.join(manifest));
    let roots = manifest.ancestors().skip(1).filter(|folder| folder.join("Cargo.toml").is_file());
    let targets = named.map(|target| folder.join(target)).chain(roots.map(|root| root.join("target")));
    let question = format!("{command:?} in {}", folder.display());
    targets.map(|target| Kept::new(&target.join(KEPT), "metadata", &question)).collect()
}

/// Returns a kept answer and its text. `None` if a file that it names is gone: the build would fail.
fn kept_metadata(kept: &Kept) -> Option<(String, Metadata)> {
    let text = kept.read()?;
    let metadata = MetadataCommand::parse(&text).ok()?;
    let mut targets = metadata.packages.iter().flat_map(|package| &package.targets);
    targets.all(|target| target.src_path.is_file()).then_some((text, metadata))
}

/// The place of an answer that the last run has kept: a file with the question, a line break, and the
/// answer.
#[derive(Debug)]
pub(super) struct Kept {
    file: PathBuf,
    question: String,
}

impl Kept {
    pub(super) fn new(folder: &Path, name: &str, question: &str) -> Kept {
        Kept { file: folder.join(name), question: question.replace('\n', " ") }
    }

    fn has_folder(&self) -> bool {
        self.file.parent().is_some_and(Path::is_dir)
    }

    /// Returns the answer to this question, if it was kept.
    pub(super) fn read(&self) -> Option<String> {
        let bytes = regular_file::read(&self.file, MAX_BYTES).ok()?;
        let (question, answer) = str::from_utf8(&bytes).ok()?.split_once('\n')?;
        (question == self.question).then(|| answer.to_owned())
    }

    /// Keeps an answer if the folder exists.
    pub(super) fn write(&self, answer: &str) {
        let write = || {
            let mut file = NamedTempFile::new_in(self.file.parent().unwrap_or(&self.file))?;
            write!(file, "{}\n{answer}", self.question)?;
            file.persist(&self.file)?;
            Ok::<_, io::Error>(())
        };
        if write().is_err() {
            // An old answer would be taken again.
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// A value that a thread is making. If nobody takes it, it is awaited and dropped, so that a folder
/// is deleted.
#[derive(Debug)]
pub(super) struct Early<T>(Mutex<Option<JoinHandle<T>>>);

impl<T: Send + 'static> Early<T> {
    pub(super) fn start(make: impl FnOnce() -> T + Send + 'static) -> Early<T> {
        Early(Mutex::new(Some(thread::spawn(make))))
    }
}

impl<T> Early<T> {
    /// Waits for the value. `None` if it was taken before, or never started.
    fn take(&self) -> Option<T> {
        let thread = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        thread.and_then(|thread| thread.join().ok())
    }
}

impl<T> Default for Early<T> {
    fn default() -> Early<T> {
        Early(Mutex::default())
    }
}

impl<T> Drop for Early<T> {
    fn drop(&mut self) {
        self.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn an_early_value_is_taken_once() {
        let early = Early::start(|| 3);
        assert_eq!((early.take(), early.take()), (Some(3), None));
        assert_eq!(Early::<u8>::default().take(), None);
    }

    #[test]
    fn an_early_value_that_nobody_takes_is_dropped() {
        let value = Arc::new(());
        let early = Early::start({
            let value = Arc::clone(&value);
            move || value
        });
        drop(early);
        assert_eq!(Arc::strong_count(&value), 1);
    }

    #[test]
    fn an_answer_is_that_to_the_same_question() {
        let folder = tempfile::tempdir().unwrap();
        let kept = |question| Kept::new(folder.path(), "answer", question);
        assert_eq!(kept("a\nb").read(), None);
        kept("a\nb").write("1\n2\n");
        assert_eq!(kept("a\nb").read().as_deref(), Some("1\n2\n"));
        assert_eq!(kept("a").read(), None);
        kept("a").write("3");
        assert_eq!((kept("a").read().as_deref(), kept("a\nb").read()), (Some("3"), None));
    }

    #[test]
    fn nothing_is_kept_without_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let kept = Kept::new(&root.path().join("none"), "answer", "a");
        kept.write("1");
        assert_eq!(kept.read(), None);
        assert!(!root.path().join("none").exists());
    }

    #[cfg(unix)]
    #[test]
    fn unchanged_executables_of_the_same_options_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let start = || Start::in_folder(folder.path().to_owned());
        let options = CargoOptions::default();
        let executables = ["a", "b"].map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, name).unwrap();
            Executable::fixture(&path)
        });
        let before = start();
        before.keep_executables(&options, &executables);
        assert_eq!(before.last_executables(&options), [], "those of the last run");
        assert_eq!(start().last_executables(&options), executables);
        let other = CargoOptions { profile: Some("release".to_owned()), ..CargoOptions::default() };
        assert_eq!(start().last_executables(&other), [], "of other options");
        fs::write(folder.path().join("a"), "longer").unwrap();
        assert_eq!(start().last_executables(&options), &executables[1..], "built again");
    }
}
