//! What the processor and the operating system count beside the time, and what is to be remembered with a result:
//!
//! ```console
//! $ cargo nanobench memory:: --counters=page-faults,context-switches --context machine=laptop
//! ```

use std::hint::black_box;
use std::thread;

use nanobench::nanobench;

/// 4 MiB, in pages that are written to; the throughput is in these.
const SIZE: usize = 4 << 20;
const PAGE: usize = 4_096;

/// Memory that is fresh from the operating system: most first writes to a page are a page fault.
#[nanobench(items = SIZE / PAGE, context(memory = "fresh", mebibytes = 4))]
fn fresh() -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    touch(&mut bytes);
    bytes
}

/// Memory that was used before: no page faults.
#[nanobench(setup = || vec![1; SIZE], every = "benchmark", items = SIZE / PAGE, context(memory = "used", mebibytes = 4))]
fn used(bytes: &mut [u8]) {
    touch(bytes);
}

/// Writes to each page.
fn touch(bytes: &mut [u8]) {
    for byte in black_box(bytes).iter_mut().step_by(PAGE) {
        *byte = 1;
    }
}

/// Gives the rest of its time slice up.
#[nanobench]
fn yield_now() {
    thread::yield_now();
}
