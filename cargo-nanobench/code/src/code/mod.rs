//! Compares the code of a benchmark in two executables, regardless of its addresses.
//!
//! An unchanged function can really be slower in the next build: the linker may place its loops
//! across other boundaries of cache lines, or of the units by which the processor fetches and
//! predicts. This is worth knowing, but no reason to revert a change.
//!
//! The comparison starts at the entry that the attribute creates for the benchmark, and follows all
//! references to code and data. Instructions are compared without their targets, then the targets
//! are compared. Nothing is guessed: if the use or the size of something
//! isn't known, the result is unknown. Only position-independent ELF executables with symbols on
//! x86-64 are supported.

mod access;
mod assembly;
mod benchmark_code;
mod code_traits;
mod collections;
mod comparison;
mod data;
mod executable;
mod explanation;
mod exports;
mod function;
mod graph;
mod ip_relative;
mod libraries;
mod listing;
mod reach;
mod references;
mod relocations;
mod section;
mod source_lines;
mod source_search;
mod standard_library;
mod startup;
mod state;
mod symbol;
mod symbols;
mod timed_loop;
mod type_hashes;

pub use access::Access;
pub use assembly::{Assembly, Disassembler, Listing, NoAssembly, SourcedLine};
pub use benchmark_code::BenchmarkCode;
use benchmark_code::{Located, passes_benchmark};
use executable::Executable;
pub use executable::KnownExecutables;
pub use explanation::{ChangedFunction, CodeChange, Sides};
use graph::{Graph, Outcome, Scope};
pub use libraries::{foreign_libraries, loads_any_of, loads_same_libraries, own_libraries};
pub use listing::Line;
pub use reach::is_of_harness;
use reach::timed_functions;
pub use section::LoadedSections;
pub use source_lines::Place;
pub use source_search::find_function;
pub use standard_library::is_in_standard_library;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use symbol::Symbol;
pub use timed_loop::{TimedLoop, timed_loop};

/// The prefix of the static that the attribute creates for each benchmark.
const ENTRY_PREFIX: &str = "NANOBENCH_ENTRY_";
/// The prefix of the static that it creates for a benchmark with settings. The entry points to it.
const SETTINGS_PREFIX: &str = "NANOBENCH_SETTINGS_";

/// The machine code of this system's executables can be compared.
pub const IS_MACHINE_CODE_COMPARED: bool =
    cfg!(all(target_arch = "x86_64", not(any(windows, target_vendor = "apple"))));

/// Compares benchmarks. It keeps the code that benchmarks have in common, so that it is compared once.
#[derive(Debug, Default)]
pub struct CodeComparer {
    executables: KnownExecutables,
    common: HashMap<[PathBuf; 2], CommonCode>,
}

/// The code that two executables are known to have in common.
#[derive(Debug)]
struct CommonCode {
    parts: Graph,
    /// The parts of the code of passed benchmarks, which begins with `main`.
    passed: Graph,
    /// The parts of each executable by itself.
    states: [Option<Graph>; 2],
    are_identical: Option<bool>,
    /// The comparison of the code that runs before the benchmarks; `None` until it was made.
    startup: Option<CodeMatch>,
    /// The access of that code, for an executable compared with itself.
    access_before: Option<Access>,
}

impl Default for CommonCode {
    fn default() -> CommonCode {
        CommonCode {
            parts: Graph::default(),
            passed: Graph::without_harness(),
            states: [None, None],
            are_identical: None,
            startup: None,
            access_before: None,
        }
    }
}

impl CommonCode {
    /// Compares the code of a benchmark, with the code that runs before it.
    fn outcome(
        &mut self,
        code: &BenchmarkCode,
        executables: [&Executable; 2],
        [a, b]: [&Located; 2],
        roots: impl Iterator<Item = (u64, u64)> + Clone,
    ) -> Outcome {
        let parts = self.parts_of(code);
        let all = Scope { others: [&a.others, &b.others], own: a.before_timed[0] };
        let outcome = parts.compare(executables, roots.clone(), Some(all));
        if outcome == Outcome::Equal || !code.is_passed() {
            return outcome;
        }
        // Another target may differ, whose code matters only if it leaves something for this one.
        let elsewhere = [a, b].map(Located::elsewhere);
        let narrow = Scope { others: elsewhere.each_ref(), own: a.before_timed[0] };
        let own = parts.compare(executables, roots, Some(narrow));
        let mut are_apart = || {
            let [one, other] = executables;
            state::is_apart_from_targets(one, self.states[0].get_or_insert_with(Graph::without_harness), a)
                && state::is_apart_from_targets(
                    other,
                    self.states[1].get_or_insert_with(Graph::without_harness),
                    b,
                )
        };
        if own != Outcome::Equal || are_apart() { own } else { outcome }
    }

