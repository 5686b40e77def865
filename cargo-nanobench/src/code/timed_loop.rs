//! The machine code that the optimiser has left of a benchmark in its timed loop.

use super::entry_symbol;
use super::executable::{Executable, Region, Symbol};
use super::relocations::Relocation;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// The largest number of functions to look at between the entry of a benchmark and its loop.
const MAX_FUNCTIONS: usize = 64;
/// The number of words at a referenced address that may be pointers to functions, as in a vtable.
const MAX_POINTERS: u64 = 6;
const WORD: u64 = 8;
/// Functions below these paths don't lead to the loop.
const FOREIGN: [&str; 8] =
    ["nanobench::", "<nanobench::", "std::", "<std::", "alloc::", "<alloc::", "<core::", "core::"];
/// Instructions without operands in memory that have an effect beside that on registers.
const EFFECTIVE: [Mnemonic; 10] = [
    Mnemonic::Pause,
    Mnemonic::Cpuid,
    Mnemonic::Lfence,
    Mnemonic::Mfence,
    Mnemonic::Sfence,
    Mnemonic::Rdrand,
    Mnemonic::Rdseed,
    Mnemonic::Rdtsc,
    Mnemonic::Rdtscp,
    Mnemonic::Syscall,
];

/// The code of a benchmark in its timed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimedLoop {
    /// Nothing reaches memory, so nothing uses what may still be computed.
    Unused,
    /// Each iteration stores the same values, which were computed by the compiler.
    Constant,
    /// Anything else.
    Work,
}

/// Finds timed loops. It keeps the executables, so that each is read once.
#[derive(Debug, Default)]
pub(crate) struct TimedLoops {
    executables: HashMap<PathBuf, Option<Executable>>,
}

impl TimedLoops {
    /// Returns the code of all rows of a benchmark, `module::function`. `None` if it can't be
    /// found, or if rows differ.
    pub(crate) fn find(&mut self, executable: &Path, function: &str) -> Option<TimedLoop> {
        let known = self.executables.entry(executable.to_owned());
        let executable = known.or_insert_with(|| Executable::read(executable)).as_ref()?;
        let loops = functions_with_loop(executable, executable.entry(&entry_symbol(function))?)?;
        let mut found = loops.into_iter().map(|symbol| classify(executable, symbol));
        let first = found.next()??;
        found.all(|other| other == Some(first)).then_some(first)
    }
}

/// Returns the instances of `Bencher::discard_results` that the entry of a benchmark leads to.
fn functions_with_loop<'a>(executable: &'a Executable, entry: &Symbol) -> Option<Vec<&'a Symbol>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut queue = VecDeque::from(executable.code_pointers(entry));
    while let Some(symbol) = queue.pop_front() {
        let Some(symbol) = executable.symbol(symbol).filter(|symbol| seen.insert(symbol.address)) else {
            continue;
        };
        let name = symbol.demangled();
        if name.contains("::Bencher") && name.contains("::discard_results") {
            found.push(symbol);
        } else if !FOREIGN.iter().any(|foreign| name.starts_with(foreign))
            || name.starts_with("core::ops::function::")
        {
            queue.extend(instructions(executable, symbol).iter().flat_map(|i| referenced(executable, i)));
        }
        if seen.len() > MAX_FUNCTIONS {
            return None;
        }
    }
    Some(found)
}

fn instructions(executable: &Executable, symbol: &Symbol) -> Vec<Instruction> {
    let bytes = executable.bytes(symbol.address, symbol.size);
    Decoder::with_ip(64, bytes, symbol.address, DecoderOptions::NONE).into_iter().collect()
}

/// Returns the functions that an instruction refers to, directly or through pointers.
fn referenced(executable: &Executable, instruction: &Instruction) -> Vec<u64> {
    if instruction.op0_kind() == OpKind::NearBranch64 {
        return vec![instruction.near_branch_target()];
    }
    if !instruction.is_ip_rel_memory_operand() {
        return Vec::new();
    }
    let address = instruction.ip_rel_memory_address();
    if executable.region(address) == Some(Region::Code) {
        return vec![address];
    }
    (0..MAX_POINTERS).filter_map(|i| code_pointer(executable, address.checked_add(i * WORD)?)).collect()
}

fn code_pointer(executable: &Executable, at: u64) -> Option<u64> {
    match executable.relocation(at)? {
        Relocation::Internal(to) if executable.region(*to) == Some(Region::Code) => Some(*to),
        _ => None,
    }
}

/// Classifies the only loop of a function that doesn't read the clock.
fn classify(executable: &Executable, function: &Symbol) -> Option<TimedLoop> {
    let all = instructions(executable, function);
    let mut loops = all.iter().enumerate().filter_map(|(end, jump)| {
        let is_jump = jump.flow_control() == FlowControl::ConditionalBranch;
        let to = Some(jump.near_branch_target()).filter(|&to| is_jump && to <= jump.ip())?;
        let body = &all[all.iter().position(|first| first.ip() == to)?..=end];
        let is_timed = body.iter().all(|i| !matches!(i.mnemonic(), Mnemonic::Rdtsc | Mnemonic::Rdtscp));
        is_timed.then_some(body)
    });
    let body = loops.next().filter(|_| loops.next().is_none())?;
    let is_empty_call =
        |i: &Instruction| called(executable, &all, i).is_some_and(|to| is_empty(executable, to));
    Some(classify_body(body, is_empty_call))
}

