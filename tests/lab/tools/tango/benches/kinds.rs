//! A benchmark for each kind of work, for tango, which can't leave set-up out: `insert`, `remove`
//! and `sort` include it.

use std::hint::black_box;
use std::sync::LazyLock;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};
use work::*;

fn kinds() -> impl IntoBenchmarks {
    [
        benchmark_fn("chain", |b| {
            let mut x = 1;
            b.iter(move || {
                x = kind_chain(x);
                x
            })
        }),
        benchmark_fn("push", |b| b.iter(kind_push)),
        benchmark_fn("insert", |b| {
            b.iter(|| {
                let mut map = kind_empty_map();
                kind_insert(&mut map);
                map
            })
        }),
        benchmark_fn("lookup", |b| {
            let map = kind_filled_map();
            b.iter(move || kind_lookup(&map))
        }),
        benchmark_fn("remove", |b| {
            let map = kind_filled_map();
            b.iter(move || {
                let mut map = map.clone();
                kind_remove(&mut map);
                map
            })
        }),
        benchmark_fn("allocate", |b| b.iter(kind_allocate)),
        benchmark_fn("sort", |b| {
            let numbers = kind_unsorted();
            b.iter(move || {
                let mut numbers = numbers.clone();
                kind_sort(&mut numbers);
                numbers
            })
        }),
        benchmark_fn("format", |b| b.iter(kind_format)),
        benchmark_fn("byte_hash", |b| {
            let data = kind_bytes();
            b.iter(move || byte_hash(black_box(&data)))
        }),
        benchmark_fn("copy", |b| {
            let (mut to, from) = kind_buffers();
            b.iter(move || kind_copy(&mut to, &from))
        }),
        benchmark_fn("search", |b| {
            let text = kind_haystack();
            b.iter(move || search(black_box(&text), black_box("needle")))
        }),
        benchmark_fn("chase", |b| {
            // Made once, as the time that it has for a benchmark begins before.
            static RING: LazyLock<Vec<u32>> = LazyLock::new(kind_ring);
            let mut at = 0;
            b.iter(move || {
                at = kind_chase(&RING, at);
                at
            })
        }),
        benchmark_fn("sleep_2ms", |b| b.iter(kind_sleep)),
    ]
}

tango_benchmarks!(kinds());
