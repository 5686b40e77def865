//! Twelve plain functions, as crates have them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::Path;

pub const LINE: &str = "GET /articles/2024/05/a-quiet-afternoon.html?page=2 HTTP/1.1";
pub const NUMBER: &str = "  1234567 ";
pub const PATH: &str = "/usr/share/doc/rust/html/std/index.html";
pub const PAIR: (&str, &str) = ("Content-Type: text/html", "content-type: TEXT/html");

pub fn ordered() -> Vec<u64> {
    (0..1_000).map(|i| i * 3).collect()
}

pub fn shuffled() -> Vec<u64> {
    (0..100).map(|i| i * 7_919 % 1_009).collect()
}

pub fn hash_map() -> HashMap<u64, u64> {
    (0..1_000).map(|i| (i, i)).collect()
}

pub fn tree_map() -> BTreeMap<u64, u64> {
    (0..1_000).map(|i| (i, i)).collect()
}

#[inline(never)]
pub fn find_char(text: &str) -> Option<usize> {
    text.find('?')
}

#[inline(never)]
pub fn find_text(text: &str) -> Option<usize> {
    text.find("HTTP")
}

#[inline(never)]
pub fn parse_number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[inline(never)]
pub fn count_words(text: &str) -> usize {
    text.split('/').filter(|word| !word.is_empty()).count()
}

#[inline(never)]
pub fn sum_slice(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

#[inline(never)]
pub fn search_slice(numbers: &[u64]) -> Option<usize> {
    numbers.binary_search(&1_107).ok()
}

#[inline(never)]
pub fn get_hashed(map: &HashMap<u64, u64>) -> Option<u64> {
    map.get(&371).copied()
}

#[inline(never)]
pub fn get_ordered(map: &BTreeMap<u64, u64>) -> Option<u64> {
    map.get(&371).copied()
}

#[inline(never)]
pub fn extension(path: &Path) -> usize {
    path.extension().map_or(0, |extension| extension.len())
}

#[inline(never)]
pub fn equal_ignoring_case((a, b): (&str, &str)) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Drops the text: tools differ in the time at which they drop a result.
#[inline(never)]
pub fn format_line(n: u64) -> usize {
    let mut text = String::new();
    let _ = write!(text, "{n}: {:>8} of {}", n / 3, "many");
    text.len()
}

#[inline(never)]
pub fn sort_slice(numbers: &mut [u64]) {
    numbers.sort_unstable();
}