fn classify_body(body: &[Instruction], is_empty_call: impl Fn(&Instruction) -> bool) -> TimedLoop {
    let mut factory = InstructionInfoFactory::new();
    let mut written: HashSet<Register> = HashSet::new();
    let mut stored_from: HashSet<Register> = HashSet::new();
    let (mut is_used, range) = (false, body[0].ip()..=body[body.len() - 1].ip());
    for i in body {
        let stays = match i.flow_control() {
            FlowControl::Next => !EFFECTIVE.contains(&i.mnemonic()),
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                range.contains(&i.near_branch_target())
            }
            FlowControl::Call | FlowControl::IndirectCall => {
                if is_empty_call(i) {
                    continue;
                }
                false
            }
            _ => false,
        };
        if !stays {
            return TimedLoop::Work;
        }
        let info = factory.info(i);
        for memory in info.used_memory() {
            let is_store = memory.access() == OpAccess::Write && memory.base() == Register::RSP;
            // The compiler keeps values for the loop on the stack, but doesn't load them in vain.
            if !is_store {
                return TimedLoop::Work;
            }
            is_used = true;
        }
        for register in info.used_registers() {
            let full = register.register().full_register();
            let is_written = register.access() != OpAccess::Read;
            if is_written {
                written.insert(full);
            } else if !info.used_memory().is_empty() {
                stored_from.insert(full);
            }
        }
    }
    match (is_used, written.is_disjoint(&stored_from)) {
        (false, _) => TimedLoop::Unused,
        (true, true) => TimedLoop::Constant,
        (true, false) => TimedLoop::Work,
    }
}

/// Returns the target of a call: of the instruction itself, or the only value that its register
/// gets in the function.
fn called(executable: &Executable, function: &[Instruction], call: &Instruction) -> Option<u64> {
    match call.op0_kind() {
        OpKind::NearBranch64 => Some(call.near_branch_target()),
        OpKind::Memory if call.is_ip_rel_memory_operand() => {
            code_pointer(executable, call.ip_rel_memory_address())
        }
        OpKind::Register => {
            let is_load = |i: &&Instruction| {
                i.mnemonic() == Mnemonic::Mov
                    && i.op0_kind() == OpKind::Register
                    && i.op0_register() == call.op0_register()
            };
            let mut loads = function.iter().filter(is_load);
            let load =
                loads.next().filter(|load| loads.next().is_none() && load.is_ip_rel_memory_operand())?;
            code_pointer(executable, load.ip_rel_memory_address())
        }
        _ => None,
    }
}

/// Returns whether a function returns at once, like the one that marks allocations.
fn is_empty(executable: &Executable, address: u64) -> bool {
    let bytes = executable.bytes(address, 16);
    let first = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE)
        .into_iter()
        .find(|i| !matches!(i.mnemonic(), Mnemonic::Endbr64 | Mnemonic::Nop));
    first.is_some_and(|first| first.flow_control() == FlowControl::Return)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classifies a loop of these bytes.
    fn of(code: &[u8]) -> TimedLoop {
        let body: Vec<Instruction> =
            Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE).into_iter().collect();
        assert!(body.iter().all(|i| !i.is_invalid()), "{code:x?}");
        classify_body(&body, |_| true)
    }

    #[test]
    fn code_without_effect_is_unused() {
        // dec r15; jne
        assert_eq!(of(&[0x49, 0xff, 0xcf, 0x75, 0xfb]), TimedLoop::Unused);
        // imul rax, rbp; dec r15; jne
        assert_eq!(of(&[0x48, 0x0f, 0xaf, 0xc5, 0x49, 0xff, 0xcf, 0x75, 0xf7]), TimedLoop::Unused);
        // call r13 (an empty function); dec r15; jne
        assert_eq!(of(&[0x41, 0xff, 0xd5, 0x49, 0xff, 0xcf, 0x75, 0xf8]), TimedLoop::Unused);
        // pause; dec r15; jne
        assert_eq!(of(&[0xf3, 0x90, 0x49, 0xff, 0xcf, 0x75, 0xf9]), TimedLoop::Work);
        // test rax, rax; je elsewhere; dec r15; jne
        assert_eq!(of(&[0x48, 0x85, 0xc0, 0x74, 0x20, 0x49, 0xff, 0xcf, 0x75, 0xf6]), TimedLoop::Work);
    }

    #[test]
    fn values_from_outside_the_loop_are_constant() {
        // mov qword ptr [rsp], 7; dec r15; jne
        let seven = [0x48, 0xc7, 0x04, 0x24, 7, 0, 0, 0, 0x49, 0xff, 0xcf, 0x75, 0xf3];
        assert_eq!(of(&seven), TimedLoop::Constant);
        // mov qword ptr [rsp], r13; dec r15; jne
        assert_eq!(of(&[0x4c, 0x89, 0x2c, 0x24, 0x49, 0xff, 0xcf, 0x75, 0xf7]), TimedLoop::Constant);
        // mov qword ptr [rsp], r15; dec r15; jne
        assert_eq!(of(&[0x4c, 0x89, 0x3c, 0x24, 0x49, 0xff, 0xcf, 0x75, 0xf7]), TimedLoop::Work);
        // mov qword ptr [rax], 7; dec r15; jne
        let elsewhere = [0x48, 0xc7, 0x00, 7, 0, 0, 0, 0x49, 0xff, 0xcf, 0x75, 0xf4];
        assert_eq!(of(&elsewhere), TimedLoop::Work, "a store to the user's memory");
        // mov rax, qword ptr [rsp]; mov qword ptr [rsp], rax; dec r15; jne
        let copy = [0x48, 0x8b, 0x04, 0x24, 0x48, 0x89, 0x04, 0x24, 0x49, 0xff, 0xcf, 0x75, 0xf3];
        assert_eq!(of(&copy), TimedLoop::Work);
    }
}
