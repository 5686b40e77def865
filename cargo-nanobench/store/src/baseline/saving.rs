//! Saving in two steps, so that problems are found before anything is measured:
//! [`LockedStore::stage`] stores the executables and reserves disk space, [`StagedRun::commit`]
//! writes the records and makes names point to them. This is the part of [`LockedStore`] for saving.

use super::executable::{Library, places};
use super::io_error::IoContext as _;
use super::layout::{self, JSON, NAMES, RUNS};
use super::merging::MAX_CARRIED;
use super::pointer::{BlobId, Target};
use super::{
    BaselineRef, Error, Executable, Fingerprint, Input, IoError, LoadedBaseline, LockedStore, Origin,
    RunOrder, RunRecord, StoredBenchmark,
};
use crate::environment::Environment;
use crate::{new_file, relink};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::{NamedTempFile, TempDir};

/// The space that a record takes without benchmarks, at most, in bytes.
const RESERVE: usize = 16 * 1024;
/// The space of a benchmark with a few launches of dozens of samples, at most, in bytes.
const RESERVE_PER_BENCHMARK: usize = 4 * 1024;

/// A run that is about to be measured and saved.
#[derive(Debug, Default)]
pub struct RunToSave {
    /// The names that it is saved under.
    pub names: Vec<BaselineRef>,
    pub executables: Vec<BuiltExecutable>,
    /// The number of benchmarks that space is reserved for.
    pub benchmarks: usize,
    /// Flags selected some of the benchmarks only.
    pub is_partial: bool,
    /// The order in which results are saved.
    pub order: RunOrder,
}

/// An executable that was built, to be saved.
#[derive(Debug, Default)]
pub struct BuiltExecutable {
    pub path: PathBuf,
    /// The fingerprint of its file, if it was computed before.
    pub hash: Option<Fingerprint>,
    /// The libraries of the workspace that it loads.
    pub libraries: Vec<PathBuf>,
    /// The files and variables that its benchmarks may read. `None` if nobody looked for them.
    pub inputs: Option<Vec<Input>>,
}

/// A run that is ready to be saved. If it is dropped instead, only files without a name are left.
#[derive(Debug)]
pub struct StagedRun<'a> {
    /// In the order in which they were given.
    pub executables: Vec<Executable>,
    is_partial: bool,
    order: RunOrder,
    benchmarks: usize,
    /// The names, each with the space for its record.
    names: Vec<(BaselineRef, NamedTempFile)>,
    /// The results that the last run keeps unless they are measured again, those to prefer first.
    kept: Vec<RunRecord>,
    /// The last run that this one replaces, if it was read before.
    pub replaced: Option<Rc<LoadedBaseline>>,
    store: &'a LockedStore<'a>,
}

