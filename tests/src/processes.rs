//! The processes that were started for a fixture, at any depth below its run. They are recognised
//! by the inherited variable `E2E_FILES`, whose value is unique to the fixture. Linux shows it in
//! `/proc`; on other systems, no process is found.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time that a process may take to end after its signal: rustc takes 100 ms after a Ctrl-C, and
/// more on a busy machine.
const TIME_TO_END: Duration = Duration::from_secs(10);

/// Returns the command lines of the processes that still run.
pub fn started_for(files: &Path) -> Vec<String> {
    ids(files).iter().map(|id| command_line(id)).collect()
}

/// Returns the command lines of the processes that still run after `TIME_TO_END`.
pub fn left_running_for(files: &Path) -> Vec<String> {
    let start = Instant::now();
    loop {
        let processes = started_for(files);
        if processes.is_empty() || start.elapsed() > TIME_TO_END {
            return processes;
        }
        sleep(Duration::from_millis(5));
    }
}

/// Kills each of them.
pub(crate) fn kill_started_for(files: &Path) {
    for id in ids(files) {
        #[cfg(target_os = "linux")]
        if let Some(process) = id.parse().ok().and_then(rustix::process::Pid::from_raw) {
            // It may have ended in the meantime.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::Kill);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = id;
    }
}

fn ids(files: &Path) -> Vec<String> {
    let wanted = format!("E2E_FILES={}", files.display());
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let names = processes.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| environment(name).split('\0').any(|variable| variable == wanted)).collect()
}

fn environment(id: &str) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{id}/environ")).unwrap_or_default()).into_owned()
}

fn command_line(id: &str) -> String {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    format!("{id}: {}", String::from_utf8_lossy(&line).replace('\0', " "))
}
