//! The machine code of executables, each of which is read once.

use super::executable::Executable;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Executables by path; `None` for those that can't be analysed. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct KnownExecutables(Rc<RefCell<HashMap<PathBuf, Option<Rc<Executable>>>>>);

impl KnownExecutables {
    /// Returns the executable at `path`, which is read unless it is known.
    pub(super) fn read(&self, path: &Path) -> Option<Rc<Executable>> {
        let mut known = self.0.borrow_mut();
        known.entry(path.to_owned()).or_insert_with(|| Executable::read(path).map(Rc::new)).clone()
    }
}
