//! The functions and instructions at places in executables and libraries.

use super::call::{CallExecutions, Place};
use super::{CallCounts, CountedFunction, FunctionCount, Step};
use crate::code::{is_of_harness, is_of_library};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Functions of the C library that return new memory.
const ALLOCATE: [&str; 6] = ["malloc", "calloc", "posix_memalign", "aligned_alloc", "memalign", "valloc"];
const REALLOCATE: &str = "realloc";
const FREE: &str = "free";
/// The longest instruction, in bytes.
const MAX_LENGTH: u64 = 15;

/// Files that have been read.
#[derive(Debug, Default)]
pub(super) struct Objects(BTreeMap<Arc<Path>, Object>);

/// The functions and the code of a file. Both are empty if it can't be read.
#[derive(Debug, Default)]
struct Object {
    /// By address.
    functions: BTreeMap<u64, Function>,
    /// Loaded parts by address.
    segments: BTreeMap<u64, Vec<u8>>,
}

#[derive(Debug)]
struct Function {
    end: u64,
    /// The names as the file has them.
    names: Vec<String>,
}

/// The executions of a function.
#[derive(Debug, Clone, Copy, Default)]
struct Executed {
    calls: f64,
    instructions: f64,
}

impl Objects {
    /// Returns the counts of a call with this `count`.
    pub(super) fn summarize(&mut self, step: Step, count: u64, executions: &CallExecutions) -> CallCounts {
        let (mut branches, mut allocations, mut reallocations, mut frees) = (0.0, 0.0, 0.0, 0.0);
        let mut functions: BTreeMap<Option<String>, Executed> = BTreeMap::new();
        for (place @ (_, address), number) in executions {
            let object = self.object(place);
            if object.is_branch(*address) {
                branches += number;
            }
            let function = object.function(*address);
            let called = function.filter(|(start, _)| start == address);
            if let Some((_, function)) = called {
                let is_any_of =
                    |names: &[&str]| function.names.iter().any(|name| names.contains(&name.as_str()));
                if is_any_of(&ALLOCATE) {
                    allocations += number;
                } else if is_any_of(&[REALLOCATE]) {
                    reallocations += number;
                } else if is_any_of(&[FREE]) {
                    frees += number;
                }
            }
            let name = function.and_then(|(_, function)| function.names.first());
            let name = name.map(|name| format!("{:#}", rustc_demangle::demangle(name)));
            let executed = functions.entry(name).or_default();
            executed.instructions += number;
            executed.calls += if called.is_some() { *number } else { 0.0 };
        }
        CallCounts {
            step,
            count,
            instructions: executions.values().sum(),
            branches,
            allocations,
            reallocations,
            uses_allocator: [allocations, reallocations, frees].iter().any(|number| *number != 0.0),
            functions: sorted(functions),
        }
    }

    fn object(&mut self, (path, _): &Place) -> &Object {
        self.0.entry(Arc::clone(path)).or_insert_with(|| Object::read(path).unwrap_or_default())
    }
}

/// Returns the functions, the largest number of instructions first.
fn sorted(functions: BTreeMap<Option<String>, Executed>) -> Vec<FunctionCount> {
    let mut counted: BTreeMap<CountedFunction, Executed> = BTreeMap::new();
    for (name, executed) in functions {
        let function = counted_function(name, executed);
        let calls = if function == CountedFunction::Benchmark { 1.0 } else { executed.calls };
        let instructions = counted.get(&function).map_or(0.0, |other| other.instructions);
        counted.insert(function, Executed { calls, instructions: instructions + executed.instructions });
    }
    let counts = counted.into_iter().map(|(function, Executed { calls, instructions })| FunctionCount {
        function,
        calls,
        instructions,
    });
    let mut counts: Vec<FunctionCount> = counts.filter(|count| count.instructions != 0.0).collect();
    counts.sort_by(|a, b| b.instructions.total_cmp(&a.instructions));
    counts
}

