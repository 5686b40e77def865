//! The instructions of a function, and its use of the addresses that it loads.

use super::executable::Executable;
use super::relocations::Relocation;
use super::symbol::Symbol;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};
use std::collections::HashSet;

/// The number of instructions between the load of an offset and the addition of its table.
const MAX_DISTANCE: usize = 16;

/// The instructions of a function.
pub(super) struct Function<'a> {
    executable: &'a Executable,
    pub(super) symbol: Symbol,
    pub(super) instructions: Vec<Instruction>,
    /// The instructions that load an offset from a table, to add the address of the table to it,
    /// with the register that contains that address.
    relative_loads: Vec<(usize, Register)>,
}

impl<'a> Function<'a> {
    /// Decodes the function at an address. Returns `None` if no symbol names it.
    pub(super) fn at(executable: &'a Executable, address: u64) -> Option<Function<'a>> {
        let symbol = executable.symbol(address)?.clone();
        let bytes = executable.bytes(symbol.address, symbol.size);
        let instructions: Vec<Instruction> =
            Decoder::with_ip(64, bytes, symbol.address, DecoderOptions::NONE).into_iter().collect();
        let relative_loads = relative_loads(&instructions);
        Some(Function { executable, symbol, instructions, relative_loads })
    }

    /// Returns whether an instruction loads the address of a table of offsets, each relative to the
    /// table, as for the jumps of a `match`: `lea rcx, [table]`, then `movsxd rax, dword ptr [rcx +
    /// 4*rax]` and `add rax, rcx`.
    pub(super) fn takes_relative_table(&self, index: usize) -> bool {
        !self.relative_loads_from(index).is_empty()
    }

    /// Returns whether a table of offsets is used without an instruction that is known to load its
    /// address.
    pub(super) fn has_unknown_relative_table(&self) -> bool {
        let mut unknown: HashSet<usize> = self.relative_loads.iter().map(|(load, _)| *load).collect();
        let mut tables =
            (0..self.instructions.len()).filter(|&i| self.instructions[i].is_ip_rel_memory_operand());
        while let (false, Some(table)) = (unknown.is_empty(), tables.next()) {
            for load in self.relative_loads_from(table) {
                unknown.remove(&load);
            }
        }
        !unknown.is_empty()
    }

    /// Returns the loads of offsets from the table whose address an instruction loads.
    fn relative_loads_from(&self, index: usize) -> Vec<usize> {
        let register = self.instructions[index].op0_register();
        let is_table = |load: &&(usize, Register)| load.1 == register;
        if self.instructions[index].mnemonic() != Mnemonic::Lea
            || !self.relative_loads.iter().any(|l| is_table(&l))
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.follow(index, register, |at, instruction, (_, use_of_register)| {
            found.extend(
                self.relative_loads.iter().filter(is_table).map(|(load, _)| *load).filter(|&load| load == at),
            );
            match instruction.flow_control() {
                _ if use_of_register.writes => Next::EndOfPath,
                // A jump through a table, as far as it matters here.
                FlowControl::IndirectBranch => Next::Anywhere,
                _ => Next::Continue,
            }
        });
        found
    }

    /// Returns whether the address that an instruction loads is used for nothing but as an argument
    /// of functions of the standard library that panic. The calls of several bounds checks may
    /// share their last instructions, and copy the address there.
    pub(super) fn passes_to_panic(&self, index: usize) -> bool {
        let register = self.instructions[index].op0_register();
        if self.instructions[index].mnemonic() != Mnemonic::Lea {
            return false;
        }
        let mut has_panic = false;
        let is_followed = self.follow(index, register, |_, instruction, (register, use_of_register)| {
            let leaves = |target| !(self.symbol.range().contains(&target));
            let may_be_returned = matches!(register, Register::RAX | Register::RDX);
            match instruction.flow_control() {
                _ if use_of_register.reads => copy_of(register, instruction).map_or(Next::Stop, Next::Copied),
                FlowControl::Next | FlowControl::ConditionalBranch if use_of_register.writes => {
                    Next::EndOfPath
                }
                FlowControl::Next | FlowControl::ConditionalBranch => Next::Continue,
                FlowControl::UnconditionalBranch if !leaves(instruction.near_branch_target()) => {
                    Next::Continue
                }
                FlowControl::Call | FlowControl::IndirectCall | FlowControl::UnconditionalBranch => {
                    has_panic |= self.panics(instruction);
                    if self.panics(instruction) { Next::EndOfPath } else { Next::Stop }
                }
                FlowControl::Return if !may_be_returned => Next::EndOfPath,
                FlowControl::Exception | FlowControl::Interrupt => Next::EndOfPath,
                _ => Next::Stop,
            }
        });
        is_followed && has_panic
    }

    /// Returns whether an instruction calls a function of the standard library that panics.
    pub(super) fn panics(&self, instruction: &Instruction) -> bool {
        let target = if instruction.op0_kind() == OpKind::NearBranch64 {
            Some(instruction.near_branch_target())
        } else if instruction.is_ip_rel_memory_operand() {
            self.executable.relocation(instruction.ip_rel_memory_address()).and_then(Relocation::internal)
        } else {
            None
        };
        target.and_then(|target| self.executable.symbol(target)).is_some_and(Symbol::panics)
    }

    /// Returns the instructions that are not reached from the one before, as indices.
    fn starts_of_blocks(&self) -> impl Iterator<Item = usize> {
        let ends_block = |i: &Instruction| {
            use FlowControl::{Exception, IndirectBranch, Return, UnconditionalBranch};
            matches!(i.flow_control(), UnconditionalBranch | IndirectBranch | Return | Exception)
        };
        let ends = self.instructions.iter().enumerate().filter(move |(_, i)| ends_block(i));
        ends.map(|(end, _)| end + 1).filter(|&start| start < self.instructions.len())
    }

    /// Follows all paths from after an instruction, and calls `visit` for each instruction on them
    /// with its use of a register and of its copies. Returns false if `visit` stopped, or if a path
    /// can't be followed.
    fn follow(
        &self,
        index: usize,
        register: Register,
        mut visit: impl FnMut(usize, &Instruction, (Register, RegisterUse)) -> Next,
    ) -> bool {
        let mut factory = InstructionInfoFactory::new();
        let (mut seen, mut open) = (HashSet::new(), vec![(index + 1, register)]);
        while let Some((at, register)) = open.pop() {
            if !seen.insert((at, register)) {
                continue;
            }
            // After the end, a call doesn't return.
            let Some(instruction) = self.instructions.get(at) else { continue };
            let use_of_register = RegisterUse::of(register, instruction, &mut factory);
            match visit(at, instruction, (register, use_of_register)) {
                Next::Stop => return false,
                Next::EndOfPath => continue,
                Next::Anywhere => {
                    open.extend(self.starts_of_blocks().map(|start| (start, register)));
                    continue;
                }
                Next::Copied(copy) => open.push((at + 1, copy)),
                Next::Continue => {}
            }
            let flow = instruction.flow_control();
            if matches!(flow, FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch) {
                let target = instruction.near_branch_target();
                match self.instructions.binary_search_by_key(&target, Instruction::ip) {
                    Ok(target) => open.push((target, register)),
                    Err(_) if self.symbol.range().contains(&target) => return false,
                    Err(_) => {}
                }
            }
            let ends = matches!(
                flow,
                FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception
            );
            if !ends {
                open.push((at + 1, register));
            }
        }
        true
    }
}

/// The way to go on after an instruction.
enum Next {
    Continue,
    /// To any block of the function.
    Anywhere,
    /// As [`Next::Continue`], and with the copy in this register.
    Copied(Register),
    EndOfPath,
    Stop,
}

/// Returns the register that an instruction copies all of `register` to, and nothing else.
fn copy_of(register: Register, instruction: &Instruction) -> Option<Register> {
    let copies = instruction.mnemonic() == Mnemonic::Mov && instruction.op1_register() == register;
    Some(instruction.op0_register()).filter(|to| copies && to.is_gpr64())
}

/// The use that an instruction makes of a register.
#[derive(Clone, Copy, Default)]
struct RegisterUse {
    reads: bool,
    writes: bool,
}

impl RegisterUse {
    fn of(
        register: Register,
        instruction: &Instruction,
        factory: &mut InstructionInfoFactory,
    ) -> RegisterUse {
        let mut found = RegisterUse::default();
        // `xor eax, eax` reads nothing, which the library knows.
        for used in factory.info(instruction).used_registers() {
            if used.register().full_register() == register {
                let access = used.access();
                found.reads |= matches!(
                    access,
                    OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
                );
                found.writes |= matches!(access, OpAccess::Write | OpAccess::ReadWrite);
            }
        }
        found
    }
}

/// Returns the instructions that load an offset which the base of the load is added to, as for a
/// table of offsets relative to itself.
fn relative_loads(instructions: &[Instruction]) -> Vec<(usize, Register)> {
    let is_load = |i: &Instruction| {
        i.mnemonic() == Mnemonic::Movsxd
            && i.op1_kind() == OpKind::Memory
            && i.memory_base() != Register::None
            && !i.is_ip_rel_memory_operand()
    };
    let loads = instructions.iter().enumerate().filter(|(_, i)| is_load(i));
    loads
        .filter_map(|(at, load)| {
            let (offset, table) = (load.op0_register(), load.memory_base());
            let changes = |i: &&Instruction| {
                let is_changed = [offset, table].contains(&i.op0_register().full_register());
                is_changed
                    && i.op0_kind() == OpKind::Register
                    && !matches!(i.mnemonic(), Mnemonic::Cmp | Mnemonic::Test)
            };
            let are_both = |a: Register, b: Register| (a, b) == (offset, table) || (a, b) == (table, offset);
            let is_address =
                |i: &Instruction| are_both(i.memory_base(), i.memory_index()) && i.memory_index_scale() == 1;
            let is_sum = |i: &Instruction| {
                i.mnemonic() == Mnemonic::Add && are_both(i.op0_register(), i.op1_register())
            };
            // The sum must be the first change of either, or the address of a memory operand.
            let mut later = instructions[at + 1..].iter().take(MAX_DISTANCE);
            let next = later.find(|i| is_address(i) || changes(i))?;
            (is_address(next) || is_sum(next)).then_some((at, table))
        })
        .collect()
}
