//! Systems on which nobody counts the instructions between marks.

use super::Counter;

pub(super) fn open(_name: &str) -> Option<Box<dyn Counter>> {
    None
}
