//! Fast random numbers, for jitter and orderings: RomuDuoJr, seeded by splitMix64.

use std::hash::{BuildHasher as _, RandomState};

/// A small random generator: RomuDuoJr (Overton 2020, "Romu: Fast Nonlinear Pseudo-Random Number Generators Providing
/// High Quality"), as ankerl::nanobench has it. Not for secrets.
#[derive(Debug, Clone)]
pub struct Rng {
    x: u64,
    y: u64,
}

impl Rng {
    /// A generator of its own sequence each time.
    #[expect(clippy::new_without_default, reason = "two defaults that differ would surprise")]
    pub fn new() -> Rng {
        // Keyed by the operating system's randomness.
        Rng::with_seed(RandomState::new().hash_one(0))
    }

    /// The generator of this sequence: splitMix64 makes the state, and ten rounds mix it.
    pub fn with_seed(seed: u64) -> Rng {
        let mut state = seed;
        let mut rng = Rng { x: split_mix(&mut state), y: split_mix(&mut state) };
        for _ in 0..10 {
            rng.next_u64();
        }
        rng
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let x = self.x;
        self.x = 15_241_094_284_759_029_579_u64.wrapping_mul(self.y);
        self.y = self.y.wrapping_sub(x).rotate_left(27);
        x
    }

    /// A number below `range`, by a multiplication instead of a division (Lemire 2016); with a slight bias for ranges
    /// close to 2^32. 0 for a range of 0.
    #[inline]
    pub fn bounded(&mut self, range: u32) -> u32 {
        ((u64::from(self.next_u64() as u32) * u64::from(range)) >> 32) as u32
    }

    /// Puts `items` into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let range = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.bounded(range) as usize);
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_is_the_published_one() {
        // The first outputs for the seed 1234567 (Vigna's splitmix64.c).
        let mut state = 1_234_567;
        let first: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn one_seed_one_sequence() {
        let (mut a, mut b, mut c) = (Rng::with_seed(1), Rng::with_seed(1), Rng::with_seed(2));
        assert_eq!(a.next_u64(), b.next_u64());
        assert_ne!(a.next_u64(), c.next_u64());
    }

    #[test]
    fn bounded_stays_below_and_reaches_all() {
        let mut rng = Rng::with_seed(7);
        let mut seen = [0; 5];
        for _ in 0..1_000 {
            seen[rng.bounded(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
        assert_eq!(rng.bounded(0), 0);
    }

    #[test]
    fn shuffle_keeps_what_there_is() {
        let mut items: Vec<u32> = (0..100).collect();
        Rng::with_seed(3).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
