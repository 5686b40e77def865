//! The processor's counters, read through Linux's `perf_event_open`.

use super::Counter;
use std::ffi::{c_int, c_long, c_ulong};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};

/// The event of a counter: the kernel's type of events, and the number of the event among them.
#[derive(Debug, Clone, Copy)]
struct Event {
    kind: u32,
    number: u64,
}

const HARDWARE: u32 = 0;

/// A counter of this thread and of the threads that it starts, outside the kernel.
#[derive(Debug)]
struct PerfCounter {
    file: File,
    at_start: Reading,
}

impl Counter for PerfCounter {
    fn start(&mut self) {
        // A counter that can't be started or read counts nothing. That isn't expected of one that
        // could be opened.
        self.at_start = self.read();
        control(&self.file, ENABLE);
    }

    fn stop(&mut self) -> u64 {
        control(&self.file, DISABLE);
        let now = self.read();
        since(&now, &self.at_start)
    }
}

/// The state of a counter.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    count: u64,
    /// Time for which it was enabled, in ns.
    enabled: u64,
    /// Time for which the processor counted, in ns.
    running: u64,
}

impl PerfCounter {
    fn read(&mut self) -> Reading {
        let mut bytes = [0; 24];
        if self.file.read_exact(&mut bytes).is_err() {
            return Reading::default();
        }
        let number = |place: usize| {
            let mut number = [0; 8];
            number.copy_from_slice(&bytes[8 * place..][..8]);
            u64::from_ne_bytes(number)
        };
        Reading { count: number(0), enabled: number(1), running: number(2) }
    }
}

/// Returns the count between two readings. If more counters are enabled than the processor has,
/// they take turns, and the count is scaled to the whole time.
fn since(now: &Reading, before: &Reading) -> u64 {
    let count = now.count.saturating_sub(before.count);
    let enabled = now.enabled.saturating_sub(before.enabled);
    let running = now.running.saturating_sub(before.running);
    if running == 0 || running >= enabled {
        return count;
    }
    (count as f64 * enabled as f64 / running as f64) as u64
}

pub(super) fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    let number = match name {
        "cycles" => 0,
        "instructions" => 1,
        "branches" => 4,
        "branch-misses" => 5,
        // Misses of the last cache.
        _ => 3,
    };
    match new_counter(Event { kind: HARDWARE, number }) {
        Ok(counter) => Ok(Box::new(counter)),
        Err(error) => Err(match error.kind() {
            ErrorKind::PermissionDenied => {
                "only root may read it; run `sudo sysctl kernel.perf_event_paranoid=2` to allow it".to_owned()
            }
            ErrorKind::NotFound | ErrorKind::Unsupported => {
                "this machine doesn't have it; virtual machines often have no counters".to_owned()
            }
            _ => format!("the kernel returns an error: {error}"),
        }),
    }
}

fn new_counter(event: Event) -> io::Result<PerfCounter> {
    Ok(PerfCounter { file: File::from(perf_event_open(event)?), at_start: Reading::default() })
}

/// The first version of the kernel's `struct perf_event_attr`, which all kernels accept.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    event: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint: u64,
}

// Bits of `read_format`: which times follow the count.
const TIME_ENABLED: u64 = 1 << 0;
const TIME_RUNNING: u64 = 1 << 1;
// Bits of `flags`.
const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

/// The number of the system call.
#[cfg(target_arch = "x86_64")]
const PERF_EVENT_OPEN: c_long = 298;
#[cfg(not(target_arch = "x86_64"))]
const PERF_EVENT_OPEN: c_long = 241;

/// Opens a counter of this thread, on whichever processor it runs. It doesn't count yet.
fn perf_event_open(event: Event) -> io::Result<OwnedFd> {
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
    }
    let attributes = Attributes {
        kind: event.kind,
        size: size_of::<Attributes>() as u32,
        event: event.number,
        read_format: TIME_ENABLED | TIME_RUNNING,
        flags: DISABLED | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
        ..Attributes::default()
    };
    let (this_thread, any_processor, no_group, close_on_exec) = (0_i64, -1_i64, -1_i64, 8_i64);
    // SAFETY: the kernel only reads the structure, whose size it gets. If the result isn't negative,
    // it is a new descriptor, which nothing else owns.
    #[expect(unsafe_code, reason = "a system call without a function of its own")]
    unsafe {
        let pointer: *const Attributes = &attributes;
        let descriptor =
            syscall(PERF_EVENT_OPEN, pointer, this_thread, any_processor, no_group, close_on_exec);
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(descriptor as RawFd))
    }
}

// Requests to a counter.
const ENABLE: c_ulong = 0x2400;
const DISABLE: c_ulong = 0x2401;

fn control(file: &File, request: c_ulong) {
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn ioctl(descriptor: c_int, request: c_ulong, ...) -> c_int;
    }
    // SAFETY: neither request reads or writes memory. The type of a request differs between C
    // libraries, but both numbers fit into all of them.
    #[expect(unsafe_code, reason = "a call of the C library")]
    unsafe {
        ioctl(file.as_raw_fd(), request, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::{Counters, NamedCounter};
    use crate::measure::{CountRequest, Engine, count};

    const PAGE_FAULTS: Event = Event { kind: 1, number: 2 };

    /// Events of the kernel exist on machines without hardware counters, too.
    #[test]
    #[cfg_attr(miri, ignore = "calls the kernel")]
    fn the_kernels_page_faults_are_those_of_the_timed_part() {
        const PAGES: usize = 64;
        let Ok(counter) = new_counter(PAGE_FAULTS) else { return };
        let counters =
            Counters(vec![NamedCounter { name: "page-faults".into(), counter: Box::new(counter), total: 0 }]);
        let touched = || {
            // So large that the allocator takes it from the operating system, and returns it.
            let mut pages = Vec::with_capacity(64 << 20);
            pages.resize(PAGES << 12, 1_u8);
            pages
        };
        let mut benchmark = |bencher: &mut crate::measure::Bencher| {
            bencher.call_controlled(|_, tc| {
                let pages = touched();
                tc.exclude(|| [touched(), touched()]);
                pages
            });
        };
        let request = CountRequest {
            iterations: 1,
            count: 1,
            samples: 2,
            sample_iterations: 5,
            max_kept_results: 1,
            counters: Vec::new(),
        };
        let counts = count(&Engine::new(), &mut benchmark, &request, counters);
        let faults = counts.counters.unwrap()[0].value;
        // A fault may bring more than one page.
        assert!((1.0..1.5 * PAGES as f64).contains(&faults), "{faults}");
    }

    #[test]
    fn counts_of_a_part_of_the_time_are_scaled() {
        let reading = |count, enabled, running| Reading { count, enabled, running };
        assert_eq!(since(&reading(150, 20, 20), &reading(50, 10, 10)), 100);
        assert_eq!(since(&reading(150, 30, 15), &reading(50, 10, 10)), 400);
    }
}
