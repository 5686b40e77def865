//! Compares a pair of functions, and tells the use that they make of each address.

use super::access::{Access, SYSTEM_CALL};
use super::data::Neighbours;
use super::executable::{Executable, Region};
use super::exports;
use super::function::Function;
use super::graph::{Compared, Part};
use super::reach::is_of_harness;
use super::references::{target, word_of_stub};
use super::symbol::Symbol;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// The size of an address.
pub(super) const WORD: u64 = 8;

/// The end of the names of statics that `inventory` creates. They are in constants without a name,
/// so their hashes change with constants above them.
const INVENTORY: &str = "::__INVENTORY";

/// The use that a reference makes of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// Reads this number of bytes.
    Reads(u64),
    /// Takes the address, for any use.
    Any,
    /// Takes the address, possibly of a table of offsets.
    Unknown,
    /// Takes the address of a table of offsets, each relative to the table.
    RelativeTable,
    /// Takes the address of a panic location, to pass it to a panicking function.
    PanicLocation,
}

/// The comparison of a pair of parts. Pairs of addresses have one of each executable.
pub(super) struct PartComparison<'a> {
    pub(super) executables: [&'a Executable; 2],
    pub(super) neighbours: &'a mut Neighbours,
    /// The functions of the harness count as equal.
    skips_harness: bool,
    pub(super) result: Compared,
}

impl<'a> PartComparison<'a> {
    pub(super) fn new(
        executables: [&'a Executable; 2],
        neighbours: &'a mut Neighbours,
        skips_harness: bool,
    ) -> PartComparison<'a> {
        PartComparison { executables, neighbours, skips_harness, result: Compared::default() }
    }

    pub(super) fn compare(mut self, part: Part) -> Compared {
        let is_same = match part {
            Part::Function(a, b) => self.is_same_function(a, b),
            Part::Data(a, b, size) => self.is_same_data(a, b, size),
            Part::Offsets(a, b, size) => self.have_same_offset_targets(a, b, size),
            Part::Nameless(a, b) => self.is_same_nameless(a, b),
            Part::ThreadLocals => self.are_same_thread_locals(),
        };
        self.finish(is_same)
    }

    pub(super) fn finish(self, is_same: bool) -> Compared {
        Compared { is_same, ..self.result }
    }

    /// Returns whether two functions have the same instructions and equal targets.
    fn is_same_function(&mut self, a: u64, b: u64) -> bool {
        let [one, other] = self.executables;
        let (Some(f), Some(g)) = (Function::at(one, a), other.symbol(b)) else { return false };
        let g = g.clone();
        if f.symbol.size != g.size {
            return false;
        }
        self.result.access |= f.symbol.access();
        // The table is any of the data without a symbol that the function refers to.
        let has_unknown_table = f.has_unknown_relative_table();
        self.result.is_uncertain |= has_unknown_table;
        let bytes = other.bytes(g.address, g.size);
        let counterparts = Decoder::with_ip(64, bytes, g.address, DecoderOptions::NONE).into_iter();
        let is_number = |i: &Instruction| i.op1_kind() == OpKind::Immediate64;
        let mut length = 0;
        for (i, (x, y)) in f.instructions.iter().zip(counterparts).enumerate() {
            length += x.len() as u64;
            if x.is_invalid()
                || x.len() != y.len()
                || without_numbers(*x) != without_numbers(y)
                || is_number(x) && !self.is_same_number(x.immediate64(), y.immediate64())
            {
                return false;
            }
            if x.mnemonic() == Mnemonic::Syscall && !f.waits_or_draws(i) {
                self.result.access |= Access::BEYOND;
            }
            if x.segment_prefix() == Register::FS {
                self.result.references.push(Part::ThreadLocals);
            }
            let meant = |executable: &Executable, i: &Instruction, counterpart: Option<i64>| {
                let counterpart = counterpart.unwrap_or_default();
                target(i).map(|to| executable.meant(i.ip()..i.next_ip(), to, counterpart)).unzip()
            };
            let (to, distance) = meant(one, x, None);
            let (other_to, other_distance) = meant(other, &y, distance);
            let is_same = distance == other_distance
                && match (to, other_to) {
                    (Some(to), Some(other_to)) if f.symbol.contains(to) || g.contains(other_to) => {
                        f.symbol.contains(to)
                            && g.contains(other_to)
                            && to - f.symbol.address == other_to - g.address
                    }
                    (Some(to), Some(other_to)) if self.is_standard_import(&f, &g, i, (to, other_to)) => {
                        !import(one, to).is_some_and(exports::is_lookup) || self.have_same_exports()
                    }
                    (Some(to), Some(other_to)) => {
                        let used = match self.use_of(&f, i, (to, other_to)) {
                            Use::Any if has_unknown_table => Use::Unknown,
                            used => used,
                        };
                        self.is_same_target(to, other_to, used, Some((&f.symbol, &g)))
                    }
                    (None, None) => true,
                    _ => false,
                };
            if !is_same {
                return false;
            }
        }
        length == g.size
    }

