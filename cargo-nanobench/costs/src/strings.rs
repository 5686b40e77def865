//! Text.

use nanobench::nanobench;
use std::fmt::Write as _;
use std::hint::black_box;

/// Appending four bytes to a `String` that has room.
#[nanobench(name = "String.push_str with room", batch = 100, setup = || String::with_capacity(400))]
fn push_str(text: &mut String) {
    for _ in 0..100 {
        text.push_str(black_box("word"));
    }
}

/// An owned copy of 20 bytes.
#[nanobench(name = "to_owned of 20 bytes", setup = || "twenty bytes of text", every = "benchmark")]
fn to_owned(text: &str) -> String {
    text.to_owned()
}

/// A number as a new `String`.
#[nanobench(name = "u64 to_string", setup = || 1_234_567, every = "benchmark")]
fn to_string(number: &u64) -> String {
    number.to_string()
}

/// A number and a word as a new `String`.
#[nanobench(
    name = "format! of a number and a word", cache = "both",
    setup = || (1_234_567, "word"), every = "benchmark"
)]
fn format((number, word): &(u64, &str)) -> String {
    format!("{word}: {number}")
}

/// Writing a number and a word into a `String` that has room.
#[nanobench(
    name = "write! into a String with room",
    batch = 100, setup = || String::with_capacity(1_400)
)]
fn write(text: &mut String) {
    for _ in 0..100 {
        write!(text, "{}: {}", black_box("word"), black_box(1_234_567)).expect("a String takes any text");
    }
}

/// Seven digits to a number.
#[nanobench(name = "parse a u64", setup = || "1234567", every = "benchmark")]
fn parse_u64(digits: &str) -> Option<u64> {
    digits.parse().ok()
}

/// Eight characters to a number.
#[nanobench(name = "parse an f64", setup = || "1234.567", every = "benchmark")]
fn parse_f64(digits: &str) -> Option<f64> {
    digits.parse().ok()
}

/// Checking 4096 bytes of ASCII.
#[nanobench(
    name = "UTF-8 check of 4096 ASCII bytes",
    setup = || "plain text, ".repeat(342).into_bytes(), every = "benchmark", bytes = |v| v.len()
)]
fn check_ascii(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok()
}

/// Checking about 4096 bytes of characters that have two to four bytes.
#[nanobench(
    name = "UTF-8 check of 4096 other bytes",
    setup = || "größer, 漢字, 🦀, ".repeat(140).into_bytes(), every = "benchmark", bytes = |v| v.len()
)]
fn check_unicode(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok()
}

/// Finding a character at the end of 4096 bytes.
#[nanobench(
    name = "find a char in 4096 bytes",
    setup = haystack, every = "benchmark", bytes = |v| v.len()
)]
fn find_char(text: &str) -> Option<usize> {
    text.find('!')
}

/// Finding a word at the end of 4096 bytes.
#[nanobench(
    name = "find a word in 4096 bytes",
    setup = haystack, every = "benchmark", bytes = |v| v.len()
)]
fn find_word(text: &str) -> Option<usize> {
    text.find("needle")
}

/// Splitting 4096 bytes into words.
#[nanobench(
    name = "split 4096 bytes into words",
    setup = haystack, every = "benchmark", bytes = |v| v.len()
)]
fn split(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Decoding 4096 bytes into characters.
#[nanobench(name = "chars of 4096 bytes", setup = haystack, every = "benchmark", bytes = |v| v.len())]
fn chars(text: &str) -> u32 {
    text.chars().fold(0, |sum, c| sum.wrapping_add(c.into()))
}

fn haystack() -> String {
    "some plain text, ".repeat(240) + " a needle!"
}