    /// Returns the parts of such a benchmark.
    fn parts_of(&mut self, code: &BenchmarkCode) -> &mut Graph {
        if code.is_passed() { &mut self.passed } else { &mut self.parts }
    }
}

impl CodeComparer {
    /// Creates a comparer of executables some of which may have been read.
    pub fn new(executables: KnownExecutables) -> CodeComparer {
        CodeComparer { executables, ..CodeComparer::default() }
    }

    /// Compares all rows of a benchmark in two executables. `codes`: its code in each.
    pub fn compare(&mut self, one: &Path, other: &Path, codes: [impl Into<BenchmarkCode>; 2]) -> CodeMatch {
        let codes = codes.map(Into::into);
        let Some((executables, common)) = self.read(one, other) else { return CodeMatch::Unknown };
        let [one, other] = executables.each_ref().map(|executable| &**executable);
        let (Some(a), Some(b)) = (codes[0].locate(one), codes[1].locate(other)) else {
            return CodeMatch::Unknown;
        };
        if a.roots.len() != b.roots.len() || codes[0].is_passed() != codes[1].is_passed() {
            return CodeMatch::Differs(None);
        }
        let roots = a.roots.iter().copied().zip(b.roots.iter().copied());
        match common.outcome(&codes[0], [one, other], [&a, &b], roots) {
            Outcome::Equal => {
                let CommonCode { parts, startup, .. } = common;
                let is_main_compared = codes[0].is_passed();
                startup.get_or_insert_with(|| startup::compare([one, other], parts, is_main_compared)).clone()
            }
            Outcome::Differs(name) => {
                let timed = || Some((timed_functions(one, &a)?, timed_functions(other, &b)?));
                let are_same = |(a, b): (Vec<&Symbol>, Vec<&Symbol>)| {
                    let pairs = a.iter().zip(&b).map(|(x, y)| (x.address, y.address));
                    !a.is_empty()
                        && a.len() == b.len()
                        && common.parts_of(&codes[0]).compare([one, other], pairs, None) == Outcome::Equal
                };
                // The inputs of a passed benchmark are made by the code around it.
                let is_preparation = |name: &str| !codes[0].is_passed() && is_harness_code(name);
                match Some(name).filter(|name| !is_preparation(name)) {
                    None if timed().is_some_and(are_same) => CodeMatch::SameExcept(Exception::Preparation),
                    name => CodeMatch::Differs(name.filter(|name| !is_harness_code(name))),
                }
            }
            Outcome::Uncertain => CodeMatch::Uncertain,
        }
    }

    /// Compares a layout with its executable: all that these benchmarks lead to. Returns the name of the
    /// first function that differs, which is empty for the code around benchmarks. `None` also if the
    /// executable can't be analysed.
    pub fn difference_of_layout<C: Into<BenchmarkCode>>(
        &mut self,
        executable: &Path,
        layout: &Path,
        codes: impl IntoIterator<Item = C>,
    ) -> Option<String> {
        let executable = self.executables.read(executable)?;
        let Some(layout) = Executable::read_layout(layout) else { return Some(String::new()) };
        let executables = [&*executable, &layout];
        let codes: Vec<BenchmarkCode> = codes.into_iter().map(Into::into).collect();
        let are_passed = codes.iter().any(BenchmarkCode::is_passed);
        let roots_in = |code: &BenchmarkCode, executable: &Executable| match code {
            BenchmarkCode::Function(_) => code.locate(executable).map_or_else(Vec::new, |found| found.roots),
            // It leads to all benchmarks. Their places are those of the executable, not of the layout.
            BenchmarkCode::Passed(_) => startup::own_main(executable).into_iter().collect(),
        };
        let roots = codes.iter().flat_map(|code| {
            let [a, b] = executables.map(|executable| roots_in(code, executable));
            // One that is missing differs from any other.
            a.into_iter().zip(b.into_iter().chain(std::iter::repeat(0)))
        });
        let mut parts = if are_passed { Graph::without_harness() } else { Graph::default() };
        match parts.compare(executables, roots, None) {
            Outcome::Differs(name) => Some(name),
            Outcome::Equal | Outcome::Uncertain => {
                let startup = startup::compare(executables, &mut parts, are_passed);
                matches!(startup, CodeMatch::SameExcept(_)).then(String::new)
            }
        }
    }

