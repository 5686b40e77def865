//! The plain functions for divan.

use divan::{Bencher, bench, black_box};
use std::path::Path;
use work::plain;

fn main() {
    divan::main();
}

#[bench]
fn find_char(b: Bencher) {
    b.bench(|| plain::find_char(black_box(plain::LINE)));
}

#[bench]
fn find_text(b: Bencher) {
    b.bench(|| plain::find_text(black_box(plain::LINE)));
}

#[bench]
fn parse_number(b: Bencher) {
    b.bench(|| plain::parse_number(black_box(plain::NUMBER)));
}

#[bench]
fn count_words(b: Bencher) {
    b.bench(|| plain::count_words(black_box(plain::PATH)));
}

#[bench]
fn sum_slice(b: Bencher) {
    let numbers = plain::ordered();
    b.bench(|| plain::sum_slice(black_box(&numbers)));
}

#[bench]
fn search_slice(b: Bencher) {
    let numbers = plain::ordered();
    b.bench(|| plain::search_slice(black_box(&numbers)));
}

#[bench]
fn get_hashed(b: Bencher) {
    let map = plain::hash_map();
    b.bench(|| plain::get_hashed(black_box(&map)));
}

#[bench]
fn get_ordered(b: Bencher) {
    let map = plain::tree_map();
    b.bench(|| plain::get_ordered(black_box(&map)));
}

#[bench]
fn extension(b: Bencher) {
    b.bench(|| plain::extension(black_box(Path::new(plain::PATH))));
}

#[bench]
fn equal_ignoring_case(b: Bencher) {
    b.bench(|| plain::equal_ignoring_case(black_box(plain::PAIR)));
}

#[bench]
fn format_line(b: Bencher) {
    b.bench(|| plain::format_line(black_box(1_234_567)));
}

#[bench]
fn sort_slice(b: Bencher) {
    b.with_inputs(plain::shuffled).bench_refs(|numbers| plain::sort_slice(black_box(numbers)));
}
