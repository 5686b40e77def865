//! Disturbances by other work on the machine, before and during a run.

use crate::disturbance::Disturbance;
use crate::environment::load::{LoadCounters, Pressure};
use crate::environment::quiet::{self, WaitOutcome};
use crate::experiment::{Row, Suite, processor_drift};
use crate::interrupt;
use crate::output;
use crate::report::noisy_figures;
use crate::warnings::warn;
use std::time::Duration;

/// Waits until the machine is quiet, but at most for `--wait-quiet`.
pub(super) fn wait_quiet(limit: Option<Duration>, is_quiet: bool) {
    let Some(limit) = limit else { return };
    let seconds = limit.as_secs_f64();
    let busy = |pressure: Pressure| {
        if !is_quiet {
            output::note(&format!("waiting up to {seconds} s for a quiet machine: {pressure}"));
        }
    };
    match quiet::wait(limit, busy, interrupt::requested) {
        WaitOutcome::Quiet(time) if !is_quiet => {
            output::note(&format!("quiet after {:.1} s", time.as_secs_f64()));
        }
        WaitOutcome::Busy(pressure) => {
            warn(format!("the machine is still busy after {seconds} s (--wait-quiet): {pressure}"));
        }
        WaitOutcome::Unknown => warn("--wait-quiet has no effect: this system doesn't report its load"),
        WaitOutcome::Quiet(_) | WaitOutcome::Interrupted => {}
    }
}

/// Returns the disturbance of a run that began at `before`. Ends the processes of the suite first,
/// because the load of a process can only be attributed once it has ended.
pub(super) fn find(
    before: Option<LoadCounters>,
    suite: &mut Suite,
    rows: &[Row],
    has_waited: bool,
) -> Option<Disturbance> {
    suite.end_sessions();
    let load = before.and_then(|before| before.load_until(&LoadCounters::read()?));
    Disturbance::find(load.as_ref(), processor_drift(rows), noisy_figures(rows), has_waited)
}
