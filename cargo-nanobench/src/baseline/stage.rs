//! Saving in two steps, so that what prevents it is found before anything is measured: [`LockedStore::stage`]
//! copies the executables and reserves the room, [`StagedRun::commit`] fills it in and moves it into place.

use super::error::At as _;
use super::format::FileName;
use super::layout::{self, STAGING};
use super::merge_previous::Carried;
use super::{
    Baseline, BaselineRef, Error, Executable, Fingerprint, LoadedBaseline, LockedStore, StoredBenchmark,
};
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
pub(crate) struct BuiltExecutable {
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
pub(crate) struct StagedRun<'a> {
    executables: Vec<Executable>,
    targets: Vec<Target>,
    /// What the last run keeps of the one before.
    carried: Carried,
    /// How many benchmarks there is room for.
    benchmarks: usize,
    /// What was written stays one's own only under the lock.
    store: &'a LockedStore<'a>,
}

/// A folder that is to be moved to its place.
#[derive(Debug)]
pub(super) struct Target {
    place: BaselineRef,
    staging: TempDir,
}

impl LockedStore<'_> {
    /// Makes ready to save a run of about so many `benchmarks` in each of the `places`.
    ///
    /// Fails where it couldn't be saved: the disk is full, a folder isn't writable, or a later version's
    /// baseline is in the way, which is never overwritten.
    pub(crate) fn stage(
        &self,
        built: &[BuiltExecutable],
        places: &[BaselineRef],
        benchmarks: usize,
    ) -> Result<StagedRun<'_>, Error> {
        let (executables, targets, carried) = (Vec::new(), Vec::new(), Carried::default());
        let mut staged = StagedRun { executables, targets, carried, benchmarks, store: self };
        for place in places {
            let target = self.target(place)?;
            match staged.targets.first() {
                None => staged.executables = copy_executables(built, &target.executables())?,
                Some(first) => share_executables(&staged.executables, first, &target)?,
            }
            reserve(&target.json(), RESERVE + benchmarks * RESERVE_PER_BENCHMARK)?;
            staged.targets.push(target);
        }
        Ok(staged)
    }

    /// Makes ready to write to a place.
    pub(super) fn target(&self, place: &BaselineRef) -> Result<Target, Error> {
        self.check_free(place)?;
        if let Some(before) = self.store.before(place) {
            layout::create_parent(&before)?;
        }
        Target::create(place, &place.folder(self.store.root()))
    }

    /// Whether a place may be written. What is damaged may be: saving again is how to repair it.
    fn check_free(&self, place: &BaselineRef) -> Result<(), Error> {
        if self.store.contains(place) { self.store.check_replaceable(place) } else { Ok(()) }
    }
}

impl StagedRun<'_> {
    /// What will be saved of the executables, in the order in which they were given.
    pub(crate) fn executables(&self) -> &[Executable] {
        &self.executables
    }

    /// Makes ready to keep, in the last run, what `wanted` says of the one before: for benchmarks that don't run this time.
    pub(crate) fn carry_over(
        &mut self,
        before: &LoadedBaseline,
        wanted: impl Fn(&StoredBenchmark) -> bool,
    ) -> Result<(), Error> {
        let Some(last) = self.targets.iter().find(|target| target.place == BaselineRef::Last) else {
            return Ok(());
        };
        self.carried = Carried::ready(before, wanted, &self.executables, &last.executables());
        let benchmarks = self.benchmarks + self.carried.len();
        reserve(&last.json(), RESERVE + benchmarks * RESERVE_PER_BENCHMARK)
    }

    /// Goes on without one of the places.
    pub(crate) fn exclude(&mut self, place: &BaselineRef) {
        self.targets.retain(|target| target.place != *place);
    }

    /// Saves what was measured, in place after place.
    pub(crate) fn commit(
        self,
        environment: Environment,
        benchmarks: Vec<StoredBenchmark>,
    ) -> Result<(), Error> {
        let baseline = Baseline::new(environment, self.executables, benchmarks);
        let last = self.carried.is_empty().then(|| baseline.clone());
        let last = last.unwrap_or_else(|| self.carried.add_to(baseline.clone()));
        for target in self.targets {
            let is_last = target.place == BaselineRef::Last;
            target.put(if is_last { &last } else { &baseline }, self.store)?;
        }
        Ok(())
    }
}