/// Returns the function to which executions of a call belong. Those of the harness differ from those
/// of the empty benchmark, but cancel out together, apart from functions that the benchmark calls. What
/// is left is inlined into the timed loop.
fn counted_function(name: Option<String>, Executed { calls, .. }: Executed) -> CountedFunction {
    match name {
        None => CountedFunction::Nameless,
        Some(name) if is_of_library(&name) && (calls <= 0.0 || !is_of_harness(&name)) => {
            CountedFunction::Benchmark
        }
        Some(name) => CountedFunction::Named(name),
    }
}

impl Object {
    fn read(path: &Path) -> Option<Object> {
        let bytes = std::fs::read(path).ok()?;
        let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
        let mut functions: BTreeMap<u64, Function> = BTreeMap::new();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            let (address, size) = (symbol.address(), symbol.size());
            if symbol.kind() != SymbolKind::Text || address == 0 {
                continue;
            }
            let Ok(name) = symbol.name() else { continue };
            let end = address.saturating_add(size.max(1));
            let function = functions.entry(address).or_insert(Function { end, names: Vec::new() });
            function.end = function.end.max(end);
            function.names.push(name.to_owned());
        }
        let segments = file.segments().filter_map(|segment| {
            let data = segment.data().ok()?;
            Some((segment.address(), data.to_vec()))
        });
        Some(Object { functions, segments: segments.collect() })
    }

    /// Returns the function at an address, and its start.
    fn function(&self, address: u64) -> Option<(u64, &Function)> {
        let (start, function) = self.functions.range(..=address).next_back()?;
        (address < function.end).then_some((*start, function))
    }

    /// Returns whether the instruction at an address is a jump, a call or a return.
    fn is_branch(&self, address: u64) -> bool {
        let Some((start, bytes)) = self.segments.range(..=address).next_back() else { return false };
        let from = (address - start) as usize;
        let to = bytes.len().min(from.saturating_add(MAX_LENGTH as usize));
        let Some(bytes) = bytes.get(from..to) else { return false };
        let instruction = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
        let is_syscall = matches!(instruction.mnemonic(), Mnemonic::Syscall | Mnemonic::Sysenter);
        use FlowControl::{Exception, Interrupt, Next, XbeginXabortXend};
        !is_syscall && !matches!(instruction.flow_control(), Next | Exception | Interrupt | XbeginXabortXend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inlined_into_the_timed_loop_is_the_benchmark() {
        const BENCHER: &str = "nanobench_engine::measure::bencher::Bencher";
        const RNG: &str = "nanobench_engine::rng::Rng::next";
        let executed =
            |name: &str, calls, instructions| (Some(name.to_owned()), Executed { calls, instructions });
        let functions = [
            executed(&format!("{BENCHER}::discard_results"), 0.0, 30.0),
            executed(&format!("{BENCHER}::begin_next_segment"), 0.0, -4.0),
            executed(RNG, 2.0, 12.0),
            executed("a::parse", 3.0, 9.0),
            (None, Executed { calls: 0.0, instructions: 1.0 }),
        ];
        let named = |name: &str| CountedFunction::Named(name.to_owned());
        let count = |function, calls, instructions| FunctionCount { function, calls, instructions };
        let expected = [
            count(CountedFunction::Benchmark, 1.0, 26.0),
            count(named(RNG), 2.0, 12.0),
            count(named("a::parse"), 3.0, 9.0),
            count(CountedFunction::Nameless, 0.0, 1.0),
        ];
        assert_eq!(sorted(functions.into()), expected);
    }

    #[test]
    fn freeing_is_a_use_of_the_allocator() {
        let path: Arc<Path> = Path::new("libc.so.6").into();
        let function = |name: &str| Function { end: u64::MAX, names: vec![name.to_owned()] };
        let functions = [(16, function("memcpy")), (32, function("free")), (48, function("realloc"))];
        let object = Object { functions: functions.into(), segments: BTreeMap::new() };
        let mut objects = Objects([(Arc::clone(&path), object)].into());
        let mut uses = |address: u64| {
            let executions = [((Arc::clone(&path), address), 1.0)].into();
            objects.summarize(Step::SingleSteps, 1, &executions).uses_allocator
        };
        assert_eq!([16, 32, 48, 49].map(&mut uses), [false, true, true, false], "at the start of each");
    }
}
