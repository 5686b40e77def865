//! Converts numbers to text and back. `count` has no value here: the harness chooses one that is
//! large enough to measure a few nanoseconds.

use std::fmt::Write as _;
use std::hint::black_box;

use nanobench::nanobench;

const INTEGERS: [&str; 8] =
    ["0", "7", "42", "1969", "65536", "299792458", "9007199254740993", "18446744073709551615"];

const DECIMALS: [&str; 8] =
    ["0", "-1", "0.1", "3.14159265358979", "6.02214076e23", "-273.15", "1e-300", "1013.25"];

/// Parses integers of 1 to 20 digits.
#[nanobench]
fn parse_integer(count: usize) {
    for text in INTEGERS.iter().cycle().take(count) {
        let _ = black_box(black_box(text).parse::<u64>());
    }
}

/// Parses decimal fractions, with and without an exponent.
#[nanobench]
fn parse_float(count: usize) {
    for text in DECIMALS.iter().cycle().take(count) {
        let _ = black_box(black_box(text).parse::<f64>());
    }
}

/// Formats an integer into a new string.
#[nanobench]
fn integer_to_string() -> String {
    black_box(299_792_458_u64).to_string()
}

/// Formats the shortest text that parses to the same float.
#[nanobench]
fn float_to_string() -> String {
    black_box(0.1 + 0.2_f64).to_string()
}

/// Formats a float with two decimals.
#[nanobench]
fn float_with_two_decimals() -> String {
    format!("{:.2}", black_box(1013.25_f64))
}

/// Writes a table of 100 rows into one string.
#[nanobench]
fn table() -> String {
    let mut text = String::new();
    for row in 0..black_box(100_u32) {
        let _ = writeln!(text, "{row:>4} | {:>8} | {:08x}", row * row, row.wrapping_mul(0x9e37_79b9));
    }
    text
}
