//! Settings of other libraries that have no counterpart here. They are named once, before a standalone run
//! measures.

use std::sync::{Mutex, PoisonError};

static NOTED: Mutex<Vec<&str>> = Mutex::new(Vec::new());

/// Notes a setting without a counterpart.
pub fn without_effect(setting: &'static str) {
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !noted.contains(&setting) {
        noted.push(setting);
    }
}

/// Prints the settings that were noted.
pub(super) fn print() {
    let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !noted.is_empty() {
        eprintln!("nanobench: accepted without effect: {}", noted.join(", "));
    }
}
