//! Tuning of the machine for the time of a run: `--tuned`.

use super::options::RunOptions;
use crate::interrupt;
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
    let system = tune::system(root, None);
    let tuner = Tuner::new(&*system, root);
    if let Some(effect) = tune::lasting_effect(&system.settings()).filter(|_| !options.output.is_quiet) {
        output::note(effect);
    }
    interrupt::set_left_undone(Some(
        "this machine stays tuned until the next call of cargo nanobench; to restore it now: cargo nanobench tune --restore",
    ));
    let guard = tuner.apply_for_this_process();
    if guard.as_ref().map_or(true, |guard| guard.changed.is_empty()) {
        interrupt::set_left_undone(None);
    }
    match &guard {
        Ok(guard) if !options.output.is_quiet => {
            output::note(&match guard.changed.len() {
                0 => "no setting of this machine had to be changed (--tuned)".to_owned(),
                number => format!(
                    "{} changed; the end of this run restores what was before, even after Ctrl-C",
                    counted(number, "setting")
                ),
            });
        }
        Ok(_) => {}
        Err(error) => warn(error),
    }
    let result = work();
    drop(guard);
    interrupt::set_left_undone(None);
    result
}
