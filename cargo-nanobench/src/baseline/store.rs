//! The store of baselines in a target directory: the part of [`Store`] that lists and loads, and
//! the lock.

use super::baseline_ref::EARLIER_SUFFIX;
use super::describe::describe;
use super::format::{FormatError, MAX_JSON_BYTES, check_format};
use super::io_error::IoContext as _;
use super::name::LAST;
use super::{
    Baseline, BaselineRef, Error, Executable, NameError, StoredBenchmark, StoredCopy, layout, lock, moves,
    place,
};
use crate::benchmark_id::BenchmarkId;
use crate::suggest;
use crate::{output, regular_file};
use jiff::Zoned;
use nanobench::report::escape;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The store of a workspace in `<target>/nanobench`. Reading takes no lock and creates nothing.
#[derive(Debug)]
pub(crate) struct Store {
    /// `<target>/nanobench`.
    shared: PathBuf,
    pub(super) workspace: PathBuf,
    /// The command that measures, which advice names.
    command: &'static str,
}

/// A baseline that was read from the store.
#[derive(Debug)]
pub(crate) struct LoadedBaseline {
    pub(crate) baseline: Baseline,
    folder: PathBuf,
    /// The places of its benchmarks, once one is looked up.
    places: OnceCell<HashMap<BenchmarkId, usize>>,
}

/// A baseline of a list.
#[derive(Debug)]
pub(crate) struct ListedBaseline {
    /// The name of its folder, which may be an invalid name, with `~1` for an earlier version.
    pub(crate) name: String,
    /// The size of all its files, in bytes.
    pub(crate) size: u64,
    /// The baseline, or the reason why it can't be read.
    pub(crate) baseline: Result<Baseline, Error>,
}

impl Store {
    /// Returns the store of a workspace in a target directory, which may not exist yet.
    pub(crate) fn open(target_directory: &Path, workspace: &Path) -> Self {
        // The same workspace may be reached by several paths.
        let workspace = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
        Store { shared: target_directory.join("nanobench"), workspace, command: "cargo nanobench" }
    }

    /// Makes advice name another command that measures.
    pub(crate) fn for_command(self, command: &'static str) -> Self {
        Store { command, ..self }
    }

