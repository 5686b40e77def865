//! What the operating system knows of this process: `getrusage`.

use super::Counter;
use std::ffi::{c_int, c_long};

/// `struct rusage`, the same on all 64-bit Unix systems: two lengths of time of 16 bytes each, then fourteen `long`s. Some C
/// libraries reserve space behind those.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Usage {
    times: [u64; 4],
    numbers: [c_long; 14],
    reserved: [c_long; 32],
}

// Places in `numbers`.
const MINOR_FAULTS: usize = 4;
const MAJOR_FAULTS: usize = 5;
const VOLUNTARY_SWITCHES: usize = 12;
const INVOLUNTARY_SWITCHES: usize = 13;

/// The process with all its threads.
const SELF: c_int = 0;

fn usage() -> Usage {
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn getrusage(who: c_int, usage: *mut Usage) -> c_int;
    }
    let mut usage = Usage { times: [0; 4], numbers: [0; 14], reserved: [0; 32] };
    // SAFETY: the declaration is that of the C library, which writes no more than its structure, which ours holds.
    #[expect(unsafe_code, reason = "see above")]
    unsafe {
        // It fails only for a `who` that there isn't.
        getrusage(SELF, &mut usage);
    }
    usage
}

/// The sum of two of the numbers.
#[derive(Debug)]
struct Sum {
    places: [usize; 2],
    at_start: u64,
}

impl Sum {
    fn now(&self) -> u64 {
        let numbers = usage().numbers;
        self.places.iter().map(|place| numbers[*place].unsigned_abs()).sum()
    }
}

impl Counter for Sum {
    fn start(&mut self) {
        self.at_start = self.now();
    }

    fn stop(&mut self) -> u64 {
        self.now().saturating_sub(self.at_start)
    }
}

pub(super) fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    let places = match name {
        "page-faults" => [MINOR_FAULTS, MAJOR_FAULTS],
        _ => [VOLUNTARY_SWITCHES, INVOLUNTARY_SWITCHES],
    };
    Ok(Box::new(Sum { places, at_start: 0 }))
}
