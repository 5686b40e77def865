//! What disturbs measurements on this machine, each with what to do about it. Nothing is changed.

use std::fs;
use std::time::Duration;

/// Looks at the number of running threads this often, this far apart. The build has just ended, so that averages over
/// a minute say nothing.
const LOOKS: usize = 5;
const APART: Duration = Duration::from_millis(4);

/// What would disturb a measurement now. Empty where the operating system doesn't tell.
pub(crate) fn disturbances(cores: usize) -> Vec<String> {
    [governor(), turbo(), load(cores)].into_iter().flatten().collect()
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

fn governor() -> Option<String> {
    let governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?;
    (governor != "performance").then(|| {
        format!("the frequency governor is {governor}; figures wander with it. cpupower frequency-set -g performance")
    })
}

fn turbo() -> Option<String> {
    let is = |path, value| first_line(path).is_some_and(|line| line == value);
    let on = is("/sys/devices/system/cpu/intel_pstate/no_turbo", "0")
        || is("/sys/devices/system/cpu/cpufreq/boost", "1");
    on.then(|| "turbo is on; the clock depends on temperature and on the other cores".to_owned())
}

/// Whether other threads were running at most of some looks, this one not counted.
fn load(cores: usize) -> Option<String> {
    let mut looks = [0; LOOKS];
    for look in &mut looks {
        *look = running()?;
        std::thread::sleep(APART);
    }
    looks.sort_unstable();
    let others = looks[LOOKS / 2].saturating_sub(1);
    (others > 0).then(|| {
        let threads = nanobench::report::counted(others, "other thread");
        let cores = nanobench::report::counted(cores, "core");
        format!("the machine is busy: {threads} running on {cores}. End what can be ended, or wait")
    })
}

/// Threads that run or are ready to, from the fourth field of `/proc/loadavg`.
fn running() -> Option<usize> {
    let line = first_line("/proc/loadavg")?;
    line.split(' ').nth(3)?.split('/').next()?.parse().ok()
}

fn first_line(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.trim().to_owned())
}
