//! Small functions on text.

use std::collections::HashMap;

/// Counts how often each word occurs.
pub fn count_words(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    counts.reserve(text.len() / 4);
    for word in text.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// Joins words with a separator.
pub fn join(words: &[&str]) -> String {
    let mut text = String::with_capacity(words.iter().map(|word| word.len() + 1).sum());
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// Returns the text from its end to its beginning.
pub fn reverse(text: &str) -> String {
    let mut reversed = String::new();
    for letter in text.chars() {
        reversed.insert(0, letter);
    }
    reversed
}

/// Returns a checksum.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(1, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)))
}
