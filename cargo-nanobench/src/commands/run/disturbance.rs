//! Disturbances by other work on the machine, before and during a run.

use crate::environment::load::LoadCounters;
use crate::environment::quiet::{self, WaitOutcome};
use crate::experiment::{Row, Suite, processor_drift};
use crate::interrupt;
use crate::warnings::warn;
use nanobench::report::change;
use std::time::Duration;

/// Waits until the machine is quiet, but at most for `--wait-quiet`.
pub(super) fn wait_quiet(limit: Option<Duration>, is_quiet: bool) {
    let Some(limit) = limit else { return };
    let seconds = limit.as_secs_f64();
    let busy = |disturbance: &str| {
        if !is_quiet {
            anstream::eprintln!("waiting up to {seconds} s for a quiet machine: {disturbance}");
        }
    };
    match quiet::wait(limit, busy, interrupt::requested) {
        WaitOutcome::Quiet(time) if !is_quiet => {
            anstream::eprintln!("quiet after {:.1} s", time.as_secs_f64());
        }
        WaitOutcome::Busy(disturbance) => {
            warn(format!("the machine is still busy after {seconds} s (--wait-quiet): {disturbance}"));
        }
        WaitOutcome::Unknown => warn("--wait-quiet has no effect: this system doesn't report its load"),
        WaitOutcome::Quiet(_) | WaitOutcome::Interrupted => {}
    }
}

/// Returns warnings about disturbances during a run that began at `before`. Ends the processes of
/// the suite first, because the load of a process can only be attributed once it has ended.
pub(super) fn warnings(before: Option<LoadCounters>, suite: &mut Suite, rows: &[Row]) -> Vec<String> {
    suite.end_sessions();
    let load = before.and_then(|before| before.load_until(&LoadCounters::read()?));
    let disturbance = load.and_then(|load| load.busy_reason()).map(|disturbance| {
        format!(
            "the machine was busy during the run ({disturbance}): don't trust small differences. To wait until \
             it is quiet, use --wait-quiet 60s"
        )
    });
    let drift = processor_drift(rows).map(|drift| {
        format!(
            "the processor's speed changed during the run: at its end, the same instructions took {}. Turbo, \
             heat or other virtual machines may be the cause; see `cargo nanobench doctor`",
            change(drift)
        )
    });
    disturbance.into_iter().chain(drift).collect()
}