impl Target {
    /// A fresh folder beside its place.
    fn create(place: &BaselineRef, folder: &Path) -> Result<Self, Error> {
        layout::create_parent(folder)?;
        let parent = folder.parent().unwrap_or(folder);
        let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent).at("write in", parent)?;
        let target = Target { place: place.clone(), staging };
        fs::create_dir(target.executables()).at("create", &target.executables())?;
        Ok(target)
    }

    /// Moves it to its place, complete. What is there goes where it is still found.
    pub(super) fn put(self, baseline: &Baseline, store: &LockedStore<'_>) -> Result<(), Error> {
        let text = baseline.to_json().map_err(io::Error::from).at("write", &self.json())?;
        fill(&self.json(), &text)?;
        self.drop_others(baseline);
        let folder = self.place.folder(store.store.root());
        layout::exchange(self.staging.path(), &folder, store.store.before(&self.place).as_deref())?;
        // It was moved away: there is nothing left to delete.
        let _ = self.staging.keep();
        Ok(())
    }

    /// Deletes the executables that the baseline doesn't name. One that can't be deleted costs room and nothing else.
    fn drop_others(&self, baseline: &Baseline) {
        for file in fs::read_dir(self.executables()).into_iter().flatten().flatten() {
            let name = file.file_name();
            if !baseline.executables.iter().any(|executable| executable.file.as_ref() == Path::new(&name)) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    pub(super) fn executables(&self) -> PathBuf {
        self.staging.path().join("executables")
    }

    pub(super) fn json(&self) -> PathBuf {
        self.staging.path().join("baseline.json")
    }
}

/// Copies, rather than links: the next build may write into the same file. Isn't synced: a copy that a power cut
/// damages is known by its fingerprint.
fn copy_executables(built: &[BuiltExecutable], folder: &Path) -> Result<Vec<Executable>, Error> {
    let mut taken = HashSet::new();
    let mut executables = Vec::new();
    for (index, BuiltExecutable { package, target, kind, path }) in built.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = if taken.insert(name.to_string()) { name.to_string() } else { format!("{index}-{name}") };
        let invalid = |reason| io::Error::new(io::ErrorKind::InvalidFilename, reason);
        let file = FileName::try_from(name).map_err(invalid).at("copy", path)?;
        let copy = folder.join(&file);
        let size = fs::copy(path, &copy).map_err(|error| from_to(error, path)).at("write", &copy)?;
        let hash = Fingerprint::from_file(&copy).at("read", &copy)?;
        let (package, target, kind) = (package.clone(), target.clone(), kind.clone());
        executables.push(Executable { package, target, kind, file, size, hash });
    }
    Ok(executables)
}

/// Puts the same executables into a second folder, where possible without taking up the room again.
fn share_executables(executables: &[Executable], from: &Target, to: &Target) -> Result<(), Error> {
    for Executable { file, .. } in executables {
        let (original, twin) = (from.executables().join(file), to.executables().join(file));
        share(&original, &twin).at("write", &twin)?;
    }
    Ok(())
}

/// Makes `twin` the same file as `original`, or where the file system can't, a copy of it.
pub(super) fn share(original: &Path, twin: &Path) -> io::Result<()> {
    fs::hard_link(original, twin)
        .or_else(|_| fs::copy(original, twin).map(|_| ()))
        .map_err(|error| from_to(error, original))
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
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.write_all(text)?;
        file.set_len(text.len() as u64)?;
        file.sync_all()
    };
    write().at("write", path)
}
