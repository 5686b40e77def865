//! The functions that instructions refer to.

use super::comparison::WORD;
use super::executable::{Executable, Region};
use super::relocations::Relocation;
use super::symbol::Symbol;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};

/// The largest number of words at an address that may be pointers to functions, as in a vtable.
const MAX_POINTERS: u64 = 32;
/// The size of a stub that jumps to a library.
const STUB: u64 = 16;

/// A function that another one refers to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Callee<'a> {
    Function(&'a Symbol),
    /// The name of a function in a library.
    Library(&'a str),
}

impl Callee<'_> {
    /// Returns the demangled name.
    pub(super) fn name(&self) -> String {
        match self {
            Callee::Function(symbol) => symbol.demangled(),
            Callee::Library(name) => (*name).to_owned(),
        }
    }
}

/// Decodes a function.
pub(super) fn instructions(executable: &Executable, symbol: &Symbol) -> Vec<Instruction> {
    let bytes = executable.bytes(symbol.address, symbol.size);
    Decoder::with_ip(64, bytes, symbol.address, DecoderOptions::NONE).into_iter().collect()
}

/// Returns the addresses of functions that an instruction refers to, directly or through pointers.
pub(super) fn referenced(executable: &Executable, instruction: &Instruction) -> Vec<u64> {
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
    let takes_address = instruction.mnemonic() == Mnemonic::Lea;
    let words = if takes_address { executable.to_next_reference(address) / WORD } else { 1 };
    let word = |i| code_pointer(executable, address.checked_add(i * WORD)?);
    (0..words.min(MAX_POINTERS)).filter_map(word).collect()
}

/// Returns the address of the function that a word points to.
pub(super) fn code_pointer(executable: &Executable, at: u64) -> Option<u64> {
    match executable.relocation(at)? {
        Relocation::Internal(to) if executable.region(*to) == Some(Region::Code) => Some(*to),
        _ => None,
    }
}

/// Returns the target of a call: of the instruction itself, or the only value that its register
/// gets in the function.
pub(super) fn called(executable: &Executable, function: &[Instruction], call: &Instruction) -> Option<u64> {
    if call.op0_kind() == OpKind::NearBranch64 {
        return Some(call.near_branch_target());
    }
    match target_of_indirect(function, call)? {
        Target::Pointer(at) => code_pointer(executable, at),
        Target::Address(address) => (executable.region(address) == Some(Region::Code)).then_some(address),
    }
}

/// The place of the target of an indirect call.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// The address of the word that contains it.
    Pointer(u64),
    /// The target itself. GNU ld and gold turn loads from such words into this.
    Address(u64),
}

/// Returns the target of an indirect call, if there is only one.
fn target_of_indirect(function: &[Instruction], call: &Instruction) -> Option<Target> {
    match call.op0_kind() {
        OpKind::Memory if call.is_ip_rel_memory_operand() => {
            Some(Target::Pointer(call.ip_rel_memory_address()))
        }
        OpKind::Register => {
            let is_load = |i: &&Instruction| {
                matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Lea)
                    && i.op0_kind() == OpKind::Register
                    && i.op0_register() == call.op0_register()
            };
            let mut loads = function.iter().filter(is_load);
            let load =
                loads.next().filter(|load| loads.next().is_none() && load.is_ip_rel_memory_operand())?;
            let address = load.ip_rel_memory_address();
            let is_pointer = load.mnemonic() == Mnemonic::Mov;
            Some(if is_pointer { Target::Pointer(address) } else { Target::Address(address) })
        }
        _ => None,
    }
}

/// Returns the function that a call, or a jump out of a function, leads to. `None` for other
/// instructions, and for targets that only the run of the program decides.
pub(super) fn callee<'a>(
    executable: &'a Executable,
    function: &[Instruction],
    instruction: &Instruction,
) -> Option<Callee<'a>> {
    match instruction.flow_control() {
        FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
            let target = instruction.near_branch_target();
            let [first, last] = [function.first()?, function.last()?];
            let leaves = !(first.ip()..=last.ip()).contains(&target);
            leaves.then(|| at(executable, target)).flatten()
        }
        FlowControl::IndirectCall | FlowControl::IndirectBranch => {
            match target_of_indirect(function, instruction)? {
                Target::Pointer(word) => behind(executable, word),
                Target::Address(address) if executable.region(address) == Some(Region::Code) => {
                    at(executable, address)
                }
                Target::Address(_) => None,
            }
        }
        _ => None,
    }
}

/// Returns the function that starts at an address, or the one of a library that the stub there
/// jumps to.
pub(super) fn at(executable: &Executable, address: u64) -> Option<Callee<'_>> {
    if let Some(symbol) = executable.symbol(address) {
        return Some(Callee::Function(symbol));
    }
    behind(executable, word_of_stub(executable, address)?)
}

/// Returns the address of the word with the function of a library that the stub at an address jumps to.
pub(super) fn word_of_stub(executable: &Executable, address: u64) -> Option<u64> {
    let stub = Decoder::with_ip(64, executable.bytes(address, STUB), address, DecoderOptions::NONE);
    let first = stub.into_iter().find(|i| i.mnemonic() != Mnemonic::Endbr64)?;
    let is_jump = first.flow_control() == FlowControl::IndirectBranch && first.is_ip_rel_memory_operand();
    is_jump.then(|| first.ip_rel_memory_address())
}

/// Returns the function that a word points to.
pub(super) fn behind(executable: &Executable, at: u64) -> Option<Callee<'_>> {
    match executable.relocation(at)? {
        Relocation::Internal(to) if executable.region(*to) == Some(Region::Code) => {
            executable.symbol(*to).map(Callee::Function)
        }
        Relocation::Internal(_) => None,
        Relocation::External(name) => name.split(['@', ',']).next().map(Callee::Library),
    }
}

/// Returns the target of a jump within a function, or out of it.
pub(super) fn jump_target(instruction: &Instruction) -> Option<u64> {
    let is_jump = matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    );
    (is_jump && instruction.op0_kind() == OpKind::NearBranch64).then(|| instruction.near_branch_target())
}

/// Returns the address in the executable that an instruction refers to.
pub(super) fn target(instruction: &Instruction) -> Option<u64> {
    if instruction.is_ip_rel_memory_operand() {
        return Some(instruction.ip_rel_memory_address());
    }
    let is_branch = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64;
    is_branch.then(|| instruction.near_branch_target())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_through_a_register_have_the_only_target_that_it_gets() {
        let target = |code: &[u8]| {
            let code: Vec<_> = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE).into_iter().collect();
            target_of_indirect(&code, code.last().unwrap())
        };
        let [load, take] = [0x8b, 0x8d].map(|opcode| [0x48, opcode, 0x1d, 0x10, 0, 0, 0]);
        let call = [0xff, 0xd3];
        assert_eq!(target(&[&load[..], &call].concat()), Some(Target::Pointer(0x1017)), "mov rbx, [rip+16]");
        assert_eq!(target(&[&take[..], &call].concat()), Some(Target::Address(0x1017)), "lea rbx, [rip+16]");
        assert_eq!(target(&[&load[..], &take, &call].concat()), None);
        assert_eq!(target(&call), None);
    }
}
