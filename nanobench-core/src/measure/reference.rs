//! A chain of dependent operations that is timed beside every sample: how fast does the core run just now?

use std::hint::black_box;

/// Links of the chain: some 10 us, long beside the clock's resolution and short beside a sample.
const LINKS: u32 = 6_000;
/// An `or` of one cycle and a multiplication of three, each waiting for the one before, on the x86-64 and aarch64 cores of
/// the last fifteen years.
const CYCLES_A_LINK: u32 = 4;
/// Cycles of the whole chain.
pub const CYCLES: u32 = LINKS * CYCLES_A_LINK;

/// Runs the chain. Nothing can be computed ahead: a factor is the product before.
#[inline(never)]
pub(super) fn run() {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..LINKS {
        x = x.wrapping_mul(x | 1);
    }
    black_box(x);
}
