//! Which core a process runs on. Two processes are compared fairly only on the same one: what a neighbour does
//! elsewhere on the machine can make one core half as fast as another for a while.

/// The cores that this process may use, by number; none where the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> Vec<usize> {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else { return Vec::new() };
    (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect()
}

/// Does some work of this thread on a core. `None` where that is not possible.
#[cfg(target_os = "linux")]
pub(crate) fn while_on<T>(core: usize, work: impl FnOnce() -> T) -> Option<T> {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    let this = Pid::from_raw(0);
    let before = sched_getaffinity(this).ok()?;
    let mut set = CpuSet::new();
    set.set(core).ok()?;
    sched_setaffinity(this, &set).ok()?;
    let result = work();
    // What was allowed before is allowed again.
    sched_setaffinity(this, &before).ok()?;
    Some(result)
}

/// Lets all threads of the process run on this core only. Whether that was possible.
#[cfg(target_os = "linux")]
pub(super) fn pin(process: u32, core: usize) -> bool {
    use nix::sched::{CpuSet, sched_setaffinity};
    use nix::unistd::Pid;
    let mut set = CpuSet::new();
    let threads = threads(process);
    set.set(core).is_ok()
        && !threads.is_empty()
        && threads.into_iter().all(|thread| sched_setaffinity(Pid::from_raw(thread), &set).is_ok())
}

/// The time that a process has worked, in ns.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    /// All of it, that of threads which have ended, too.
    all: u64,
    /// Of each thread that there is, by its number.
    threads: Vec<(i32, u64)>,
}

/// What other threads than the benchmark's may have worked meanwhile, in ns: less than starting one costs.
const WORK_OF_OTHERS: u64 = 20_000;

impl Work {
    /// Whether all that was done since then was done by one thread.
    pub(crate) fn is_of_one_thread_since(&self, earlier: &Work) -> bool {
        let before =
            |thread| earlier.threads.iter().find(|(old, _)| *old == thread).map_or(0, |(_, work)| *work);
        let most = self.threads.iter().map(|&(thread, work)| work.saturating_sub(before(thread))).max();
        self.all.saturating_sub(earlier.all) < most.unwrap_or(0) + WORK_OF_OTHERS
    }
}

/// What a process that waits has worked. `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn work(process: u32) -> Option<Work> {
    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;
    let clock = clock_getcpuclockid(Pid::from_raw(i32::try_from(process).ok()?)).ok()?;
    let all = std::time::Duration::from(clock_gettime(clock).ok()?);
    let of_thread = |thread| {
        let text = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
        Some((thread, text.split_whitespace().next()?.parse().ok()?))
    };
    let threads = threads(process).into_iter().filter_map(of_thread).collect();
    Some(Work { all: u64::try_from(all.as_nanos()).ok()?, threads })
}

#[cfg(target_os = "linux")]
fn threads(process: u32) -> Vec<i32> {
    let Ok(folder) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    folder.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Elsewhere the system decides.
#[cfg(not(target_os = "linux"))]
pub(crate) fn available() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn while_on<T>(_core: usize, _work: impl FnOnce() -> T) -> Option<T> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_process: u32, _core: usize) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(super) fn work(_process: u32) -> Option<Work> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_other_threads_shows_even_when_they_have_ended() {
        let before = Work { all: 5_000_000, threads: vec![(1, 2_000_000), (2, 3_000_000)] };
        let alone = Work { all: 9_000_000, threads: vec![(1, 2_001_000), (2, 6_999_000)] };
        let ended = Work { all: 9_000_000, threads: vec![(1, 2_000_000), (2, 5_000_000)] };
        let both = Work { all: 9_000_000, threads: vec![(1, 4_000_000), (2, 5_000_000)] };
        assert!(alone.is_of_one_thread_since(&before));
        assert!(!ended.is_of_one_thread_since(&before));
        assert!(!both.is_of_one_thread_since(&before));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_works_and_may_use_a_core() {
        assert!(!available().is_empty());
        let before = work(std::process::id()).unwrap();
        std::thread::spawn(|| (0..100_000_u64).fold(1, |a, b| std::hint::black_box(a ^ b))).join().unwrap();
        let after = work(std::process::id()).unwrap();
        assert!(after.all > before.all);
    }
}
