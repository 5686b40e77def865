//! The traits of `rand_core`, so that a [`Rng`] works wherever the rand crates take a generator.

use super::Rng;
use rand_core::{Infallible, SeedableRng, TryRng};

impl TryRng for Rng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_u64())
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl SeedableRng for Rng {
    type Seed = [u8; 8];

    /// Creates the generator that [`Rng::with_seed`] creates for the little-endian number.
    #[inline]
    fn from_seed(seed: [u8; 8]) -> Rng {
        Rng::with_seed(u64::from_le_bytes(seed))
    }

    #[inline]
    fn seed_from_u64(seed: u64) -> Rng {
        Rng::with_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_of(generator: &mut impl rand_core::Rng) -> (u32, u64, [u8; 11]) {
        let mut bytes = [0; 11];
        generator.fill_bytes(&mut bytes);
        (generator.next_u32(), generator.next_u64(), bytes)
    }

    #[test]
    fn it_is_a_generator_of_the_rand_crates() {
        let numbers: Vec<u64> = Rng::with_seed(7).take(4).collect();
        let bytes: Vec<u8> = numbers[..2].iter().flat_map(|number| number.to_le_bytes()).take(11).collect();
        let expected = (numbers[2] as u32, numbers[3], bytes.try_into().unwrap());
        assert_eq!(first_of(&mut Rng::seed_from_u64(7)), expected);
        assert_eq!(first_of(&mut Rng::from_seed([7, 0, 0, 0, 0, 0, 0, 0])), expected);
    }
}
