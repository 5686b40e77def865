//! The progress below everything that is printed, which messages have to leave alone.

use indicatif::ProgressBar;
use std::sync::{Mutex, PoisonError};

static PROGRESS: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Keeps messages apart from this progress from now on. `None`: there is none any more.
pub fn set_progress(progress: Option<ProgressBar>) {
    *PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) = progress;
}

/// Prints something above the progress, if there is one.
pub(super) fn above_progress<T>(print: impl FnOnce() -> T) -> T {
    let progress = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match progress {
        Some(progress) => progress.suspend(print),
        None => print(),
    }
}
