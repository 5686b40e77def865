//! The data of an executable, as far as its link told about them.

use super::{Executable, Section};
use std::ops::Range;

impl Executable {
    /// Returns the address of the data that a reference means, and the distance of its target from
    /// there, which may be behind or before these data. `place`: the addresses of the instruction or
    /// word that refers to the target; `counterpart`: the distance in the executable of a layout.
    pub(in crate::code) fn meant(&self, place: Range<u64>, target: u64, counterpart: i64) -> (u64, i64) {
        let distance = if self.is_layout { counterpart } else { self.linked.outside.distance(place) };
        (target.wrapping_sub(distance.cast_unsigned()), distance)
    }

    /// Returns the range of the constant at an address, if it is known.
    pub(in crate::code) fn constant(&self, address: u64) -> Option<Range<u64>> {
        self.linked.constants.range(address, |range| self.bytes(range.start, range.end - range.start))
    }

    /// Returns a range of data at an address. `own`: what is known of them; `counterpart`: the address in
    /// the executable of a layout, and the range there.
    pub(in crate::code) fn range_at(
        &self,
        address: u64,
        own: impl Fn(&Executable, u64) -> Option<Range<u64>>,
        (counterpart, range): (u64, &Range<u64>),
    ) -> Option<Range<u64>> {
        if !self.is_layout {
            return own(self, address);
        }
        let start = address.checked_sub(counterpart - range.start)?;
        Some(start..start + (range.end - range.start))
    }

    /// Returns whether data on both sides have the same alignment, as far as it is known and larger
    /// than usual.
    pub(in crate::code) fn has_same_alignment(&self, address: u64, other: &Executable, at: u64) -> bool {
        let alignments = self.linked.constants.alignment(address).zip(other.linked.constants.alignment(at));
        alignments.is_none_or(|(one, other)| one == other)
    }

    /// Returns the range of the table of offsets at an address, if it is known.
    pub(in crate::code) fn offsets(&self, address: u64) -> Option<Range<u64>> {
        self.linked.constants.offsets(address)
    }

    /// Returns the constant at an address, or else the contiguous data around it of which neither
    /// symbols nor the linker's map tell the size.
    pub(in crate::code) fn nameless(&self, address: u64) -> Range<u64> {
        self.constant(address).unwrap_or_else(|| self.nameless_of_unknown_size(address))
    }

    fn nameless_of_unknown_size(&self, address: u64) -> Range<u64> {
        let gap = self.linked.constants.gap(address);
        let section = self.section(address).map_or(address..address + 1, Section::range);
        let end = self.symbols.next(address).map_or(section.end, |next| next.address);
        let before = self.symbols.up_to(address);
        let start = before.map_or(section.start, |symbol| symbol.address + symbol.size);
        start.max(gap.start).clamp(section.start, address)..end.min(gap.end).min(section.end)
    }
}
