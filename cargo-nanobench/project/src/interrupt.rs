//! Ctrl-C, which ends a run with a report.

use crate::output;
use crate::warnings::warn;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The exit code of a command that Ctrl-C ended.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static LEFT_UNDONE: Mutex<Option<&str>> = Mutex::new(None);

/// Starts watching for Ctrl-C and requests to terminate. The first one no longer ends the process,
/// so that the caller can print its results, stop children and leave files whole. The second one
/// does.
pub fn watch() {
    static IS_WATCHING: AtomicBool = AtomicBool::new(false);
    if IS_WATCHING.swap(true, Ordering::Relaxed) {
        return;
    }
    let watching = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            if let Some(text) = *LEFT_UNDONE.lock().unwrap_or_else(PoisonError::into_inner) {
                output::note(text);
            }
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
    if let Err(error) = watching {
        warn(format!("Ctrl-C will end the run at once, without a report: {error}"));
    }
}

/// Sets what the second Ctrl-C says about what it leaves undone.
pub fn set_left_undone(text: Option<&'static str>) {
    *LEFT_UNDONE.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// Returns whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Returns whether Ctrl-C ended a child with this status, which may be known before [`requested`] is.
#[cfg(unix)]
pub fn ended(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

/// Returns whether Ctrl-C ended a child with this status, which may be known before [`requested`] is.
#[cfg(not(unix))]
pub fn ended(status: ExitStatus) -> bool {
    const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;
    status.code().map(i32::cast_unsigned) == Some(STATUS_CONTROL_C_EXIT)
}
