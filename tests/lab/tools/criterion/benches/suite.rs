//! The suite for criterion.

use criterion::{BatchSize::SmallInput, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use work::*;

fn suite(c: &mut Criterion) {
    c.bench_function("empty", |b| b.iter(|| {}));
    c.bench_function("chain1", |b| {
        let mut x = 1;
        b.iter(|| {
            x = chain::<1>(x);
            x
        });
    });
    c.bench_function("chain10", |b| {
        let mut x = 1;
        b.iter(|| {
            x = chain::<10>(x);
            x
        });
    });
    c.bench_function("chain100", |b| {
        let mut x = 1;
        b.iter(|| {
            x = chain::<100>(x);
            x
        });
    });
    c.bench_function("add", |b| b.iter(|| black_box(3_u64) + black_box(4)));
    c.bench_function("format", |b| b.iter(|| format_u64(black_box(1_234_567))));
    c.bench_function("vec_push", |b| b.iter(|| vec_push(black_box(1_000))));
    c.bench_function("map_insert", |b| b.iter_batched_ref(empty_map, map_insert, SmallInput));
    c.bench_function("map_remove", |b| {
        let map = filled_map();
        b.iter_batched_ref(|| map.clone(), map_remove, SmallInput);
    });
    c.bench_function("sort", |b| {
        let numbers = unsorted();
        b.iter_batched_ref(|| numbers.clone(), |numbers| sort(numbers), SmallInput);
    });
    c.bench_function("byte_hash", |b| {
        let data = bytes(65_536);
        b.iter(|| byte_hash(black_box(&data)));
    });
    c.bench_function("copy", |b| {
        let (mut to, from) = (vec![2; MIB], vec![1; MIB]);
        b.iter(|| copy(black_box(&mut to), black_box(&from)));
    });
    c.bench_function("search", |b| {
        let text = haystack();
        b.iter(|| search(black_box(&text), black_box("needle")));
    });
    c.bench_function("sleep_2ms", |b| b.iter(sleep_2ms));
    c.bench_function("setup_empty", |b| b.iter_batched(|| 1_u64, |x| x, SmallInput));
    c.bench_function("setup_chain10", |b| b.iter_batched(|| 1, chain::<10>, SmallInput));
    c.bench_function("setup_vec64", |b| {
        let increment = |mut v: Vec<u8>| {
            v[0] += 1;
            v
        };
        b.iter_batched(|| vec![0; 64], increment, SmallInput);
    });
}

criterion_group!(benches, suite);
criterion_main!(benches);
