//! A chain of dependent operations that is timed around every sample, to find the current speed of
//! the core.

use crate::time::{Clock, Ticks};
use std::hint::black_box;

/// Length of the chain: about 3 us, long compared with the resolution of the clock and short
/// compared with a sample.
const LINKS: u32 = 2_000;
/// Cycles of a link: an `or` of one cycle and a dependent multiplication of three, on the x86-64
/// and aarch64 cores of the last fifteen years.
const CYCLES_PER_LINK: u32 = 4;
/// Number of chains whose time is stored: in earlier versions, the chain was as long as these.
pub(super) const CHAINS: u32 = 3;
/// Number of cycles that all of them take.
pub(crate) const CYCLES: u32 = CHAINS * LINKS * CYCLES_PER_LINK;

/// Returns the time of one chain.
#[inline]
pub(super) fn time(clock: &Clock) -> Ticks {
    let start = clock.start();
    run();
    clock.end().since(start)
}

/// Runs the chain. Nothing can be computed ahead, because each factor is the previous product.
#[inline]
fn run() {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..LINKS {
        x = x.wrapping_mul(x | 1);
    }
    black_box(x);
}
