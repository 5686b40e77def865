//! The store of baselines in a target directory: the part of [`Store`] that lists and loads, and
//! the lock.

use super::describe::describe;
use super::executable;
use super::format::{FormatError, MAX_JSON_BYTES, check_format};
use super::io_error::IoContext as _;
use super::layout::{self, BLOBS, IMPORTS, JSON, NAMES, OLDER, RUNS};
use super::name::LAST;
use super::pointer::{Pointer, Target};
use super::{
    BaselineName, BaselineRef, Error, Executable, IoError, RunRecord, StoredBenchmark, StoredCopy, lock,
    place,
};
use crate::benchmark_id::BenchmarkId;
use crate::suggest;
use crate::{new_file, output, regular_file};
use jiff::Zoned;
use nanobench::report::escape;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The limit for the size of a name's file, in bytes.
const MAX_POINTER_BYTES: u64 = 16 << 20;

/// The store of a workspace in `<target>/nanobench`. Reading takes no lock and creates nothing.
#[derive(Debug)]
pub struct Store {
    /// `<target>/nanobench`.
    shared: PathBuf,
    pub(super) workspace: PathBuf,
    /// The command that measures, which advice names.
    command: &'static str,
}

/// A baseline that was read from the store.
#[derive(Debug)]
pub struct LoadedBaseline {
    pub baseline: RunRecord,
    root: PathBuf,
    /// The places of its benchmarks, once one is looked up.
    places: OnceCell<HashMap<BenchmarkId, usize>>,
}

/// A baseline of a list.
#[derive(Debug)]
pub struct ListedBaseline {
    /// Its name, which may be invalid, with `~1` for an earlier version.
    pub name: String,
    /// The size of all its files, in bytes.
    pub size: u64,
    /// The baseline, or the reason why it can't be read.
    pub baseline: Result<RunRecord, Error>,
}

impl Store {
    /// Returns the store of a workspace in a target directory, which may not exist yet.
    pub fn open(target_directory: &Path, workspace: &Path) -> Self {
        // The same workspace may be reached by several paths.
        let workspace = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
        Store { shared: target_directory.join("nanobench"), workspace, command: "cargo nanobench" }
    }

    /// Makes advice name another command that measures.
    pub fn for_command(self, command: &'static str) -> Self {
        Store { command, ..self }
    }

