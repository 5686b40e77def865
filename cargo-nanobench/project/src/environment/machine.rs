//! Checks of the machine, read-only.

pub mod cores;
mod host;
mod processor;
mod system_files;

use super::check::{Check, Finding, Status};
use super::load::Load;
use std::fs;
use std::sync::LazyLock;
pub use system_files::SystemFiles;

/// The name of a property, and the function that checks it.
type Property = (&'static str, fn(&SystemFiles) -> Option<Finding>);

const GOVERNOR: &str = "governor";
const TURBO: &str = "turbo";

/// Returns a warning about settings that make figures less reliable and can be changed. `None` if
/// there are none, or if the operating system doesn't report them.
pub fn setting_warning() -> Option<String> {
    let system = SystemFiles::at_root();
    let governor = Check::new(GOVERNOR, processor::governor(&system));
    let settings = [governor, Check::new(TURBO, processor::turbo(&system))];
    let settings = settings.iter().filter(|check| check.status == Status::Warning);
    let settings: Vec<String> = settings.map(|Check { name, value, .. }| format!("{name} {value}")).collect();
    (!settings.is_empty()).then(|| {
        format!("figures vary with the clock ({}): see `cargo nanobench doctor`", settings.join(", "))
    })
}

/// Runs all checks. `load` is the current load, if it is known.
pub fn checks(system: &SystemFiles, load: Option<&Load>) -> Vec<Check> {
    let properties: [Property; 11] = [
        (GOVERNOR, processor::governor),
        (TURBO, processor::turbo),
        ("SMT", processor::smt),
        ("cores", cores::check),
        ("clock", processor::clock),
        ("hardware counters", processor::counters),
        ("virtual machine", host::virtual_machine),
        ("container", host::container),
        ("power", host::power),
        ("ASLR", host::aslr),
        ("timer slack", host::timer_slack),
    ];
    let checks = properties.into_iter().map(|(name, find)| Check::new(name, find(system)));
    checks.chain(Load::checks(load)).collect()
}

/// Returns those of `cores` that are of the fastest kind among them.
pub fn fastest_cores(cores: &[usize]) -> Vec<usize> {
    cores::fastest(&SystemFiles::at_root(), cores)
}

/// Returns the cores that share hardware with this one, and itself.
pub fn sibling_cores(core: usize) -> Vec<usize> {
    cores::siblings(&SystemFiles::at_root(), core)
}

/// Returns whether some memory is farther from some cores (NUMA).
pub fn has_memory_nodes() -> bool {
    cores::has_memory_nodes(&SystemFiles::at_root())
}

/// Returns whether a quota limits the processor time of this process.
pub fn has_quota() -> bool {
    static HAS_QUOTA: LazyLock<bool> = LazyLock::new(|| host::quota(&SystemFiles::at_root()).is_some());
    *HAS_QUOTA
}

/// Returns how often the quota has paused this process and its group. `None` without one.
pub(super) fn pauses() -> Option<u64> {
    host::pauses(&SystemFiles::at_root())
}

/// Returns powers of two from less than a first-level cache to twice the last-level cache, in
/// bytes. The last size is 64 MiB if the operating system doesn't report the caches.
pub fn cache_sweep() -> Vec<u64> {
    let last = last_cache_size().unwrap_or(32 << 20);
    let mut sizes = vec![8 << 10];
    while let Some(&size) = sizes.last().filter(|&&size| size < 2 * last) {
        sizes.push(2 * size);
    }
    sizes
}

/// Returns the size of the largest cache of the first core, in bytes.
fn last_cache_size() -> Option<u64> {
    let caches = fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?.flatten();
    let size = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("size")).ok()?;
        Some(text.trim().strip_suffix('K')?.parse::<u64>().ok()? << 10)
    };
    caches.filter_map(size).max()
}
