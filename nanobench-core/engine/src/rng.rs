//! Fast random numbers for inputs, jitter and orderings: RomuDuoJr, seeded by splitMix64.

#[cfg(any(feature = "rand_core", test))]
mod rand_traits;

use std::hash::{BuildHasher as _, RandomState};

/// A small and fast generator of random numbers, for the inputs of benchmarks. Not for
/// cryptography.
///
/// A number takes about as long as a multiplication, so a benchmark may generate them while it is
/// timed. The generator is also an infinite iterator.
///
/// With the feature `rand_core`, it implements the traits of that crate, for code that takes a
/// generator of the rand crates.
///
/// The algorithm is RomuDuoJr (Overton 2020, "Romu: Fast Nonlinear Pseudo-Random Number Generators
/// Providing High Quality"). The same seed gives the same numbers as in ankerl::nanobench.
///
/// ```
/// use nanobench::Rng;
///
/// let mut rng = Rng::with_seed(123);
/// let numbers: Vec<u64> = rng.by_ref().take(1_000).collect();
/// let dice = rng.bounded(6) + 1;
/// let fraction = rng.uniform01();
/// let mut cards: Vec<u32> = (0..32).collect();
/// rng.shuffle(&mut cards);
///
/// // The sequence can be continued later.
/// let later = Rng::from_state(rng.state());
/// # assert!(later == rng && numbers.len() == 1_000 && (1..=6).contains(&dice) && fraction < 1.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    x: u64,
    y: u64,
}

impl Rng {
    /// Creates a generator with a random seed.
    #[inline]
    #[expect(clippy::new_without_default, reason = "two defaults should not differ")]
    pub fn new() -> Rng {
        // `RandomState` has random keys of the operating system.
        Rng::with_seed(RandomState::new().hash_one(0))
    }

    /// Creates a generator with this seed. splitMix64 turns the seed into the state, and ten rounds
    /// mix it.
    #[inline]
    pub fn with_seed(seed: u64) -> Rng {
        let mut state = seed;
        let mut rng = Rng { x: split_mix(&mut state), y: split_mix(&mut state) };
        for _ in 0..10 {
            rng.next_u64();
        }
        rng
    }

    /// Creates a generator that continues from [`Rng::state`]. With a state of zeros, all numbers
    /// are zero.
    #[inline]
    pub fn from_state([x, y]: [u64; 2]) -> Rng {
        Rng { x, y }
    }

    /// Returns the state, on which all further numbers depend.
    #[inline]
    pub fn state(&self) -> [u64; 2] {
        [self.x, self.y]
    }

    /// Returns the next number, with 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let x = self.x;
        self.x = 15_241_094_284_759_029_579_u64.wrapping_mul(self.y);
        self.y = self.y.wrapping_sub(x).rotate_left(27);
        x
    }

    /// Returns a number below `range`, or 0 if `range` is 0. Multiplies instead of dividing (Lemire
    /// 2016), which has a slight bias for ranges close to 2^32.
    #[inline]
    pub fn bounded(&mut self, range: u32) -> u32 {
        ((u64::from(self.next_u64() as u32) * u64::from(range)) >> 32) as u32
    }

    /// Returns a number from 0 to 1, excluding 1, with 52 random bits.
    #[inline]
    pub fn uniform01(&mut self) -> f64 {
        // With this exponent, the random bits give equally spaced numbers from 1 to 2.
        f64::from_bits(0x3ff << 52 | self.next_u64() >> 12) - 1.0
    }

    /// Shuffles `items` (Fisher and Yates), with one random number for every two of them.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut left = items.len();
        while left > 1 {
            let random = self.next_u64();
            for half in [random & 0xffff_ffff, random >> 32] {
                let other = ((u128::from(half) * left as u128) >> 32) as usize;
                left -= 1;
                items.swap(left, other);
            }
        }
    }
}

impl Iterator for Rng {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        Some(self.next_u64())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

#[inline]
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
    fn split_mix_agrees_with_the_published_code() {
        // The first numbers of Vigna's splitmix64.c for the seed 1234567.
        let mut state = 1_234_567;
        let first: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    // The values below were computed from the published algorithms by an independent program in
    // another language.

    #[test]
    fn numbers_agree_with_the_reference() {
        let first = |seed| -> [u64; 4] {
            let mut rng = Rng::with_seed(seed);
            std::array::from_fn(|_| rng.next_u64())
        };
        assert_eq!(
            first(0),
            [
                12_088_876_436_681_977_425,
                12_840_770_736_011_030_038,
                9_951_915_548_211_610_186,
                4_073_511_407_257_864_080
            ]
        );
        assert_eq!(
            first(123),
            [
                2_222_826_058_396_098_479,
                2_602_822_925_082_020_875,
                13_335_048_783_801_050_212,
                4_695_492_016_416_831_756
            ]
        );
        assert_eq!(
            first(u64::MAX),
            [
                10_608_883_410_893_818_214,
                2_550_530_561_741_854_473,
                5_107_516_944_770_996_833,
                7_405_043_763_784_336_238
            ]
        );
    }

    #[test]
    fn derived_numbers_agree_with_the_reference() {
        let mut rng = Rng::with_seed(123);
        let bounded: [u32; 8] = std::array::from_fn(|_| rng.bounded(100));
        assert_eq!(bounded, [90, 96, 48, 45, 70, 32, 87, 47]);
        let mut rng = Rng::with_seed(123);
        let uniform: [f64; 3] = std::array::from_fn(|_| rng.uniform01());
        assert_eq!(uniform, [0.120_499_642_078_521_82, 0.141_099_313_498_449_95, 0.722_894_443_079_864_1]);
        let shuffled = |items: u32| {
            let mut items: Vec<u32> = (0..items).collect();
            Rng::with_seed(123).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(10), [5, 4, 6, 8, 3, 2, 0, 7, 1, 9]);
        assert_eq!(shuffled(7), [3, 2, 1, 5, 4, 0, 6]);
        assert_eq!((shuffled(1), shuffled(0)), (vec![0], vec![]));
    }

    #[test]
    fn a_generator_continues_from_a_state() {
        let mut rng = Rng::with_seed(123);
        rng.by_ref().take(4).for_each(drop);
        assert_eq!(rng.state(), [18_018_038_420_000_216_227, 17_043_669_929_575_496_175]);
        assert_eq!(Rng::from_state(rng.state()).next(), rng.clone().next());
    }

    #[test]
    fn the_seed_determines_the_sequence() {
        let (mut a, mut b, mut c) = (Rng::with_seed(1), Rng::with_seed(1), Rng::with_seed(2));
        assert_eq!(a.next_u64(), b.next_u64());
        assert_ne!(a.next_u64(), c.next_u64());
    }

    #[test]
    fn bounded_numbers_reach_all_values_below_the_range() {
        let mut rng = Rng::with_seed(7);
        let mut seen = [0; 5];
        for _ in 0..1_000 {
            seen[rng.bounded(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
        assert_eq!(rng.bounded(0), 0);
    }

    #[test]
    fn shuffling_keeps_all_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Rng::with_seed(3).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
