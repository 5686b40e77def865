//! The only place that prints warnings, so that suppressing them works everywhere.

use crate::output;
use crate::style::WARNING;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The environment variable that suppresses warnings, as `--no-warnings` does.
const VARIABLE: &str = "NANOBENCH_SUPPRESS_WARNINGS";

static SUPPRESSED: AtomicBool = AtomicBool::new(false);

/// The subjects of the warnings that are printed only once.
static SUBJECTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Suppresses warnings if the environment says so.
pub(crate) fn read_environment() {
    suppress_if(std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0"));
}

/// Suppresses all further warnings if `condition` is true.
pub(crate) fn suppress_if(condition: bool) {
    SUPPRESSED.fetch_or(condition, Ordering::Relaxed);
}

/// Prints a warning to stderr, unless warnings are suppressed.
pub(crate) fn warn(message: impl Display) {
    if !SUPPRESSED.load(Ordering::Relaxed) {
        output::report(WARNING, "warning", &message.to_string());
    }
}

/// Prints a warning, unless there was one about the same subject: each of the many processes of a
/// paired run may have the same to report.
pub(crate) fn warn_once(subject: String, message: impl Display) {
    if SUBJECTS.lock().unwrap_or_else(PoisonError::into_inner).insert(subject) {
        warn(message);
    }
}
