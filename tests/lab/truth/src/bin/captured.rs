//! Closures of `Bench::run` with state of their own, and the same loops by hand over local variables.
//!
//! Prints a line for each: its name, the time of a pass by hand and in the closure, in ns.

use nanobench::Bench;
use std::hint::black_box;
use std::io;
use std::time::Instant;

const PASSES: u64 = 100_000;
const SAMPLES: usize = 41;

fn main() {
    compare("double", 1.0_f64, |d| d + d);
    compare("product", 1.0_f64, |e| e * 1.0001);
    compare("xorshift", 1_u64, |x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        x ^ (x << 17)
    });
}

fn compare<T: Copy>(name: &str, first: T, step: impl Fn(T) -> T + Copy) {
    let before = by_hand(first, step);
    let in_closure = in_closure(first, step);
    let after = by_hand(first, step);
    println!("{name} {:.4} {in_closure:.4}", f64::midpoint(before, after));
}

fn in_closure<T: Copy>(first: T, step: impl Fn(T) -> T) -> f64 {
    let mut state = first;
    let mut bench = Bench::new();
    bench.output(io::sink()).epochs(SAMPLES as u64).run("state", || {
        state = step(state);
        state
    });
    bench.results()[0].time_per_operation() * 1e9
}

#[inline(never)]
fn by_hand<T: Copy>(first: T, step: impl Fn(T) -> T) -> f64 {
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let mut state = black_box(first);
            let start = Instant::now();
            for _ in 0..PASSES {
                state = step(state);
            }
            let time = start.elapsed();
            black_box(state);
            time.as_secs_f64() * 1e9 / PASSES as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[SAMPLES / 2]
}