impl LockedStore<'_> {
    /// Prepares saving a run. The copies of executables at the `intact` paths need not be read again.
    ///
    /// Fails if the run could not be saved: the disk is full, a folder is not writable, or a later
    /// version wrote a run of one of the names, which is never replaced.
    pub fn stage(&self, run: RunToSave, intact: &[PathBuf]) -> Result<StagedRun<'_>, Error> {
        let RunToSave { names, executables, benchmarks, is_partial, order } = run;
        let reserved = |name: BaselineRef| {
            self.prove_replaceable(&name)?;
            Ok((name, self.reserve(benchmarks)?))
        };
        let names = names.into_iter().map(reserved).collect::<Result<_, Error>>()?;
        let stored = |built: &BuiltExecutable| self.store_executable(built, intact);
        let executables = executables.iter().map(stored).collect::<Result<_, _>>()?;
        let (kept, replaced) = (Vec::new(), None);
        Ok(StagedRun { executables, is_partial, order, benchmarks, names, kept, replaced, store: self })
    }

    /// Stores an executable that was built with its libraries and link inputs, unless the store has it.
    /// They are copied, as the next build may write to the same files. The copies are not synced: the
    /// fingerprint shows damage by a power failure.
    fn store_executable(&self, built: &BuiltExecutable, intact: &[PathBuf]) -> Result<Executable, IoError> {
        let (path, hash) = (&built.path, built.hash.clone());
        let hash = hash.map_or_else(|| Fingerprint::from_file(path), Ok).context("copy", path)?;
        // The loader uses the first file of a name.
        let mut names = HashSet::new();
        let sources: Vec<&PathBuf> =
            built.libraries.iter().filter(|path| names.insert(path.file_name())).collect();
        let libraries = sources.iter().map(|path| Library::new(path).context("copy", path));
        let mut executable = Executable {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            size: layout::size(path),
            hash,
            libraries: libraries.collect::<Result<_, _>>()?,
            outside_files: Vec::new(),
            inputs: built.inputs.clone(),
            link_inputs: None,
        };
        let place = executable.blob(Origin::Run).path(&self.store.root());
        if !intact.contains(&place) && !executable.is_intact(&place) {
            let staging = self.staging_folder(Origin::Run)?;
            let copy = staging.path().join("executable");
            layout::copy(path, &copy).context("write", &copy)?;
            let [libraries, ..] = places(&copy);
            for path in sources {
                layout::create_folder(&libraries)?;
                let copy = libraries.join(path.file_name().unwrap_or_default());
                layout::copy(path, &copy).context("write", &copy)?;
            }
            if !executable.is_intact(&copy) {
                return Err(io::Error::other("it was written meanwhile")).context("copy", path);
            }
            self.adopt(&copy, &place)?;
        }
        executable.link_inputs = self.store_link_inputs(path, &executable.hash, &place);
        Ok(executable)
    }

    /// Puts the link inputs of a built executable beside its copy, and returns their size in bytes.
    /// Everything else works without them, so a failure is none of a run.
    fn store_link_inputs(&self, built: &Path, hash: &Fingerprint, place: &Path) -> Option<u64> {
        if relink::kept_file(place, hash).is_none() {
            layout::link_or_copy(&relink::kept_file(built, hash)?, &relink::file_of(place)).ok()?;
        }
        relink::file_of(place).metadata().ok().map(|metadata| metadata.len())
    }

    /// Creates a folder for executables that are not complete yet.
    pub(super) fn staging_folder(&self, origin: Origin) -> Result<TempDir, IoError> {
        let parent = self.store.root().join(BlobId::folder(origin));
        layout::create_folder(&parent)?;
        tempfile::Builder::new().prefix(".").tempdir_in(&parent).context("write in", &parent)
    }

    /// Moves an executable and the files beside it to their place, instead of damaged ones.
    pub(super) fn adopt(&self, staged: &Path, place: &Path) -> Result<(), IoError> {
        for (from, to) in places(staged).into_iter().zip(places(place)) {
            if layout::exists(&from) {
                layout::delete(&to);
                fs::rename(&from, &to).context("write", &to)?;
            }
        }
        Ok(())
    }

    /// Fails if a name can't point to another run, or must not.
    pub(super) fn prove_replaceable(&self, name: &BaselineRef) -> Result<(), Error> {
        self.store.check_replaceable(name)?;
        let folder = self.store.root().join(NAMES);
        new_file::create_in(&folder).context("write in", &folder)?;
        Ok(())
    }

    /// Creates a file with space for the record of this number of benchmarks. A file system that
    /// compresses reserves less, so it may still turn out to be full at the end.
    pub(super) fn reserve(&self, benchmarks: usize) -> Result<NamedTempFile, IoError> {
        let folder = self.store.root().join(RUNS);
        let mut file = new_file::create_in(&folder).context("write in", &folder)?;
        let size = RESERVE + benchmarks * RESERVE_PER_BENCHMARK;
        if !allocate(file.as_file(), size) {
            let written = file.write_all(&vec![b' '; size]).and_then(|()| file.as_file().sync_all());
            written.context("write", file.path())?;
        }
        Ok(file)
    }

    /// Writes the record of a run into reserved space, and returns what a name may point to.
    pub(super) fn write_record(&self, run: &RunRecord, mut file: NamedTempFile) -> Result<Target, IoError> {
        let text = run.to_json().context("write", file.path())?;
        let record = format!("{}{JSON}", Fingerprint::of(&text).digits());
        let path = self.store.root().join(RUNS).join(&record);
        let write = || {
            file.rewind()?;
            file.write_all(&text)?;
            file.as_file().set_len(text.len() as u64)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().context("write", &path)?;
        Ok(Target::new(record, run))
    }
}

