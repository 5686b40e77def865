//! Prints the mean time of a call of each kind, in ns: all calls, in a plain loop.
//!
//! Arguments: milliseconds for each, and the names of the kinds.

use lab_hidden::with_kinds;
use std::env;
use std::time::{Duration, Instant};

/// Name and benchmark.
type Kind = (&'static str, fn() -> u64);

macro_rules! list {
    ($($name:ident),*) => {
        const KINDS: &[Kind] = &[
            $((stringify!($name), lab_hidden::$name::benchmark),)*
            ("busy_threads", lab_hidden::busy_threads::benchmark),
        ];
    };
}
with_kinds!(list);

fn main() {
    let mut arguments = env::args().skip(1);
    let ms = arguments.next().and_then(|ms| ms.parse().ok()).expect("milliseconds");
    let names: Vec<String> = arguments.collect();
    for (name, benchmark) in KINDS.iter().filter(|kind| names.iter().any(|name| name == kind.0)) {
        println!("{name} {}", mean(*benchmark, ms));
    }
}

fn mean(function: fn() -> u64, ms: u64) -> f64 {
    function();
    let (start, mut calls) = (Instant::now(), 0_u32);
    while start.elapsed() < Duration::from_millis(ms) {
        for _ in 0..10 {
            function();
        }
        calls += 10;
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}
