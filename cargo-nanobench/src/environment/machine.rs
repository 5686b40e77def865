//! What disturbs measurements on this machine, each with what to do about it. Nothing is changed.

use std::fs;
use std::time::Duration;

/// Looks at the number of running threads this often, this far apart, unless there are no others at first sight. The build
/// has just ended, so that averages over a minute say nothing.
const LOOKS: usize = 5;
const APART: Duration = Duration::from_millis(4);

/// What would disturb a measurement now. Empty where the operating system doesn't tell.
pub(crate) fn disturbances(cores: usize) -> Vec<String> {
    [governor(), turbo(), load(cores)].into_iter().flatten().collect()
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
