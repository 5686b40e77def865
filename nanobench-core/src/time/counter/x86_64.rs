//! The time stamp counter.

use super::Unavailable;
use std::arch::{asm, x86_64::__cpuid};

pub(super) const NAME: &str = "tsc";

/// Whether it is readable in order and counts at a constant rate (Intel SDM volume 3, 17.17.1; AMD APM volume 3,
/// functions 8000_0001 and 8000_0007).
pub(super) fn check() -> Result<(), Unavailable> {
    if leaf(0x8000_0000).is_none_or(|(largest, _)| largest < 0x8000_0007) {
        return Err(Unavailable::NotInvariant);
    }
    let has = |number, bit: u32| leaf(number).is_some_and(|(_, edx)| edx & (1 << bit) != 0);
    if !has(0x8000_0001, 27) {
        Err(Unavailable::NotOrdered)
    } else if !has(0x8000_0007, 8) {
        Err(Unavailable::NotInvariant)
    } else {
        Ok(())
    }
}

/// `eax` and `edx` of an extended leaf.
fn leaf(number: u32) -> Option<(u32, u32)> {
    // Always there on x86-64. An unsafe function up to Rust 1.93, a safe one since.
    #[allow(unused_unsafe, clippy::allow_attributes, reason = "needed by older compilers only")]
    #[expect(unsafe_code, reason = "an instruction of the processor")]
    // SAFETY: every x86-64 processor has the instruction.
    let found = unsafe { __cpuid(number) };
    (found.eax != 0 || found.edx != 0).then_some((found.eax, found.edx))
}

/// Reads after all before it has ended, and before anything after it begins.
#[inline]
pub(super) fn start() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a counter into registers. Without `nomem`, so that the compiler moves no work across.
    #[expect(unsafe_code, reason = "the instructions that the compiler has no ordered form of")]
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("eax") low, out("edx") high, options(nostack, preserves_flags));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// Reads after all before it has ended; what comes after begins later.
#[inline]
pub(super) fn end() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a counter into registers. Without `nomem`, so that the compiler moves no work across.
    #[expect(unsafe_code, reason = "the instructions that the compiler has no ordered form of")]
    unsafe {
        asm!(
            "rdtscp", "lfence", out("eax") low, out("edx") high, out("ecx") _,
            options(nostack, preserves_flags)
        );
    }
    u64::from(high) << 32 | u64::from(low)
}