impl StagedRun<'_> {
    /// Makes the last run keep the results of `run` that pass the filter, unless they are measured
    /// again or kept from another run already.
    pub fn keep(&mut self, run: &RunRecord, filter: impl Fn(&StoredBenchmark) -> bool) -> Result<(), Error> {
        self.add(RunRecord { is_partial: true, ..run.with_benchmarks(filter) })
    }

    /// Makes the last run keep the results of the one before it, in the same way. If that has all
    /// benchmarks, so does this one.
    pub fn carry_over(
        &mut self,
        last: &RunRecord,
        filter: impl Fn(&StoredBenchmark) -> bool,
    ) -> Result<(), Error> {
        self.add(last.with_benchmarks(filter))
    }

    fn add(&mut self, kept: RunRecord) -> Result<(), Error> {
        self.benchmarks += kept.benchmarks.len();
        if let Some((_, file)) = self.names.iter_mut().find(|(name, _)| *name == BaselineRef::Last) {
            *file = self.store.reserve(self.benchmarks)?;
        }
        self.kept.push(kept);
        Ok(())
    }

    /// Returns whether the run is saved under this name.
    pub fn includes(&self, name: &BaselineRef) -> bool {
        self.names.iter().any(|(known, _)| known == name)
    }

    /// Saves the results under each of the names, except one.
    pub fn commit(
        self,
        environment: Environment,
        benchmarks: Vec<StoredBenchmark>,
        except: Option<&BaselineRef>,
    ) -> Result<(), Error> {
        let mut run = RunRecord::new(environment, self.executables, benchmarks);
        run.is_partial = self.is_partial;
        let mut last = run.clone();
        last.is_partial &= self.kept.iter().all(|kept| kept.is_partial);
        let max_codes = run.number_of_codes() + MAX_CARRIED;
        self.kept.iter().for_each(|kept| last.carry(kept, max_codes));
        for results in [&mut run.benchmarks, &mut last.benchmarks] {
            self.order.sort(results);
        }
        for (name, file) in self.names.into_iter().filter(|(name, _)| Some(name) != except) {
            if name == BaselineRef::Last {
                self.store.save_last(&last, self.replaced.as_deref(), file)?;
            } else {
                self.store.save(&name, &run, file)?;
            }
        }
        Ok(())
    }
}

impl LockedStore<'_> {
    /// Saves a run under a name. The run that had the name becomes its previous version, and `true` is
    /// returned, if this version or a later one can read it: it would replace a better one there.
    pub(super) fn save(
        &self,
        name: &BaselineRef,
        run: &RunRecord,
        file: NamedTempFile,
    ) -> Result<bool, Error> {
        let mut pointer = self.store.pointer_to_replace(name)?;
        let is_kept = match self.store.read(name) {
            Ok(_) => true,
            Err(error) => !error.may_be_replaced(),
        };
        let replaced = pointer.run.replace(self.write_record(run, file)?);
        if is_kept {
            pointer.previous = replaced;
        }
        self.write_pointer(name, &pointer)?;
        Ok(is_kept)
    }

    /// Saves the last run. Of the one that it replaces, the previous run gets the results of other code.
    fn save_last(
        &self,
        run: &RunRecord,
        replaced: Option<&LoadedBaseline>,
        file: NamedTempFile,
    ) -> Result<(), Error> {
        let name = BaselineRef::Last;
        let mut pointer = self.store.pointer_to_replace(&name)?;
        let read = if replaced.is_none() { self.store.read(&name).ok() } else { None };
        if let Some(replaced) = replaced.or(read.as_ref()) {
            let earlier = || Some(self.store.read(&BaselineRef::BeforeLast).ok()?.baseline);
            let previous = replaced.baseline.before(run, earlier);
            // Nothing but an explanation is lost if this fails.
            let written = previous.map(|previous| self.write_record(&previous, self.reserve(0)?));
            if let Some(Ok(previous)) = written {
                pointer.previous = Some(previous);
            }
        }
        pointer.run = Some(self.write_record(run, file)?);
        Ok(self.write_pointer(&name, &pointer)?)
    }
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
