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
pub mod fields;
pub mod futures;
pub mod memory;
mod ping_pong;
pub mod simd;
pub mod sizes;
pub mod strings;
pub mod sync;
pub mod system;
pub mod threads;

/// An area of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Its name, which is that of its module.
    pub name: &'static str,
    /// A keyword of Rust, which no module can have as its name, that selects it, too.
    pub keyword: Option<&'static str>,
    /// Its contents, in a line.
    pub summary: &'static str,
    /// Its benchmarks are ignored unless they are named.
    pub only_if_named: bool,
    /// The text of its module.
    pub source: &'static str,
}

/// The text of the module that the areas share.
pub const PING_PONG: &str = include_str!("ping_pong.rs");

/// The areas, in the order of the table.
pub const AREAS: &[Area] = &[
    area("calls", include_str!("calls.rs"), "an empty call, static, inlined, dyn and other calls, recursion"),
    area(
        "fields",
        include_str!("fields.rs"),
        "reading and writing a field: plain, in a Box, Arc, static, thread-local, atomic",
    ),
    area(
        "arithmetic",
        include_str!("arithmetic.rs"),
        "integers and floats: add, multiply, divide, checked, converted",
    ),
    area(
        "branches",
        include_str!("branches.rs"),
        "branches that the processor predicts, and those that it can't",
    ),
    only_if_named("simd", include_str!("simd.rs"), "the same sums, one number at a time and several at once"),
    area(
        "memory",
        include_str!("memory.rs"),
        "latency and bandwidth of each level, page faults, shared cache lines",
    ),
    only_if_named("copying", include_str!("copying.rs"), "copying and filling 16 B to 16 MiB"),
    area(
        "allocation",
        include_str!("allocation.rs"),
        "Box, Vec growth, 64 B to 1 MiB, freeing on another thread",
    ),
    area(
        "collections",
        include_str!("collections.rs"),
        "HashMap and BTreeMap by size, Vec, VecDeque, sorting",
    ),
    area("strings", include_str!("strings.rs"), "push, format, parse, search, UTF-8"),
    area("errors", include_str!("errors.rs"), "Result and `?`, boxed errors, unwinding, backtraces"),
    area("sync", include_str!("sync.rs"), "atomics, Mutex, RwLock, Arc, channels, waking a thread"),
    area("threads", include_str!("threads.rs"), "starting threads, thread-locals"),
    Area {
        keyword: Some("async"),
        ..area("futures", include_str!("futures.rs"), "async functions, polling and waking")
    },
    area("system", include_str!("system.rs"), "clocks, files, mappings, the network, sleeping"),
];

/// The description of the compiler that built the benchmarks, as of `rustc -vV`, with `; ` between
/// the lines. Empty if it is unknown.
pub const COMPILER: &str = env!("NANOBENCH_COSTS_RUSTC");

/// The target triple that the benchmarks were built for.
pub const TARGET: &str = env!("NANOBENCH_COSTS_TARGET");

impl Area {
    /// Returns whether a user means this area by `name`. Upper and lower case are the same.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.keyword.is_some_and(|word| word.eq_ignore_ascii_case(name))
    }
}

const fn area(name: &'static str, source: &'static str, summary: &'static str) -> Area {
    Area { name, keyword: None, summary, only_if_named: false, source }
}

const fn only_if_named(name: &'static str, source: &'static str, summary: &'static str) -> Area {
    Area { only_if_named: true, ..area(name, source, summary) }
}
