//! Compares the code that runs before the benchmarks: initialisers and a `main` of the user.

use super::access::Access;
use super::executable::{Executable, Region};
use super::graph::{Graph, Outcome};
use super::reach::is_of_harness;
use super::references::{instructions, referenced, target};
use super::symbol::Symbol;
use super::{CodeMatch, ENTRY_PREFIX, Exception};

/// The module of the types that initialisers register for benchmarks and groups.
const REGISTRY: &str = "nanobench_engine::registry::";
/// The prefix of the static that the attribute creates for each group.
const GROUP_PREFIX: &str = "NANOBENCH_GROUP_";
/// The number of pointers between such an initialiser's static and the entry of a benchmark.
const MAX_POINTERS_TO_ENTRY: usize = 2;

/// Compares the code that runs before the benchmarks. `common`: the parts that the benchmarks have in
/// common; `is_main_compared`: their code begins with `main`.
pub(super) fn compare(
    executables: [&Executable; 2],
    common: &mut Graph,
    is_main_compared: bool,
) -> CodeMatch {
    let of_main = if is_main_compared { Outcome::Equal } else { compare_main(executables) };
    let outcomes = [compare_initializers(executables, common), of_main];
    if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Differs(_))) {
        CodeMatch::SameExcept(Exception::Startup)
    } else if outcomes.contains(&Outcome::Uncertain) {
        CodeMatch::Uncertain
    } else {
        CodeMatch::Same
    }
}

/// Returns what the code before the benchmarks may get at outside of the executable.
/// `begins_with_main`: the benchmarks' own code begins with `main`.
pub(super) fn access(executable: &Executable, begins_with_main: bool) -> Access {
    let main = own_main(executable).filter(|_| !begins_with_main);
    let roots: Vec<u64> = initializers(executable).chain(main).collect();
    Graph::without_harness().access(executable, &roots, None)
}

fn compare_main(executables: [&Executable; 2]) -> Outcome {
    let [a, b] = executables.map(own_main);
    if a.is_some() != b.is_some() {
        return Outcome::Differs(String::new());
    }
    Graph::without_harness().compare(executables, a.into_iter().zip(b), None)
}

/// Compares the initialisers, in their order.
fn compare_initializers(executables: [&Executable; 2], common: &mut Graph) -> Outcome {
    let [a, b] = executables.map(|executable| initializers(executable).collect::<Vec<u64>>());
    if a.len() != b.len() {
        return Outcome::Differs(String::new());
    }
    common.compare(executables, a.into_iter().zip(b), None)
}

/// Returns the initialisers, without that of the harness, and without those that register benchmarks
/// and groups of them.
fn initializers(executable: &Executable) -> impl Iterator<Item = u64> {
    executable.initializers().filter(|&address| {
        let symbol = executable.symbol(address);
        let code = symbol.map(|symbol| instructions(executable, symbol));
        let mut targets = code.iter().flatten().filter_map(target);
        !symbol.is_some_and(|symbol| is_of_harness(&symbol.demangled()))
            && !targets.any(|to| leads_to_entry(executable, to, MAX_POINTERS_TO_ENTRY))
    })
}

/// Returns whether data at an address belong to the registration of benchmarks, or lead to it within
/// a number of pointers.
fn leads_to_entry(executable: &Executable, address: u64, pointers: usize) -> bool {
    let symbol = executable.symbol(address);
    let belongs = |symbol: &Symbol| {
        let name = symbol.demangled();
        [ENTRY_PREFIX, GROUP_PREFIX, REGISTRY].iter().any(|part| name.contains(part))
    };
    let is_data = executable.region(address) == Some(Region::Data);
    let end = || {
        symbol.map_or_else(|| address + executable.to_next_reference(address), |symbol| symbol.range().end)
    };
    symbol.is_some_and(belongs)
        || is_data
            && pointers > 0
            && executable.pointers(address..end()).any(|to| leads_to_entry(executable, to, pointers - 1))
}

/// Returns the address of the `main` that the user wrote. `None` for that of Cargo's harness, which
/// refers to all tests.
pub(super) fn own_main(executable: &Executable) -> Option<u64> {
    let callees = |symbol| {
        let code = instructions(executable, symbol);
        let addresses = code.iter().flat_map(|i| referenced(executable, i)).collect::<Vec<_>>();
        addresses.into_iter().filter_map(|address| executable.symbol(address))
    };
    let c_main = executable.c_main()?;
    let main = callees(c_main).find(|symbol| symbol.demangled().ends_with("::main")).unwrap_or(c_main);
    let is_of_cargo = callees(main).any(|symbol| symbol.demangled().starts_with("test::"));
    (!is_of_cargo).then_some(main.address)
}
