//! The machine code of a function as text, with names instead of addresses.

use super::executable::Executable;
use super::references::{self, jump_target};
use super::symbol::Symbol;
use iced_x86::{
    FlowControl, Formatter as _, Instruction, IntelFormatter, Mnemonic, SymbolResolver, SymbolResult,
};
use std::collections::{BTreeMap, HashMap};

/// The size of the largest constant that is shown.
const MAX_CONSTANT: usize = 16;

/// A line of machine code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub address: u64,
    /// The number of the label in front of it, if something jumps there.
    pub label: Option<usize>,
    pub mnemonic: String,
    /// The operands. A jump within the function has a label: `.3`.
    pub operands: String,
    /// The function that it calls through a register, or the constant that it reads.
    pub note: Option<String>,
    pub jumps_within: bool,
}

impl Line {
    /// Returns its text for comparisons, wherever it jumps to.
    pub fn without_target(&self) -> String {
        let operands = if self.jumps_within { "" } else { &self.operands };
        format!("{} {operands} {}", self.mnemonic, self.note.as_deref().unwrap_or_default())
    }
}

/// Returns the lines of a function, without padding.
pub(super) fn lines(executable: &Executable, symbol: &Symbol, code: &[Instruction]) -> Vec<Line> {
    let targets = code.iter().filter_map(jump_target).filter(|target| symbol.contains(*target));
    let mut labels: BTreeMap<u64, usize> = targets.map(|target| (target, 0)).collect();
    for (number, label) in labels.values_mut().enumerate() {
        *label = number + 1;
    }
    let names = code.iter().filter_map(|i| Some((i.ip(), name(executable, &labels, i)?)));
    let mut formatter = IntelFormatter::with_options(Some(Box::new(Names(names.collect()))), None);
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_rip_relative_addresses(false);
    options.set_show_branch_size(false);
    let is_padding = |i: &&Instruction| {
        matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3) && !labels.contains_key(&i.ip())
    };
    let mut line = |instruction: &Instruction| {
        let (mut mnemonic, mut operands) = (String::new(), String::new());
        formatter.format_mnemonic(instruction, &mut mnemonic);
        formatter.format_all_operands(instruction, &mut operands);
        Line {
            address: instruction.ip(),
            label: labels.get(&instruction.ip()).copied(),
            mnemonic,
            operands,
            note: note(executable, code, instruction),
            jumps_within: jump_target(instruction).is_some_and(|target| symbol.contains(target)),
        }
    };
    code.iter().filter(|i| !is_padding(i)).map(&mut line).collect()
}

/// Returns the function that an instruction calls through a register, or the constant that it
/// reads.
fn note(executable: &Executable, code: &[Instruction], instruction: &Instruction) -> Option<String> {
    let is_direct = instruction.is_ip_rel_memory_operand();
    match instruction.flow_control() {
        FlowControl::IndirectCall | FlowControl::IndirectBranch if !is_direct => {
            references::callee(executable, code, instruction).map(|callee| callee.name())
        }
        FlowControl::Next if is_direct => constant(executable, instruction),
        _ => None,
    }
}

/// Returns the constant without a name that an instruction reads.
fn constant(executable: &Executable, instruction: &Instruction) -> Option<String> {
    let address = instruction.ip_rel_memory_address();
    let size = instruction.memory_size().size();
    let is_nameless = executable.symbol(address).is_none() && executable.relocation(address).is_none();
    if !is_nameless || executable.is_writable(address) || !(1..=MAX_CONSTANT).contains(&size) {
        return None;
    }
    let bytes = executable.bytes(address, size as u64);
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    let digits = digits.trim_start_matches('0');
    (bytes.len() == size).then(|| format!("0x{}", if digits.is_empty() { "0" } else { digits }))
}

/// The names of the addresses that instructions refer to, by the address of the instruction. The
/// formatter doesn't borrow, so all are found first.
struct Names(HashMap<u64, (u64, String)>);

impl SymbolResolver for Names {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        _instruction_operand: Option<u32>,
        address: u64,
        _size: u32,
    ) -> Option<SymbolResult<'_>> {
        let (start, name) =
            self.0.get(&instruction.ip()).filter(|_| references::target(instruction) == Some(address))?;
        Some(SymbolResult::with_str(*start, name))
    }
}

/// Returns the name of the address that an instruction refers to, with the address that it names.
fn name(
    executable: &Executable,
    labels: &BTreeMap<u64, usize>,
    instruction: &Instruction,
) -> Option<(u64, String)> {
    let address = references::target(instruction)?;
    let is_data = instruction.is_ip_rel_memory_operand();
    if let Some(label) = labels.get(&address).filter(|_| !is_data) {
        return Some((address, format!(".{label}")));
    }
    if is_data && let Some(callee) = references::behind(executable, address) {
        let is_call = instruction.flow_control() != FlowControl::Next;
        return Some((address, if is_call { callee.name() } else { format!("&{}", callee.name()) }));
    }
    if let Some(symbol) = executable.symbol(address) {
        return Some((symbol.address, symbol.demangled()));
    }
    if is_data {
        let kind = if executable.is_writable(address) { "static" } else { "constant" };
        return Some((address, kind.to_owned()));
    }
    references::at(executable, address).map(|callee| (address, callee.name()))
}