    /// Returns whether the standard library, or the crate getrandom, calls the same function of the C library
    /// on both sides to wait for locks, to draw random numbers, or to look for a function that older systems
    /// lack. Nothing from outside reaches the benchmark by that.
    fn is_standard_import(&self, f: &Function<'_>, g: &Symbol, index: usize, (a, b): (u64, u64)) -> bool {
        let [one, other] = self.executables;
        let is_own = || f.symbol.is_same_standard(g) || f.symbol.draws_numbers() && g.draws_numbers();
        match import(one, a).filter(|name| import(other, b) == Some(*name)) {
            Some(SYSTEM_CALL) => is_own() || f.waits_or_draws(index),
            Some(name) => exports::is_lookup(name) && is_own(),
            None => false,
        }
    }

    /// Returns the use that an instruction makes of its target.
    fn use_of(&self, function: &Function<'_>, index: usize, (a, b): (u64, u64)) -> Use {
        let instruction = &function.instructions[index];
        let size = instruction.memory_size().size() as u64;
        if !instruction.is_ip_rel_memory_operand() {
            Use::Any
        } else if instruction.mnemonic() != Mnemonic::Lea && size > 0 {
            Use::Reads(size)
        } else if function.takes_relative_table(index) {
            Use::RelativeTable
        } else if self.are_like_locations(a, b) && (self.skips_harness || function.passes_to_panic(index)) {
            // Code that passes benchmarks passes the places of its calls, too.
            Use::PanicLocation
        } else {
            Use::Any
        }
    }

    /// Returns whether the targets of two equal instructions or words are equal, apart from what is
    /// compared as a part of its own.
    pub(super) fn is_same_target(
        &mut self,
        a: u64,
        b: u64,
        used: Use,
        from: Option<(&Symbol, &Symbol)>,
    ) -> bool {
        let [one, other] = self.executables;
        let is_walked = !matches!(used, Use::Reads(_));
        if is_walked && !self.are_same_collections(a, b) {
            return false;
        }
        let (Some(region), Some(other_region)) = (one.region(a), other.region(b)) else {
            // Nothing follows a collection that is walked to its end.
            return one.collections(a).next().is_some() && other.collections(b).next().is_some();
        };
        if region != other_region || region != Region::Code && !one.has_same_alignment(a, other, b) {
            return false;
        }
        match (region, one.symbol(a), other.symbol(b)) {
            // A stub that jumps to a library has no symbol.
            (Region::Code, None, None) => self.is_same_stub(a, b),
            // The way to a panic takes no time without one. The standard library is the same if the
            // hash in the name is.
            (Region::Code, Some(x), Some(y)) if one.is_same_panic(x, y) || x.is_same_key_source(y) => true,
            (Region::Code, Some(x), Some(y))
                if (self.skips_harness || makes_labels(x)) && are_of_harness(x, y) =>
            {
                true
            }
            (Region::Code, Some(x), Some(y)) if a - x.address == b - y.address => {
                self.result.references.push(Part::Function(x.address, y.address));
                true
            }
            (Region::Data | Region::Zero, Some(x), Some(y))
                if a - x.address == b - y.address && x.size == y.size =>
            {
                self.is_same_static(x, y)
            }
            (Region::Data, x, y) => {
                let is_writable = one.is_writable(a);
                // A constant of the compiler has a name in some builds only.
                let may_be_nameless =
                    (x.is_none() || y.is_none()) && !is_writable || x.is_none() && y.is_none();
                is_writable == other.is_writable(b)
                    && (may_be_nameless || matches!(used, Use::Reads(_)))
                    && self.is_same_unnamed(a, b, used, from)
            }
            _ => false,
        }
    }

