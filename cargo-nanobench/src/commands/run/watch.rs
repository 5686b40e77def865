//! What the machine does around and during a run, apart from the run itself.

use crate::cli::RunArgs;
use crate::environment::load::LoadCounters;
use crate::environment::quiet::{self, WaitOutcome};
use crate::experiment::{Row, Suite, pace};
use crate::interrupt;
use nanobench::report::change;

/// `--wait-quiet`: waits, and says for what.
pub(super) fn wait_quiet(args: &RunArgs) {
    let Some(patience) = args.process.wait_quiet else { return };
    let says = !args.cargo.common.quiet;
    let limit = patience.as_secs_f64();
    let busy = |disturbance: &str| {
        if says {
            anstream::eprintln!("waiting for a quiet machine, for up to {limit} s: {disturbance}");
        }
    };
    match quiet::wait(patience, busy, interrupt::requested) {
        WaitOutcome::Quiet(time) if says => anstream::eprintln!("quiet after {:.1} s", time.as_secs_f64()),
        WaitOutcome::Busy(disturbance) if args.output.warns() => {
            anstream::eprintln!(
                "warning: not quiet after {limit} s (--wait-quiet): {disturbance}; measured all the same"
            );
        }
        WaitOutcome::Unknown if args.output.warns() => {
            anstream::eprintln!("warning: not waited for quiet: this system doesn't tell how busy it is");
        }
        _ => {}
    }
}

/// A run that is watched.
pub(super) struct Watch {
    before: Option<LoadCounters>,
}

impl Watch {
    pub(super) fn begin() -> Watch {
        Watch { before: LoadCounters::read() }
    }

    /// What disturbed the run. Ends what the suite has running: only then it is known what was its own.
    pub(super) fn end(self, suite: &mut Suite, rows: &[Row]) -> Vec<String> {
        suite.end_sessions();
        let load = self.before.and_then(|before| before.load_until(&LoadCounters::read()?));
        let disturbance = load.and_then(|load| load.busy_reason()).map(|disturbance| {
            format!(
                "the machine was busy during the run ({disturbance}); don't trust small differences. Wait until it is \
                 quiet: --wait-quiet 60s"
            )
        });
        let drift = pace::drift(rows).map(|drift| {
            format!(
                "the processor changed its pace during the run: the same instructions took {} at the end of it; turbo, \
                 heat or a neighbour may be why. See cargo nanobench doctor",
                change(drift)
            )
        });
        disturbance.into_iter().chain(drift).collect()
    }
}
