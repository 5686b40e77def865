//! Waits for a quiet machine (`--wait-quiet`).

use super::load::{Load, LoadCounters, Pressure};
use std::thread;
use std::time::Duration;

/// The time over which the load is measured.
const INTERVAL: Duration = Duration::from_millis(250);
/// The number of consecutive quiet intervals. A single one may be a pause of a busy program.
const QUIET_INTERVALS: usize = 3;

/// The outcome of waiting.
#[derive(Debug, PartialEq)]
pub enum WaitOutcome {
    /// The machine is quiet, after this time.
    Quiet(Duration),
    /// The machine was still busy at the timeout.
    Busy(Pressure),
    /// Ctrl-C.
    Interrupted,
    /// The system doesn't report its load.
    Unknown,
}

/// Waits until the machine is quiet. If it is busy, calls `report_busy` once.
pub fn wait(
    timeout: Duration,
    report_busy: impl FnMut(Pressure),
    interrupted: impl Fn() -> bool,
) -> WaitOutcome {
    let measure = || {
        let before = LoadCounters::read()?;
        thread::sleep(INTERVAL);
        before.load_until(&LoadCounters::read()?)
    };
    wait_with(measure, timeout, report_busy, interrupted)
}

fn wait_with(
    mut measure: impl FnMut() -> Option<Load>,
    timeout: Duration,
    mut report_busy: impl FnMut(Pressure),
    interrupted: impl Fn() -> bool,
) -> WaitOutcome {
    let (mut waited, mut quiet_intervals, mut is_reported) = (Duration::ZERO, 0, false);
    loop {
        if interrupted() {
            return WaitOutcome::Interrupted;
        }
        let Some(load) = measure() else { return WaitOutcome::Unknown };
        waited += INTERVAL;
        let Some(&pressure) = load.pressures().first() else {
            // Quiet intervals may continue after the timeout.
            quiet_intervals += 1;
            if quiet_intervals == QUIET_INTERVALS {
                return WaitOutcome::Quiet(waited);
            }
            continue;
        };
        quiet_intervals = 0;
        if !is_reported {
            report_busy(pressure);
            is_reported = true;
        }
        if waited >= timeout {
            return WaitOutcome::Busy(pressure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::load;

    /// Waits for at most 2 s with these loads, one for each interval. Returns the reported
    /// pressures, too.
    fn waited(shares: &[f64]) -> (WaitOutcome, Vec<Pressure>) {
        let (mut shares, mut pressures) = (shares.iter(), Vec::new());
        let measure = || shares.next().map(|&share| load(share));
        let timeout = Duration::from_secs(2);
        let outcome = wait_with(measure, timeout, |pressure| pressures.push(pressure), || false);
        (outcome, pressures)
    }

    #[test]
    fn a_quiet_machine_takes_three_intervals_and_no_report() {
        assert_eq!(waited(&[0.0, 0.1, 0.0]), (WaitOutcome::Quiet(3 * INTERVAL), Vec::new()));
    }

    #[test]
    fn pauses_of_a_busy_program_are_not_quiet() {
        let (outcome, pressures) = waited(&[0.9, 0.0, 0.5, 0.0, 0.0, 0.0]);
        assert_eq!(outcome, WaitOutcome::Quiet(6 * INTERVAL));
        assert_eq!(pressures, [Pressure::OtherPrograms { busy: 1.8, cores: 2 }], "reported once");
    }

    #[test]
    fn waiting_ends_at_the_timeout() {
        let (outcome, pressures) = waited(&[0.5; 20]);
        let busy = Pressure::OtherPrograms { busy: 1.0, cores: 2 };
        assert_eq!((outcome, pressures), (WaitOutcome::Busy(busy), vec![busy]));
    }

    #[test]
    fn an_unknown_load_or_an_interrupt_ends_waiting() {
        assert_eq!(waited(&[]).0, WaitOutcome::Unknown);
        assert_eq!(waited(&[0.9]).0, WaitOutcome::Unknown, "unknown later");
        let outcome = wait_with(|| Some(load(0.9)), INTERVAL, |_| (), || true);
        assert_eq!(outcome, WaitOutcome::Interrupted);
    }
}
