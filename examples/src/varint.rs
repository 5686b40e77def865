//! Unsigned integers in as few bytes as they need (LEB128): seven bits a byte, lowest first, the top bit set on
//! all bytes but the last.

/// Appends `value` to `bytes`: one byte below 128, ten for the largest numbers.
pub fn encode(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Reads a sequence of integers back. `None` where the bytes end within a number or a number exceeds 64 bits.
pub fn decode(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        let (value, rest) = split_first(bytes)?;
        values.push(value);
        bytes = rest;
    }
    Some(values)
}

/// The first integer, and the bytes after it.
fn split_first(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let bits = u64::from(byte & 0x7f);
        if index > 9 || (index == 9 && bits > 1) {
            return None;
        }
        value |= bits << (7 * index);
        if byte < 0x80 {
            return Some((value, &bytes[index + 1..]));
        }
    }
    None
}

/// How many bytes [`encode`] appends for `value`.
fn encoded_length(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

/// Encodes a sequence into a buffer of exactly the size that it needs.
pub fn encode_all(values: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.iter().copied().map(encoded_length).sum());
    for &value in values {
        encode(value, &mut bytes);
    }
    bytes
}

/// Benchmarks of private functions live beside them, as unit tests do.
#[cfg(test)]
mod benches {
    use std::hint::black_box;

    use nanobench::{TimeControl, nanobench};

    use super::*;
    use crate::random;

    /// Reads one number of two bytes.
    #[nanobench]
    fn split_first_of_two_bytes() -> Option<u64> {
        split_first(black_box::<&[u8]>(&[0xac, 0x02])).map(|(value, _)| value)
    }

    /// Computes the length of one number, without writing it.
    #[nanobench]
    fn length(count: u64) -> usize {
        (0..count).map(|value| encoded_length(black_box(value))).sum()
    }

    /// Reads back 1,000 numbers of all lengths; the figure is per number.
    #[nanobench(count = 1_000)]
    fn decode_mixed_lengths(count: usize, tc: &mut TimeControl) -> Option<Vec<u64>> {
        let bytes = tc.exclude(|| encode_all(&mixed_lengths(count)));
        decode(&bytes)
    }

    /// Writes 1,000 numbers of all lengths; the figure is per number.
    #[nanobench(count = 1_000)]
    fn encode_mixed_lengths(count: usize, tc: &mut TimeControl) -> Vec<u8> {
        let values = tc.exclude(|| mixed_lengths(count));
        encode_all(&values)
    }

    /// Random numbers of 1 to 64 bits.
    fn mixed_lengths(count: usize) -> Vec<u64> {
        random::numbers(count).into_iter().map(|number| number >> (number % 64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORDERS: [u64; 7] = [0, 1, 127, 128, 300, u64::MAX >> 1, u64::MAX];

    #[test]
    fn writes_seven_bits_a_byte_lowest_first() {
        assert_eq!(encode_all(&[0, 127, 128, 300]), [0x00, 0x7f, 0x80, 0x01, 0xac, 0x02]);
    }

    #[test]
    fn reads_what_it_wrote() {
        assert_eq!(decode(&encode_all(&BORDERS)), Some(BORDERS.to_vec()));
    }

    #[test]
    fn knows_the_length_beforehand() {
        for value in BORDERS {
            assert_eq!(encoded_length(value), encode_all(&[value]).len(), "{value}");
        }
    }

    #[test]
    fn refuses_bytes_that_end_within_a_number() {
        assert_eq!(decode(&[0x01, 0x80]), None);
    }

    #[test]
    fn refuses_numbers_over_64_bits() {
        let mut bytes = encode_all(&[u64::MAX]);
        bytes[9] = 0x02;
        assert_eq!(decode(&bytes), None);
        assert_eq!(decode(&[0x80; 11]), None);
    }
}
