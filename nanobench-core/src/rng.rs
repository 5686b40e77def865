//! Fast random numbers, for inputs, jitter and orderings: RomuDuoJr, seeded by splitMix64.

use std::hash::{BuildHasher as _, RandomState};

/// A small random generator: RomuDuoJr (Overton 2020, "Romu: Fast Nonlinear Pseudo-Random Number Generators Providing
/// High Quality"), with the numbers that ankerl::nanobench has for the same seed. Not for secrets.
///
/// A number costs about as much as a multiplication, so it may stand in what is timed. It is an iterator without end, too.
///
/// ```
/// use nanobench::Rng;
///
/// let mut rng = Rng::with_seed(123);
/// let numbers: Vec<u64> = rng.by_ref().take(1_000).collect();
/// let dice = rng.bounded(6) + 1;
/// let share = rng.uniform01();
/// let mut cards: Vec<u32> = (0..32).collect();
/// rng.shuffle(&mut cards);
///
/// // It goes on from here, another time.
/// let later = Rng::from_state(rng.state());
/// # assert!(later == rng && numbers.len() == 1_000 && (1..=6).contains(&dice) && share < 1.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// The generator that goes on from a [`Rng::state`]. With a state of zeros it stays at zero.
    pub fn from_state([x, y]: [u64; 2]) -> Rng {
        Rng { x, y }
    }

    /// All that its further numbers depend on.
    pub fn state(&self) -> [u64; 2] {
        [self.x, self.y]
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

    /// A number from 0 up to, but not, 1: one of 2^52.
    #[inline]
    pub fn uniform01(&mut self) -> f64 {
        // The bits of a number from 1 up to 2 are those of the numbers between, at equal distances.
        f64::from_bits(0x3ff << 52 | self.next_u64() >> 12) - 1.0
    }

    /// Puts `items` into a random order (Fisher and Yates), with a random number for two of them.
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

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
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

    // The values below were computed by a program of its own, in another language, from the published algorithms.

    #[test]
    fn numbers_are_those_of_the_reference() {
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
    fn what_is_made_of_the_numbers_is_that_of_the_reference() {
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
    fn a_state_goes_on_where_it_was() {
        let mut rng = Rng::with_seed(123);
        rng.by_ref().take(4).for_each(drop);
        assert_eq!(rng.state(), [18_018_038_420_000_216_227, 17_043_669_929_575_496_175]);
        assert_eq!(Rng::from_state(rng.state()).next(), rng.clone().next());
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
