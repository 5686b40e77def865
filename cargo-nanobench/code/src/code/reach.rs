//! The functions that a benchmark calls, from its timed code on.

use super::executable::Executable;
use super::references::{self, instructions, referenced};
use super::symbol::Symbol;
use super::{Located, is_of_library, passes_benchmark};
use iced_x86::{FlowControl, Instruction, Mnemonic};
use std::collections::{HashSet, VecDeque};
use std::ops::RangeInclusive;

/// The largest number of functions between the entry of a benchmark and its timed code.
const MAX_FUNCTIONS: usize = 64;
/// The largest number of functions that a benchmark calls, of those that are looked at.
const MAX_CALLED: usize = 4096;
/// Functions below these paths don't lead to the timed code.
const FOREIGN: [&str; 7] = ["std::", "<std::", "alloc::", "<alloc::", "<core::", "core::", "__rustc::"];
/// The ends of the names of functions that are called for lack of memory.
const FAILING: [&str; 3] =
    ["alloc::raw_vec::handle_error", "alloc::raw_vec::capacity_overflow", "alloc::alloc::handle_alloc_error"];
/// The methods of `Bencher` that are compiled for each benchmark.
const TIMED: [&str; 3] = ["::discard_results", "::keep_results", "::call"];
/// Their parts, which are functions of their own if the optimiser doesn't inline them.
const PARTS_OF_TIMED: [&str; 3] = ["::fill_results", "::fill_segment", "::Segment"];

/// The end of the name of the method that calls a benchmark with a state.
const WITH_STATE: &str = "::registry::case::Stateful>::run";

/// A function that a benchmark calls.
#[derive(Debug, Clone)]
pub(super) struct Called {
    pub(super) symbol: Symbol,
    /// The number of calls on the shortest way from the timed code.
    pub(super) distance: usize,
}

/// Returns the functions with the timed code of a benchmark that its code leads to. The benchmark
/// is inlined into them, or called. Those that only pass the benchmark on to another one are left out.
pub(super) fn timed_functions<'a>(executable: &'a Executable, code: &Located) -> Option<Vec<&'a Symbol>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut queue = VecDeque::from(code.before_timed.clone());
    while let Some(symbol) = queue.pop_front() {
        let Some(symbol) = executable.symbol(symbol).filter(|symbol| seen.insert(symbol.address)) else {
            continue;
        };
        let name = symbol.demangled();
        let code = instructions(executable, symbol);
        let referenced = code.iter().flat_map(|i| referenced(executable, i));
        if is_timed(&name) {
            let is_timed_at = |address: &u64| {
                executable.symbol(*address).is_some_and(|referenced| is_timed(&referenced.demangled()))
            };
            let others = referenced.filter(|address| !symbol.contains(*address));
            let passed_on: Vec<u64> = others.filter(is_timed_at).collect();
            if passed_on.is_empty() {
                found.push(symbol);
            }
            queue.extend(passed_on);
        } else if leads_to_timed(&name) {
            queue.extend(referenced);
        }
        if seen.len() > MAX_FUNCTIONS {
            return None;
        }
    }
    Some(found)
}

/// Returns whether a function may be on the way from an entry to the timed code.
fn leads_to_timed(name: &str) -> bool {
    !is_foreign(name)
        || name.starts_with("core::ops::function::")
        || name.ends_with(WITH_STATE)
        || passes_benchmark(name)
}

fn is_timed(name: &str) -> bool {
    name.contains("::Bencher") && TIMED.iter().any(|method| name.contains(method))
}

/// Returns whether a function belongs to the standard library or to nanobench.
pub(super) fn is_foreign(name: &str) -> bool {
    is_of_library(name) || FOREIGN.iter().any(|foreign| name.starts_with(foreign))
}

