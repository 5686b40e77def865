//! The code of a benchmark in an executable.

use super::ENTRY_PREFIX;
use super::executable::Executable;
use super::graph::Scope;
use super::startup::own_main;
use nanobench::model::PassedCode;
use std::collections::HashSet;

/// The module of the functions through which a program passes benchmarks, in names.
const IN_ORDER: &str = "nanobench_engine::harness::in_order::";
/// The functions of that module that are compiled for each benchmark or target. The first two contain or
/// call the code of one; the others lead to them.
const OF_ONE: [&str; 2] = ["call_row", "call_target"];
const LEADING: [&str; 2] = ["row", "target"];
/// The function from which the places of code are measured.
const ORIGIN: &str = "pass";

/// The code of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BenchmarkCode {
    /// The function at this path below the root of the crate, `module::function`, that the attribute
    /// marks.
    Function(String),
    /// The program passes it to the harness.
    Passed(PassedCode),
}

impl From<&str> for BenchmarkCode {
    fn from(function: &str) -> BenchmarkCode {
        BenchmarkCode::Function(function.to_owned())
    }
}

impl From<&BenchmarkCode> for BenchmarkCode {
    fn from(code: &BenchmarkCode) -> BenchmarkCode {
        code.clone()
    }
}

/// The places of a benchmark's code in an executable.
#[derive(Debug)]
pub(super) struct Located {
    /// The functions that lead to all of it.
    pub(super) roots: Vec<u64>,
    /// The functions that lead to its timed code.
    pub(super) before_timed: Vec<u64>,
    /// The code of other benchmarks that the roots lead to.
    pub(super) others: HashSet<u64>,
}

impl BenchmarkCode {
    /// Returns whether the program passes the benchmark to the harness.
    pub(super) fn is_passed(&self) -> bool {
        matches!(self, BenchmarkCode::Passed(_))
    }

    /// Finds the code in an executable. `None` if it isn't there, or can't be told from that of another
    /// benchmark.
    pub(super) fn locate(&self, executable: &Executable) -> Option<Located> {
        match self {
            BenchmarkCode::Function(function) => {
                let roots = executable.code_pointers(executable.entry(&entry_symbol(function))?);
                let before_timed = roots.clone();
                (!roots.is_empty()).then_some(Located { roots, before_timed, others: HashSet::new() })
            }
            BenchmarkCode::Passed(PassedCode { row, target }) => {
                let origin = origin(executable)?;
                let own: Vec<u64> = [Some(*row), *target]
                    .into_iter()
                    .flatten()
                    .map(|code| origin.wrapping_add(code))
                    .collect();
                let is_there = |address: &u64| executable.symbol(*address).is_some();
                let roots: Vec<u64> = own_main(executable).into_iter().chain(own.iter().copied()).collect();
                let others = executable.passed().iter().copied().filter(|code| !own.contains(code)).collect();
                let before_timed = own[..1].to_vec();
                roots.iter().all(is_there).then_some(Located { roots, before_timed, others })
            }
        }
    }
}

/// Returns the scopes of a benchmark's code in two executables.
pub(super) fn scope([a, b]: [&Located; 2]) -> Scope<'_> {
    Scope { others: [&a.others, &b.others], own: a.before_timed[0] }
}

/// Returns the functions of all passed benchmarks and their targets.
pub(super) fn find_passed(executable: &Executable) -> HashSet<u64> {
    let is_of_one = |name: &str| OF_ONE.iter().any(|function| is_function(name, function));
    let symbols = executable.symbols().filter(|symbol| symbol.name.contains("in_order"));
    symbols.filter(|symbol| is_of_one(&symbol.demangled())).map(|symbol| symbol.address).collect()
}

fn origin(executable: &Executable) -> Option<u64> {
    let mut symbols = executable.symbols().filter(|symbol| symbol.name.contains("in_order"));
    let is_origin = |name: String| name.strip_prefix(IN_ORDER) == Some(ORIGIN);
    symbols.find(|symbol| is_origin(symbol.demangled())).map(|symbol| symbol.address)
}

/// Returns whether a function passes benchmarks on, and is compiled for one or for a target.
pub(super) fn passes_benchmark(name: &str) -> bool {
    name.contains(IN_ORDER) && OF_ONE.iter().chain(&LEADING).any(|function| is_function(name, function))
}

/// Returns whether a name is that of a function of the module, or of something in it.
fn is_function(name: &str, function: &str) -> bool {
    let after = name.split_once(IN_ORDER).and_then(|(_, rest)| rest.strip_prefix(function));
    after.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '<']))
}

/// Returns the name of the entry of a function, without the crate.
pub(super) fn entry_symbol(function: &str) -> String {
    match function.rsplit_once("::") {
        Some((modules, function)) => format!("{modules}::{ENTRY_PREFIX}{function}"),
        None => format!("{ENTRY_PREFIX}{function}"),
    }
}