    /// Returns whether two executables load the same, byte for byte. False if either can't be analysed.
    pub fn are_identical(&mut self, one: &Path, other: &Path) -> bool {
        let Some(([one, other], common)) = self.read(one, other) else { return false };
        *common.are_identical.get_or_insert_with(|| one.has_same_bytes(&other))
    }

    /// Returns what a benchmark may get at outside of its executable.
    pub fn access(&mut self, executable: &Path, code: impl Into<BenchmarkCode>) -> Access {
        let code = code.into();
        let unknown = libraries::loads_own_libraries(executable);
        let known = self.read(executable, executable).filter(|_| !unknown);
        let Some(([executable, _], common)) = known else { return Access::UNKNOWN };
        let executable = &*executable;
        let Some(found) = code.locate(executable) else { return Access::UNKNOWN };
        let is_passed = code.is_passed();
        let mut access = *common.access_before.get_or_insert_with(|| startup::access(executable, is_passed));
        let scope = Scope { others: [&found.others; 2], own: found.before_timed[0] };
        access |= common.parts_of(&code).access(executable, &found.roots, Some(scope));
        access
    }

    /// Returns two executables, with what they are known to have in common. `None` if either can't
    /// be analysed.
    fn read(&mut self, one: &Path, other: &Path) -> Option<([Rc<Executable>; 2], &mut CommonCode)> {
        let executables = [self.executables.read(one)?, self.executables.read(other)?];
        Some((executables, self.common.entry([one, other].map(Path::to_owned)).or_default()))
    }
}

/// The result of comparing a benchmark in two executables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CodeMatch {
    /// The code, its data and everything else that can be known are the same.
    Same,
    /// The code and its data are the same, but something else is not.
    SameExcept(Exception),
    /// The code or its data differ. Contains the differing function that takes the fewest calls to
    /// reach, or `None` if that is the timed loop with the functions inlined into it.
    Differs(Option<String>),
    /// Nothing is known to differ, but the use or the size of some data isn't known.
    Uncertain,
    /// One of the executables can't be analysed.
    #[default]
    Unknown,
}

/// The difference between two executables whose code is the same for a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exception {
    /// The code that the attribute creates around the timed loop differs: its list of arguments, or the code
    /// of the user that was inlined there.
    Preparation,
    /// The code that runs before the benchmarks differs, which could register functions for them to
    /// call.
    Startup,
    /// The files that either side can read may differ.
    Files,
    /// The libraries that either side loads may differ.
    Libraries,
    /// The programs that either side may start, or the libraries that it may open, differ.
    Programs,
    /// The variables of the environment differ.
    Variables,
}

/// Returns whether a function belongs to nanobench or to the code that the attribute creates.
/// Functions of the user may be inlined into it.
fn is_harness_code(name: &str) -> bool {
    name.is_empty()
        || name.contains(ENTRY_PREFIX)
        || name.contains(SETTINGS_PREFIX)
        || is_of_library(name)
        || is_of_criterion(name)
        || name.starts_with("core::ops::function::")
}

/// Returns whether a function belongs to the library that stands for criterion.
fn is_of_criterion(name: &str) -> bool {
    name.trim_start_matches('<').starts_with("nanobench_criterion::")
}

/// Returns whether a function belongs to nanobench-core, to its engine, or to the way into it from the
/// `main` of a suite for another library, also if it was compiled for a benchmark, which may be inlined
/// into it.
pub fn is_of_library(name: &str) -> bool {
    const LIBRARIES: [&str; 4] =
        ["nanobench::", "nanobench_engine::", "nanobench_divan::main", "nanobench_divan::runner::"];
    let path = name.trim_start_matches(['<', '&']);
    LIBRARIES.iter().any(|library| path.starts_with(library))
}

#[cfg(test)]
mod tests;
