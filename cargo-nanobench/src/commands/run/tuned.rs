//! Tuning of the machine for the time of a run: `--tuned`.

use super::options::RunOptions;
use crate::output;
use crate::tune::{self, Tuner};
use crate::warnings::warn;
use nanobench::report::counted;
use std::path::Path;

/// Runs `work` on a tuned machine if that is requested, and restores the machine. Without the
/// rights to tune it, warns and runs `work` all the same.
pub(super) fn tuned<T>(options: &RunOptions, work: impl FnOnce() -> T) -> T {
    if !options.tuned {
        return work();
    }
    let root = Path::new("/");
    let system = tune::system(root);
    let tuner = Tuner::new(&*system, root);
    let guard = tuner.apply_for_this_process();
    match &guard {
        Ok(guard) if !options.output.is_quiet => {
            output::note(&match guard.changed.len() {
                0 => "no setting of this machine had to be changed (--tuned)".to_owned(),
                number => format!("{} changed for this run", counted(number, "setting")),
            });
        }
        Ok(_) => {}
        Err(error) => warn(error),
    }
    let result = work();
    drop(guard);
    result
}
