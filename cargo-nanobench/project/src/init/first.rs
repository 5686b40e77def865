//! First benchmarks. `cargo nanobench` runs them; `cargo test --benches` calls each one once.

use std::collections::HashMap;
use std::hint::black_box;

use nanobench::{nanobench, TimeControl};

/// The optimiser can't remove a returned value, and its drop is not timed.
#[nanobench]
fn concat() -> String {
    black_box(["left", "right"]).concat()
}

/// Figures are per operation, whatever the count. Time between `pause` and `resume` is excluded.
#[nanobench(count = 1_000)]
fn remove(count: usize, time: &mut TimeControl) {
    time.pause();
    let mut map: HashMap<usize, String> = (0..count).map(|key| (key, key.to_string())).collect();
    time.resume();
    for key in 0..count {
        black_box(map.remove(&key));
    }
}
