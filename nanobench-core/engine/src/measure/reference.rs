//! A chain of dependent operations that is timed around every sample, to find the current speed of
//! the core.
//!
//! A link is an `or` of one cycle and a dependent multiplication of 64 bits.

use crate::time::{self, Clock, Ticks};
use std::hint::black_box;
use std::ops::RangeInclusive;

/// Length of the chain: about 3 us, long compared with the resolution of the clock and short
/// compared with a sample.
const LINKS: u32 = 2_000;
/// Number of chains whose time is stored: in earlier versions, the chain was as long as these.
pub(super) const CHAINS: u32 = 3;
/// Number of links of all of them.
pub(crate) const STORED_LINKS: u32 = CHAINS * LINKS;
/// Largest resolution of a clock, in ns, that tells the length of a chain.
pub(super) const MAX_RESOLUTION: f64 = 100.0;

/// Cycles of a link with a multiplication of three cycles.
const CYCLES_PER_LINK: u64 = 4;
/// Families of AMD, and models of Intel's family 6, whose multiplication takes three cycles: Zen, and
/// Nehalem to Granite Rapids (Fog, *Instruction tables*; uops.info). It takes longer on AMD's earlier
/// processors and on Intel's small cores (Atom to Gracemont), so also on hybrid processors, where a
/// process may move between large and small cores.
const AMD_FAMILIES: RangeInclusive<u32> = 0x17..=0x1a;
const INTEL_MODELS: &[u32] = &[
    0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, 0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47,
    0x4f, 0x56, 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7,
    0x8f, 0xcf, 0xad, 0xae,
];

/// Returns the cycles of a link, if they are known of this processor.
pub(super) fn cycles_per_link() -> Option<u64> {
    let (family, model) = time::family_and_model()?;
    let is_known = AMD_FAMILIES.contains(&family) || family == 6 && INTEL_MODELS.contains(&model);
    is_known.then_some(CYCLES_PER_LINK)
}

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
