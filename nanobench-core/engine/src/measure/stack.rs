//! The place of a sample's stack frames within a page.
//!
//! A load waits for an earlier store whose address has the same low 12 bits, since the processor
//! compares only those at first (Intel's optimization manual calls it 4-KByte aliasing). So a
//! function slows down if its frame lies at the same offset in a page as its data, and always does so
//! in one executable. With a place at random, few samples are slow.

use std::hint::black_box;

/// The number of places. They spread over at least a page.
pub(super) const PLACES: u32 = 32;

#[repr(align(64))]
struct CacheLine([u8; 64]);

/// Calls `run` with its frame at this place.
#[inline(never)]
pub(super) fn run_at(place: u32, run: &mut dyn FnMut()) {
    let mut line = CacheLine([0; 64]);
    black_box(&mut line.0);
    match place.checked_sub(1) {
        Some(place) => run_at(place, run),
        None => run(),
    }
    // Keeps the frame up to here.
    black_box(&mut line.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_cache_lines_apart() {
        let mut addresses = Vec::new();
        for place in 0..PLACES {
            run_at(place, &mut || {
                let local = 0_u8;
                addresses.push(black_box(&raw const local).addr());
            });
        }
        let steps: Vec<usize> = addresses.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
        assert!(steps.iter().all(|&step| step == steps[0] && step >= 64 && step % 64 == 0), "{steps:?}");
    }
}
