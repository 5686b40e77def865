//! Encodes unsigned integers in as few bytes as possible (LEB128): seven bits per byte, lowest
//! first, with the top bit set in all bytes but the last.

/// Appends `value` to `bytes`: one byte below 128, ten for the largest numbers.
pub fn encode(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Decodes a sequence of integers. Returns `None` if the bytes end within a number, or a number
/// exceeds 64 bits.
pub fn decode(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        let (value, rest) = split_first(bytes)?;
        values.push(value);
        bytes = rest;
    }
    Some(values)
}

/// Returns the first integer and the bytes after it.
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

/// Returns the number of bytes that [`encode`] appends for `value`.
fn encoded_length(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

/// Encodes a sequence into a buffer of the exact size.
pub fn encode_all(values: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.iter().copied().map(encoded_length).sum());
    for &value in values {
        encode(value, &mut bytes);
    }
    bytes
}

/// Benchmarks of private functions, next to them like unit tests.
#[cfg(test)]
mod benches {
    use std::hint::black_box;

    use nanobench::{TimeControl, nanobench};

    use super::*;
    use crate::random;

    /// Decodes one number of two bytes.
    #[nanobench]
    fn split_first_of_two_bytes() -> Option<u64> {
        split_first(black_box::<&[u8]>(&[0xac, 0x02])).map(|(value, _)| value)
    }

    /// Computes the encoded length of a number.
    #[nanobench]
    fn length(count: u64) -> usize {
        (0..count).map(|value| encoded_length(black_box(value))).sum()
    }

    /// Decodes 1,000 numbers of all lengths. The time is per number.
    #[nanobench(count = 1_000)]
    fn decode_mixed_lengths(count: usize, tc: &mut TimeControl) -> Option<Vec<u64>> {
        let bytes = tc.exclude(|| encode_all(&mixed_lengths(count)));
        decode(&bytes)
    }

    /// Encodes 1,000 numbers of all lengths. The time is per number.
    #[nanobench(count = 1_000)]
    fn encode_mixed_lengths(count: usize, tc: &mut TimeControl) -> Vec<u8> {
        let values = tc.exclude(|| mixed_lengths(count));
        encode_all(&values)
    }

    /// Returns random numbers of 1 to 64 bits.
    fn mixed_lengths(count: usize) -> Vec<u64> {
        random::numbers(count).into_iter().map(|number| number >> (number % 64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDARIES: [u64; 7] = [0, 1, 127, 128, 300, u64::MAX >> 1, u64::MAX];

    #[test]
    fn bytes_have_seven_bits_lowest_first() {
        assert_eq!(encode_all(&[0, 127, 128, 300]), [0x00, 0x7f, 0x80, 0x01, 0xac, 0x02]);
    }

    #[test]
    fn decoding_reverses_encoding() {
        assert_eq!(decode(&encode_all(&BOUNDARIES)), Some(BOUNDARIES.to_vec()));
    }

    #[test]
    fn encoded_lengths_are_exact() {
        for value in BOUNDARIES {
            assert_eq!(encoded_length(value), encode_all(&[value]).len(), "{value}");
        }
    }

    #[test]
    fn bytes_that_end_within_a_number_are_refused() {
        assert_eq!(decode(&[0x01, 0x80]), None);
    }

    #[test]
    fn numbers_over_64_bits_are_refused() {
        let mut bytes = encode_all(&[u64::MAX]);
        bytes[9] = 0x02;
        assert_eq!(decode(&bytes), None);
        assert_eq!(decode(&[0x80; 11]), None);
    }
}
