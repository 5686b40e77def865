//! Going through two executables at the same time, for as long as they are the same.

use super::image::{Image, Link, Region, Symbol};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::collections::{HashSet, VecDeque};

/// Bytes that nameless data may have behind them, so that the next lie at an even address.
const PADDING: u64 = 31;
/// Size of an address.
const WORD: u64 = 8;
/// Size of a distance in a table.
const DISTANCE: u64 = 4;
/// Where line and column are in the place of a panic, behind address and length of the file's name.
const LINE: u64 = 2 * WORD;
/// No line or column is so large.
const MOST_LINES: u32 = 1 << 20;

/// What data are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// What somebody has written: numbers are numbers.
    Static,
    /// What may be the compiler's, too: tables of distances.
    Nameless,
}

/// What has been seen to be the same.
pub(super) struct Walk<'a> {
    images: [&'a Image; 2],
    /// With how much of it was read.
    seen: HashSet<(u64, u64, u64)>,
    /// Functions to go through, what is nearest to the beginning first.
    open: VecDeque<(u64, u64)>,
    /// Whether threads begin with the same, once something has asked for it.
    same_templates: Option<bool>,
    /// Statics whose names hold this are taken for the same.
    except: Option<&'static str>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(one: &'a Image, other: &'a Image) -> Walk<'a> {
        let (seen, open) = (HashSet::new(), VecDeque::new());
        Walk { images: [one, other], seen, open, same_templates: None, except: None }
    }

    /// Statics whose names hold `name` are not looked into.
    pub(super) fn except(self, name: &'static str) -> Walk<'a> {
        Walk { except: Some(name), ..self }
    }

    /// Goes through all that can be reached from these pairs of addresses. Ends at the first function that is not the same, or
    /// refers to what is not, and gives its name in the first executable. `None` where there is none.
    pub(super) fn first_difference(mut self, roots: impl Iterator<Item = (u64, u64)>) -> Option<String> {
        let mut is_same = true;
        for (a, b) in roots {
            is_same &= self.refer(a, b, WORD, None);
        }
        let mut last = 0;
        while let Some((a, b)) = self.open.pop_front().filter(|_| is_same) {
            (last, is_same) = (a, self.functions(a, b));
        }
        (!is_same).then(|| self.images[0].symbol(last).map(Symbol::demangled).unwrap_or_default())
    }

    /// Whether two functions, by their addresses, have the same instructions, but for where those point to.
    fn functions(&mut self, a: u64, b: u64) -> bool {
        let (Some(a), Some(b)) = (self.images[0].symbol(a), self.images[1].symbol(b)) else { return false };
        let (a, b) = (a.clone(), b.clone());
        let decoder = |image: &'a Image, symbol: &Symbol| {
            let bytes = image.bytes(symbol.address, symbol.size);
            Decoder::with_ip(64, bytes, symbol.address, DecoderOptions::NONE)
        };
        let (mut one, mut other) = (decoder(self.images[0], &a), decoder(self.images[1], &b));
        while one.can_decode() && other.can_decode() {
            let (x, y) = (one.decode(), other.decode());
            if x.is_invalid() || x.len() != y.len() || without_targets(x) != without_targets(y) {
                return false;
            }
            if x.segment_prefix() == Register::FS && !self.templates() {
                return false;
            }
            let is_same = match (target(&x), target(&y)) {
                (Some(to), Some(too)) if within(&a, to) || within(&b, too) => {
                    within(&a, to) && within(&b, too) && to - a.address == too - b.address
                }
                (Some(to), Some(too)) => {
                    self.refer(to, too, size_read(&x), Some((&a, &b)))
                        && (!self.takes_table(&x, &a) || self.distances(to, too, (&a, &b)))
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

    /// Whether what lies at two addresses, which the same instruction or word points to, is the same; `size` bytes of it are
    /// read, or nobody knows how many, for 0. Functions are remembered for later.
    fn refer(&mut self, a: u64, b: u64, size: u64, from: Option<(&Symbol, &Symbol)>) -> bool {
        if !self.seen.insert((a, b, size)) {
            return true;
        }
        let [one, other] = self.images;
        let (Some(place), Some(other_place)) = (one.place(a), other.place(b)) else { return false };
        if place != other_place {
            return false;
        }
        match (place, one.symbol(a), other.symbol(b)) {
            (Region::Zero, Some(x), Some(y)) => x.size == y.size && a - x.address == b - y.address,
            // The loader's own way to other libraries, which has no names.
            (Region::Code, None, None) => self.stubs(a, b),
            (Region::Code, Some(x), Some(y)) if a - x.address == b - y.address => {
                self.open.push_back((a, b));
                true
            }
            (Region::Data, Some(x), Some(y)) if self.is_excepted(x) && self.is_excepted(y) => true,
            (Region::Data, Some(x), Some(y)) if a - x.address == b - y.address && x.size == y.size => {
                self.data(x.address, y.address, x.size, Kind::Static)
            }
            (Region::Data, None, None) => self.nameless(a, b, size, from),
            _ => false,
        }
    }

    fn is_excepted(&self, symbol: &Symbol) -> bool {
        self.except.is_some_and(|name| symbol.demangled().contains(name))
    }

    fn stubs(&mut self, a: u64, b: u64) -> bool {
        let jump = |image: &'a Image, at| {
            let mut decoder = Decoder::with_ip(64, image.bytes(at, 16), at, DecoderOptions::NONE);
            let mut instructions = decoder.iter().take(2);
            instructions
                .find(|i| i.flow_control() == FlowControl::IndirectBranch && i.is_ip_rel_memory_operand())
        };
        match (jump(self.images[0], a), jump(self.images[1], b)) {
            (Some(x), Some(y)) => {
                self.refer(x.ip_rel_memory_address(), y.ip_rel_memory_address(), WORD, None)
            }
            _ => false,
        }
    }

    fn nameless(&mut self, a: u64, b: u64, size: u64, from: Option<(&Symbol, &Symbol)>) -> bool {
        if from.is_some_and(|from| self.is_table(a, b, from)) || self.is_location(a, b) {
            return true;
        }
        let [x, y] = [self.images[0].extent(a), self.images[1].extent(b)];
        let least = x.min(y);
        if size > 0 && size <= least {
            return self.data(a, b, size, Kind::Nameless);
        }
        // What is longer has to be the same and some room.
        x.abs_diff(y) <= PADDING && self.data(a, b, least, Kind::Nameless)
    }

    /// Whether what threads begin with is the same: which of it an instruction means is not known, so all of it counts.
    fn templates(&mut self) -> bool {
        if let Some(known) = self.same_templates {
            return known;
        }
        let [one, other] = self.images.map(Image::template);
        let mut is_same = one.len() == other.len();
        for (x, y) in one.iter().zip(other) {
            is_same = is_same && (x.size, x.is_zero) == (y.size, y.is_zero);
            is_same = is_same && (x.is_zero || self.data(x.address, y.address, x.size, Kind::Static));
        }
        self.same_templates = Some(is_same);
        is_same
    }

    /// Whether so many bytes are the same, and addresses among them point to the same.
    fn data(&mut self, a: u64, b: u64, size: u64, kind: Kind) -> bool {
        let [one, other] = self.images;
        let mut at = 0;
        while at < size {
            let step = match (one.link(a + at), other.link(b + at)) {
                (Some(Link::Here(x)), Some(Link::Here(y))) if self.refer(*x, *y, 0, None) => WORD,
                (Some(x), Some(y)) if x == y && matches!(x, Link::Elsewhere(_)) => WORD,
                (None, None) if one.bytes(a + at, 1) == other.bytes(b + at, 1) => 1,
                // What is the same so far may be a part of one.
                (None, None)
                    if kind == Kind::Nameless
                        && self.is_distance(
                            a + at / DISTANCE * DISTANCE,
                            b + at / DISTANCE * DISTANCE,
                            (a, b),
                        ) =>
                {
                    DISTANCE - at % DISTANCE
                }
                _ => return false,
            };
            at += step;
        }
        true
    }

    /// Whether both are tables of distances to the same places in the functions that refer to them: those of a `match`.
    /// Where they end is not written anywhere; what follows is of other functions.
    fn is_table(&self, a: u64, b: u64, (function, twin): (&Symbol, &Symbol)) -> bool {
        let places = |image: &'a Image, table: u64, within_of: &Symbol| {
            let (begin, end) = (within_of.address, within_of.address + within_of.size);
            let entry = move |at: u64| {
                let to = image.distance(table + at, table)?;
                (begin..end).contains(&to).then(|| to - begin)
            };
            (0..image.extent(table) / DISTANCE).map_while(move |i| entry(DISTANCE * i)).collect::<Vec<u64>>()
        };
        let (one, other) = (places(self.images[0], a, function), places(self.images[1], b, twin));
        let entries = one.len().min(other.len());
        entries > 0 && one[..entries] == other[..entries]
    }

    /// Whether the instruction, of this function of the first executable, takes the address of a table that distances are read from
    /// in what follows, before the register gets another value: `lea rcx, [table]`, `movsxd rax, dword ptr [rcx + 4*rax]`.
    fn takes_table(&self, instruction: &Instruction, function: &Symbol) -> bool {
        if instruction.mnemonic() != Mnemonic::Lea {
            return false;
        }
        let (table, next) = (instruction.op0_register(), instruction.next_ip());
        let rest = self.images[0].bytes(next, function.address + function.size - next);
        for i in Decoder::with_ip(64, rest, next, DecoderOptions::NONE).iter() {
            let is_read = i.mnemonic() == Mnemonic::Movsxd && i.op1_kind() == OpKind::Memory;
            if is_read && i.memory_base() == table && u64::from(i.memory_index_scale()) == DISTANCE {
                return true;
            }
            if i.op0_kind() == OpKind::Register && i.op0_register() == table {
                return false;
            }
        }
        false
    }

    /// Whether two tables of distances that lead to data or functions, as those of a `match` that gives references, lead to the same. Of a
    /// table that leads into its own function, `is_table` knows. Where one ends is not written anywhere; what it leads to lies behind it.
    fn distances(&mut self, a: u64, b: u64, from: (&Symbol, &Symbol)) -> bool {
        let [one, other] = self.images;
        let is_nameless = one.symbol(a).is_none() && one.place(a) == Some(Region::Data);
        if !is_nameless || self.is_table(a, b, from) {
            return true;
        }
        let (mut at, mut end, mut kind) = (0, one.extent(a).min(other.extent(b)), None);
        while at + DISTANCE <= end {
            let (Some(x), Some(y)) = (one.distance(a + at, a), other.distance(b + at, b)) else {
                return false;
            };
            // All lead to data, or to other functions.
            let place = one.place(x);
            if !kind.is_none_or(|kind| place == Some(kind)) || place != other.place(y) {
                break;
            }
            kind = place;
            if !self.refer(x, y, 0, None) {
                return false;
            }
            for (to, table) in [(x, a), (y, b)] {
                end = if to > table { end.min(to - table) } else { end };
            }
            at += DISTANCE;
        }
        true
    }

    /// Whether both are distances, from the beginnings of their tables, to what is the same: to places in functions of one name,
    /// or to data.
    fn is_distance(&mut self, a: u64, b: u64, (table, twin): (u64, u64)) -> bool {
        let [one, other] = self.images;
        let (Some(x), Some(y)) = (one.distance(a, table), other.distance(b, twin)) else { return false };
        match (one.place(x), other.place(y)) {
            (Some(Region::Code), Some(Region::Code)) => match (one.symbol(x), other.symbol(y)) {
                (Some(f), Some(g)) => f.has_name_of(g) && x - f.address == y - g.address,
                _ => false,
            },
            (Some(Region::Data), Some(Region::Data)) => self.refer(x, y, 0, None),
            _ => false,
        }
    }

    /// Whether both are places of panics in the same file. Lines move with any edit, and nothing is slower by that. Only what is
    /// nameless is one: a table of somebody's files and numbers has a name, or its numbers are no line and column.
    fn is_location(&self, a: u64, b: u64) -> bool {
        let file = |image: &'a Image, at: u64| {
            let Some(Link::Here(name)) = image.link(at) else { return None };
            let size = u64::from_le_bytes(image.bytes(at + WORD, WORD).try_into().ok()?);
            let name = image.bytes(*name, size.min(4096));
            let number = |at: u64| Some(u32::from_le_bytes(image.bytes(at, DISTANCE).try_into().ok()?));
            let (line, column) = (number(at + LINE)?, number(at + LINE + DISTANCE)?);
            let is_place = [line, column].iter().all(|number| (1..MOST_LINES).contains(number));
            (is_place && name.len() as u64 == size && name.ends_with(b".rs")).then_some(name)
        };
        let (one, other) = (file(self.images[0], a), file(self.images[1], b));
        one.is_some() && one == other
    }
}

fn within(symbol: &Symbol, address: u64) -> bool {
    (symbol.address..symbol.address + symbol.size).contains(&address)
}

/// Where an instruction points to, if that is a place in the executable.
fn target(instruction: &Instruction) -> Option<u64> {
    if instruction.is_ip_rel_memory_operand() {
        return Some(instruction.ip_rel_memory_address());
    }
    let is_branch = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64;
    is_branch.then(|| instruction.near_branch_target())
}

/// The instruction as it would be anywhere.
fn without_targets(mut instruction: Instruction) -> Instruction {
    if instruction.is_ip_rel_memory_operand() {
        instruction.set_memory_displacement64(0);
    } else if target(&instruction).is_some() {
        instruction.set_near_branch64(0);
    }
    instruction
}

/// How many bytes an instruction reads of what it points to. 0 where it only takes the address.
fn size_read(instruction: &Instruction) -> u64 {
    let takes_address = instruction.mnemonic() == Mnemonic::Lea;
    if takes_address { 0 } else { instruction.memory_size().size() as u64 }
}
