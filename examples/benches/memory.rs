//! Counts events of the processor and the operating system in addition to the time, and stores
//! context with the results:
//!
//! ```console
//! $ cargo nanobench memory:: --counters=page-faults,context-switches --context machine=laptop
//! ```

use std::hint::black_box;
use std::thread;

use nanobench::nanobench;

/// 4 MiB. The throughput is in pages.
const SIZE: usize = 4 << 20;
const PAGE: usize = 4_096;

/// Writes to new memory of the operating system, so that most first writes to a page are page
/// faults.
#[nanobench(items = SIZE / PAGE, context(memory = "fresh", mebibytes = 4))]
fn fresh() -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    touch(&mut bytes);
    bytes
}

/// Writes to memory that was used before, without page faults.
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

/// Yields the rest of the time slice.
#[nanobench]
fn yield_now() {
    thread::yield_now();
}
