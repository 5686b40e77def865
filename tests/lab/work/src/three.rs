//! The three benchmarks that ankerl::nanobench shows its own time with.

use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

/// `x += x`.
#[inline(always)]
pub fn double(x: u64) -> u64 {
    black_box(x.wrapping_add(x))
}

pub fn sleep_10ms() {
    std::thread::sleep(Duration::from_millis(10));
}

/// Draws up to 255 random numbers, another number of them each time.
#[inline(never)]
pub fn fluctuating() -> u64 {
    thread_local!(static STATE: Cell<u64> = const { Cell::new(0x853c_49e6_748f_ea9b) });
    let mut state = STATE.get();
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let sum = (0..next() & 0xff).fold(0, |sum: u64, _| sum.wrapping_add(next()));
    STATE.set(state);
    sum
}
