//! The functions that the `slow` features make slower, for criterion.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use work::{ab_bytes_input, ab_chain, ab_format, ab_sum, ab_sum_input, byte_hash};

fn ab(c: &mut Criterion) {
    c.bench_function("ab_chain", |b| {
        let mut x = 1;
        b.iter(|| {
            x = ab_chain(x);
            x
        });
    });
    c.bench_function("ab_format", |b| b.iter(|| ab_format(black_box(1_000_000))));
    c.bench_function("ab_bytes", |b| {
        let data = ab_bytes_input();
        b.iter(|| byte_hash(black_box(&data)));
    });
    c.bench_function("ab_sum", |b| {
        let numbers = ab_sum_input();
        b.iter(|| ab_sum(black_box(&numbers)));
    });
}

criterion_group!(benches, ab);
criterion_main!(benches);
