//! A measurement other than the time, in a suite for criterion.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{criterion_group, criterion_main, Criterion};

struct Cycles;

impl Measurement for Cycles {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        0
    }

    fn end(&self, start: u64) -> u64 {
        start
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        a + b
    }

    fn zero(&self) -> u64 {
        0
    }

    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

fn fibonacci(c: &mut Criterion<Cycles>) {
    c.bench_function("fibonacci", |b| b.iter_custom(|iterations| iterations));
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Cycles);
    targets = fibonacci
}
criterion_main!(benches);
