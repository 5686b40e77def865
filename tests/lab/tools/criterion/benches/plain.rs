//! The plain functions for criterion.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;
use work::plain;

fn benches(c: &mut Criterion) {
    c.bench_function("find_char", |b| b.iter(|| plain::find_char(black_box(plain::LINE))));
    c.bench_function("find_text", |b| b.iter(|| plain::find_text(black_box(plain::LINE))));
    c.bench_function("parse_number", |b| b.iter(|| plain::parse_number(black_box(plain::NUMBER))));
    c.bench_function("count_words", |b| b.iter(|| plain::count_words(black_box(plain::PATH))));
    let numbers = plain::ordered();
    c.bench_function("sum_slice", |b| b.iter(|| plain::sum_slice(black_box(&numbers))));
    c.bench_function("search_slice", |b| b.iter(|| plain::search_slice(black_box(&numbers))));
    let (hashed, ordered) = (plain::hash_map(), plain::tree_map());
    c.bench_function("get_hashed", |b| b.iter(|| plain::get_hashed(black_box(&hashed))));
    c.bench_function("get_ordered", |b| b.iter(|| plain::get_ordered(black_box(&ordered))));
    c.bench_function("extension", |b| b.iter(|| plain::extension(black_box(Path::new(plain::PATH)))));
    c.bench_function("equal_ignoring_case", |b| b.iter(|| plain::equal_ignoring_case(black_box(plain::PAIR))));
    c.bench_function("format_line", |b| b.iter(|| plain::format_line(black_box(1_234_567))));
    c.bench_function("sort_slice", |b| {
        let sort = |numbers: &mut Vec<u64>| plain::sort_slice(black_box(numbers));
        b.iter_batched_ref(plain::shuffled, sort, BatchSize::SmallInput);
    });
}

criterion_group!(plain_functions, benches);
criterion_main!(plain_functions);
