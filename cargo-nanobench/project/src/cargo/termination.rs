//! Terminates a running cargo together with all processes that it has started.
//!
//! Cargo stays in our process group because it may prompt for a passphrase, which only the
//! terminal's foreground group can. So Ctrl-C in a terminal reaches cargo and its children without
//! us. A signal that is sent to this process alone (`kill`, a CI system that cancels a job) does
//! not.

use crate::interrupt;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, Signal, System};

/// The interval between two checks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The time that cargo has to end by itself after a Ctrl-C.
const GRACE_PERIOD: Duration = Duration::from_millis(300);

/// Watches for an interrupt and then terminates the process `pid` and its descendants. The watch
/// ends when the returned guard is dropped; drop it as soon as the process has ended.
pub(super) fn terminate_on_interrupt(pid: u32) -> Sender<()> {
    let (guard, guarded) = mpsc::channel();
    thread::spawn(move || {
        let still_runs = |time| guarded.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        while still_runs(POLL_INTERVAL) {
            if interrupt::requested() && still_runs(GRACE_PERIOD) {
                return terminate(Pid::from_u32(pid));
            }
        }
    });
    guard
}

/// Terminates a process and its descendants.
fn terminate(root: Pid) {
    let mut system = System::new();
    // A signal to a thread of cargo's would be one to cargo, which has to be the last.
    let processes_alone = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, processes_alone);
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&parent) = tree.get(next) {
        let is_child = |(_, process): &(&Pid, &Process)| process.parent() == Some(parent);
        tree.extend(system.processes().iter().filter(is_child).map(|(pid, _)| *pid));
        next += 1;
    }
    // Cargo comes last: when it has ended, so may this process.
    for process in tree.iter().rev().filter_map(|pid| system.process(*pid)) {
        // Windows has no SIGTERM. Processes that have ended meanwhile are ignored.
        process.kill_with(Signal::Term).unwrap_or_else(|| process.kill());
    }
}
