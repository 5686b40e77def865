//! The harness: what a process does with the benchmarks that it holds.
//!
//! It serves a `cargo nanobench` run, runs each benchmark once under `cargo test`, or stands alone with
//! [`main!`](crate::main) and prints a table.

mod arguments;
mod guarded;
mod lifeline;
mod serve;
mod standalone;

use crate::measure::{Count, Run};
use crate::protocol::CHANNEL_VARIABLE;
use crate::registry::Entry;
use crate::time::Clock;
use std::hint::black_box;
use std::process::{self, ExitCode};

/// The body of the test that `#[nanobench]` writes beside a function: the way into the harness with Cargo's default
/// test harness. `marker` is looked for in the executable by `cargo nanobench` and only has to be there.
pub fn test(entry: &'static Entry, marker: &'static str) {
    black_box(marker);
    match std::env::var(CHANNEL_VARIABLE) {
        Ok(address) => process::exit(serve::serve(&address)),
        Err(_) => once(entry),
    }
}

/// The body of the `main` that [`main!`](crate::main) writes.
pub fn main(marker: &'static str) -> ExitCode {
    black_box(marker);
    match std::env::var(CHANNEL_VARIABLE) {
        Ok(address) => process::exit(serve::serve(&address)),
        Err(_) => standalone::main(),
    }
}

/// Calls a benchmark once: does it work at all?
fn once(entry: &Entry) {
    let count = match entry.count {
        Count::Fixed(count) => count,
        Count::None | Count::Auto => 1,
    };
    entry.carry_out(&mut Run::new(Clock::os(), 1, count, 1));
}
