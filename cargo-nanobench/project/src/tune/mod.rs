//! Settings of the machine that make figures steadier: shown, and changed on request.
//!
//! The values from before are on the disk before the first change, so they are restored even if the
//! process is killed: by the next call.

mod error;
mod linux;
pub mod processes;
mod record;
mod view;
mod windows;

pub use error::Error;
pub use view::{json, table};

use record::{Change, Owner, Record, RecordFile};
use std::io;
use std::path::Path;

/// The name of the setting that takes a processor offline.
const SIBLING: &str = "online (SMT sibling)";

/// A power scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Performance,
    Balanced,
    Saving,
}

impl Scheme {
    /// The schemes, each with its word and a description.
    pub const ALL: [(&str, Scheme, &str); 3] = [
        ("performance", Scheme::Performance, "The highest clock, whatever the load"),
        ("balanced", Scheme::Balanced, "A clock that follows the load, the system's default"),
        ("saving", Scheme::Saving, "A low clock, or one that rises late"),
    ];
}

/// A setting that is better changed while benchmarks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its kind: `governor`.
    pub name: &'static str,
    /// The key by which the system finds it: a file below the root, or a word.
    pub key: String,
    pub now: String,
    pub wanted: String,
    /// This process may change it.
    pub is_writable: bool,
}

/// The operating system's settings.
pub trait System {
    /// Returns the settings that there are, in the order in which they are changed.
    fn settings(&self) -> Vec<Setting>;

    /// Returns the current value of a setting. `None` if it is not there.
    fn get(&self, key: &str) -> Option<String>;

    /// Changes a setting.
    fn set(&self, key: &str, value: &str) -> io::Result<()>;

    /// Returns an identity of the time since the system was started, if settings end with it.
    fn boot(&self) -> Option<String>;
}

/// Returns the settings of this operating system: all, or only those of a power scheme. On Linux,
/// they are files below `root`.
pub fn system(root: &Path, scheme: Option<Scheme>) -> Box<dyn System> {
    if cfg!(windows) {
        Box::new(windows::PowerSchemes(scheme.unwrap_or(Scheme::Performance)))
    } else {
        Box::new(linux::Sysfs::below(root, scheme))
    }
}

/// Returns the word for the power scheme of this system. `None` if it is none of them, or unknown.
pub fn scheme(root: &Path) -> Option<&'static str> {
    let is_set = |scheme| {
        let settings = system(root, Some(scheme)).settings();
        !settings.is_empty() && settings.iter().all(|setting| setting.now == setting.wanted)
    };
    Scheme::ALL.into_iter().find_map(|(word, scheme, _)| is_set(scheme).then_some(word))
}

/// Returns what restoring doesn't bring back, if these settings take processors offline.
pub fn lasting_effect(settings: &[Setting]) -> Option<&'static str> {
    let goes_offline =
        |setting: &Setting| setting.name == SIBLING && setting.now != setting.wanted && setting.is_writable;
    settings.iter().any(goes_offline).then_some(
        "SMT siblings go offline; when they are back, programs and interrupts that were bound to them \
         (cpusets, affinities) stay on other processors",
    )
}

/// The settings of a machine, with the record of what they were.
pub struct Tuner<'a> {
    system: &'a dyn System,
    file: RecordFile,
}

impl<'a> Tuner<'a> {
    pub fn new(system: &'a dyn System, root: &Path) -> Tuner<'a> {
        Tuner { system, file: RecordFile::below(root) }
    }

    /// Returns whether there is something to restore.
    pub fn is_applied(&self) -> bool {
        matches!(self.file.read(self.system.boot().as_deref()), Ok(Some(_)))
    }

    /// Changes all settings until [`Tuner::restore`]. Returns those that it changed.
    pub fn apply(&self) -> Result<Vec<Setting>, Error> {
        if !self.has_work()? {
            return Ok(Vec::new());
        }
        let _lock = self.file.lock()?;
        self.restore_killed()?;
        if !self.to_change()?.is_empty() {
            // So that the record has what was before any scheme.
            self.restore_recorded()?;
        }
        self.change(Owner::User)
    }

    /// Changes all settings until the end of this process. Changes nothing if the settings already
    /// are what they should be.
    pub fn apply_for_this_process(&self) -> Result<ForThisProcess<'_>, Error> {
        if !self.has_work()? {
            return Ok(ForThisProcess { tuner: None, changed: Vec::new(), _lock: None });
        }
        let lock = self.file.lock()?;
        self.restore_killed()?;
        if self.is_applied() {
            // They stay as the user wants them.
            return Ok(ForThisProcess { tuner: None, changed: Vec::new(), _lock: Some(lock) });
        }
        // Dropped if a change fails, which restores the others.
        let mut guard = ForThisProcess { tuner: Some(self), changed: Vec::new(), _lock: Some(lock) };
        guard.changed = self.change(Owner::Process)?;
        Ok(guard)
    }

