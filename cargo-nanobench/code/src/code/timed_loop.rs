//! The machine code that the optimiser has left of a benchmark in its timed loop.

use super::BenchmarkCode;
use super::executable::{Executable, KnownExecutables};
use super::reach::{self, timed_functions};
use super::references::{called, instructions};
use super::symbol::Symbol;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;

/// Instructions without operands in memory that have an effect beside that on registers.
const EFFECTIVE: [Mnemonic; 10] = {
    use Mnemonic::{Cpuid, Lfence, Mfence, Pause, Rdrand, Rdseed, Rdtsc, Rdtscp, Sfence, Syscall};
    [Cpuid, Lfence, Mfence, Pause, Rdrand, Rdseed, Rdtsc, Rdtscp, Sfence, Syscall]
};

/// The code of a benchmark in its timed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimedLoop {
    /// Nothing reaches memory, so nothing uses what may still be computed.
    Unused,
    /// Each iteration stores the same values, which were computed by the compiler.
    Constant,
    /// Anything else.
    Work,
}

/// Returns the kind of code in the timed loops of a benchmark. `None` if it can't be found, or if rows
/// differ.
pub fn timed_loop(
    executables: &KnownExecutables,
    executable: &Path,
    code: &BenchmarkCode,
) -> Option<TimedLoop> {
    let executable = &*executables.read(executable)?;
    let loops = timed_functions(executable, &code.locate(executable)?)?;
    let discarding = loops.into_iter().filter(|symbol| symbol.demangled().contains("::discard_results"));
    let mut found = discarding.map(|symbol| classify(executable, symbol));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

/// Classifies the only loop of a function that doesn't read the clock.
fn classify(executable: &Executable, function: &Symbol) -> Option<TimedLoop> {
    let all = instructions(executable, function);
    let body = &all[reach::timed_loop(&all)?];
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
