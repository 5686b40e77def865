//! The baselines of a target directory: listed, loaded, removed.

use super::error::{At as _, Here};
use super::format::Fault;
use super::lock::Lock;
use super::{Baseline, BaselineName, Error, Executable, Fingerprint, Place, layout, summary};
use crate::suggest;
use jiff::Zoned;
use nanobench::report::escape;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// `<target>/nanobench`. Reading takes no lock and creates nothing.
#[derive(Debug)]
pub(crate) struct Store {
    root: PathBuf,
}

/// A baseline that was read.
#[derive(Debug)]
pub(crate) struct Saved {
    /// What is in it.
    pub(crate) baseline: Baseline,
    folder: PathBuf,
}

/// A baseline of a list.
#[derive(Debug)]
pub(crate) struct Listed {
    /// As the folder is called, which may be no valid name.
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
    pub(crate) fn list(&self) -> Result<Vec<Listed>, Error> {
        let names = layout::names(&layout::baselines(&self.root))?;
        Ok(names.into_iter().map(|name| self.listed(name)).collect())
    }

    /// The baseline of this name.
    pub(crate) fn load(&self, name: &BaselineName) -> Result<Saved, Error> {
        let place = Place::Named(name.clone());
        if !self.holds(&place) {
            return Err(self.unknown(name));
        }
        self.read(&place)
    }

    /// The last run, if there was one.
    pub(crate) fn last(&self) -> Result<Option<Saved>, Error> {
        if self.holds(&Place::Last) { self.read(&Place::Last).map(Some) } else { Ok(None) }
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
        layout::tidy(&self.root)?;
        layout::tidy(&layout::baselines(&self.root))?;
        Ok(LockedStore { store: self, _lock: lock })
    }

    /// Removes the baseline of this name, readable or not. Waits for a run in progress, as [`Store::lock`] does.
    pub(crate) fn remove(
        &self,
        name: &BaselineName,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Listed, Error> {
        let place = Place::Named(name.clone());
        // Asked before the lock is taken, which would create a folder to find nothing in.
        if !self.holds(&place) {
            return Err(self.unknown(name));
        }
        let _lock = self.lock(interrupted)?;
        if !self.holds(&place) {
            return Err(self.unknown(name));
        }
        let removed = self.listed(name.to_string());
        layout::remove(&place.folder(&self.root))?;
        Ok(removed)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn listed(&self, name: String) -> Listed {
        let folder = layout::current(layout::baselines(&self.root).join(&name));
        let place = name.parse().map(Place::Named).map_err(Error::from);
        let baseline = place.and_then(|place| self.read(&place)).map(|saved| saved.baseline);
        Listed { size: layout::size(&folder), baseline, name }
    }

    /// Reads what is in a place. An error where there is nothing.
    pub(super) fn read(&self, place: &Place) -> Result<Saved, Error> {
        let folder = layout::current(place.folder(&self.root));
        let file = folder.join("baseline.json");
        let place = place.clone();
        let text = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::Incomplete { place, file });
            }
            text => text.at("read", &file)?,
        };
        match Baseline::parse(&text) {
            Ok(baseline) => Ok(Saved { baseline, folder }),
            Err(Fault::Newer { tool }) => Err(Error::Newer { place, file, tool }),
            Err(Fault::Damaged(reason)) => Err(Error::Damaged { place, file, reason }),
        }
    }

    /// Whether there is anything in a place, readable or not.
    pub(super) fn holds(&self, place: &Place) -> bool {
        layout::exists(&layout::current(place.folder(&self.root)))
    }

    fn unknown(&self, name: &BaselineName) -> Error {
        let listed = self.list().unwrap_or_default();
        let now = Zoned::now();
        let describe = |listed: &Listed| match &listed.baseline {
            Ok(baseline) => format!("{} ({})", escape(&listed.name), summary(baseline, &now)),
            Err(_) => format!("{} (can't be read)", escape(&listed.name)),
        };
        let nearest = suggest::nearest(name.as_ref(), listed.iter().map(|listed| listed.name.as_str()));
        let nearest = nearest.first().map(|&name| name.to_owned());
        Error::Unknown {
            name: name.clone(),
            here: Here { baselines: listed.iter().map(describe).collect(), nearest },
        }
    }
}

impl Saved {
    /// Where an executable of this baseline is. None where it is gone or isn't any more what was measured.
    pub(crate) fn executable(&self, executable: &Executable) -> Option<PathBuf> {
        let path = self.folder.join("executables").join(&executable.file);
        let intact =
            path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == executable.size)
                && Fingerprint::of(&path).is_ok_and(|hash| hash == executable.hash);
        intact.then_some(path)
    }
}

/// The store while no other run can change it. Taking it twice at once in one process would wait forever.
#[derive(Debug)]
pub(crate) struct LockedStore<'a> {
    pub(super) store: &'a Store,
    _lock: Lock,
}
