//! The functions that the `slow` features make slower, for tango.

use std::hint::black_box;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};
use work::{ab_bytes_input, ab_chain, ab_format, ab_sum, ab_sum_input, byte_hash};

fn ab() -> impl IntoBenchmarks {
    [
        benchmark_fn("ab_chain", |b| {
            let mut x = 1;
            b.iter(move || {
                x = ab_chain(x);
                x
            })
        }),
        benchmark_fn("ab_format", |b| b.iter(|| ab_format(black_box(1_000_000)))),
        benchmark_fn("ab_bytes", |b| {
            let data = ab_bytes_input();
            b.iter(move || byte_hash(black_box(&data)))
        }),
        benchmark_fn("ab_sum", |b| {
            let numbers = ab_sum_input();
            b.iter(move || ab_sum(black_box(&numbers)))
        }),
    ]
}

tango_benchmarks!(ab());
