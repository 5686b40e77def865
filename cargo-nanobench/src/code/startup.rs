//! Compares the code that runs before the benchmarks: initialisers and a `main` of the user.

use super::executable::{Executable, Region};
use super::graph::{Graph, Outcome};
use super::reach::is_of_harness;
use super::references::{instructions, referenced, target};
use super::symbol::Symbol;
use super::{CodeMatch, ENTRY_PREFIX, Exception};

/// The type of the values that initialisers register for benchmarks. That of groups begins with it.
const REGISTRATION: &str = "nanobench::registry::Registered";
/// The number of pointers between such an initialiser's static and a benchmark's entry.
const MAX_POINTERS_TO_ENTRY: usize = 2;

/// Compares the code that runs before the benchmarks, and the sets of statics that the linker
/// collects. `common`: the parts that the benchmarks have in common.
pub(super) fn compare(executables: [&Executable; 2], common: &mut Graph) -> CodeMatch {
    // Much of the standard library may be reached, which is compared once.
    let mut without_entries = Graph::ignoring_statics(ENTRY_PREFIX);
    if !have_same_registrations(executables, &mut without_entries)
        || !have_same_initializers(executables, common)
        || !have_same_linker_sets(executables, common)
    {
        return CodeMatch::SameExcept(Exception::Startup);
    }
    match executables.map(own_main) {
        [None, None] => CodeMatch::Same,
        [Some(a), Some(b)] => match without_entries.compare(executables, [(a, b)].into_iter()) {
            Outcome::Equal => CodeMatch::Same,
            Outcome::Differs(_) => CodeMatch::SameExcept(Exception::Startup),
            Outcome::Uncertain => CodeMatch::Uncertain,
        },
        _ => CodeMatch::SameExcept(Exception::Startup),
    }
}

/// Returns whether both register benchmarks by the same code. Their number may differ.
fn have_same_registrations(executables: [&Executable; 2], with_other: &mut Graph) -> bool {
    let [one, other] = executables;
    let mut with_itself = Graph::ignoring_statics(ENTRY_PREFIX);
    let mut are_same = |(a, x): (&Executable, u64), (b, y): (&Executable, u64)| {
        let graph = if std::ptr::eq(a, b) { &mut with_itself } else { &mut *with_other };
        graph.compare([a, b], [(x, y)].into_iter()) == Outcome::Equal
    };
    let registrations = |executable| initializers(executable).filter(|&(_, registers)| registers);
    let mut kinds: Vec<u64> = Vec::new();
    for (x, _) in registrations(one) {
        if !kinds.iter().any(|&kind| are_same((one, kind), (one, x))) {
            kinds.push(x);
        }
    }
    let mut seen = vec![false; kinds.len()];
    let all_known = registrations(other).all(|(y, _)| {
        let kind = kinds.iter().position(|&kind| are_same((one, kind), (other, y)));
        kind.map(|kind| seen[kind] = true).is_some()
    });
    all_known && seen.into_iter().all(|seen| seen)
}

/// Returns whether all other initialisers are the same, in the same order.
fn have_same_initializers(executables: [&Executable; 2], common: &mut Graph) -> bool {
    let others = executables.map(|executable| {
        let others = initializers(executable).filter(|&(_, registers)| !registers);
        others.map(|(address, _)| address).collect::<Vec<u64>>()
    });
    let [a, b] = others;
    a.len() == b.len() && common.compare(executables, a.into_iter().zip(b)) == Outcome::Equal
}

/// Returns the initialisers, with whether they register a benchmark or a group of them. That of the
/// harness itself is left out.
fn initializers(executable: &Executable) -> impl Iterator<Item = (u64, bool)> {
    let is_of_user =
        |address: &u64| executable.symbol(*address).is_none_or(|symbol| !is_of_harness(&symbol.demangled()));
    executable.initializers().filter(is_of_user).map(move |address| {
        let code = executable.symbol(address).map(|symbol| instructions(executable, symbol));
        let mut targets = code.iter().flatten().filter_map(target);
        (address, targets.any(|to| leads_to_entry(executable, to, MAX_POINTERS_TO_ENTRY)))
    })
}

/// Returns whether data at an address belong to the registration of benchmarks, or lead to it within a
/// number of pointers.
fn leads_to_entry(executable: &Executable, address: u64, pointers: usize) -> bool {
    let symbol = executable.symbol(address);
    let belongs = |symbol: &Symbol| {
        let name = symbol.demangled();
        name.contains(ENTRY_PREFIX) || name.contains(REGISTRATION)
    };
    let is_data = executable.region(address) == Some(Region::Data);
    let size = || symbol.map_or_else(|| executable.to_next_reference(address), |symbol| symbol.size);
    symbol.is_some_and(belongs)
        || is_data
            && pointers > 0
            && executable
                .pointers(address..address + size())
                .any(|to| leads_to_entry(executable, to, pointers - 1))
}

fn have_same_linker_sets([one, other]: [&Executable; 2], common: &mut Graph) -> bool {
    one.linker_sets.len() == other.linker_sets.len()
        && one.linker_sets.iter().zip(&other.linker_sets).all(|((a, x), (b, y))| {
            let size = x.end - x.start;
            let is_same_size = a == b && size == y.end - y.start;
            is_same_size && common.compare_data([one, other], x.start, y.start, size) == Outcome::Equal
        })
}

/// Returns the address of the `main` that the user wrote. `None` for that of Cargo's harness, which
/// refers to all tests.
fn own_main(executable: &Executable) -> Option<u64> {
    let callees = |symbol| {
        let code = instructions(executable, symbol);
        let addresses = code.iter().flat_map(|i| referenced(executable, i)).collect::<Vec<_>>();
        addresses.into_iter().filter_map(|address| executable.symbol(address))
    };
    let main = callees(executable.c_main()?).find(|symbol| symbol.demangled().ends_with("::main"))?;
    let is_of_cargo = callees(main).any(|symbol| symbol.demangled().starts_with("test::"));
    (!is_of_cargo).then_some(main.address)
}
