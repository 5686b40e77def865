//! Compares data. A word is an address if the loader fills it in; otherwise it is a number.
//!
//! Named data have a known size, and so have constants that the linker's map tells. Others end at the
//! next address that something refers to, unless that reference is to their own interior: then they
//! differ in place from their counterpart, in numbers beyond that address. So the numbers of their
//! neighbours must be equal, too, as far as both sides have neighbours of the same sizes, or it
//! remains unknown whether the data are the same.

use super::access::Access;
use super::comparison::{PartComparison, Use, WORD};
use super::executable::{Executable, Region};
use super::exports;
use super::relocations::Relocation;
use super::symbol::Symbol;
use std::collections::HashMap;

/// The maximum padding after data without a symbol, for the alignment of the next.
const MAX_PADDING: u64 = 31;
/// The size of an offset in a table.
const OFFSET: u64 = 4;
/// The position of the line in a panic location, after the address and length of the file name.
const LINE: u64 = 2 * WORD;
/// The size of a panic location.
const LOCATION: u64 = LINE + 2 * OFFSET;

/// The target of a jump through a table.
#[derive(Debug, PartialEq, Eq)]
enum JumpTarget {
    /// A position in the function.
    Within(u64),
    /// An address.
    Elsewhere(u64),
}

/// For pairs of addresses and a direction: true if the data without symbols from there on, in that
/// direction, seem equal.
pub(super) type Neighbours = HashMap<(u64, u64, Direction), bool>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    Forward,
    Backward,
}

impl<'a> PartComparison<'a> {
    /// Returns whether data are equal, with equal targets of the addresses in them.
    pub(super) fn is_same_data(&mut self, a: u64, b: u64, size: u64) -> bool {
        let [one, other] = self.executables;
        let mut at = 0;
        while at < size {
            let to_words = [one.bytes_to_relocation(a + at), other.bytes_to_relocation(b + at)];
            let length = to_words[0].min(to_words[1]).min(size - at);
            let numbers = [one.bytes(a + at, length), other.bytes(b + at, length)];
            if !self.are_same_numbers(numbers) {
                return false;
            }
            at += length;
            if at >= size {
                break;
            }
            let words = (one.relocation(a + at), other.relocation(b + at));
            self.result.access |= words.0.map_or_else(Access::default, Relocation::access);
            let is_same = match words {
                (Some(Relocation::Internal(x)), Some(Relocation::Internal(y))) => {
                    let place = |start| start + at..start + at + WORD;
                    let (x, from) = one.meant(place(a), *x, 0);
                    let (y, other_from) = other.meant(place(b), *y, from);
                    from == other_from && self.is_same_target(x, y, Use::Any, None)
                }
                (x, y) if x == y => {
                    let import = x.and_then(Relocation::import);
                    !import.is_some_and(|(name, _)| exports::is_lookup(name)) || self.have_same_exports()
                }
                _ => false,
            };
            if !is_same {
                return false;
            }
            at += WORD;
        }
        true
    }

    /// Returns whether data without a symbol are equal: the whole constants at these addresses, or as
    /// much as is known to belong to them.
    pub(super) fn is_same_nameless(&mut self, a: u64, b: u64) -> bool {
        let [one, other] = self.executables;
        let constants = one.constant(a).and_then(|x| {
            let y = other.range_at(b, Executable::constant, (a, &x))?;
            Some((x, y))
        });
        if let Some((x, y)) = constants {
            let size = x.end - x.start;
            return a - x.start == b - y.start
                && size == y.end - y.start
                && self.is_same_data(x.start, y.start, size);
        }
        let sizes = [one.to_next_reference(a), other.to_next_reference(b)];
        let size = sizes[0].min(sizes[1]);
        if !self.is_same_data(a, b, size) {
            return false;
        }
        let is_known = |side: usize, at| self.executables[side].constant(at).is_some();
        self.result.is_uncertain |= is_known(0, a) != is_known(1, b);
        let is_same_after = if sizes[0] == sizes[1] {
            self.have_same_neighbours((a, b), size, Direction::Forward)
        } else {
            self.is_padding(sizes, [a, b])
        };
        self.result.is_uncertain |=
            !is_same_after || !self.have_same_neighbours((a, b), 0, Direction::Backward);
        true
    }

    /// Returns whether the initial thread-local storage is equal. All of it counts: an instruction
    /// doesn't show which part it uses.
    pub(super) fn are_same_thread_locals(&mut self) -> bool {
        let [one, other] = self.executables.map(|executable| &executable.tls);
        let mut is_same = one.len() == other.len();
        for (x, y) in one.iter().zip(other) {
            is_same = is_same && (x.size, x.is_zero) == (y.size, y.is_zero);
            is_same = is_same && (x.is_zero || self.is_same_data(x.address, y.address, x.size));
        }
        is_same
    }

