//! The baselines of a target directory: listed and loaded.

use super::baseline_ref::EARLIER_SUFFIX;
use super::error::{At as _, Here};
use super::format::Fault;
use super::lock::Lock;
use super::name::LAST;
use super::{Baseline, BaselineRef, Error, Executable, Fingerprint, NameError, layout, summary};
use crate::suggest;
use jiff::Zoned;
use nanobench::report::escape;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a baseline's folder has it in.
const JSON: &str = "baseline.json";

/// `<target>/nanobench`. Reading takes no lock and creates nothing.
#[derive(Debug)]
pub(crate) struct Store {
    root: PathBuf,
}

/// A baseline that was read.
#[derive(Debug)]
pub(crate) struct LoadedBaseline {
    /// What is in it.
    pub(crate) baseline: Baseline,
    folder: PathBuf,
}

/// A baseline of a list.
#[derive(Debug)]
pub(crate) struct ListedBaseline {
    /// As its folder is called, which may be no valid name; with `~1` for one whose name was taken by another.
    pub(crate) name: String,
    /// Of all its files, in bytes.
    pub(crate) size: u64,
    /// What is in it, or why that can't be read.
    pub(crate) baseline: Result<Baseline, Error>,
}

impl Store {
    /// The store of a target directory, which needn't be there yet.
    pub(crate) fn open(target_directory: &Path) -> Self {
        Store { root: target_directory.join("nanobench") }
    }

