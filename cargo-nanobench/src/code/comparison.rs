//! Follows the references of two executables in parallel, as long as both are equal.

use super::executable::{Executable, Region, Relocation, Symbol};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::collections::{HashSet, VecDeque};

/// The maximum padding after data without a symbol, for the alignment of the next.
const MAX_PADDING: u64 = 31;
/// The size of an address.
const WORD: u64 = 8;
/// The size of an offset in a table.
const OFFSET: u64 = 4;
/// The position of the line in a panic location, after the address and length of the file name.
const LINE: u64 = 2 * WORD;
/// The limit of lines and columns.
const MAX_LINE: u32 = 1 << 20;

/// The origin of data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A static of the user: numbers are only numbers.
    Static,
    /// Data without a symbol, which the compiler may have created: numbers may be offsets in a
    /// table.
    Anonymous,
}

/// Pairs of equal addresses, with the number of bytes. Everything that can be reached from them is
/// equal, too.
pub(super) type EqualPairs = HashSet<(u64, u64, u64)>;

/// The state of a comparison. Pairs of equal addresses have one of each executable.
pub(super) struct Comparison<'a> {
    executables: [&'a Executable; 2],
    /// The pairs that earlier comparisons found.
    known: Option<&'a EqualPairs>,
    /// The pairs that were compared.
    seen: EqualPairs,
    /// The pairs of functions to compare next, in the order of calls.
    queue: VecDeque<(u64, u64)>,
    /// True if the thread-local storage is equal; `None` until it was compared.
    same_tls: Option<bool>,
    /// Statics whose names contain this count as equal.
    ignored_statics: Option<&'static str>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(one: &'a Executable, other: &'a Executable) -> Comparison<'a> {
        let (seen, queue) = (HashSet::new(), VecDeque::new());
        let executables = [one, other];
        Comparison { executables, known: None, seen, queue, same_tls: None, ignored_statics: None }
    }

    /// Takes these pairs as equal.
    pub(super) fn knowing(self, known: &'a EqualPairs) -> Comparison<'a> {
        Comparison { known: Some(known), ..self }
    }

    /// Ignores statics whose names contain `name`.
    pub(super) fn ignoring_statics(self, name: &'static str) -> Comparison<'a> {
        Comparison { ignored_statics: Some(name), ..self }
    }

    /// Compares everything that can be reached from these pairs of addresses. Returns all pairs
    /// that were compared, or the name, in the first executable, of the first function that differs
    /// or refers to different data.
    pub(super) fn compare(mut self, roots: impl Iterator<Item = (u64, u64)>) -> Result<EqualPairs, String> {
        let mut is_same = true;
        for (a, b) in roots {
            is_same &= self.is_same_target(a, b, WORD, None);
        }
        let mut last = 0;
        while let Some((a, b)) = self.queue.pop_front().filter(|_| is_same) {
            (last, is_same) = (a, self.is_same_function(a, b));
        }
        if is_same {
            return Ok(self.seen);
        }
        Err(self.executables[0].symbol(last).map(Symbol::demangled).unwrap_or_default())
    }

    /// Returns whether two functions have the same instructions and equal targets.
    fn is_same_function(&mut self, a: u64, b: u64) -> bool {
        let (Some(a), Some(b)) = (self.executables[0].symbol(a), self.executables[1].symbol(b)) else {
            return false;
        };
        let (a, b) = (a.clone(), b.clone());
        let decoder = |executable: &'a Executable, symbol: &Symbol| {
            let bytes = executable.bytes(symbol.address, symbol.size);
            Decoder::with_ip(64, bytes, symbol.address, DecoderOptions::NONE)
        };
        let (mut one, mut other) = (decoder(self.executables[0], &a), decoder(self.executables[1], &b));
        while one.can_decode() && other.can_decode() {
            let (x, y) = (one.decode(), other.decode());
            if x.is_invalid() || x.len() != y.len() || without_targets(x) != without_targets(y) {
                return false;
            }
            if x.segment_prefix() == Register::FS && !self.is_same_tls() {
                return false;
            }
            let is_same = match (target(&x), target(&y)) {
                (Some(to), Some(other_to)) if within(&a, to) || within(&b, other_to) => {
                    within(&a, to) && within(&b, other_to) && to - a.address == other_to - b.address
                }
                (Some(to), Some(other_to)) => {
                    self.is_same_target(to, other_to, size_read(&x), Some((&a, &b)))
                        && (!self.takes_table(&x, &a) || self.is_same_table(to, other_to, (&a, &b)))
                }
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                return false;
            }
        }
        a.size == b.size
    }

    /// Returns whether the targets of two equal instructions or words are equal. `size` is the
    /// number of bytes that are read there, or 0 if it is unknown. Functions are queued.
    fn is_same_target(&mut self, a: u64, b: u64, size: u64, from: Option<(&Symbol, &Symbol)>) -> bool {
        let is_known = self.known.is_some_and(|known| known.contains(&(a, b, size)));
        if is_known || !self.seen.insert((a, b, size)) {
            return true;
        }
        let [one, other] = self.executables;
        let (Some(region), Some(other_region)) = (one.region(a), other.region(b)) else { return false };
        if region != other_region {
            return false;
        }
        match (region, one.symbol(a), other.symbol(b)) {
            (Region::Zero, Some(x), Some(y)) => x.size == y.size && a - x.address == b - y.address,
            // A stub that jumps to a library has no symbol.
            (Region::Code, None, None) => self.is_same_stub(a, b),
            (Region::Code, Some(x), Some(y)) if a - x.address == b - y.address => {
                self.queue.push_back((a, b));
                true
            }
            (Region::Data, Some(x), Some(y)) if self.is_ignored(x) && self.is_ignored(y) => true,
            (Region::Data, Some(x), Some(y)) if a - x.address == b - y.address && x.size == y.size => {
                self.is_same_data(x.address, y.address, x.size, Origin::Static)
            }
            (Region::Data, None, None) => self.is_same_anonymous_data(a, b, size, from),
            _ => false,
        }
    }

    fn is_ignored(&self, symbol: &Symbol) -> bool {
        self.ignored_statics.is_some_and(|name| symbol.demangled().contains(name))
    }

    fn is_same_stub(&mut self, a: u64, b: u64) -> bool {
        let jump = |executable: &'a Executable, at| {
            let mut decoder = Decoder::with_ip(64, executable.bytes(at, 16), at, DecoderOptions::NONE);
            let mut instructions = decoder.iter().take(2);
            instructions
                .find(|i| i.flow_control() == FlowControl::IndirectBranch && i.is_ip_rel_memory_operand())
        };
        match (jump(self.executables[0], a), jump(self.executables[1], b)) {
            (Some(x), Some(y)) => {
                self.is_same_target(x.ip_rel_memory_address(), y.ip_rel_memory_address(), WORD, None)
            }
            _ => false,
        }
    }

    fn is_same_anonymous_data(
        &mut self,
        a: u64,
        b: u64,
        size: u64,
        from: Option<(&Symbol, &Symbol)>,
    ) -> bool {
        if from.is_some_and(|from| self.is_same_jump_table(a, b, from)) || self.is_location(a, b) {
            return true;
        }
        let [x, y] = [self.executables[0].max_size(a), self.executables[1].max_size(b)];
        let size_of_both = x.min(y);
        if size > 0 && size <= size_of_both {
            return self.is_same_data(a, b, size, Origin::Anonymous);
        }
        // The rest of the longer one must be padding.
        x.abs_diff(y) <= MAX_PADDING && self.is_same_data(a, b, size_of_both, Origin::Anonymous)
    }

    /// Returns whether the initial thread-local storage is equal. All of it counts: an instruction
    /// doesn't show which part it uses.
    fn is_same_tls(&mut self) -> bool {
        if let Some(known) = self.same_tls {
            return known;
        }
        let [one, other] = self.executables.map(|executable| &executable.tls);
        let mut is_same = one.len() == other.len();
        for (x, y) in one.iter().zip(other) {
            is_same = is_same && (x.size, x.is_zero) == (y.size, y.is_zero);
            is_same =
                is_same && (x.is_zero || self.is_same_data(x.address, y.address, x.size, Origin::Static));
        }
        self.same_tls = Some(is_same);
        is_same
    }

    /// Returns whether data are equal, with equal targets of the addresses in them.
    fn is_same_data(&mut self, a: u64, b: u64, size: u64, origin: Origin) -> bool {
        let [one, other] = self.executables;
        let mut at = 0;
        while at < size {
            // Most bytes are equal, and no address.
            let length =
                one.bytes_to_relocation(a + at).min(other.bytes_to_relocation(b + at)).min(size - at);
            at += equal_length(one.bytes(a + at, length), other.bytes(b + at, length), length);
            if at >= size {
                break;
            }
            let step = match (one.relocation(a + at), other.relocation(b + at)) {
                (Some(Relocation::Internal(x)), Some(Relocation::Internal(y)))
                    if self.is_same_target(*x, *y, 0, None) =>
                {
                    WORD
                }
                (Some(x), Some(y)) if x == y && matches!(x, Relocation::External(_)) => WORD,
                // The equal bytes before may be a part of the offset.
                (None, None)
                    if origin == Origin::Anonymous
                        && self.is_same_offset(
                            a + at / OFFSET * OFFSET,
                            b + at / OFFSET * OFFSET,
                            (a, b),
                        ) =>
                {
                    OFFSET - at % OFFSET
                }
                _ => return false,
            };
            at += step;
        }
        true
    }

    /// Returns whether both are jump tables of a `match`, with offsets to the same positions in the
    /// functions that refer to them. Their ends are not stored anywhere; the data after them belong
    /// to other functions.
    fn is_same_jump_table(&self, a: u64, b: u64, (function, other_function): (&Symbol, &Symbol)) -> bool {
        let positions = |executable: &'a Executable, table: u64, function: &Symbol| {
            let (begin, end) = (function.address, function.address + function.size);
            let entry = move |at: u64| {
                let to = executable.offset_target(table + at, table)?;
                (begin..end).contains(&to).then(|| to - begin)
            };
            (0..executable.max_size(table) / OFFSET)
                .map_while(move |i| entry(OFFSET * i))
                .collect::<Vec<u64>>()
        };
        let (one, other) =
            (positions(self.executables[0], a, function), positions(self.executables[1], b, other_function));
        let entries = one.len().min(other.len());
        entries > 0 && one[..entries] == other[..entries]
    }

    /// Returns whether an instruction of the first executable loads the address of a table from
    /// which a later one reads an offset, before the register gets another value: `lea rcx,
    /// [table]`, then `movsxd rax, dword ptr [rcx + 4*rax]`.
    fn takes_table(&self, instruction: &Instruction, function: &Symbol) -> bool {
        if instruction.mnemonic() != Mnemonic::Lea {
            return false;
        }
        let (table, next) = (instruction.op0_register(), instruction.next_ip());
        let rest = self.executables[0].bytes(next, function.address + function.size - next);
        for i in Decoder::with_ip(64, rest, next, DecoderOptions::NONE).iter() {
            let is_read = i.mnemonic() == Mnemonic::Movsxd && i.op1_kind() == OpKind::Memory;
            if is_read && i.memory_base() == table && u64::from(i.memory_index_scale()) == OFFSET {
                return true;
            }
            if i.op0_kind() == OpKind::Register && i.op0_register() == table {
                return false;
            }
        }
        false
    }

    /// Returns whether two tables of offsets to data or functions, as for a `match` that returns
    /// references, have equal targets. [`Self::is_same_jump_table`] compares jump tables. The end
    /// of a table is not stored anywhere, but its targets are after it.
    fn is_same_table(&mut self, a: u64, b: u64, from: (&Symbol, &Symbol)) -> bool {
        let [one, other] = self.executables;
        let is_anonymous = one.symbol(a).is_none() && one.region(a) == Some(Region::Data);
        if !is_anonymous || self.is_same_jump_table(a, b, from) {
            return true;
        }
        let (mut at, mut end, mut target_region) = (0, one.max_size(a).min(other.max_size(b)), None);
        while at + OFFSET <= end {
            let (Some(x), Some(y)) = (one.offset_target(a + at, a), other.offset_target(b + at, b)) else {
                return false;
            };
            // All targets are data, or all are functions.
            let region = one.region(x);
            if !target_region.is_none_or(|target| region == Some(target)) || region != other.region(y) {
                break;
            }
            target_region = region;
            if !self.is_same_target(x, y, 0, None) {
                return false;
            }
            for (to, table) in [(x, a), (y, b)] {
                end = if to > table { end.min(to - table) } else { end };
            }
            at += OFFSET;
        }
        true
    }

    /// Returns whether both are offsets from the starts of their tables to equal targets: positions
    /// in functions of the same name, or data.
    fn is_same_offset(&mut self, a: u64, b: u64, (table, other_table): (u64, u64)) -> bool {
        let [one, other] = self.executables;
        let (Some(x), Some(y)) = (one.offset_target(a, table), other.offset_target(b, other_table)) else {
            return false;
        };
        match (one.region(x), other.region(y)) {
            (Some(Region::Code), Some(Region::Code)) => match (one.symbol(x), other.symbol(y)) {
                (Some(f), Some(g)) => f.has_same_name(g) && x - f.address == y - g.address,
                _ => false,
            },
            (Some(Region::Data), Some(Region::Data)) => self.is_same_target(x, y, 0, None),
            _ => false,
        }
    }

    /// Returns whether both are panic locations in the same file. Their lines change with any edit,
    /// which doesn't affect the time. Callers pass only data without a symbol: a user's table of
    /// files and numbers has a symbol, or its numbers are not a valid line and column.
    fn is_location(&self, a: u64, b: u64) -> bool {
        let file = |executable: &'a Executable, at: u64| {
            let Some(Relocation::Internal(name)) = executable.relocation(at) else { return None };
            let size = u64::from_le_bytes(executable.bytes(at + WORD, WORD).try_into().ok()?);
            let name = executable.bytes(*name, size.min(4096));
            let number = |at: u64| Some(u32::from_le_bytes(executable.bytes(at, OFFSET).try_into().ok()?));
            let (line, column) = (number(at + LINE)?, number(at + LINE + OFFSET)?);
            let is_valid = [line, column].iter().all(|number| (1..MAX_LINE).contains(number));
            (is_valid && name.len() as u64 == size && name.ends_with(b".rs")).then_some(name)
        };
        let (one, other) = (file(self.executables[0], a), file(self.executables[1], b));
        one.is_some() && one == other
    }
}

