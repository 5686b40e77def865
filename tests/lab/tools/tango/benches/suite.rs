//! The suite for tango, which can't leave set-up out: `map_insert`, `map_remove`, `sort` and
//! `setup_*` include it.

use std::hint::black_box;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};
use work::*;

fn suite() -> impl IntoBenchmarks {
    [
        benchmark_fn("empty", |b| b.iter(|| {})),
        benchmark_fn("chain1", |b| {
            let mut x = 1;
            b.iter(move || {
                x = chain::<1>(x);
                x
            })
        }),
        benchmark_fn("chain10", |b| {
            let mut x = 1;
            b.iter(move || {
                x = chain::<10>(x);
                x
            })
        }),
        benchmark_fn("chain100", |b| {
            let mut x = 1;
            b.iter(move || {
                x = chain::<100>(x);
                x
            })
        }),
        benchmark_fn("add", |b| b.iter(|| black_box(3_u64) + black_box(4))),
        benchmark_fn("format", |b| b.iter(|| format_u64(black_box(1_234_567)))),
        benchmark_fn("vec_push", |b| b.iter(|| vec_push(black_box(1_000)))),
        benchmark_fn("map_insert", |b| {
            b.iter(|| {
                let mut map = empty_map();
                map_insert(&mut map);
                map
            })
        }),
        benchmark_fn("map_remove", |b| {
            let map = filled_map();
            b.iter(move || {
                let mut map = map.clone();
                map_remove(&mut map);
                map
            })
        }),
        benchmark_fn("sort", |b| {
            let numbers = unsorted();
            b.iter(move || {
                let mut numbers = numbers.clone();
                sort(&mut numbers);
                numbers
            })
        }),
        benchmark_fn("byte_hash", |b| {
            let data = bytes(65_536);
            b.iter(move || byte_hash(black_box(&data)))
        }),
        benchmark_fn("copy", |b| {
            let (mut to, from) = (vec![2; MIB], vec![1; MIB]);
            b.iter(move || copy(black_box(&mut to), black_box(&from)))
        }),
        benchmark_fn("search", |b| {
            let text = haystack();
            b.iter(move || search(black_box(&text), black_box("needle")))
        }),
        benchmark_fn("sleep_2ms", |b| b.iter(sleep_2ms)),
        benchmark_fn("setup_empty", |b| b.iter(|| black_box(1_u64))),
        benchmark_fn("setup_chain10", |b| b.iter(|| chain::<10>(black_box(1)))),
        benchmark_fn("setup_vec64", |b| {
            b.iter(|| {
                let mut v = black_box(vec![0_u8; 64]);
                v[0] += 1;
                v
            })
        }),
    ]
}

tango_benchmarks!(suite());