    /// All that were saved under a name, by name, those included that can't be read.
    pub(crate) fn list(&self) -> Result<Vec<ListedBaseline>, Error> {
        let (named, earlier) = (layout::baselines(&self.root), layout::earlier(&self.root));
        let mut all = Vec::new();
        for name in layout::names(&named)? {
            let (place, folder) = (name.parse().map(BaselineRef::Named), named.join(&name));
            all.push(self.listed(name, place, folder));
        }
        for name in layout::names(&earlier)? {
            let (place, folder) = (name.parse().map(BaselineRef::Earlier), earlier.join(&name));
            all.push(self.listed(name + EARLIER_SUFFIX, place, folder));
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    /// The baseline in a place.
    pub(crate) fn load(&self, place: &BaselineRef) -> Result<LoadedBaseline, Error> {
        self.known(place)?;
        self.read(place)
    }

    /// An error that says what there is, where there is nothing in a place.
    pub(super) fn known(&self, place: &BaselineRef) -> Result<(), Error> {
        match place {
            _ if self.contains(place) => Ok(()),
            BaselineRef::Last => Err(Error::NoLastRun),
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => Err(self.unknown(place)),
        }
    }

    /// The last run, if there was one.
    pub(crate) fn last(&self) -> Result<Option<LoadedBaseline>, Error> {
        if self.contains(&BaselineRef::Last) { self.read(&BaselineRef::Last).map(Some) } else { Ok(None) }
    }

    /// Takes the store for a run. Where another one has it, says so on stderr and waits, until it is free or
    /// `interrupted` says so. Then repairs what killed runs left.
    pub(crate) fn lock(&self, interrupted: &dyn Fn() -> bool) -> Result<LockedStore<'_>, Error> {
        layout::create(&self.root)?;
        let waiting = || {
            let target = self.root.parent().unwrap_or(&self.root).to_string_lossy();
            let target = escape(&target);
            anstream::eprintln!("waiting for another cargo nanobench in this target directory ({target})...");
        };
        let lock = Lock::take(&self.root.join("lock"), waiting, interrupted)?;
        layout::tidy(&self.root, |_| None)?;
        layout::tidy(&layout::earlier(&self.root), |_| None)?;
        layout::tidy(&layout::baselines(&self.root), |name| {
            self.before(&BaselineRef::Named(name.parse().ok()?))
        })?;
        Ok(LockedStore { store: self, _lock: lock })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where what is in a place goes when another takes the place. None for the last run, which is never kept, nor for
    /// what is of no use to anyone: it would take the place of something better.
    pub(super) fn before(&self, place: &BaselineRef) -> Option<PathBuf> {
        let BaselineRef::Named(name) = place else { return None };
        let folder = place.folder(&self.root);
        // In the middle of an exchange, it is the one that was replaced.
        let replaced = Some(layout::replaced(&folder)).filter(|replaced| layout::exists(replaced));
        let is_of_use = match self.read_in(place, replaced.unwrap_or(folder)) {
            Ok(_) => true,
            Err(error) => !error.may_be_replaced(),
        };
        is_of_use.then(|| BaselineRef::Earlier(name.clone()).folder(&self.root))
    }

    pub(super) fn listed(
        &self,
        name: String,
        place: Result<BaselineRef, NameError>,
        folder: PathBuf,
    ) -> ListedBaseline {
        let folder = layout::current(folder);
        let saved = place.map_err(Error::from).and_then(|place| self.read(&place));
        let baseline = saved.map(|saved| saved.baseline);
        ListedBaseline { size: layout::size(&folder), baseline, name }
    }

    /// Reads what is in a place. An error where there is nothing.
    pub(super) fn read(&self, place: &BaselineRef) -> Result<LoadedBaseline, Error> {
        self.read_in(place, layout::current(place.folder(&self.root)))
    }

    /// An error where what is in a place must stay: a later version wrote it, or it can't be told.
    pub(super) fn check_replaceable(&self, place: &BaselineRef) -> Result<(), Error> {
        let folder = layout::current(place.folder(&self.root));
        match content(place, &folder) {
            Ok(text) => Fault::of_newer(&text).map_or(Ok(()), |fault| Err(fault.of(place, &folder))),
            Err(error) if error.may_be_replaced() => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn read_in(&self, place: &BaselineRef, folder: PathBuf) -> Result<LoadedBaseline, Error> {
        match Baseline::parse(&content(place, &folder)?) {
            Ok(baseline) => Ok(LoadedBaseline { baseline, folder }),
            Err(fault) => Err(fault.of(place, &folder)),
        }
    }

    /// Whether there is anything in a place, readable or not.
    pub(crate) fn contains(&self, place: &BaselineRef) -> bool {
        layout::exists(&layout::current(place.folder(&self.root)))
    }

    fn unknown(&self, place: &BaselineRef) -> Error {
        let listed = self.list().unwrap_or_default();
        let now = Zoned::now();
        let describe = |listed: &ListedBaseline| match &listed.baseline {
            Ok(baseline) => format!("{} ({})", escape(&listed.name), summary(baseline, &now)),
            Err(_) => format!("{} (can't be read)", escape(&listed.name)),
        };
        let last = Some(LAST).filter(|_| self.contains(&BaselineRef::Last));
        let names = listed.iter().map(|listed| listed.name.as_str()).chain(last);
        let nearest = suggest::nearest(&place.name(), names);
        let nearest = nearest.first().map(|&name| name.to_owned());
        Error::Unknown {
            place: place.clone(),
            here: Here { baselines: listed.iter().map(describe).collect(), nearest },
        }
    }
}

/// The text that is kept in a place.
fn content(place: &BaselineRef, folder: &Path) -> Result<Vec<u8>, Error> {
    let place = place.clone();
    if folder.is_file() {
        return Err(Error::NotAFolder { place, path: folder.to_owned() });
    }
    let file = folder.join(JSON);
    match fs::read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::Incomplete { place, file }),
        text => text.at("read", &file),
    }
}

impl Fault {
    /// The error of the baseline that was kept there.
    fn of(self, place: &BaselineRef, folder: &Path) -> Error {
        let (place, file) = (place.clone(), folder.join(JSON));
        match self {
            Fault::Newer { tool } => Error::Newer { place, file, tool },
            Fault::Damaged(reason) => Error::Damaged { place, file, reason },
        }
    }
}

impl LoadedBaseline {
    /// Where an executable of this baseline is that can be run here. None where it is gone or isn't any more what was
    /// measured, and where it comes from another machine.
    pub(crate) fn runnable_executable(&self, executable: &Executable) -> Option<PathBuf> {
        self.stored_executable(executable).filter(|_| !self.baseline.from_other_machine)
    }

    /// The same, wherever it comes from.
    pub(crate) fn stored_executable(&self, executable: &Executable) -> Option<PathBuf> {
        let path = self.folder.join("executables").join(&executable.file);
        let intact =
            path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == executable.size)
                && Fingerprint::from_file(&path).is_ok_and(|hash| hash == executable.hash);
        intact.then_some(path)
    }
}

/// The store while no other run can change it. Taking it twice at once in one process would wait forever.
#[derive(Debug)]
pub(crate) struct LockedStore<'a> {
    pub(super) store: &'a Store,
    _lock: Lock,
}
