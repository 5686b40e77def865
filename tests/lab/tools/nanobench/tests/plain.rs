//! The plain functions, each with its input hidden a second time, as ported benchmarks do.

use nanobench::nanobench;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use work::plain;

#[nanobench(args = [plain::LINE])]
fn find_char(text: &str) -> Option<usize> {
    plain::find_char(black_box(text))
}

#[nanobench(args = [plain::LINE])]
fn find_text(text: &str) -> Option<usize> {
    plain::find_text(black_box(text))
}

#[nanobench(args = [plain::NUMBER])]
fn parse_number(text: &str) -> Option<u64> {
    plain::parse_number(black_box(text))
}

#[nanobench(args = [plain::PATH.to_owned()])]
fn count_words(text: &str) -> usize {
    plain::count_words(black_box(text))
}

#[nanobench(fixture = plain::ordered)]
fn sum_slice(numbers: &[u64]) -> u64 {
    plain::sum_slice(black_box(numbers))
}

#[nanobench(fixture = plain::ordered)]
fn search_slice(numbers: &[u64]) -> Option<usize> {
    plain::search_slice(black_box(numbers))
}

#[nanobench(fixture = plain::hash_map)]
fn get_hashed(map: &HashMap<u64, u64>) -> Option<u64> {
    plain::get_hashed(black_box(map))
}

#[nanobench(fixture = plain::tree_map)]
fn get_ordered(map: &BTreeMap<u64, u64>) -> Option<u64> {
    plain::get_ordered(black_box(map))
}

#[nanobench(args = [PathBuf::from(plain::PATH)])]
fn extension(path: &Path) -> usize {
    plain::extension(black_box(path))
}

#[nanobench(args = [plain::PAIR])]
fn equal_ignoring_case(pair: (&str, &str)) -> bool {
    plain::equal_ignoring_case(black_box(pair))
}

#[nanobench(args = [1_234_567])]
fn format_line(n: u64) -> usize {
    plain::format_line(black_box(n))
}

#[nanobench(setup = plain::shuffled)]
fn sort_slice(numbers: &mut [u64]) {
    plain::sort_slice(black_box(numbers));
}
