//! Ending a call of cargo before its time, with all that it has started.
//!
//! Cargo stays in our process group: it may ask for a passphrase, which only the group in the foreground can. So Ctrl-C in a
//! terminal reaches it and its children without us. A request that is made to us alone (`kill`, a CI that cancels) does not.

use crate::interrupt;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::Scope;
use std::time::Duration;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, Signal, System};

/// How often it is looked whether somebody wants an end.
const PAUSE: Duration = Duration::from_millis(50);
/// How long what was asked to end in a terminal may take to do so by itself.
const GRACE: Duration = Duration::from_millis(300);

/// Ends the process `pid` and what it has started when that is asked for, until what is returned is dropped: do so when it has
/// ended.
pub(super) fn on_request<'scope>(pid: u32, scope: &'scope Scope<'scope, '_>) -> Sender<()> {
    let (guard, guarded) = mpsc::channel();
    scope.spawn(move || {
        let still_runs = |time| guarded.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        while still_runs(PAUSE) {
            if interrupt::requested() && still_runs(GRACE) {
                return end(Pid::from_u32(pid));
            }
        }
    });
    guard
}

/// Asks a process and all its descendants to end.
fn end(root: Pid) {
    let mut system = System::new();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, ProcessRefreshKind::nothing());
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&parent) = tree.get(next) {
        let is_child = |(_, process): &(&Pid, &Process)| process.parent() == Some(parent);
        tree.extend(system.processes().iter().filter(is_child).map(|(pid, _)| *pid));
        next += 1;
    }
    for process in tree.iter().filter_map(|pid| system.process(*pid)) {
        // Windows knows no such request. What has ended meanwhile needs none.
        process.kill_with(Signal::Term).unwrap_or_else(|| process.kill());
    }
}