    /// Returns all named baselines, sorted by name, including those that can't be read.
    pub fn list(&self) -> Result<Vec<ListedBaseline>, Error> {
        let mut all = Vec::new();
        for name in self.names()?.into_iter().filter(|name| name != LAST) {
            let pointer = name.parse().map_err(Error::from).and_then(|name: BaselineName| {
                let run = BaselineRef::Named(name);
                Ok((self.pointer(&run)?, run))
            });
            match pointer {
                Err(error) => all.push(ListedBaseline { name, size: 0, baseline: Err(error) }),
                Ok((pointer, run)) => {
                    let versions = [Some(run.clone()), run.previous()].into_iter().flatten();
                    all.extend(versions.filter_map(|version| self.listed(&version, &pointer)));
                }
            }
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    /// Reads a baseline. If there is none, the error lists the saved ones.
    pub fn load(&self, baseline: &BaselineRef) -> Result<LoadedBaseline, Error> {
        self.require(baseline)?;
        match self.read(baseline) {
            // A run may have replaced it meanwhile.
            Err(Error::Incomplete { .. }) => self.read(baseline),
            read => read,
        }
    }

    /// Reads the last run, if there is one.
    pub fn last(&self) -> Result<Option<LoadedBaseline>, Error> {
        if self.contains(&BaselineRef::Last) { self.load(&BaselineRef::Last).map(Some) } else { Ok(None) }
    }

    /// Returns the previous run as it would be in a list.
    pub fn listed_previous_run(&self) -> Option<ListedBaseline> {
        self.listed(&BaselineRef::BeforeLast, &self.pointer(&BaselineRef::Last).ok()?)
    }

    /// Returns whether there is such a baseline, readable or not.
    pub fn contains(&self, baseline: &BaselineRef) -> bool {
        self.pointer(baseline).map_or(true, |pointer| pointer.get(baseline).is_some())
    }

    /// Fails if there is no such baseline. The error lists the saved ones.
    pub(super) fn require(&self, baseline: &BaselineRef) -> Result<(), Error> {
        match baseline {
            _ if self.contains(baseline) => Ok(()),
            BaselineRef::Last => Err(Error::NoLastRun { command: self.command }),
            BaselineRef::BeforeLast => Err(Error::NoPreviousRun { command: self.command }),
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => Err(self.unknown(baseline)),
        }
    }

    /// Locks the store for a run. If another run has it, prints that to stderr and waits until it
    /// is free or `interrupted` returns true. Then repairs the store after killed runs.
    pub fn lock(&self, interrupted: &dyn Fn() -> bool) -> Result<LockedStore<'_>, Error> {
        layout::create(&self.shared)?;
        let on_wait = || {
            let target = self.shared.parent().unwrap_or(&self.shared).to_string_lossy();
            let target = escape(&target);
            output::note(&format!(
                "waiting for another cargo nanobench in this target directory:\n  {target}"
            ));
        };
        let lock = lock::acquire(&self.shared.join("lock"), on_wait, interrupted)?;
        place::claim(&self.shared, &self.workspace)?;
        let root = self.root();
        [NAMES, RUNS].iter().try_for_each(|folder| layout::create_folder(&root.join(folder)))?;
        drop_older(&root);
        let locked = LockedStore { store: self, _lock: lock };
        locked.sweep();
        Ok(locked)
    }

    /// Returns the folder of the store. It is looked up each time: another workspace may become the
    /// first one of the target directory until this one has the lock.
    pub(super) fn root(&self) -> PathBuf {
        place::find(&self.shared, &self.workspace)
    }

    /// Fails if an existing baseline must stay: a later version wrote it, or that can't be told.
    pub(super) fn check_replaceable(&self, baseline: &BaselineRef) -> Result<(), Error> {
        let check = || match self.pointer(baseline)?.get(baseline) {
            Some(target) => {
                let (file, text) = self.record(baseline, target)?;
                check_format(&text).map_err(|fault| fault.into_error(baseline, file))
            }
            None => Ok(()),
        };
        // Saving again repairs a useless baseline.
        check().or_else(|error| if error.may_be_replaced() { Ok(()) } else { Err(error) })
    }

    /// Returns a version of a name as it is in a list. `None` if there is none.
    pub(super) fn listed(&self, version: &BaselineRef, pointer: &Pointer) -> Option<ListedBaseline> {
        let target = pointer.get(version)?;
        let root = self.root();
        let executables = target.blobs.iter().map(|blob| executable::size(&blob.path(&root)));
        let record = layout::size(&root.join(RUNS).join(&target.record));
        let size = executables.fold(record, u64::saturating_add);
        let baseline = self.read(version).map(|read| read.baseline);
        Some(ListedBaseline { name: version.name(), size, baseline })
    }

    /// Reads a baseline that exists.
    pub(super) fn read(&self, baseline: &BaselineRef) -> Result<LoadedBaseline, Error> {
        let pointer = self.pointer(baseline)?;
        let file = || self.pointer_file(baseline);
        let target = pointer.get(baseline);
        let target = target.ok_or_else(|| Error::Incomplete { baseline: baseline.clone(), file: file() })?;
        let (file, text) = self.record(baseline, target)?;
        match RunRecord::parse(&text) {
            Ok(record) => Ok(LoadedBaseline { baseline: record, root: self.root(), places: OnceCell::new() }),
            Err(fault) => Err(fault.into_error(baseline, file)),
        }
    }

    /// Returns the path and the text of a record.
    fn record(&self, baseline: &BaselineRef, target: &Target) -> Result<(PathBuf, Vec<u8>), Error> {
        let file = self.root().join(RUNS).join(&target.record);
        // One byte more than the limit is enough for the parser to refuse the file.
        match regular_file::read(&file, MAX_JSON_BYTES + 1) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Error::Incomplete { baseline: baseline.clone(), file })
            }
            text => Ok((file.clone(), text.context("read", &file)?)),
        }
    }

    /// Returns all names, valid or not.
    fn names(&self) -> Result<Vec<String>, IoError> {
        let entries = layout::entries(&self.root().join(NAMES))?.into_iter();
        let names = entries.filter_map(|entry| entry.strip_suffix(JSON).map(str::to_owned));
        Ok(names.filter(|name| !name.starts_with('.')).collect())
    }

    /// Returns the file of a baseline's name.
    pub(super) fn pointer_file(&self, baseline: &BaselineRef) -> PathBuf {
        let name = match baseline {
            BaselineRef::Last | BaselineRef::BeforeLast => LAST,
            BaselineRef::Named(name) | BaselineRef::Earlier(name) => name.as_ref(),
        };
        self.root().join(NAMES).join(format!("{name}{JSON}"))
    }

    /// Returns what a name points to that is about to point to something else.
    pub(super) fn pointer_to_replace(&self, name: &BaselineRef) -> Result<Pointer, Error> {
        self.pointer(name)
            .or_else(|error| if error.may_be_replaced() { Ok(Pointer::default()) } else { Err(error) })
    }

    /// Returns what a baseline's name points to, which may be nothing.
    pub(super) fn pointer(&self, baseline: &BaselineRef) -> Result<Pointer, Error> {
        let file = self.pointer_file(baseline);
        match regular_file::read(&file, MAX_POINTER_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Pointer::default()),
            text => serde_json::from_slice(&text.context("read", &file)?).map_err(|reason| Error::Damaged {
                baseline: baseline.clone(),
                file,
                reason,
            }),
        }
    }

    pub(super) fn unknown(&self, baseline: &BaselineRef) -> Error {
        let listed = self.list().unwrap_or_default();
        let now = Zoned::now();
        let line = |listed: &ListedBaseline| match &listed.baseline {
            Ok(baseline) => format!("{} ({})", escape(&listed.name), describe(baseline, &now)),
            Err(_) => format!("{} (can't be read)", escape(&listed.name)),
        };
        let last = Some(LAST).filter(|_| self.contains(&BaselineRef::Last));
        let names = listed.iter().map(|listed| listed.name.as_str()).chain(last);
        let nearest = suggest::nearest(&baseline.name(), names);
        let mut known = match &listed.iter().map(line).collect::<Vec<_>>()[..] {
            [] => format!("no baseline exists yet; save one: {} --save-baseline NAME", self.command),
            saved => format!("saved baselines: {}", saved.join(", ")),
        };
        if let Some(name) = nearest.first() {
            known += &format!("\ndid you mean `{}`?", escape(name));
        }
        Error::Unknown { baseline: baseline.clone(), known }
    }
}

