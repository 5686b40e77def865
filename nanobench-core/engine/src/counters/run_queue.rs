//! The time that this thread waits for a processor, from `/proc/thread-self/schedstat`.

use super::Waits;
use super::usage;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

thread_local! {
    /// The file is of the thread that opens it.
    static FILE: Option<File> = File::open("/proc/thread-self/schedstat").ok();
}

/// Returns the times up to now. `None` if the kernel doesn't keep them.
pub(super) fn waits() -> Option<Waits> {
    // This also brings the CPU time in the file up to date.
    let process = usage::cpu_time(usage::SELF) + usage::cpu_time(usage::CHILDREN);
    let mut text = [0; 80];
    let length = FILE.with(|file| file.as_ref()?.read_at(&mut text, 0).ok())?;
    let [cpu_time, waited] = parse(std::str::from_utf8(&text[..length]).ok()?)?;
    Some(Waits { waited, other_cpu_time: process.saturating_sub(cpu_time) })
}

/// Returns the first two of three numbers: the CPU time and the waiting time, in ns. The third one
/// is how often the thread ran, which is 0 if the kernel keeps no such times.
fn parse(text: &str) -> Option<[u64; 2]> {
    let mut words = text.trim_end().split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let [cpu_time, waited, runs] = [number()?, number()?, number()?];
    (runs > 0).then_some([cpu_time, waited])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_without_these_times_is_told_from_a_thread_that_never_waited() {
        assert_eq!(parse("1134616512 3346419135 388\n"), Some([1_134_616_512, 3_346_419_135]));
        assert_eq!(parse("921923 0 1\n"), Some([921_923, 0]));
        assert_eq!(parse("0 0 0\n"), None);
        assert_eq!(parse(""), None);
        assert_eq!(parse("921923 0"), None);
        assert_eq!(parse("921923 -1 1"), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "reads a file of the kernel")]
    fn the_times_never_go_back() {
        let Some(before) = waits() else { return };
        std::thread::spawn(|| std::hint::black_box((0..1_000_000).sum::<u64>())).join().unwrap();
        let after = waits().unwrap();
        assert!(after.waited >= before.waited, "{before:?} {after:?}");
        assert!(after.other_cpu_time > before.other_cpu_time, "{before:?} {after:?}");
    }
}
