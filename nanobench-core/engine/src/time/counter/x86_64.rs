//! The time stamp counter.

use std::arch::{asm, x86_64::__cpuid};

pub(super) const NAME: &str = "tsc";

/// Checks that the counter can be read in program order and has a constant frequency (Intel SDM
/// volume 3, 17.17.1; AMD APM volume 3, functions 8000_0001 and 8000_0007).
pub(super) fn check() -> Result<(), &'static str> {
    const NOT_INVARIANT: &str = "the processor does not guarantee a constant frequency";
    if leaf(0x8000_0000).is_none_or(|(largest, _)| largest < 0x8000_0007) {
        return Err(NOT_INVARIANT);
    }
    let has = |number, bit: u32| leaf(number).is_some_and(|(_, edx)| edx & (1 << bit) != 0);
    if !has(0x8000_0001, 27) {
        Err("the processor has no rdtscp")
    } else if !has(0x8000_0007, 8) {
        Err(NOT_INVARIANT)
    } else {
        Ok(())
    }
}

/// Returns `eax` and `edx` of an extended leaf of `cpuid`.
fn leaf(number: u32) -> Option<(u32, u32)> {
    // The function is unsafe up to Rust 1.93, and safe since.
    #[allow(unused_unsafe, clippy::allow_attributes, reason = "only older compilers need it")]
    #[expect(unsafe_code, reason = "an instruction of the processor")]
    // SAFETY: every x86-64 processor has the instruction.
    let result = unsafe { __cpuid(number) };
    (result.eax != 0 || result.edx != 0).then_some((result.eax, result.edx))
}

/// Reads the counter after everything before has ended, and before anything that follows begins.
#[inline]
pub(super) fn start() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a counter into registers. Without `nomem`, so that the compiler moves no work
    // across.
    #[expect(unsafe_code, reason = "the intrinsics are not ordered")]
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("eax") low, out("edx") high, options(nostack, preserves_flags));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// Reads the counter after everything before has ended.
#[inline]
pub(super) fn end() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a counter into registers. Without `nomem`, so that the compiler moves no work
    // across.
    #[expect(unsafe_code, reason = "the intrinsics are not ordered")]
    unsafe {
        asm!(
            "rdtscp", "lfence", out("eax") low, out("edx") high, out("ecx") _,
            options(nostack, preserves_flags)
        );
    }
    u64::from(high) << 32 | u64::from(low)
}