    fn is_same_unnamed(&mut self, a: u64, b: u64, used: Use, from: Option<(&Symbol, &Symbol)>) -> bool {
        if self.executables[0].is_writable(a) {
            self.result.counterparts.push((a, b));
        }
        let [one, other] = self.executables;
        let offsets = one.offsets(a).and_then(|x| {
            let y = other.range_at(b, Executable::offsets, (a, &x))?;
            Some((x, y))
        });
        if let Some((x, y)) = offsets {
            let size = x.end - x.start;
            self.result.references.push(Part::Offsets(x.start, y.start, size));
            return a - x.start == b - y.start && size == y.end - y.start;
        }
        match (used, from) {
            (Use::PanicLocation | Use::Unknown, _) => true,
            // It may be one of jumps within each function that refers to it.
            (Use::RelativeTable, Some(from)) => self.is_same_relative_table(a, b, from),
            (Use::Reads(size), _) => {
                self.result.references.push(Part::Data(a, b, size));
                true
            }
            // The constants of such a function belong to the library.
            (_, Some((function, counterpart))) if function.is_same_standard(counterpart) => {
                let sizes = [(0, a), (1, b)].map(|(side, at)| self.executables[side].to_next_reference(at));
                self.result.references.push(Part::Data(a, b, sizes[0].min(sizes[1])));
                true
            }
            _ => {
                self.result.references.push(Part::Nameless(a, b));
                true
            }
        }
    }

    /// Compares two statics. Several may have the same contents at first, so that those which are
    /// written to must have the same name.
    fn is_same_static(&mut self, x: &Symbol, y: &Symbol) -> bool {
        let [one, other] = self.executables;
        let is_writable = one.is_writable(x.address);
        if is_writable != other.is_writable(y.address) {
            return false;
        }
        if is_writable {
            match x.same_name(y) {
                Some(false) => return false,
                Some(true) => {}
                // The initialisers that register them are compared in their order.
                None if x.demangled().ends_with(INVENTORY) => {}
                // The hash is another with other features or another version of the crate.
                None => {
                    self.result.is_uncertain |= !one.is_only_static(x) || !other.is_only_static(y);
                }
            }
            self.result.counterparts.push((x.address, y.address));
        }
        self.result.references.push(Part::Data(x.address, y.address, x.size));
        true
    }

    fn is_same_stub(&mut self, a: u64, b: u64) -> bool {
        let words = [word_of_stub(self.executables[0], a), word_of_stub(self.executables[1], b)];
        matches!(words, [Some(x), Some(y)] if self.is_same_target(x, y, Use::Reads(WORD), None))
    }
}

/// Returns the name of the function of a library that the word at an address is for.
fn import(executable: &Executable, address: u64) -> Option<&str> {
    Some(executable.relocation(address)?.import()?.0)
}

/// Returns whether both are the same function of the harness. The hash of a copy may differ.
fn are_of_harness(x: &Symbol, y: &Symbol) -> bool {
    is_of_harness(&x.demangled()) && x.same_name(y) != Some(false)
}

/// Returns whether a function makes the labels of rows. Only rows of the same label are compared.
fn makes_labels(symbol: &Symbol) -> bool {
    symbol.demangled().contains("nanobench_engine::registry::label::")
}

/// Returns the instruction without its targets, and without a number that may be half a hash.
fn without_numbers(mut instruction: Instruction) -> Instruction {
    if instruction.is_ip_rel_memory_operand() {
        instruction.set_memory_displacement64(0);
    } else if target(&instruction).is_some() {
        instruction.set_near_branch64(0);
    } else if instruction.op1_kind() == OpKind::Immediate64 {
        instruction.set_immediate64(0);
    }
    instruction
}
