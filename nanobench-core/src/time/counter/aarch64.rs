//! The virtual counter of the generic timer, which counts at a constant rate by the architecture's own rules.

use super::Unavailable;
use std::arch::asm;

pub(super) const NAME: &str = "cntvct";

pub(super) fn check() -> Result<(), Unavailable> {
    Ok(())
}

/// Reads after all before it has ended, and before anything after it begins.
#[inline]
pub(super) fn start() -> u64 {
    let count: u64;
    // SAFETY: reads a counter that user code may read. Without `nomem`, so that the compiler moves no work across.
    #[expect(unsafe_code, reason = "there is no other way to read it")]
    unsafe {
        asm!("isb", "mrs {count}, cntvct_el0", "isb", count = out(reg) count, options(nostack, preserves_flags));
    }
    count
}

/// Reads after all before it has ended; what comes after begins later.
#[inline]
pub(super) fn end() -> u64 {
    start()
}
