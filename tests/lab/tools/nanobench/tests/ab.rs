//! The functions that the `slow` features make slower.

use nanobench::nanobench;
use std::cell::Cell;
use std::hint::black_box;
use std::sync::LazyLock;

#[nanobench]
fn ab_chain() -> u64 {
    thread_local!(static LAST: Cell<u64> = const { Cell::new(1) });
    LAST.set(work::ab_chain(LAST.get()));
    LAST.get()
}

#[nanobench]
fn ab_format() -> usize {
    work::ab_format(black_box(1_000_000))
}

#[nanobench]
fn ab_bytes() -> u64 {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(work::ab_bytes_input);
    work::byte_hash(black_box(&BYTES))
}

#[nanobench]
fn ab_sum() -> u64 {
    static NUMBERS: LazyLock<Vec<u64>> = LazyLock::new(work::ab_sum_input);
    work::ab_sum(black_box(&NUMBERS))
}
