//! The three benchmarks that ankerl::nanobench shows its own time with.

use nanobench::nanobench;

/// `x += x`, in a loop, as its state is.
#[nanobench]
fn double(count: u64) -> u64 {
    (0..count).fold(1, |x, _| work::double(x))
}

#[nanobench]
fn sleep_10ms() {
    work::sleep_10ms();
}

#[nanobench]
fn fluctuating() -> u64 {
    work::fluctuating()
}