    /// Returns all named baselines, sorted by name, including those that can't be read.
    pub(crate) fn list(&self) -> Result<Vec<ListedBaseline>, Error> {
        let root = self.root();
        let (named, earlier) = (layout::baselines(&root), layout::earlier(&root));
        let mut all = Vec::new();
        for name in layout::names(&named)? {
            let (baseline, folder) = (name.parse().map(BaselineRef::Named), named.join(&name));
            all.push(self.listed(name, baseline, folder));
        }
        for name in layout::names(&earlier)?.into_iter().filter(|name| name != LAST) {
            let (baseline, folder) = (name.parse().map(BaselineRef::Earlier), earlier.join(&name));
            all.push(self.listed(name + EARLIER_SUFFIX, baseline, folder));
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    /// Reads a baseline. If there is none, the error lists the saved ones.
    pub(crate) fn load(&self, baseline: &BaselineRef) -> Result<LoadedBaseline, Error> {
        self.require(baseline)?;
        self.read(baseline, layout::readable(baseline.folder(&self.root())))
    }

    /// Reads the last run, if there is one.
    pub(crate) fn last(&self) -> Result<Option<LoadedBaseline>, Error> {
        if self.contains(&BaselineRef::Last) { self.load(&BaselineRef::Last).map(Some) } else { Ok(None) }
    }

    /// Returns the previous run as it would be in a list.
    pub(crate) fn listed_previous_run(&self) -> Option<ListedBaseline> {
        let previous = BaselineRef::BeforeLast;
        let folder = previous.folder(&self.root());
        self.contains(&previous).then(|| self.listed(previous.name(), Ok(previous), folder))
    }

    /// Returns whether there is such a baseline, readable or not.
    pub(crate) fn contains(&self, baseline: &BaselineRef) -> bool {
        layout::exists(&layout::readable(baseline.folder(&self.root())))
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
    pub(crate) fn lock(&self, interrupted: &dyn Fn() -> bool) -> Result<LockedStore<'_>, Error> {
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
        moves::recover(&root, |_| None)?;
        moves::recover(&layout::earlier(&root), |_| None)?;
        moves::recover(&layout::baselines(&root), |name| {
            self.previous_folder(&BaselineRef::Named(name.parse().ok()?))
        })?;
        Ok(LockedStore { store: self, _lock: lock })
    }

    /// Returns the folder of the store. It is looked up each time: another workspace may become the
    /// first one of the target directory until this one has the lock.
    pub(super) fn root(&self) -> PathBuf {
        place::find(&self.shared, &self.workspace)
    }

    /// Returns the folder to which a baseline is moved when it is replaced. `None` if it is deleted
    /// instead: the last run, and a baseline that this version and later ones can't read, as it
    /// would replace a better one there.
    pub(super) fn previous_folder(&self, baseline: &BaselineRef) -> Option<PathBuf> {
        let BaselineRef::Named(name) = baseline else { return None };
        let folder = baseline.folder(&self.root());
        // During a replacement, the old content is meant.
        let replaced = layout::old_content(&folder);
        let is_useful = match self.read(baseline, replaced.unwrap_or(folder)) {
            Ok(_) => true,
            Err(error) => !error.may_be_replaced(),
        };
        is_useful.then(|| BaselineRef::Earlier(name.clone()).folder(&self.root()))
    }

    /// Fails if an existing baseline must stay: a later version wrote it, or that can't be told.
    pub(super) fn check_replaceable(&self, baseline: &BaselineRef) -> Result<(), Error> {
        if !self.contains(baseline) {
            return Ok(());
        }
        let folder = layout::readable(baseline.folder(&self.root()));
        let checked = read_json(baseline, &folder)
            .and_then(|text| check_format(&text).map_err(|fault| fault.into_error(baseline, &folder)));
        // Saving again repairs a useless baseline.
        checked.or_else(|error| if error.may_be_replaced() { Ok(()) } else { Err(error) })
    }

    pub(super) fn listed(
        &self,
        name: String,
        baseline: Result<BaselineRef, NameError>,
        folder: PathBuf,
    ) -> ListedBaseline {
        let folder = layout::readable(folder);
        let size = layout::size(&folder);
        let read = |baseline: BaselineRef| Ok(self.read(&baseline, folder)?.baseline);
        ListedBaseline { name, size, baseline: baseline.map_err(Error::from).and_then(read) }
    }

    fn read(&self, baseline: &BaselineRef, folder: PathBuf) -> Result<LoadedBaseline, Error> {
        match Baseline::parse(&read_json(baseline, &folder)?) {
            Ok(baseline) => Ok(LoadedBaseline { baseline, folder, places: OnceCell::new() }),
            Err(fault) => Err(fault.into_error(baseline, &folder)),
        }
    }

    fn unknown(&self, baseline: &BaselineRef) -> Error {
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

/// Reads the `baseline.json` of a folder.
fn read_json(baseline: &BaselineRef, folder: &Path) -> Result<Vec<u8>, Error> {
    let baseline = baseline.clone();
    if folder.is_file() {
        return Err(Error::NotAFolder { baseline, path: folder.to_owned() });
    }
    let file = folder.join(layout::JSON);
    // One byte more than the limit is enough for the parser to refuse the file.
    match regular_file::read(&file, MAX_JSON_BYTES + 1) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::Incomplete { baseline, file }),
        text => Ok(text.context("read", &file)?),
    }
}

impl FormatError {
    fn into_error(self, baseline: &BaselineRef, folder: &Path) -> Error {
        let (baseline, file) = (baseline.clone(), folder.join(layout::JSON));
        match self {
            FormatError::Newer { tool } => Error::NewerFormat { baseline, file, tool },
            FormatError::Older => Error::OlderFormat { baseline, file },
            FormatError::Damaged(reason) => Error::Damaged { baseline, file, reason },
        }
    }
}

impl LoadedBaseline {
    /// Returns the results of a benchmark.
    pub(crate) fn benchmark(&self, id: &BenchmarkId) -> Option<&StoredBenchmark> {
        let benchmarks = &self.baseline.benchmarks;
        let number = || benchmarks.iter().map(StoredBenchmark::id).zip(0..).collect();
        benchmarks.get(*self.places.get_or_init(number).get(id)?)
    }

    /// Returns the copy of an executable to run here, if it turns out to be intact. `None` if it came
    /// from a file that the user doesn't trust.
    pub(crate) fn runnable_copy(&self, executable: &Executable) -> Option<StoredCopy> {
        self.baseline.may_run().then(|| self.stored_copy(executable))
    }

    /// Returns the path of an executable. `None` if it or one of its libraries is gone or changed.
    pub(crate) fn stored_executable(&self, executable: &Executable) -> Option<PathBuf> {
        self.stored_copy(executable).into_intact().map(|copy| copy.path)
    }

    /// Returns the path of the copy of an executable, which may be gone.
    pub(crate) fn copy_path(&self, executable: &Executable) -> PathBuf {
        self.folder.join(layout::EXECUTABLES).join(&executable.file)
    }

    fn stored_copy(&self, executable: &Executable) -> StoredCopy {
        StoredCopy { path: self.copy_path(executable), executable: executable.clone() }
    }
}

/// The store while no other run can change it. Locking it twice in one process would wait forever.
#[derive(Debug)]
pub(crate) struct LockedStore<'a> {
    pub(super) store: &'a Store,
    _lock: File,
}
