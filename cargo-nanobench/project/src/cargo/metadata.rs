//! The answer of `cargo metadata`. A run begins with the one of the last run, because cargo takes as long
//! for it as for half of the check that a build is up to date, and asks cargo beside that check.

use super::early::Early;
use super::options::CommonOptions;
use super::{Error, command};
use crate::regular_file;
use cargo_metadata::{Metadata, MetadataCommand};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs};
use tempfile::NamedTempFile;

/// The largest file to read or write, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The kept answer was another one than cargo's.
static HAS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Returns whether this process began with an answer that cargo no longer gives. The new one is kept.
pub fn has_changed() -> bool {
    HAS_CHANGED.load(Ordering::Relaxed)
}

/// Asks cargo about the workspace of `--manifest-path` or of the current directory.
pub(super) fn query(common: &CommonOptions) -> Result<Metadata, Error> {
    parse(&command::stdout(question(common))?)
}

/// Returns the kept answer, if there is one, and whether it turns out to be cargo's; else cargo's.
pub(super) fn query_early(
    common: &CommonOptions,
    target_dir: Option<&Path>,
) -> Result<(Metadata, Early<bool>), Error> {
    let mut command = question(common);
    let places = Kept::places(&command, common, target_dir);
    if let Some((text, metadata)) = places.iter().find_map(Kept::read) {
        // The build reports errors of cargo.
        command.stderr(Stdio::null());
        let is_same = move || {
            let Some(now) = command::stdout(command).ok().filter(|now| *now != text) else { return true };
            Kept::write(&places, &now);
            HAS_CHANGED.store(true, Ordering::Relaxed);
            false
        };
        return Ok((metadata, Early::start(is_same)));
    }
    let text = command::stdout(command)?;
    Kept::write(&places, &text);
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

/// The place of a kept answer: a file with the question, a line break, and the answer.
#[derive(Debug)]
struct Kept {
    file: PathBuf,
    question: String,
}

impl Kept {
    /// Returns the places where the answer may be kept. Only the answer tells the target directory for
    /// certain, so these are in the usual ones: that of a flag or a variable, or below the workspace's root.
    fn places(command: &Command, common: &CommonOptions, target_dir: Option<&Path>) -> Vec<Kept> {
        let Ok(folder) = env::current_dir() else { return Vec::new() };
        let variables = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"].into_iter().filter_map(env::var_os);
        let named = target_dir.map(Path::to_owned).into_iter().chain(variables.map(PathBuf::from));
        let manifest = common.manifest_path.as_deref().unwrap_or("Cargo.toml".as_ref());
        let manifest = path_clean::clean(folder.join(manifest));
        let roots = manifest.ancestors().skip(1).filter(|folder| folder.join("Cargo.toml").is_file());
        let targets = named.map(|target| folder.join(target)).chain(roots.map(|root| root.join("target")));
        let question = format!("{command:?} in {}", folder.display()).replace('\n', " ");
        let file = |target: PathBuf| target.join("nanobench").join("metadata");
        targets.map(|target| Kept { file: file(target), question: question.clone() }).collect()
    }

    /// Returns the kept answer and its text. `None` if a file that it names is gone: the build would fail.
    fn read(&self) -> Option<(String, Metadata)> {
        let bytes = regular_file::read(&self.file, MAX_BYTES).ok()?;
        let (question, text) = str::from_utf8(&bytes).ok()?.split_once('\n')?;
        let metadata = MetadataCommand::parse(text).ok().filter(|_| question == self.question)?;
        let targets = metadata.packages.iter().flat_map(|package| &package.targets);
        let are_there = targets.map(|target| &target.src_path).all(|path| path.is_file());
        are_there.then(|| (text.to_owned(), metadata))
    }

    /// Keeps an answer in the first place that exists. Without it, the next run asks cargo first.
    fn write(places: &[Kept], text: &str) {
        let folder = |place: &&Kept| place.file.parent().is_some_and(Path::is_dir);
        let Some(Kept { file, question }) = places.iter().find(folder) else { return };
        let write = || {
            let mut new = NamedTempFile::new_in(file.parent().unwrap_or(file))?;
            write!(new, "{question}\n{text}")?;
            new.persist(file)?;
            Ok::<_, io::Error>(())
        };
        if write().is_err() {
            // An old answer would be taken again.
            let _ = fs::remove_file(file);
        }
    }
}
