//! The functions that instructions refer to.

use super::executable::{Executable, Region, Symbol};
use super::relocations::Relocation;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};

/// The largest number of words at an address that may be pointers to functions, as in a vtable.
const MAX_POINTERS: u64 = 32;
const WORD: u64 = 8;
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
    let pointer = pointer(function, call);
    match call.op0_kind() {
        OpKind::NearBranch64 => Some(call.near_branch_target()),
        _ => code_pointer(executable, pointer?),
    }
}

/// Returns the address of the word that contains the target of an indirect call, if there is only
/// one.
fn pointer(function: &[Instruction], call: &Instruction) -> Option<u64> {
    match call.op0_kind() {
        OpKind::Memory if call.is_ip_rel_memory_operand() => Some(call.ip_rel_memory_address()),
        OpKind::Register => {
            let is_load = |i: &&Instruction| {
                i.mnemonic() == Mnemonic::Mov
                    && i.op0_kind() == OpKind::Register
                    && i.op0_register() == call.op0_register()
            };
            let mut loads = function.iter().filter(is_load);
            let load =
                loads.next().filter(|load| loads.next().is_none() && load.is_ip_rel_memory_operand())?;
            Some(load.ip_rel_memory_address())
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
            behind(executable, pointer(function, instruction)?)
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
    let stub = Decoder::with_ip(64, executable.bytes(address, STUB), address, DecoderOptions::NONE);
    let jump = stub
        .into_iter()
        .take(2)
        .find(|i| i.flow_control() == FlowControl::IndirectBranch && i.is_ip_rel_memory_operand())?;
    behind(executable, jump.ip_rel_memory_address())
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