/// Returns the functions that can be reached from these, with them, the nearest first. Functions
/// that only panic, and those of nanobench, are left out.
pub(super) fn called<'a>(
    executable: &'a Executable,
    start: impl IntoIterator<Item = &'a Symbol>,
) -> Vec<Called> {
    let mut seen = HashSet::new();
    let mut queue: VecDeque<Called> =
        start.into_iter().map(|symbol| Called { symbol: symbol.clone(), distance: 0 }).collect();
    seen.extend(queue.iter().map(|called| called.symbol.address));
    let mut all = Vec::new();
    while let Some(called) = queue.pop_front().filter(|_| all.len() < MAX_CALLED) {
        let code = instructions(executable, &called.symbol);
        // The rest of the function reads the clock.
        let timed_loop = timed_loop(&code).filter(|_| called.distance == 0);
        let part = timed_loop.map_or(&code[..], |range| &code[range]);
        let targets = part.iter().flat_map(|i| {
            let called = references::called(executable, &code, i).filter(|_| is_indirect_call(i));
            referenced(executable, i).into_iter().chain(called)
        });
        for symbol in targets.filter_map(|target| executable.symbol(target)) {
            if !fails(symbol) && seen.insert(symbol.address) && !is_of_harness(&symbol.demangled()) {
                queue.push_back(Called { symbol: symbol.clone(), distance: called.distance + 1 });
            }
        }
        all.push(called);
    }
    all
}

fn is_indirect_call(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch)
}

/// Returns whether a function of the standard library ends the program or the thread.
pub(super) fn fails(symbol: &Symbol) -> bool {
    let fails = |name: &str| FAILING.iter().any(|failing| name.ends_with(failing));
    symbol.panics() || fails(&symbol.demangled())
}

/// Returns whether a function belongs to nanobench, and isn't compiled for each benchmark.
pub fn is_of_harness(name: &str) -> bool {
    let is_part_of_timed =
        || name.contains("::bencher::") && PARTS_OF_TIMED.iter().any(|part| name.contains(part));
    is_of_library(name) && !is_timed(name) && !is_part_of_timed() && !passes_benchmark(name)
}

/// Returns the loop between the readings of the clock in the timed code of a benchmark, as indices
/// of instructions. `None` if there are several loops that may be it.
pub(super) fn timed_loop(code: &[Instruction]) -> Option<RangeInclusive<usize>> {
    let loops = code.iter().enumerate().filter_map(|(end, jump)| {
        let to = references::jump_target(jump)?;
        let start = code[..=end].binary_search_by_key(&to, Instruction::ip).ok()?;
        let reads_clock = |i: &Instruction| matches!(i.mnemonic(), Mnemonic::Rdtsc | Mnemonic::Rdtscp);
        (!code[start..=end].iter().any(reads_clock)).then_some(start..=end)
    });
    let mut outermost: Vec<RangeInclusive<usize>> = Vec::new();
    for new in loops {
        outermost.retain(|old| !(new.start() <= old.start() && old.end() <= new.end()));
        if !outermost.iter().any(|old| old.start() <= new.start() && new.end() <= old.end()) {
            outermost.push(new);
        }
    }
    match &outermost[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of a build without optimisation, in which these functions call the benchmark's.
    #[test]
    fn parts_of_the_timed_code_are_not_of_the_harness() {
        let parts = [
            "nanobench_engine::measure::bencher::Bencher::call_with::{{closure}}",
            "nanobench_engine::measure::bencher::results::<impl nanobench_engine::measure::bencher::Bencher>::\
             fill_results::{{closure}}",
            "nanobench_engine::measure::bencher::results::Segment::call::{{closure}}",
            "<nanobench_engine::measure::bencher::results::Segment>::call::<u8, u8, f>::{closure#0}",
        ];
        assert_eq!(parts.map(is_of_harness), [false; 4]);
        let of_harness = [
            "nanobench_engine::measure::bencher::Bencher::wall_time",
            "nanobench_engine::measure::segment_hooks::SegmentHooks::begin",
        ];
        assert_eq!(of_harness.map(is_of_harness), [true; 2]);
    }
}
