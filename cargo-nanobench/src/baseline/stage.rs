//! Saving in two steps, so that what prevents it is found before anything is measured: [`LockedStore::stage`]
//! copies the executables and reserves the room, [`Staged::commit`] fills it in and moves it into place.

use super::error::At as _;
use super::format::FileName;
use super::layout::{self, STAGING};
use super::{Baseline, Error, Executable, Fingerprint, LockedStore, Place, StoredBenchmark};
use crate::environment::Environment;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What `baseline.json` takes without benchmarks, at most, in bytes.
const RESERVE: usize = 16 * 1024;
/// What a benchmark with a few launches of some dozen samples takes in it, at most, in bytes.
const RESERVE_PER_BENCHMARK: usize = 4 * 1024;

/// An executable to keep.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    /// The package that it was built from.
    pub(crate) package: String,
    /// The target of that package.
    pub(crate) target: String,
    /// `lib`, `bin`, `bench`, `test` or `example`.
    pub(crate) kind: String,
    /// Where cargo put it.
    pub(crate) path: PathBuf,
}

/// A run that can be saved. Leaves nothing behind where it is dropped instead.
#[derive(Debug)]
pub(crate) struct Staged<'a> {
    executables: Vec<Executable>,
    targets: Vec<Target>,
    /// What was written stays one's own only under the lock.
    _store: &'a LockedStore<'a>,
}

/// A folder that is to be moved to its place.
#[derive(Debug)]
struct Target {
    folder: PathBuf,
    staging: TempDir,
}

impl LockedStore<'_> {
    /// Makes ready to save a run of about so many `benchmarks` in each of the `places`.
    ///
    /// Fails where it couldn't be saved: the disk is full, a folder isn't writable, or a later version's
    /// baseline is in the way, which is never overwritten.
    pub(crate) fn stage(
        &self,
        built: &[Built],
        places: &[Place],
        benchmarks: usize,
    ) -> Result<Staged<'_>, Error> {
        let mut staged = Staged { executables: Vec::new(), targets: Vec::new(), _store: self };
        for place in places {
            self.check_free(place)?;
            let target = Target::create(place.folder(self.store.root()))?;
            match staged.targets.first() {
                None => staged.executables = copy_executables(built, &target.executables())?,
                Some(first) => share_executables(&staged.executables, first, &target)?,
            }
            reserve(&target.json(), RESERVE + benchmarks * RESERVE_PER_BENCHMARK)?;
            staged.targets.push(target);
        }
        Ok(staged)
    }

    /// Whether a place may be written. What is damaged may be: saving again is how to repair it.
    fn check_free(&self, place: &Place) -> Result<(), Error> {
        if !self.store.holds(place) {
            return Ok(());
        }
        match self.store.read(place) {
            Err(error @ (Error::Newer { .. } | Error::System { .. })) => Err(error),
            _ => Ok(()),
        }
    }
}

impl Staged<'_> {
    /// What will be saved of the executables, in the order in which they were given.
    pub(crate) fn executables(&self) -> &[Executable] {
        &self.executables
    }

    /// Saves what was measured, in place after place.
    pub(crate) fn commit(
        self,
        environment: Environment,
        benchmarks: Vec<StoredBenchmark>,
    ) -> Result<(), Error> {
        let baseline = Baseline::new(environment, self.executables, benchmarks);
        for target in self.targets {
            let text = baseline.to_json().map_err(io::Error::from).at("write", &target.json())?;
            fill(&target.json(), &text)?;
            layout::exchange(target.staging.path(), &target.folder)?;
            // It was moved away: there is nothing left to delete.
            let _ = target.staging.keep();
        }
        Ok(())
    }
}

impl Target {
    /// A fresh folder beside its place.
    fn create(folder: PathBuf) -> Result<Self, Error> {
        let parent = folder.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).at("create", parent)?;
        let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent).at("write in", parent)?;
        let target = Target { staging, folder };
        fs::create_dir(target.executables()).at("create", &target.executables())?;
        Ok(target)
    }

    fn executables(&self) -> PathBuf {
        self.staging.path().join("executables")
    }

    fn json(&self) -> PathBuf {
        self.staging.path().join("baseline.json")
    }
}

/// Copies, rather than links: the next build may write into the same file. Isn't synced: a copy that a power cut
/// damages is known by its fingerprint.
fn copy_executables(built: &[Built], folder: &Path) -> Result<Vec<Executable>, Error> {
    let mut taken = HashSet::new();
    let mut executables = Vec::new();
    for (index, Built { package, target, kind, path }) in built.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = if taken.insert(name.to_string()) { name.to_string() } else { format!("{index}-{name}") };
        let invalid = |reason| io::Error::new(io::ErrorKind::InvalidFilename, reason);
        let file = FileName::try_from(name).map_err(invalid).at("copy", path)?;
        let copy = folder.join(&file);
        let size = fs::copy(path, &copy).map_err(|error| from_to(error, path)).at("write", &copy)?;
        let hash = Fingerprint::of(&copy).at("read", &copy)?;
        let (package, target, kind) = (package.clone(), target.clone(), kind.clone());
        executables.push(Executable { package, target, kind, file, size, hash });
    }
    Ok(executables)
}

/// Puts the same executables into a second folder, where possible without taking up the room again.
fn share_executables(executables: &[Executable], from: &Target, to: &Target) -> Result<(), Error> {
    for Executable { file, .. } in executables {
        let (original, twin) = (from.executables().join(file), to.executables().join(file));
        if fs::hard_link(&original, &twin).is_err() {
            fs::copy(&original, &twin).map_err(|error| from_to(error, &original)).at("write", &twin)?;
        }
    }
    Ok(())
}

/// `fs::copy` doesn't say which of the two files its error is about.
fn from_to(error: io::Error, from: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{error}, copying `{}`", from.display()))
}

/// Takes up room on the disk. A file system that compresses takes up less: there, a full one may still be
/// found only at the end.
fn reserve(path: &Path, size: usize) -> Result<(), Error> {
    let mut file = File::create(path).at("create", path)?;
    file.write_all(&vec![b' '; size]).and_then(|()| file.sync_all()).at("write", path)
}

/// Writes over the room that was reserved, so that what was free then is free now.
fn fill(path: &Path, text: &[u8]) -> Result<(), Error> {
    let write = || {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(text)?;
        file.set_len(text.len() as u64)?;
        file.sync_all()
    };
    write().at("write", path)
}