    /// Restores the settings that a killed process has left.
    pub fn recover(&self) -> Result<bool, Error> {
        if !self.file.exists() {
            return Ok(false);
        }
        match self.file.lock() {
            Ok(_lock) => self.restore_killed(),
            // A run that goes on restores them itself.
            Err(Error::InUse) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Restores all settings. Returns false if nothing was changed.
    pub fn restore(&self) -> Result<bool, Error> {
        let _lock = self.file.lock()?;
        self.restore_recorded()
    }

    /// Restores what a killed process has left, with the lock held.
    fn restore_killed(&self) -> Result<bool, Error> {
        match self.file.read(self.system.boot().as_deref())? {
            Some(Record { owner: Owner::Process, .. }) => self.restore_recorded(),
            _ => Ok(false),
        }
    }

    fn restore_recorded(&self) -> Result<bool, Error> {
        let Some(record) = self.file.read(self.system.boot().as_deref())? else {
            // It may be of an earlier boot.
            self.file.remove()?;
            return Ok(false);
        };
        // Processors come back before their governors, which were changed first.
        let restored: Vec<Result<(), Error>> =
            record.changes.iter().rev().map(|change| self.restore_one(change)).collect();
        restored.into_iter().collect::<Result<(), Error>>()?;
        self.file.remove()?;
        Ok(true)
    }

    fn restore_one(&self, Change { key, before }: &Change) -> Result<(), Error> {
        if self.system.get(key).as_ref() == Some(before) {
            return Ok(());
        }
        let error = |source| Error::Restore { key: key.clone(), value: before.clone(), source };
        self.system.set(key, before).map_err(error)
    }

    /// Returns whether there are settings to change, or some that a killed process has left.
    fn has_work(&self) -> Result<bool, Error> {
        Ok(!self.to_change()?.is_empty() || self.file.exists())
    }

    /// Returns the settings to change, unless this process lacks the rights.
    fn to_change(&self) -> Result<Vec<Setting>, Error> {
        let mut settings = self.system.settings();
        settings.retain(|setting| setting.now != setting.wanted);
        match settings.iter().find(|setting| !setting.is_writable) {
            Some(setting) => Err(Error::NotAllowed { key: setting.key.clone() }),
            None => Ok(settings),
        }
    }

    /// Notes the values from before, then changes the settings.
    fn change(&self, owner: Owner) -> Result<Vec<Setting>, Error> {
        let settings = self.to_change()?;
        if settings.is_empty() {
            return Ok(settings);
        }
        let change = |Setting { key, now, .. }: &Setting| Change { key: key.clone(), before: now.clone() };
        let changes = settings.iter().map(change).collect();
        self.file.write(&Record { boot: self.system.boot(), owner, changes })?;
        for Setting { key, wanted, .. } in &settings {
            self.system.set(key, wanted).map_err(|source| Error::Change {
                key: key.clone(),
                value: wanted.clone(),
                source,
            })?;
        }
        Ok(settings)
    }
}

/// Restores the settings when it is dropped.
#[must_use = "the settings are restored when it is dropped"]
pub struct ForThisProcess<'a> {
    /// `None` if the settings are not this process's.
    tuner: Option<&'a Tuner<'a>>,
    pub changed: Vec<Setting>,
    _lock: Option<record::Lock>,
}

impl Drop for ForThisProcess<'_> {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.tuner.map(Tuner::restore_recorded) {
            crate::warnings::warn(error);
        }
    }
}

#[cfg(test)]
mod tests;
