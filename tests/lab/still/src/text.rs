//! Work on text.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The number of different words.
pub fn words(text: &str) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts.len()
}

pub fn checksum(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut sum = 0_u32;
    let mut i = 0;
    while i + 1 < bytes.len() {
        let pair = u32::from(bytes[i]) << 8 | u32::from(bytes[i + 1]);
        sum = sum.rotate_left(3) ^ pair;
        i += 2;
    }
    sum
}

/// The sum of all numbers in a text.
pub fn parse(text: &str) -> u64 {
    let mut sum = 0;
    let mut number = None;
    for byte in text.bytes() {
        match (number, digit(byte)) {
            (None, digit) => number = digit,
            (Some(n), Some(digit)) => number = Some(n * 10 + digit),
            (Some(n), None) => {
                sum += n;
                number = None;
            }
        }
    }
    sum + number.unwrap_or(0)
}

fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

pub fn shout(text: &str) -> String {
    let mut loud = String::new();
    for (i, word) in text.split(' ').enumerate() {
        write!(loud, "{i}: {word:?}! ").expect("a string takes all");
        loud.push_str(&word.to_uppercase());
    }
    loud
}
