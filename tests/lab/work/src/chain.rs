//! Work whose length is known: multiplications that wait for each other.
//!
//! A 64-bit multiplication takes 3 cycles on the x86-64 cores since 2013 and on most aarch64 ones.
//! They are spelled in assembly, so that no optimiser can shorten them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An odd factor, so that no product ever becomes zero.
pub(crate) const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// K multiplications, each of the product before. Feed the result back in to serialise calls.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub fn chain<const K: usize>(x: u64) -> u64 {
    let product;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: multiplies one register by another and touches no memory.
    unsafe {
        core::arch::asm!(".rept {k}", "imul {x}, {m}", ".endr",
            x = inout(reg) x => product, m = in(reg) FACTOR, k = const K, options(pure, nomem, nostack));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        core::arch::asm!(".rept {k}", "mul {x}, {x}, {m}", ".endr",
            x = inout(reg) x => product, m = in(reg) FACTOR, k = const K, options(pure, nomem, nostack));
    }
    product
}

/// Does the work of the chain on processors without such assembly.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn chain<const K: usize>(x: u64) -> u64 {
    (0..K).fold(x, |x, _| std::hint::black_box(x).wrapping_mul(FACTOR))
}

/// Continues the chain where the previous call left it, for functions without state. The way
/// through memory takes some cycles more.
#[inline(always)]
pub fn fed<const K: usize>() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(1);
    let x = chain::<K>(LAST.load(Relaxed));
    LAST.store(x, Relaxed);
    x
}
