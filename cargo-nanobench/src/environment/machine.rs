//! What disturbs measurements on this machine, each with what to do about it. Nothing is changed.

mod processor;
mod surroundings;
mod system;

use super::finding::{Finding, State};
use super::load::Load;
use std::fs;
pub(crate) use system::System;

/// What would disturb a measurement for as long as nobody changes it, and can be helped. How busy the machine is, a run finds out
/// while it goes on. Empty where the operating system doesn't tell.
pub(crate) fn disturbances() -> Vec<String> {
    let system = System::here();
    let settings = [processor::governor(&system), processor::turbo(&system)];
    let settings = settings.into_iter().filter(|finding| finding.state == State::Disturbs);
    let warning = |Finding { name, value, .. }| {
        format!("{name}: {value}; figures wander with the clock. What to do: cargo nanobench doctor")
    };
    settings.map(warning).collect()
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
