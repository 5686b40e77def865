//! Descendants of a harness process. Those that left its process group are recognised by the address
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
pub fn add_child(process: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).insert(process);
}

/// Notes that a harness process has ended.
pub fn remove_child(process: u32) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).remove(&process);
}

fn is_own_child(process: i32) -> bool {
    let children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner);
    u32::try_from(process).is_ok_and(|process| children.contains(&process))
}

/// Makes the operating system hand orphaned descendants to this process.
pub fn adopt() {
    // If this fails, orphans keep running.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends all orphans that were started for the connection at `address`, with their own children.
pub fn end_adopted(address: &str) {
    // Each that ends may hand over its own children.
    loop {
        let orphans = orphans(address);
        if orphans.is_empty() {
            return;
        }
        for id in orphans {
            end(id);
            let _ = waitpid(Pid::from_raw(id), None);
        }
    }
}

/// Returns the orphans that were started for the connection at `address`.
fn orphans(address: &str) -> Vec<i32> {
    // The main thread gets them.
    let this = Pid::this().as_raw();
    children_of_thread(this, this).filter(|&id| !is_own_child(id) && is_started_for(id, address)).collect()
}

/// Returns the processes that descend from a harness process whose connection is at `address`.
pub fn of(process: i32, address: &str) -> Vec<i32> {
    let mut found: Vec<i32> = children(process).chain(orphans(address)).collect();
    let mut next = 0;
    while let Some(&descendant) = found.get(next) {
        found.extend(children(descendant));
        next += 1;
    }
    found
}

fn children(process: i32) -> impl Iterator<Item = i32> {
    threads(process).into_iter().flat_map(move |thread| children_of_thread(process, thread))
}

fn children_of_thread(process: i32, thread: i32) -> impl Iterator<Item = i32> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/children")).unwrap_or_default();
    let ids: Vec<i32> = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    ids.into_iter()
}

/// Returns the threads of a process.
pub fn threads(process: i32) -> Vec<i32> {
    let Ok(folder) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    folder.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Returns whether a process has an address that starts like this in the environment that it was
/// started with.
pub fn is_started_for(process: i32, address: &str) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variable = format!("{CHANNEL_VARIABLE}={address}");
    environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
}

/// Kills a process.
pub fn end(process: i32) {
    signal(process, Signal::SIGKILL);
}

/// Sends a signal to a process.
pub fn signal(process: i32, signal: Signal) {
    // It may have ended in the meantime.
    let _ = kill(Pid::from_raw(process), signal);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn children_of_children_and_orphans_descend_from_a_process() {
        const SCRIPT: &str = "sh -c 'sleep 60 & wait' & (sleep 60 &); wait";
        adopt();
        let address = "descendants-of-a-test";
        let mut shell =
            Command::new("sh").args(["-c", SCRIPT]).env(CHANNEL_VARIABLE, address).spawn().unwrap();
        let process = shell.id().cast_signed();
        let is_complete = |_: &u32| {
            of(process, address).len() == 3 || {
                std::thread::sleep(Duration::from_millis(10));
                false
            }
        };
        assert!((0..1_000).find(is_complete).is_some(), "{:?}", of(process, address));
        of(process, address).into_iter().for_each(end);
        shell.wait().unwrap();
        end_adopted(address);
    }
}
