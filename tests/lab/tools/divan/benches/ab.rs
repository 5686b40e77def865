//! The functions that the `slow` features make slower, for divan.

use divan::{Bencher, bench, black_box};
use work::{ab_bytes_input, ab_sum_input, byte_hash};

fn main() {
    divan::main();
}

#[bench]
fn ab_chain(b: Bencher) {
    let mut x = 1;
    b.bench_local(|| {
        x = work::ab_chain(x);
        x
    });
}

#[bench]
fn ab_format() -> usize {
    work::ab_format(black_box(1_000_000))
}

#[bench]
fn ab_bytes(b: Bencher) {
    let data = ab_bytes_input();
    b.bench(|| byte_hash(black_box(&data)));
}

#[bench]
fn ab_sum(b: Bencher) {
    let numbers = ab_sum_input();
    b.bench(|| work::ab_sum(black_box(&numbers)));
}