/// Returns the number of equal bytes at the start of two ranges of this length. Both may end before
/// it, with their sections.
fn equal_length(one: &[u8], other: &[u8], length: u64) -> u64 {
    if one == other {
        return length;
    }
    one.iter().zip(other).take_while(|(x, y)| x == y).count() as u64
}

fn within(symbol: &Symbol, address: u64) -> bool {
    (symbol.address..symbol.address + symbol.size).contains(&address)
}

/// Returns the address in the executable that an instruction refers to.
fn target(instruction: &Instruction) -> Option<u64> {
    if instruction.is_ip_rel_memory_operand() {
        return Some(instruction.ip_rel_memory_address());
    }
    let is_branch = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64;
    is_branch.then(|| instruction.near_branch_target())
}

/// Returns the instruction without the addresses that it refers to.
fn without_targets(mut instruction: Instruction) -> Instruction {
    if instruction.is_ip_rel_memory_operand() {
        instruction.set_memory_displacement64(0);
    } else if target(&instruction).is_some() {
        instruction.set_near_branch64(0);
    }
    instruction
}

/// Returns the number of bytes that an instruction reads from its target, or 0 if it only takes the
/// address.
fn size_read(instruction: &Instruction) -> u64 {
    let takes_address = instruction.mnemonic() == Mnemonic::Lea;
    if takes_address { 0 } else { instruction.memory_size().size() as u64 }
}
