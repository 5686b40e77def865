//! The limits of figures from processes and files. Within them, sums and quotients are finite and
//! keep their order.

use std::ops::RangeInclusive;

/// Longest time, in ns: 30 years.
pub const MAX_TIME: f64 = 1e18;
/// Ticks per second of the slowest and the fastest clock.
pub const FREQUENCIES: RangeInclusive<f64> = 1.0..=1e12;
/// Largest number of ticks of a sample. Sums of them fit in 64 bits.
pub const MAX_TICKS: u64 = 1 << 56;
