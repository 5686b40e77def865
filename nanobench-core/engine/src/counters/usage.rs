//! The operating system's counters of this process, read with `getrusage`.

use super::Counter;
use std::ffi::{c_int, c_long};

/// `struct rusage`, which is the same on all 64-bit Unix systems: two times of 16 bytes each (as s
/// and us), then fourteen `long`s. Some C libraries reserve space after these.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Usage {
    times: [u64; 4],
    numbers: [c_long; 14],
    reserved: [c_long; 32],
}

// Indices in `numbers`.
const MINOR_FAULTS: usize = 4;
const MAJOR_FAULTS: usize = 5;
const VOLUNTARY_SWITCHES: usize = 12;
const INVOLUNTARY_SWITCHES: usize = 13;

/// Selects the process with all its threads.
pub(super) const SELF: c_int = 0;
/// Selects the children that have ended.
#[cfg(target_os = "linux")]
pub(super) const CHILDREN: c_int = -1;

fn usage(who: c_int) -> Usage {
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn getrusage(who: c_int, usage: *mut Usage) -> c_int;
    }
    let mut usage = Usage { times: [0; 4], numbers: [0; 14], reserved: [0; 32] };
    // SAFETY: the declaration matches the C library's, which writes only its structure, and ours is
    // at least as large.
    #[expect(unsafe_code, reason = "a call of the C library")]
    unsafe {
        // Fails only for an invalid `who`.
        getrusage(who, &mut usage);
    }
    usage
}

/// Returns the CPU time of a process, in ns.
#[cfg(target_os = "linux")]
pub(super) fn cpu_time(who: c_int) -> u64 {
    let [user_s, user_us, system_s, system_us] = usage(who).times;
    (user_s + system_s) * 1_000_000_000 + (user_us + system_us) * 1_000
}

/// A counter that is the sum of two numbers.
#[derive(Debug)]
struct UsageCounter {
    indices: [usize; 2],
    at_start: u64,
}

impl UsageCounter {
    fn now(&self) -> u64 {
        let numbers = usage(SELF).numbers;
        let [one, other] = self.indices;
        numbers[one].unsigned_abs() + numbers[other].unsigned_abs()
    }
}

impl Counter for UsageCounter {
    fn start(&mut self) {
        self.at_start = self.now();
    }

    fn stop(&mut self) -> u64 {
        self.now().saturating_sub(self.at_start)
    }
}

pub(super) fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    let indices = match name {
        "page-faults" => [MINOR_FAULTS, MAJOR_FAULTS],
        _ => [VOLUNTARY_SWITCHES, INVOLUNTARY_SWITCHES],
    };
    Ok(Box::new(UsageCounter { indices, at_start: 0 }))
}
