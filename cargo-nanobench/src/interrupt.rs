//! Ctrl-C, which ends a run with a report.

use crate::warnings::warn;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Starts watching for Ctrl-C and requests to terminate. The first one no longer ends the process,
/// so that the caller can print its results, stop children and leave files whole. The second one
/// does.
pub(crate) fn watch() {
    let watching = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
        }
    });
    if let Err(error) = watching {
        warn(format!("Ctrl-C will end the run at once, without a report: {error}"));
    }
}

/// Returns whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
