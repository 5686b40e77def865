//! The harness, which runs the benchmarks of a process.
//!
//! It serves a `cargo nanobench` run, runs each benchmark once under `cargo test`, or stands alone
//! with `main!` and prints a table.

mod cargo_bench;
mod cli_arguments;
pub mod expression;
mod guarded;
pub mod in_order;
mod lifeline;
mod notes;
mod rows;
mod runnable;
mod serve;
mod standalone;

use crate::measure::{Bencher, Count, TimedCode};
use crate::protocol::CHANNEL_VARIABLE;
use crate::registry::Entry;
use crate::time::Clock;
pub use cargo_bench::own_main_runs;
use cli_arguments::CliArguments;
pub use notes::{remark, without_effect};
use rows::Row;
use std::hint::black_box;
use std::process::{self, ExitCode};

/// The body of the test that `#[nanobench]` writes next to a function: the entry point of the
/// harness with Cargo's default test harness. `cargo nanobench` looks for `marker` in the
/// executable; the function doesn't use it.
pub fn test(entry: &'static Entry, marker: &'static str, timed_code: &'static TimedCode) {
    black_box(marker);
    timed_code.install();
    cargo_bench::link();
    match std::env::var(CHANNEL_VARIABLE) {
        Ok(address) => process::exit(serve::serve(&address)),
        Err(_) => smoke(entry),
    }
}

/// The body of the `main` that `main!` writes. `is_unoptimized`: of the crates with timed code.
pub fn main(marker: &'static str, timed_code: &'static TimedCode, is_unoptimized: bool) -> ExitCode {
    ExitCode::from(run(marker, timed_code, is_unoptimized, std::env::args().skip(1).collect()))
}

/// Does what [`main`] does, by these arguments instead of those of the process. Returns the exit code. It
/// is not generic: inlined into a `main` of the user, it would be code of the user.
pub fn run(
    marker: &'static str,
    timed_code: &'static TimedCode,
    is_unoptimized: bool,
    arguments: Vec<String>,
) -> u8 {
    black_box(marker);
    own_main_runs();
    timed_code.install();
    match std::env::var(CHANNEL_VARIABLE) {
        Ok(address) => process::exit(serve::serve(&address)),
        Err(_) => standalone::main(CliArguments::parse(arguments), is_unoptimized),
    }
}

/// Calls each row of a function once, to check that it runs.
fn smoke(entry: &'static Entry) {
    if entry.settings.ignore.is_some_and(|condition| condition()) {
        return;
    }
    for row in rows::smoke_test_rows(entry) {
        if let Err(problem) = once(&row) {
            panic!("{}: {problem}", row.benchmark.id);
        }
    }
}

/// Calls a benchmark once, unless it has a problem.
fn once(row: &Row) -> Result<(), String> {
    if let Some(problem) = &row.benchmark.problem {
        return Err(problem.clone());
    }
    let count = match row.entry.count {
        Count::Fixed(count) => count,
        Count::None | Count::Auto => 1,
    };
    row.run_with_warm_caches(&mut Bencher::new(Clock::os(), 1, count, 1).with_throughput());
    row.tear_down();
    Ok(())
}
