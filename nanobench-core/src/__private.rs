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