    /// Returns whether the numbers in the neighbours of two equal data are equal, which may be
    /// parts of the data. Neighbours of other sizes belong to other data, and so do all beyond
    /// them. `size`: the number of bytes at the start that are known.
    fn have_same_neighbours(&mut self, start: (u64, u64), size: u64, direction: Direction) -> bool {
        let [one, other] = self.executables;
        let ((mut x, mut y), mut visited) = ((start.0 + size, start.1 + size), Vec::new());
        let (end, other_end) = (one.nameless(start.0).end, other.nameless(start.1).end);
        let are_same = loop {
            if let Some(&known) = self.neighbours.get(&(x, y, direction)) {
                break known;
            }
            visited.push((x, y, direction));
            let size = |executable: &Executable, at| match direction {
                Direction::Forward => executable.to_next_reference(at),
                Direction::Backward => executable.to_previous_reference(at),
            };
            let length = if x < end { size(one, x) } else { 0 };
            if length == 0 || y >= other_end || length != size(other, y) {
                break true;
            }
            let (starts, next) = match direction {
                Direction::Forward => ([x, y], [x + length, y + length]),
                Direction::Backward => ([x - length, y - length], [x - length, y - length]),
            };
            if !self.have_same_numbers(starts, length) {
                break false;
            }
            [x, y] = next;
        };
        self.neighbours.extend(visited.into_iter().map(|pair| (pair, are_same)));
        are_same
    }

    /// Returns whether the longer of two ranges ends with the padding before the next.
    fn is_padding(&self, sizes: [u64; 2], starts: [u64; 2]) -> bool {
        let longer = usize::from(sizes[1] > sizes[0]);
        let (shorter, rest) = (sizes[1 - longer], sizes[longer] - sizes[1 - longer]);
        let bytes = self.executables[longer].bytes(starts[longer] + shorter, rest);
        rest <= MAX_PADDING && bytes.iter().all(|byte| *byte == 0)
    }

    /// Returns whether two ranges have equal numbers and no addresses: what these lead to would have
    /// to be compared, too.
    fn have_same_numbers(&self, [a, b]: [u64; 2], size: u64) -> bool {
        let [one, other] = self.executables;
        one.bytes_to_relocation(a) >= size
            && other.bytes_to_relocation(b) >= size
            && one.bytes(a, size) == other.bytes(b, size)
    }

    /// Returns whether two tables of offsets have equal targets: positions in the function that
    /// jumps to them, or other functions or data.
    pub(super) fn is_same_relative_table(
        &mut self,
        a: u64,
        b: u64,
        (function, counterpart): (&Symbol, &Symbol),
    ) -> bool {
        let targets = |executable: &'a Executable, table: u64, function: &Symbol| -> Vec<JumpTarget> {
            let entry = |i: u64| {
                let to = executable.offset_target(table + OFFSET * i, table)?;
                let is_code = executable.region(to) == Some(Region::Code);
                is_code.then(|| match function.contains(to) {
                    true => JumpTarget::Within(to - function.address),
                    false => JumpTarget::Elsewhere(to),
                })
            };
            (0..executable.to_next_reference(table) / OFFSET).map_while(entry).collect()
        };
        let [one, other] =
            [targets(self.executables[0], a, function), targets(self.executables[1], b, counterpart)];
        let entries = one.len().min(other.len());
        if entries == 0 {
            return one.len() == other.len() && self.is_same_lookup_table(a, b, (function, counterpart));
        }
        // The end of a table is not stored anywhere.
        self.result.is_uncertain |= one.len() != other.len();
        one.into_iter().zip(other).all(|targets| match targets {
            // A part of the function that the compiler has moved away.
            (JumpTarget::Elsewhere(to), JumpTarget::Elsewhere(other_to)) => {
                self.is_same_target(to, other_to, Use::Any, Some((function, counterpart)))
            }
            (to, other_to) => to == other_to,
        })
    }

    /// Returns whether two tables of offsets, of which the linker's map tells the size, have equal
    /// targets.
    pub(super) fn have_same_offset_targets(&mut self, a: u64, b: u64, size: u64) -> bool {
        let [one, other] = self.executables;
        (0..size / OFFSET).map(|i| i * OFFSET).all(|at| {
            let targets = one.offset_target(a + at, a).zip(other.offset_target(b + at, b));
            targets.is_some_and(|(to, other_to)| self.is_same_target(to, other_to, Use::Any, None))
        })
    }

    /// Returns whether two tables of offsets to data or functions, as for a `match` that returns
    /// references, have equal targets. The end of a table is not stored anywhere, but its targets
    /// are after it.
    fn is_same_lookup_table(&mut self, a: u64, b: u64, users: (&Symbol, &Symbol)) -> bool {
        let [one, other] = self.executables;
        let mut end = one.to_next_reference(a).min(other.to_next_reference(b));
        let (mut at, mut target_region) = (0, None);
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
            if !self.is_same_target(x, y, Use::Any, Some(users)) {
                return false;
            }
            for (to, table) in [(x, a), (y, b)] {
                end = if to > table { end.min(to - table) } else { end };
            }
            at += OFFSET;
        }
        at > 0 && target_region.is_some()
    }

    /// Returns whether both have the form of a panic location, whose line changes with any edit
    /// above it.
    pub(super) fn are_like_locations(&self, a: u64, b: u64) -> bool {
        let is_like_location = |executable: &'a Executable, at: u64| {
            let name = executable.relocation(at).and_then(Relocation::internal)?;
            let size = u64::from_le_bytes(executable.bytes(at + WORD, WORD).try_into().ok()?);
            let name = executable.bytes(name, size.min(4096));
            // Some compilers count the zero at its end.
            let is_source = name.strip_suffix(b"\0").unwrap_or(name).ends_with(b".rs");
            let has_numbers = executable.bytes_to_relocation(at + WORD) >= LOCATION - WORD;
            let is_nameless = executable.symbol(at).is_none();
            Some(is_nameless && has_numbers && name.len() as u64 == size && is_source)
        };
        [(self.executables[0], a), (self.executables[1], b)]
            .into_iter()
            .all(|(executable, at)| is_like_location(executable, at) == Some(true))
    }
}
