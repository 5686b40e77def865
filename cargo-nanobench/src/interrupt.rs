//! Ctrl-C: noted once, asked for where something waits.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (and a request to terminate) is noted instead of ending the process at once, so that what is
/// known can be printed, children be stopped and files be left whole. A second one ends the process.
pub(crate) fn watch() {
    let noted = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
        }
    });
    if let Err(error) = noted {
        anstream::eprintln!("warning: Ctrl-C will end this at once, without a report: {error}");
    }
}

/// Whether it was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
