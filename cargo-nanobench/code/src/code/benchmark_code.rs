//! The code of a benchmark in an executable.

use super::ENTRY_PREFIX;
use super::executable::Executable;
use super::startup::own_main;
use nanobench::model::PassedCode;
use std::collections::HashSet;

/// The module of the functions through which a program passes benchmarks, in names.
const IN_ORDER: &str = "nanobench_engine::harness::in_order::";
/// The functions of that module that contain or call the code of one benchmark, or of one target.
const OF_ROW: &str = "call_row";
const OF_TARGET: &str = "call_target";
/// Other functions that are compiled for each of them, and lead to these.
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
    /// The code of other benchmarks that the roots lead to. It doesn't run before this one.
    pub(super) others: HashSet<u64>,
    /// The code of other targets. It runs before the benchmark, or may.
    pub(super) targets: HashSet<u64>,
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
                let (others, targets) = (HashSet::new(), HashSet::new());
                (!roots.is_empty()).then_some(Located { roots, before_timed, others, targets })
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
                let not_own =
                    |codes: &HashSet<u64>| codes.iter().copied().filter(|code| !own.contains(code)).collect();
                let Passed { rows, targets } = executable.passed();
                let (others, targets) = (not_own(rows), not_own(targets));
                let before_timed = own[..1].to_vec();
                roots.iter().all(is_there).then_some(Located { roots, before_timed, others, targets })
            }
        }
    }
}

impl Located {
    /// Returns the functions that belong to other benchmarks or to other targets.
    pub(super) fn elsewhere(&self) -> HashSet<u64> {
        &self.others | &self.targets
    }
}

/// The functions of passed benchmarks and of their targets in an executable.
#[derive(Debug, Default)]
pub(super) struct Passed {
    rows: HashSet<u64>,
    targets: HashSet<u64>,
}

impl Passed {
    pub(super) fn find(executable: &Executable) -> Passed {
        let mut passed = Passed::default();
        for symbol in executable.symbols().filter(|symbol| symbol.name.contains("in_order")) {
            let name = symbol.demangled();
            if is_function(&name, OF_ROW) {
                passed.rows.insert(symbol.address);
            } else if is_function(&name, OF_TARGET) {
                passed.targets.insert(symbol.address);
            }
        }
        passed
    }
}

fn origin(executable: &Executable) -> Option<u64> {
    let mut symbols = executable.symbols().filter(|symbol| symbol.name.contains("in_order"));
    let is_origin = |name: String| name.strip_prefix(IN_ORDER) == Some(ORIGIN);
    symbols.find(|symbol| is_origin(symbol.demangled())).map(|symbol| symbol.address)
}

/// Returns whether a function passes benchmarks on, and is compiled for one or for a target.
pub(super) fn passes_benchmark(name: &str) -> bool {
    name.contains(IN_ORDER)
        && [OF_ROW, OF_TARGET].iter().chain(&LEADING).any(|function| is_function(name, function))
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
