//! Random input that is the same in every run and different in every iteration.
//!
//! With the same numbers in every iteration, the branch predictor of the processor would learn
//! them, and the times would not be realistic.

use std::cell::Cell;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// Returns the next number of this thread's sequence (SplitMix64; Steele, Lea and Flood 2014).
pub fn number() -> u64 {
    let state = STATE.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
    STATE.set(state);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns the next `length` numbers.
pub fn numbers(length: usize) -> Vec<u64> {
    (0..length).map(|_| number()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_published_sequence() {
        assert_eq!(numbers(3), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn the_sequence_continues() {
        assert_ne!(numbers(10), numbers(10));
    }
}
