//! Marks around the counted parts of a benchmark, for a process that observes this one and counts
//! the instructions in between.

use super::Counter;
use crate::model::{CALLGRIND_MARKS, STEP_MARKS, StepMark};
use std::arch::asm;

/// Returns the marks of this name.
pub(super) fn open(name: &str) -> Option<Box<dyn Counter>> {
    match name {
        STEP_MARKS => Some(Box::new(Breakpoints)),
        CALLGRIND_MARKS => Some(Box::new(CallgrindRequests)),
        _ => None,
    }
}

/// Breakpoints, for a process that has attached itself as a debugger. Each pair is one event.
#[derive(Debug)]
struct Breakpoints;

impl Counter for Breakpoints {
    fn start(&mut self) {
        breakpoint(StepMark::Begin);
    }

    fn stop(&mut self) -> u64 {
        breakpoint(StepMark::End);
        1
    }
}

impl Drop for Breakpoints {
    fn drop(&mut self) {
        breakpoint(StepMark::Done);
    }
}

fn breakpoint(mark: StepMark) {
    // SAFETY: only the tool requests these marks, and it continues the process after each.
    #[expect(unsafe_code, reason = "an instruction of the processor")]
    unsafe {
        asm!("int3", in("rax") mark as u64, options(nostack));
    }
}

/// Requests to valgrind's callgrind, which do nothing elsewhere. Each pair is one event and makes
/// callgrind write a file.
#[derive(Debug)]
struct CallgrindRequests;

/// Number of callgrind's first request: the letters `CT`, as in `callgrind.h`.
const FIRST_REQUEST: u64 = 0x4354_0000;
const DUMP_STATS: u64 = FIRST_REQUEST;
const TOGGLE_COLLECT: u64 = FIRST_REQUEST + 2;

impl Counter for CallgrindRequests {
    fn start(&mut self) {
        request(TOGGLE_COLLECT);
    }

    fn stop(&mut self) -> u64 {
        request(TOGGLE_COLLECT);
        request(DUMP_STATS);
        1
    }
}

/// Sends a request without arguments to valgrind.
fn request(number: u64) {
    let request = [number, 0, 0, 0, 0, 0];
    // SAFETY: valgrind recognises this sequence, which leaves all registers but the flags as they
    // are, and reads the request at `rax`. It writes its answer to `rdx`.
    #[expect(unsafe_code, reason = "no code of Rust has this sequence of instructions")]
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0_u64 => _,
            options(nostack),
        );
    }
}
