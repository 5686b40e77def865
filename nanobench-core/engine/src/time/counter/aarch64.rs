//! The virtual counter of the generic timer. The architecture guarantees a constant frequency.

use std::arch::asm;

pub(super) const NAME: &str = "cntvct";

pub(super) fn check() -> Result<(), &'static str> {
    Ok(())
}

/// Nobody needs them.
pub(super) fn family_and_model() -> Option<(u32, u32)> {
    None
}

/// Reads the counter after everything before has ended, and before anything that follows begins.
#[inline]
pub(super) fn start() -> u64 {
    let count: u64;
    // SAFETY: reads a counter that user code may read. Without `nomem`, so that the compiler moves
    // no work across.
    #[expect(unsafe_code, reason = "there is no other way to read it")]
    unsafe {
        asm!("isb", "mrs {count}, cntvct_el0", "isb", count = out(reg) count, options(nostack, preserves_flags));
    }
    count
}

/// Reads the counter after everything before has ended.
#[inline]
pub(super) fn end() -> u64 {
    start()
}
