//! The cores that processes run on, and the CPU time of their threads. A comparison of two
//! processes is fair only on the same core: a neighbour on the machine can halve the speed of one
//! core for a while.

use crate::environment::machine;
use system::{cores_of, set_cores, threads};

pub use system::total_cpu_time;

/// The id of this thread, for the system.
const THIS_THREAD: i32 = 0;

/// Returns the numbers of the cores that this process may use; none if the system doesn't report
/// them.
pub fn available_cores() -> Vec<usize> {
    cores_of(THIS_THREAD).unwrap_or_default()
}

/// Runs `work` on a core, in this thread. Returns `None` if the thread can't be bound to the core.
pub fn while_on<T>(core: usize, work: impl FnOnce() -> T) -> Option<T> {
    let before = cores_of(THIS_THREAD)?;
    set_cores(THIS_THREAD, &[core]).then_some(())?;
    let result = work();
    set_cores(THIS_THREAD, &before).then_some(result)
}

/// Binds all threads of a process to a core. Returns whether that succeeded.
pub fn pin(process: u32, core: usize) -> bool {
    let threads = threads(process.cast_signed());
    !threads.is_empty() && threads.into_iter().all(|thread| set_cores(thread, &[core]))
}

/// Leaves a core to other processes than this one, and the cores that share hardware with it. If there
/// is no other core, it shares those, or stays where it is.
pub fn avoid_core(process: u32, core: usize) {
    let available = available_cores();
    let without = |avoided: &[usize]| -> Vec<usize> {
        available.iter().copied().filter(|other| !avoided.contains(other)).collect()
    };
    let apart = without(&machine::sibling_cores(core));
    let others = if apart.is_empty() { without(&[core]) } else { apart };
    if let Ok(process) = i32::try_from(process) {
        // Fails without any core, and if the process has ended.
        let _ = set_cores(process, &others);
    }
}

/// A process whose threads are bound to a core until this is dropped.
#[must_use = "the threads are bound until it is dropped"]
#[derive(Debug)]
pub struct Bound {
    process: u32,
    /// The cores of each thread from before. The first thread is the oldest.
    before: Vec<(i32, Vec<usize>)>,
}

/// Binds all threads of a process to a core for a while. Returns `None` if they can't be bound.
pub fn bind(process: u32, core: usize) -> Option<Bound> {
    let cores = |thread| Some((thread, cores_of(thread)?));
    let before = threads(process.cast_signed()).into_iter().map(cores).collect::<Option<Vec<_>>>()?;
    let bound = Bound { process, before };
    // If not all can be bound, dropping it restores the others.
    pin(process, core).then_some(bound)
}

impl Drop for Bound {
    fn drop(&mut self) {
        for thread in threads(self.process.cast_signed()) {
            // Threads started meanwhile have inherited the core.
            let before = self.before.iter().find(|(old, _)| *old == thread).or(self.before.first());
            if let Some((_, cores)) = before {
                // Fails if the thread has ended.
                let _ = set_cores(thread, cores);
            }
        }
    }
}

/// Returns the first of `cores` that processes can be bound to.
pub fn first_usable(cores: &[usize]) -> Option<usize> {
    cores.iter().copied().find(|&core| while_on(core, || ()).is_some())
}

/// The CPU time of a process, in ns.
#[derive(Debug, Clone)]
pub struct CpuTime {
    /// Total of all threads, including those that have ended.
    total: u64,
    /// The time of each running thread, by thread id.
    threads: Vec<(i32, u64)>,
}

/// CPU time in ns that other threads than the benchmark's may use: less than starting a thread
/// costs.
const MAX_OTHER_THREADS: u64 = 20_000;

impl CpuTime {
    /// Returns whether one thread used all of the CPU time since `earlier`.
    pub fn is_of_one_thread_since(&self, earlier: &CpuTime) -> bool {
        let before =
            |thread| earlier.threads.iter().find(|(old, _)| *old == thread).map_or(0, |(_, time)| *time);
        let max = self.threads.iter().map(|&(thread, time)| time.saturating_sub(before(thread))).max();
        self.total.saturating_sub(earlier.total) < max.unwrap_or(0) + MAX_OTHER_THREADS
    }
}

