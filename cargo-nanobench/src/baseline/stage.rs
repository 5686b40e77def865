//! Saving in two steps, so that problems are found before anything is measured:
//! [`LockedStore::stage`] copies the executables and reserves disk space, [`StagedRun::commit`]
//! writes the figures and moves all into place. This is the part of [`LockedStore`] for saving.

use super::format::FileName;
use super::io_error::IoContext as _;
use super::layout::{self, STAGING};
use super::merge_previous::{CarriedResults, MAX_CARRIED_EXECUTABLES};
use super::outside_files::OutsideFile;
use super::{
    Baseline, BaselineRef, Error, Executable, Fingerprint, IntactCopy, IoError, LoadedBaseline, LockedStore,
    RunOrder, StoredBenchmark, moves,
};
use super::{libraries, link_inputs};
use crate::environment::Environment;
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;

/// The space that `baseline.json` takes without benchmarks, at most, in bytes.
const RESERVE: usize = 16 * 1024;
/// The space of a benchmark with a few launches of dozens of samples, at most, in bytes.
const RESERVE_PER_BENCHMARK: usize = 4 * 1024;

/// A run that is ready to be saved. Leaves nothing behind if it is dropped instead.
#[derive(Debug)]
pub(crate) struct StagedRun<'a> {
    /// In the order in which they were given.
    pub(crate) executables: Vec<Executable>,
    folders: Vec<StagingFolder>,
    /// The results that the last run keeps from the previous one.
    carried: CarriedResults,
    /// The last run that this one replaces, if it was read before.
    pub(crate) replaced: Option<Rc<LoadedBaseline>>,
    /// The order in which results are saved.
    pub(crate) order: RunOrder,
    /// The number of benchmarks that space is reserved for.
    benchmarks: usize,
    /// Flags selected some of the benchmarks only.
    pub(crate) is_partial: bool,
    /// Only the lock keeps other processes from deleting the staging folders.
    store: &'a LockedStore<'a>,
}

/// An executable that was built, to be saved.
#[derive(Debug)]
pub(crate) struct BuiltExecutable {
    pub(crate) path: PathBuf,
    /// The fingerprint of its file, if it was computed before: that of a known copy to link.
    pub(crate) hash: Option<Fingerprint>,
}

/// A folder that becomes a baseline.
#[derive(Debug)]
pub(super) struct StagingFolder {
    baseline: BaselineRef,
    folder: TempDir,
}

impl LockedStore<'_> {
    /// Prepares saving a run of about this number of `benchmarks` as each of the `baselines`. Of the
    /// executables, those with the content of one of the `known` copies take no more disk space.
    ///
    /// Fails if the run could not be saved: the disk is full, a folder is not writable, or a later
    /// version wrote one of the baselines, which is never replaced.
    pub(crate) fn stage(
        &self,
        built: &[BuiltExecutable],
        known: &[IntactCopy],
        baselines: &[BaselineRef],
        benchmarks: usize,
    ) -> Result<StagedRun<'_>, Error> {
        let (executables, folders) = (Vec::new(), Vec::new());
        let carried = CarriedResults::new(MAX_CARRIED_EXECUTABLES);
        let (is_partial, replaced, order) = (false, None, RunOrder::default());
        let mut staged =
            StagedRun { executables, folders, carried, replaced, order, benchmarks, is_partial, store: self };
        for baseline in baselines {
            let folder = self.staging_folder(baseline)?;
            match staged.folders.first() {
                None => staged.executables = copy_executables(built, known, &folder.executables())?,
                Some(first) => share_executables(&staged.executables, first, &folder)?,
            }
            reserve(&folder.json(), benchmarks)?;
            staged.folders.push(folder);
        }
        Ok(staged)
    }

    /// Creates the staging folder of a baseline, if that may be replaced.
    pub(super) fn staging_folder(&self, baseline: &BaselineRef) -> Result<StagingFolder, Error> {
        self.store.check_replaceable(baseline)?;
        let folder = baseline.folder(&self.store.root());
        if let Some(previous) = self.store.previous_folder(baseline) {
            layout::create_parent(&previous)?;
            // Dropping it deletes the folder, which shows that there may be one.
            StagingFolder::create(baseline, &previous)?;
            moves::prove_replaceable(&previous)?;
        }
        moves::prove_replaceable(&folder)?;
        Ok(StagingFolder::create(baseline, &folder)?)
    }
}

