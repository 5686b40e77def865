//! Items for the code that `#[nanobench]` and `main!` generate. Not for direct use: they may change
//! in any release.

pub use crate::block_on::block_on;
pub use nanobench_engine::__private::{
    Argument, Bencher, Body, ByValue, CacheStates, Case, Cases, Complexity, Count, Curve, DebugText,
    DisplayText, Entry, Group, Label, LocalArg, NoText, Registered, RegisteredGroup, Segment, Settings,
    StaticReference, SyncArg, Text, ThroughputUnit, amount, fixture, hidden, inventory, static_reference,
    supplied, supplied_ref, threads, unit_name, units, value,
};

// For code with spans of the 2015 edition, in which `::core` is not found.
pub use ::core;

// For the tool, which links benchmarks.
pub use nanobench_engine::__private::own_main_runs;

use nanobench_engine::__private::{self as engine, TimedCode};

use std::process::ExitCode;

/// The body of the test that `#[nanobench]` writes next to a function. It is inlined, because cargo
/// builds the dependencies of a procedural macro without optimisation, unlike its tests.
#[inline]
pub fn test(entry: &'static Entry, marker: &'static str) {
    engine::test(entry, marker, TimedCode::of_this_crate());
}

/// The body of the `main` that [`main!`](crate::main) writes. It is inlined for the same reason.
#[inline]
pub fn main(marker: &'static str) -> ExitCode {
    engine::main(marker, TimedCode::of_this_crate(), engine::is_unoptimized())
}

/// Benchmarks that a program passes one after another, as with criterion.
pub mod in_order {
    pub use nanobench_engine::__private::in_order::{PassedRow, remark, row, target};

    use nanobench_engine::__private::{TimedCode, in_order, is_unoptimized};

    /// Begins the run of this process, unless it has begun. Without the tool, `arguments` returns those
    /// of the process, as the standard test harness takes them. Ends the process if they are wrong.
    #[inline]
    pub fn begin(arguments: fn() -> Result<Vec<String>, String>) {
        let marker = "\u{1}nanobench:in-order\u{2}";
        in_order::begin(marker, TimedCode::of_this_crate(), is_unoptimized(), arguments);
    }
}
