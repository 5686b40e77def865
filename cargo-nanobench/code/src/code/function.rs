//! The instructions of a function, and its use of the addresses that it loads.

use super::code_traits::is_of_allocator;
use super::executable::Executable;
use super::references::{self, Callee};
use super::symbol::Symbol;
use iced_x86::{
    ConditionCode, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
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
    /// Returns whether the call at an instruction, of the function that calls the system by number or of
    /// the system itself, is one that waits for other threads or asks for random numbers. Such calls may be
    /// inlined from the standard library.
    pub(super) fn waits_or_draws(&self, index: usize) -> bool {
        const FUTEX: u32 = 202;
        const GETRANDOM: u32 = 318;
        let before = self.instructions[..index].iter().rev().take(MAX_DISTANCE);
        let mut before = before.take_while(|before| before.flow_control() == FlowControl::Next);
        let is_instruction = self.instructions[index].mnemonic() == Mnemonic::Syscall;
        let register = if is_instruction { Register::RAX } else { Register::RDI };
        let number = before.find(|before| before.op0_register().full_register() == register);
        number.is_some_and(|set| {
            set.mnemonic() == Mnemonic::Mov
                && set.op1_kind() == OpKind::Immediate32
                && [FUTEX, GETRANDOM].contains(&set.immediate32())
        })
    }

    /// Decodes the function at an address. Returns `None` if no symbol names it.
    pub(super) fn at(executable: &'a Executable, address: u64) -> Option<Function<'a>> {
        let symbol = executable.symbol(address)?.clone();
        let instructions = references::instructions(executable, &symbol);
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
        self.follow(index, register, |at, instruction, (_, use_of_place)| {
            found.extend(
                self.relative_loads.iter().filter(is_table).map(|(load, _)| *load).filter(|&load| load == at),
            );
            match instruction.flow_control() {
                _ if use_of_place.writes => Next::EndOfPath,
                // A jump through a table, as far as it matters here.
                FlowControl::IndirectBranch => Next::Anywhere,
                _ => Next::Continue,
            }
        });
        found
    }

    /// Returns whether the address that an instruction loads is used for nothing but as an argument
    /// of functions of the standard library that panic. The calls of several bounds checks may
    /// share their last instructions, and copy the address there, also through the stack.
    pub(super) fn passes_to_panic(&self, index: usize) -> bool {
        use Register::{R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RDX};
        let register = self.instructions[index].op0_register();
        if self.instructions[index].mnemonic() != Mnemonic::Lea {
            return false;
        }
        // The program can pass no location of its own to a panic. So what is only loaded for that
        // was saved by the compiler, and no pointer leads to it.
        let (mut has_panic, mut saved, mut loaded) = (false, HashSet::new(), HashSet::new());
        let is_followed = self.follow(index, register, |_, instruction, (place, use_of_place)| {
            let leaves = |target| !(self.symbol.range().contains(&target));
            let may_be_returned = matches!(place, Place::Register(RAX | RDX));
            match instruction.flow_control() {
                _ if use_of_place.reads => {
                    let Some(copy) = place.copy_of(instruction) else { return Next::Stop };
                    loaded.insert(place);
                    saved.extend(matches!(copy, Place::Stack(_)).then_some(copy));
                    Next::Copied(copy)
                }
                FlowControl::Next | FlowControl::ConditionalBranch if use_of_place.writes => Next::EndOfPath,
                FlowControl::Next | FlowControl::ConditionalBranch => Next::Continue,
                FlowControl::UnconditionalBranch if !leaves(instruction.near_branch_target()) => {
                    Next::Continue
                }
                FlowControl::Call | FlowControl::IndirectCall | FlowControl::UnconditionalBranch => {
                    let panics = self.panics(instruction);
                    has_panic |= panics;
                    match place {
                        Place::Register(_) if panics => Next::EndOfPath,
                        Place::Stack(_) | Place::Register(RBX | RBP | R12 | R13 | R14 | R15) => Next::Called,
                        // These are no arguments. The first one gets the result.
                        Place::Register(RAX) => Next::EndOfPath,
                        Place::Register(R10 | R11) => Next::Continue,
                        Place::Register(R8 | R9) if self.takes_few_arguments(instruction) => Next::Continue,
                        Place::Register(_) => Next::Stop,
                    }
                }
                FlowControl::Return if !may_be_returned => Next::EndOfPath,
                FlowControl::Exception | FlowControl::Interrupt => Next::EndOfPath,
                _ => Next::Stop,
            }
        });
        is_followed && has_panic && saved.is_subset(&loaded)
    }

    /// Returns whether an instruction calls a function that panics, of the standard library.
    fn panics(&self, instruction: &Instruction) -> bool {
        let callee = references::callee(self.executable, &self.instructions, instruction);
        matches!(callee, Some(Callee::Function(symbol)) if symbol.panics())
    }

    /// Returns whether an instruction calls a function that allocates, copies or fills memory, with
    /// four arguments at most.
    fn takes_few_arguments(&self, instruction: &Instruction) -> bool {
        let callee = references::callee(self.executable, &self.instructions, instruction);
        let name = callee.map(|callee| callee.name()).unwrap_or_default();
        is_of_allocator(&name) || ["memcpy", "memmove", "memset"].contains(&&*name)
    }

    /// Returns the instructions that are not reached from the one before, as indices.
    fn starts_of_blocks(&self) -> impl Iterator<Item = usize> {
        let ends_block = |i: &Instruction| {
            use FlowControl::{Exception, IndirectBranch, Return, UnconditionalBranch};
            matches!(i.flow_control(), UnconditionalBranch | IndirectBranch | Return | Exception)
                || self.panics(i)
        };
        let ends = self.instructions.iter().enumerate().filter(move |(_, i)| ends_block(i));
        ends.map(|(end, _)| end + 1).filter(|&start| start < self.instructions.len())
    }

    /// Returns the blocks that no jump leads to, among them all that clean up after a panic.
    fn landing_pads(&self) -> impl Iterator<Item = usize> {
        let targets: HashSet<u64> = self.instructions.iter().filter_map(references::jump_target).collect();
        // Padding precedes the targets of some jumps.
        let is_code = |at: &usize| self.instructions[*at].mnemonic() != Mnemonic::Nop;
        let starts =
            self.starts_of_blocks().filter_map(move |start| (start..self.instructions.len()).find(is_code));
        starts.filter(move |&start| !targets.contains(&self.instructions[start].ip()))
    }

    /// Follows all paths from after an instruction, and calls `visit` for each instruction on them
    /// with its use of a register and of its copies. Returns false if `visit` stopped, or if a path
    /// can't be followed.
    fn follow(
        &self,
        index: usize,
        register: Register,
        mut visit: impl FnMut(usize, &Instruction, (Place, PlaceUse)) -> Next,
    ) -> bool {
        let mut factory = InstructionInfoFactory::new();
        let (mut seen, mut open) = (HashSet::new(), vec![(index + 1, Place::Register(register))]);
        while let Some((at, place)) = open.pop() {
            if !seen.insert((at, place)) {
                continue;
            }
            // After the end, a call doesn't return.
            let Some(instruction) = self.instructions.get(at) else { continue };
            let use_of_place = PlaceUse::of(place, instruction, &mut factory);
            match visit(at, instruction, (place, use_of_place)) {
                Next::Stop => return false,
                Next::EndOfPath => continue,
                Next::Anywhere => {
                    open.extend(self.starts_of_blocks().map(|start| (start, place)));
                    continue;
                }
                Next::Copied(copy) => open.push((at + 1, copy)),
                Next::Called => open.extend(self.landing_pads().map(|pad| (pad, place))),
                Next::Continue => {}
            }
            let flow = instruction.flow_control();
            if let Some(target) = references::jump_target(instruction) {
                match self.instructions.binary_search_by_key(&target, Instruction::ip) {
                    Ok(target) => open.push((target, place)),
                    Err(_) if self.symbol.range().contains(&target) => return false,
                    Err(_) => {}
                }
            }
            let ends = matches!(
                flow,
                FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception
            );
            if !ends {
                open.push((at + 1, place));
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
    /// As [`Next::Continue`], and with the copy in this place.
    Copied(Place),
    /// As [`Next::Continue`], and to where a panic of the called function leads.
    Called,
    EndOfPath,
    Stop,
}

/// A place that contains an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Register(Register),
    /// At this distance from the stack pointer.
    Stack(u64),
}

impl Place {
    /// Returns the place that an instruction copies all of this one to, at least on a condition, and
    /// nothing else.
    fn copy_of(self, instruction: &Instruction) -> Option<Place> {
        let is_move =
            instruction.mnemonic() == Mnemonic::Mov || instruction.condition_code() != ConditionCode::None;
        let to = instruction.op0_register();
        let source = Place::Register(instruction.op1_register());
        match Place::on_stack(instruction) {
            Some(stack) if self == source => Some(stack),
            Some(stack) if self == stack && to.is_gpr64() => Some(Place::Register(to)),
            None if self == source && to.is_gpr64() => Some(Place::Register(to)),
            _ => None,
        }
        .filter(|_| is_move)
    }

    /// Returns the place of the memory operand of an instruction.
    fn on_stack(i: &Instruction) -> Option<Place> {
        let is_on_stack = i.memory_base() == Register::RSP && i.memory_index() == Register::None;
        is_on_stack.then_some(Place::Stack(i.memory_displacement64()))
    }
}

/// The use that an instruction makes of a place.
#[derive(Clone, Copy, Default)]
struct PlaceUse {
    reads: bool,
    writes: bool,
}

impl PlaceUse {
    fn of(place: Place, instruction: &Instruction, factory: &mut InstructionInfoFactory) -> PlaceUse {
        let Place::Register(register) = place else { return PlaceUse::of_stack(place, instruction) };
        let mut found = PlaceUse::default();
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

    /// Returns the use of a place on the stack. What moves the stack pointer down makes its distance
    /// unknown, and what moves it up ends the function.
    fn of_stack(place: Place, i: &Instruction) -> PlaceUse {
        let is_operand = Place::on_stack(i) == Some(place);
        let is_stored = is_operand && i.mnemonic() == Mnemonic::Mov && i.op0_kind() == OpKind::Memory;
        let moves = i.op0_register() == Register::RSP;
        let goes_down = i.mnemonic() == Mnemonic::Push || i.mnemonic() == Mnemonic::Sub && moves;
        PlaceUse {
            reads: is_operand && !is_stored || goes_down,
            writes: is_stored || i.mnemonic() == Mnemonic::Pop || moves,
        }
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