/// Returns the CPU time of a process that waits for a request. Returns `None` if the system doesn't
/// report it.
pub fn cpu_time(process: u32) -> Option<CpuTime> {
    let total = total_cpu_time(process.cast_signed())?;
    let of_thread = |thread| {
        let text = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
        Some((thread, text.split_whitespace().next()?.parse().ok()?))
    };
    let threads = threads(process.cast_signed()).into_iter().filter_map(of_thread).collect();
    Some(CpuTime { total: u64::try_from(total.as_nanos()).ok()?, threads })
}

#[cfg(target_os = "linux")]
mod system {
    pub(super) use crate::descendants::threads;
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;
    use std::time::Duration;

    /// Returns the cores that a thread may use.
    pub(super) fn cores_of(thread: i32) -> Option<Vec<usize>> {
        let set = sched_getaffinity(Pid::from_raw(thread)).ok()?;
        Some((0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect())
    }

    /// Binds a thread to cores. Returns whether that succeeded.
    pub(super) fn set_cores(thread: i32, cores: &[usize]) -> bool {
        let mut set = CpuSet::new();
        cores.iter().all(|&core| set.set(core).is_ok())
            && sched_setaffinity(Pid::from_raw(thread), &set).is_ok()
    }

    /// Returns the CPU time of all threads of a process. Returns `None` if the system doesn't report
    /// it. Takes about a microsecond.
    pub fn total_cpu_time(process: i32) -> Option<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(process)).ok()?;
        Some(Duration::from(clock_gettime(clock).ok()?))
    }
}

/// Other systems tell nothing.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    pub(super) fn threads(_process: i32) -> Vec<i32> {
        Vec::new()
    }

    pub(super) fn cores_of(_thread: i32) -> Option<Vec<usize>> {
        None
    }

    pub(super) fn set_cores(_thread: i32, _cores: &[usize]) -> bool {
        false
    }

    pub fn total_cpu_time(_process: i32) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_of_other_threads_shows_even_after_their_end() {
        let before = CpuTime { total: 5_000_000, threads: vec![(1, 2_000_000), (2, 3_000_000)] };
        let alone = CpuTime { total: 9_000_000, threads: vec![(1, 2_001_000), (2, 6_999_000)] };
        let ended = CpuTime { total: 9_000_000, threads: vec![(1, 2_000_000), (2, 5_000_000)] };
        let both = CpuTime { total: 9_000_000, threads: vec![(1, 4_000_000), (2, 5_000_000)] };
        assert!(alone.is_of_one_thread_since(&before));
        assert!(!ended.is_of_one_thread_since(&before));
        assert!(!both.is_of_one_thread_since(&before));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_bound_to_a_core_until_the_end() {
        let mut sleeping = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let cores = || {
            let status = std::fs::read_to_string(format!("/proc/{}/status", sleeping.id())).unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            line.unwrap().trim().to_owned()
        };
        let before = cores();
        let core = first_usable(&[usize::MAX, available_cores()[0]]).unwrap();
        let bound = bind(sleeping.id(), core).unwrap();
        assert_eq!(cores(), core.to_string());
        drop(bound);
        assert_eq!(cores(), before);
        sleeping.kill().unwrap();
        sleeping.wait().unwrap();
        assert!(bind(u32::MAX, core).is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_cpu_time_and_may_use_a_core() {
        assert!(!available_cores().is_empty());
        let before = cpu_time(std::process::id()).unwrap();
        std::thread::spawn(|| (0..100_000_u64).fold(1, |a, b| std::hint::black_box(a ^ b))).join().unwrap();
        let after = cpu_time(std::process::id()).unwrap();
        assert!(after.total > before.total);
    }
}