impl StagedRun<'_> {
    /// Stores the libraries that an executable loads beside each of its copies.
    pub(crate) fn add_libraries(&mut self, executable: usize, libraries: &[PathBuf]) -> Result<(), Error> {
        let executable = &mut self.executables[executable];
        let mut copies = self.folders.iter().map(|folder| folder.executables().join(&executable.file));
        let Some(first) = copies.next() else { return Ok(()) };
        executable.libraries = libraries::store(libraries, &first)?;
        for copy in copies {
            libraries::share(&executable.libraries, &first, &copy)?;
        }
        Ok(())
    }

    /// Notes the files outside of an executable whose code its benchmarks run.
    pub(crate) fn set_outside_files<'p>(
        &mut self,
        executable: usize,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) {
        let paths: BTreeSet<&PathBuf> = paths.into_iter().collect();
        let files = paths.into_iter().filter_map(|path| OutsideFile::new(path)).collect();
        self.executables[executable].outside_files = files;
    }

    /// Prepares the last run to keep the results of `previous`, the last run before it, that pass
    /// the filter and are not measured again.
    pub(crate) fn carry_over(
        &mut self,
        previous: &LoadedBaseline,
        filter: impl Fn(&StoredBenchmark) -> bool,
    ) -> Result<(), Error> {
        self.carried.is_complete = !previous.baseline.is_partial;
        self.keep(previous, filter)
    }

    /// Prepares the last run to keep the results of `previous` that pass the filter and are neither
    /// measured again nor kept from another run already.
    pub(crate) fn keep(
        &mut self,
        previous: &LoadedBaseline,
        filter: impl Fn(&StoredBenchmark) -> bool,
    ) -> Result<(), Error> {
        let Some(last) = self.folders.iter().find(|folder| folder.baseline == BaselineRef::Last) else {
            return Ok(());
        };
        let reserved = self.carried.len();
        self.carried.add(previous, filter, &self.executables, &last.executables());
        if self.carried.len() > reserved {
            reserve(&last.json(), self.benchmarks + self.carried.len())?;
        }
        Ok(())
    }

    /// Drops one of the baselines.
    pub(crate) fn exclude(&mut self, baseline: &BaselineRef) {
        self.folders.retain(|folder| folder.baseline != *baseline);
    }

    /// Returns whether the run is saved as this baseline.
    pub(crate) fn includes(&self, baseline: &BaselineRef) -> bool {
        self.folders.iter().any(|folder| folder.baseline == *baseline)
    }

    /// Saves the results as each of the baselines.
    pub(crate) fn commit(
        self,
        environment: Environment,
        benchmarks: Vec<StoredBenchmark>,
    ) -> Result<(), Error> {
        let mut run = Baseline::new(environment, self.executables, benchmarks);
        run.is_partial = self.is_partial;
        let mut last = self.carried.merge_into(run.clone());
        for results in [&mut run.benchmarks, &mut last.benchmarks] {
            self.order.sort(results);
        }
        for folder in self.folders {
            let is_last = folder.baseline == BaselineRef::Last;
            if is_last {
                // Nothing but an explanation is lost if this fails.
                let _ = self.store.keep_previous_run(self.replaced.as_deref(), &last);
            }
            let previous = self.store.store.previous_folder(&folder.baseline);
            folder.save(if is_last { &last } else { &run }, self.store, previous.as_deref())?;
        }
        Ok(())
    }
}

impl StagingFolder {
    /// Creates a new folder next to the baseline's.
    fn create(baseline: &BaselineRef, place: &Path) -> Result<Self, IoError> {
        layout::create_parent(place)?;
        let parent = place.parent().unwrap_or(place);
        let folder =
            tempfile::Builder::new().prefix(STAGING).tempdir_in(parent).context("write in", parent)?;
        let staging = StagingFolder { baseline: baseline.clone(), folder };
        fs::create_dir(staging.executables()).context("create", &staging.executables())?;
        Ok(staging)
    }

    /// Completes the folder and moves it into place. An existing baseline is moved to `previous`, or deleted
    /// without one.
    pub(super) fn save(
        self,
        baseline: &Baseline,
        store: &LockedStore<'_>,
        previous: Option<&Path>,
    ) -> Result<(), IoError> {
        let text = baseline.to_json().context("write", &self.json())?;
        fill(&self.json(), &text)?;
        self.delete_unused_executables(baseline);
        let place = self.baseline.folder(&store.store.root());
        moves::replace(self.folder.path(), &place, previous)?;
        // The folder was moved, so there is nothing to delete.
        let _ = self.folder.keep();
        Ok(())
    }