/// Deletes the runs of a store of an earlier version. What can't be deleted is in nobody's way.
fn drop_older(root: &Path) {
    let folders = OLDER.map(|folder| root.join(folder));
    let older = folders.iter().filter(|folder| folder.is_dir()).inspect(|folder| layout::delete(folder));
    if older.filter(|folder| !folder.exists()).count() > 0 {
        output::note(
            "deleted the runs that an earlier version of cargo-nanobench has stored here, which this one can't \
             read: save their baselines again",
        );
    }
}

impl FormatError {
    fn into_error(self, baseline: &BaselineRef, file: PathBuf) -> Error {
        let baseline = baseline.clone();
        match self {
            FormatError::Newer { tool } => Error::NewerFormat { baseline, file, tool },
            FormatError::Older => Error::OlderFormat { baseline, file },
            FormatError::Damaged(reason) => Error::Damaged { baseline, file, reason },
        }
    }
}

impl LoadedBaseline {
    /// Returns the results of a benchmark.
    pub fn benchmark(&self, id: &BenchmarkId) -> Option<&StoredBenchmark> {
        let benchmarks = &self.baseline.benchmarks;
        let number = || benchmarks.iter().map(StoredBenchmark::id).zip(0..).collect();
        benchmarks.get(*self.places.get_or_init(number).get(id)?)
    }

    /// Returns the copy of an executable to run here, if it turns out to be intact. `None` if it came
    /// from a file that the user doesn't trust.
    pub fn runnable_copy(&self, executable: &Executable) -> Option<StoredCopy> {
        self.baseline.may_run().then(|| self.stored_copy(executable))
    }

    /// Returns the path of an executable. `None` if it or one of its libraries is gone or changed.
    pub fn stored_executable(&self, executable: &Executable) -> Option<PathBuf> {
        self.stored_copy(executable).into_intact()
    }

    /// Returns the path of the copy of an executable, which may be gone.
    pub fn copy_path(&self, executable: &Executable) -> PathBuf {
        executable.blob(self.baseline.origin).path(&self.root)
    }

    fn stored_copy(&self, executable: &Executable) -> StoredCopy {
        StoredCopy { path: self.copy_path(executable), executable: executable.clone() }
    }
}

/// The store while no other run can change it. Locking it twice in one process would wait forever.
#[derive(Debug)]
pub struct LockedStore<'a> {
    pub(super) store: &'a Store,
    _lock: File,
}

impl LockedStore<'_> {
    /// Makes a name point to other runs, in one step.
    pub(super) fn write_pointer(&self, name: &BaselineRef, pointer: &Pointer) -> Result<(), IoError> {
        let file = self.store.pointer_file(name);
        if pointer.targets().next().is_none() {
            return layout::remove(&file);
        }
        layout::replace(&file, &self.store.root().join(NAMES), |opened| {
            opened.write_all(&serde_json::to_vec(pointer)?)
        })
    }

    /// Deletes the files that no name leads to. If a name can't be read, none is deleted.
    fn sweep(&self) {
        let root = self.store.root();
        let read = |name: String| self.store.pointer(&name.parse().ok()?).ok();
        let Ok(names) = self.store.names() else { return };
        let Some(pointers) = names.into_iter().map(read).collect::<Option<Vec<Pointer>>>() else { return };
        let targets = || pointers.iter().flat_map(Pointer::targets);
        let records = targets().map(|target| root.join(RUNS).join(&target.record));
        let executables = targets().flat_map(|target| &target.blobs).map(|blob| blob.path(&root));
        let kept: HashSet<PathBuf> =
            records.chain(executables.flat_map(|path| executable::places(&path))).collect();
        for folder in [RUNS, BLOBS, IMPORTS].map(|folder| root.join(folder)) {
            let entries = layout::entries(&folder).unwrap_or_default();
            let places = entries.iter().map(|entry| folder.join(entry));
            places.filter(|place| !kept.contains(place)).for_each(|place| layout::delete(&place));
        }
        // Other folders may have unfinished files of this run: its reports are written beside the store.
        let names = root.join(NAMES);
        let entries = layout::entries(&names).unwrap_or_default();
        let unfinished = entries.iter().filter(|entry| entry.starts_with(new_file::PREFIX));
        unfinished.for_each(|entry| layout::delete(&names.join(entry)));
    }
}

impl Drop for LockedStore<'_> {
    fn drop(&mut self) {
        self.sweep();
    }
}
