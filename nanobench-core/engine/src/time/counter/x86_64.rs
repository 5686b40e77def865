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

/// Returns the processor's family and model (Intel SDM volume 2, CPUID; AMD APM volume 3, function
/// 0000_0001).
pub(super) fn family_and_model() -> Option<(u32, u32)> {
    let (signature, _) = leaf(1)?;
    let bits = |shift: u32, number: u32| signature >> shift & ((1 << number) - 1);
    let family = if bits(8, 4) == 0xf { 0xf + bits(20, 8) } else { bits(8, 4) };
    Some((family, bits(16, 4) << 4 | bits(4, 4)))
}

/// Returns `eax` and `edx` of a leaf of `cpuid`.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_family_and_model_are_those_of_the_kernel() {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let number = |name: &str| -> u32 {
            let mut fields = cpus.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(field, _)| field.trim() == name).unwrap().1.trim().parse().unwrap()
        };
        assert_eq!(super::family_and_model(), Some((number("cpu family"), number("model"))));
    }
}
