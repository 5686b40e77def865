//! What disturbs measurements on this machine, each with what to do about it. Nothing is changed.

mod processor;
mod surroundings;
mod system;

use super::finding::{Finding, State};
use super::load::Load;
use std::fs;
use std::time::Duration;
pub(crate) use system::System;

/// Looks at the number of running threads this often, this far apart, unless there are no others at first sight. The build
/// has just ended, so that averages over a minute say nothing.
const LOOKS: usize = 5;
const APART: Duration = Duration::from_millis(4);

/// What would disturb a measurement now, and can be helped. Empty where the operating system doesn't tell.
pub(crate) fn disturbances(cores: usize) -> Vec<String> {
    let system = System::here();
    let settings = [processor::governor(&system), processor::turbo(&system)];
    let settings = settings.into_iter().filter(|finding| finding.state == State::Disturbs).map(|finding| {
        let Finding { name, value, .. } = finding;
        format!("{name}: {value}; figures wander with the clock. What to do: cargo nanobench doctor")
    });
    settings.chain(load(cores)).collect()
}

/// All that measurements depend on, disturbing or not. `load`: how busy it is now, where that is known.
pub(crate) fn findings(system: &System, load: Option<&Load>) -> Vec<Finding> {
    let lasting = [
        processor::governor,
        processor::turbo,
        processor::smt,
        processor::clock,
        processor::counters,
        surroundings::virtual_machine,
        surroundings::container,
        surroundings::power,
        surroundings::aslr,
        surroundings::timer_slack,
    ];
    lasting.iter().map(|look| look(system)).chain(Load::findings(load)).collect()
}

/// Powers of two from below a first-level cache to twice the last-level one, in bytes. Up to 64 MiB where the operating
/// system doesn't tell how large that is.
pub(crate) fn cache_sweep() -> Vec<u64> {
    let last = last_cache().unwrap_or(32 << 20);
    let mut sizes = vec![8 << 10];
    while let Some(&size) = sizes.last().filter(|&&size| size < 2 * last) {
        sizes.push(2 * size);
    }
    sizes
}

/// The largest cache of the first core, in bytes.
fn last_cache() -> Option<u64> {
    let caches = fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?.flatten();
    let size = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("size")).ok()?;
        Some(text.trim().strip_suffix('K')?.parse::<u64>().ok()? << 10)
    };
    caches.filter_map(size).max()
}

/// Whether other threads were running at most of some looks.
fn load(cores: usize) -> Option<String> {
    let mut looks = [others()?; LOOKS];
    if looks[0] == 0 {
        return None;
    }
    for look in &mut looks[1..] {
        std::thread::sleep(APART);
        *look = others()?;
    }
    looks.sort_unstable();
    let others = looks[LOOKS / 2];
    (others > 0).then(|| {
        let threads = nanobench::report::counted(others, "other thread");
        let cores = nanobench::report::counted(cores, "core");
        format!("the machine is busy: {threads} running on {cores}. End what can be ended, or wait")
    })
}

/// Threads that run or are ready to, besides this one: from the fourth field of `/proc/loadavg`.
fn others() -> Option<usize> {
    let line = first_line("/proc/loadavg")?;
    let running: usize = line.split(' ').nth(3)?.split('/').next()?.parse().ok()?;
    Some(running.saturating_sub(1))
}

fn first_line(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.trim().to_owned())
}
