//! Descendants of a harness process that left its process group. They are recognised by the address
//! of its connection, which they inherit in their environment. Linux hands those whose parents have
//! ended over to the tool, which has asked for them.

use nanobench::protocol::CHANNEL_VARIABLE;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::sync::{Mutex, PoisonError};

/// The harness processes that this process has started and not waited for yet. None of them is an
/// orphan, so their environments need not be read: a comparison ends hundreds of processes.
static CHILDREN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Notes that a harness process was started.
pub(crate) fn add_child(process: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).insert(process);
}

/// Notes that a harness process has ended.
pub(crate) fn remove_child(process: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).remove(&process);
}

fn is_own_child(process: i32) -> bool {
    let children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    u32::try_from(process).is_ok_and(|process| children.contains(&process))
}

/// Makes the operating system hand orphaned descendants to this process.
pub(crate) fn adopt() {
    // If this fails, orphans keep running.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends all orphans that were started for the connection at `address`, with their own children.
pub(crate) fn end_adopted(address: &str) {
    // The main thread gets the orphans. Each that ends may hand over its own children.
    let children = format!("/proc/self/task/{}/children", std::process::id());
    loop {
        let text = fs::read_to_string(&children).unwrap_or_default();
        let ids = text.split_whitespace().filter_map(|id| id.parse().ok());
        let orphans: Vec<i32> = ids.filter(|&id| !is_own_child(id) && is_started_for(id, address)).collect();
        if orphans.is_empty() {
            return;
        }
        for id in orphans {
            end(id);
            let _ = waitpid(Pid::from_raw(id), None);
        }
    }
}

/// Returns whether a process has an address that starts like this in the environment that it was
/// started with.
pub(crate) fn is_started_for(process: i32, address: &str) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variable = format!("{CHANNEL_VARIABLE}={address}");
    environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
}

/// Kills a process.
pub(crate) fn end(process: i32) {
    // It may have ended in the meantime.
    let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
}
