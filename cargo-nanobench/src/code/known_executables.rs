//! The machine code of executables, each of which is read once.

use super::early::EarlyExecutable;
use super::executable::Executable;
use crate::fingerprint::Fingerprint;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Executables by path; `None` for those that can't be analysed. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownExecutables(Rc<RefCell<HashMap<PathBuf, Option<Rc<Executable>>>>>);

impl KnownExecutables {
    /// Returns the executable at `path`, which is read unless it is known.
    pub(super) fn read(&self, path: &Path) -> Option<Rc<Executable>> {
        let mut known = self.0.borrow_mut();
        known.entry(path.to_owned()).or_insert_with(|| Executable::read(path).map(Rc::new)).clone()
    }

    /// Adds copies that were read early, also in place of those executables that have the same content.
    pub(crate) fn add<'e>(
        &self,
        early: Vec<EarlyExecutable>,
        executables: impl Iterator<Item = (&'e Path, &'e Fingerprint)>,
    ) {
        let executables: Vec<_> = executables.collect();
        let mut known = self.0.borrow_mut();
        for EarlyExecutable { copy, executable } in early {
            let executable = Rc::new(executable);
            let same = executables.iter().filter(|(_, fingerprint)| **fingerprint == copy.hash);
            known.extend(same.map(|(path, _)| (path.to_path_buf(), Some(Rc::clone(&executable)))));
            known.insert(copy.path, Some(executable));
        }
    }
}
