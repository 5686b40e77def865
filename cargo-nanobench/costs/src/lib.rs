//! The benchmarks of `cargo nanobench costs`: what the primitives of Rust programs cost.
//!
//! Each module is an area, each function a row. Its name is what a table shows, and its description
//! says what is measured.
//!
//! Most functions loop `count` times over an operation that depends on its own last result, so
//! that the figure is a latency. Otherwise, the description says so.

pub mod allocation;
pub mod arithmetic;
pub mod branches;
pub mod calls;
pub mod collections;
pub mod copying;
pub mod errors;
pub mod futures;
pub mod memory;
mod ping_pong;
pub mod simd;
pub mod strings;
pub mod sync;
pub mod system;
pub mod threads;

/// An area of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Its name, which is that of its module.
    pub name: &'static str,
    /// Its contents, in a line.
    pub summary: &'static str,
    /// Its benchmarks are ignored unless they are named.
    pub only_if_named: bool,
}

/// The areas, in the order of the table.
pub const AREAS: &[Area] = &[
    area("calls", "an empty call, static, inlined, dyn and other calls, recursion"),
    area("arithmetic", "integers and floats: add, multiply, divide, checked, converted"),
    area("branches", "branches that the processor predicts, and those that it can't"),
    only_if_named("simd", "the same sums, one number at a time and several at once"),
    area("memory", "latency and bandwidth of each level, page faults, shared cache lines"),
    only_if_named("copying", "copying and filling 16 B to 16 MiB"),
    area("allocation", "Box, Vec growth, 64 B to 1 MiB, freeing on another thread"),
    area("collections", "HashMap and BTreeMap by size, Vec, VecDeque, sorting"),
    area("strings", "push, format, parse, search, UTF-8"),
    area("errors", "Result and `?`, boxed errors, unwinding, backtraces"),
    area("sync", "atomics, Mutex, RwLock, Arc, channels, waking a thread"),
    area("threads", "starting threads, thread-locals"),
    area("futures", "polling and waking"),
    area("system", "clocks, files, mappings, the network, sleeping"),
];

/// The description of the compiler that built the benchmarks, as of `rustc -vV`, with `; ` between
/// the lines. Empty if it is unknown.
pub const COMPILER: &str = env!("NANOBENCH_COSTS_RUSTC");

/// The target triple that the benchmarks were built for.
pub const TARGET: &str = env!("NANOBENCH_COSTS_TARGET");

const fn area(name: &'static str, summary: &'static str) -> Area {
    Area { name, summary, only_if_named: false }
}

const fn only_if_named(name: &'static str, summary: &'static str) -> Area {
    Area { only_if_named: true, ..area(name, summary) }
}