    /// Deletes the executables that the baseline doesn't name. A failure costs disk space only.
    fn delete_unused_executables(&self, baseline: &Baseline) {
        for file in fs::read_dir(self.executables()).into_iter().flatten().flatten() {
            let name = file.file_name();
            let is_of = |executable: &Executable| {
                let own: &Path = executable.file.as_ref();
                name == own || name == *link_inputs::place(&executable.file)
            };
            if !baseline.executables.iter().any(is_of) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    pub(super) fn executables(&self) -> PathBuf {
        self.folder.path().join(layout::EXECUTABLES)
    }

    fn json(&self) -> PathBuf {
        self.folder.path().join(layout::JSON)
    }
}

/// Copies executables into a folder, or links those that the store has. What was built is not linked,
/// as the next build may write to the same files. The copies are not synced: the fingerprint shows
/// damage by a power failure.
fn copy_executables(
    built: &[BuiltExecutable],
    known: &[IntactCopy],
    folder: &Path,
) -> Result<Vec<Executable>, IoError> {
    let mut names = HashSet::new();
    let mut executables = Vec::new();
    for (index, executable) in built.iter().enumerate() {
        let path = &executable.path;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = if names.insert(name.clone()) { name } else { format!("{index}-{name}") };
        let invalid = |reason| io::Error::new(io::ErrorKind::InvalidFilename, reason);
        let file = FileName::try_from(name).map_err(invalid).context("copy", path)?;
        let copy = folder.join(&file);
        let linked =
            same_content(executable, known).filter(|known| fs::hard_link(&known.path, &copy).is_ok());
        let (size, hash) = match linked {
            Some(known) => (layout::size(&copy), known.hash.clone()),
            None => {
                let size = layout::copy_file(path, &copy).context("write", &copy)?;
                (size, Fingerprint::from_file(&copy).context("read", &copy)?)
            }
        };
        let link_inputs = link_inputs::store(path, &hash, &copy);
        let (libraries, outside_files, inputs) = (Vec::new(), Vec::new(), None);
        executables.push(Executable { file, size, hash, libraries, outside_files, inputs, link_inputs });
    }
    Ok(executables)
}

/// Returns the known copy of an executable. Its content is not read if its hash is known, or none has
/// its size.
fn same_content<'k>(executable: &BuiltExecutable, known: &'k [IntactCopy]) -> Option<&'k IntactCopy> {
    let BuiltExecutable { path, hash } = executable;
    let size = layout::size(path);
    let mut of_size = known.iter().filter(|known| layout::size(&known.path) == size).peekable();
    of_size.peek()?;
    let hash = hash.clone().or_else(|| Fingerprint::from_file(path).ok())?;
    of_size.find(|known| known.hash == hash)
}

/// Puts the executables of a folder into another one, without using more disk space if possible.
fn share_executables(
    executables: &[Executable],
    from: &StagingFolder,
    to: &StagingFolder,
) -> Result<(), IoError> {
    for Executable { file, .. } in executables {
        let (original, copy) = (from.executables().join(file), to.executables().join(file));
        layout::link_or_copy(&original, &copy).context("write", &copy)?;
        link_inputs::share(&original, &copy);
    }
    Ok(())
}

/// Reserves disk space for this number of benchmarks. A file system that compresses reserves less,
/// so it may still turn out to be full at the end.
fn reserve(path: &Path, benchmarks: usize) -> Result<(), IoError> {
    let size = RESERVE + benchmarks * RESERVE_PER_BENCHMARK;
    let mut file = File::create(path).context("create", path)?;
    if allocate(&file, size) {
        return Ok(());
    }
    file.write_all(&vec![b' '; size]).and_then(|()| file.sync_all()).context("write", path)
}

/// Makes the system reserve this number of bytes for a file, which takes much less time than
/// writing them. Returns false if it can't.
#[cfg(target_os = "linux")]
fn allocate(file: &File, size: usize) -> bool {
    size.try_into().is_ok_and(|size| nix::fcntl::posix_fallocate(file, 0, size).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn allocate(_file: &File, _size: usize) -> bool {
    false
}

/// Overwrites the reserved space with the text.
fn fill(path: &Path, text: &[u8]) -> Result<(), IoError> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.write_all(text)?;
        file.set_len(text.len() as u64)?;
        file.sync_all()
    };
    write().context("write", path)
}
