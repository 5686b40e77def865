//! The constants without a name in an executable, and data with a large alignment, whose places and
//! sizes are known from the map that the linker wrote.
//!
//! rustc gives each of them a section of its own, except for texts that end with a zero and small
//! constants, of which the linker keeps one copy each.

use super::linker_map::PlacedSection;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The start of the name of a section with one constant, behind that of its kind: a private symbol,
/// or one that several units of a crate share.
const NAMES: [&str; 2] = [".L", "anon."];
/// The start of the name of a table of offsets, which LLVM makes of a table of addresses.
const OFFSETS: &str = ".Lreltable.";
/// The starts of the names of sections with constants.
const KINDS: [&str; 2] = [".rodata.", ".data.rel.ro."];
/// The starts of the names of sections with statics.
const KINDS_OF_STATICS: [&str; 4] = [".rodata.", ".data.rel.ro.", ".data.", ".bss."];
/// The least alignment that only a type or a static can ask for, in bytes. All sections with it are
/// kept.
const LARGE_ALIGNMENT: u64 = 32;
/// The largest number of sections that are kept, so that the header of the file remains readable.
const MAX_SECTIONS: usize = 200_000;

/// The constants without a name in an executable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Section>", into = "Vec<Section>")]
pub struct Constants {
    /// By address, apart from each other.
    sections: Vec<Section>,
}

/// A section of constants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Section {
    address: u64,
    size: u64,
    content: Content,
    /// Zero if it isn't large.
    #[serde(default, skip_serializing_if = "is_zero")]
    alignment: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The content of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    One,
    /// A table of offsets, each relative to the table.
    Offsets,
    /// Constants of this size, in bytes.
    OfSize(u64),
    /// Texts that end with a zero.
    Texts,
}

impl Section {
    fn range(&self) -> Range<u64> {
        self.address..self.address.saturating_add(self.size)
    }
}

impl From<Vec<Section>> for Constants {
    /// Leaves out what can't be true, as the sections may come from another machine.
    fn from(mut sections: Vec<Section>) -> Constants {
        sections.sort_by_key(|section| section.address);
        let mut end = 0;
        sections.retain(|section| {
            let range = section.range();
            let is_apart = range.start >= end && !range.is_empty() && section.content != Content::OfSize(0);
            end = if is_apart { range.end } else { end };
            is_apart
        });
        sections.truncate(MAX_SECTIONS);
        Constants { sections }
    }
}

impl From<Constants> for Vec<Section> {
    fn from(constants: Constants) -> Vec<Section> {
        constants.sections
    }
}

impl Constants {
    /// Finds them in the map that lld wrote.
    pub(super) fn of(map: &[PlacedSection<'_>]) -> Constants {
        map.iter().filter_map(section).collect::<Vec<Section>>().into()
    }

    /// Returns the alignment of the data at an address if it is large, or else zero. `None` without a
    /// map.
    pub fn alignment(&self, address: u64) -> Option<u64> {
        let section = self.sections[..self.end_of_earlier(address)].last();
        let at_address = section.filter(|section| section.range().contains(&address));
        (!self.sections.is_empty()).then(|| at_address.map_or(0, |section| section.alignment))
    }

    /// Returns the range of the table of offsets at an address.
    pub fn offsets(&self, address: u64) -> Option<Range<u64>> {
        let section = self.sections[..self.end_of_earlier(address)].last()?;
        (section.content == Content::Offsets)
            .then(|| section.range())
            .filter(|range| range.contains(&address))
    }

    /// Returns the range of the constant at an address. `bytes`: returns the bytes of a range.
    pub fn range<'a>(&self, address: u64, bytes: impl Fn(Range<u64>) -> &'a [u8]) -> Option<Range<u64>> {
        let section = self.sections[..self.end_of_earlier(address)].last()?;
        let range = section.range();
        if !range.contains(&address) {
            return None;
        }
        Some(match section.content {
            Content::One | Content::Offsets => range,
            Content::OfSize(size) => {
                let start = address - (address - range.start) % size;
                start..start.saturating_add(size).min(range.end)
            }
            Content::Texts => {
                let before = bytes(range.start..address).iter().rev().position(|byte| *byte == 0);
                let after = bytes(address..range.end).iter().position(|byte| *byte == 0);
                let start = before.map_or(range.start, |length| address - length as u64);
                start..after.map_or(range.end, |length| address + length as u64 + 1)
            }
        })
    }

    /// Returns the range without such constants around an address that is in none of their
    /// sections.
    pub fn gap(&self, address: u64) -> Range<u64> {
        let (before, after) = self.sections.split_at(self.end_of_earlier(address));
        let start = before.last().map_or(0, |section| section.range().end);
        start..after.first().map_or(u64::MAX, |section| section.address)
    }

    /// Returns the number of sections that start at this address or before.
    fn end_of_earlier(&self, address: u64) -> usize {
        self.sections.partition_point(|section| section.address <= address)
    }
}

/// Returns a section of constants, or of data with a large alignment.
fn section(placed: &PlacedSection<'_>) -> Option<Section> {
    let &PlacedSection { address, size, name, .. } = placed;
    let alignment = Some(placed.alignment).filter(|bytes| *bytes >= LARGE_ALIGNMENT).unwrap_or(0);
    let is_static = || alignment > 0 && KINDS_OF_STATICS.iter().any(|kind| name.starts_with(kind));
    let content = content(name).or_else(|| is_static().then_some(Content::One))?;
    Some(Section { address, size, content, alignment })
}

/// Returns the content of a section by its name. `None` if it isn't known.
fn content(section: &str) -> Option<Content> {
    let name = KINDS.iter().find_map(|kind| section.strip_prefix(kind))?;
    if name.starts_with(OFFSETS) {
        Some(Content::Offsets)
    } else if NAMES.iter().any(|start| name.starts_with(start)) {
        Some(Content::One)
    } else if let Some(size) = name.strip_prefix("cst") {
        size.parse().ok().filter(|size| *size > 0).map(Content::OfSize)
    } else {
        // The number after the point is their alignment.
        name.starts_with("str1.").then_some(Content::Texts)
    }
}

#[cfg(test)]
mod tests {
    use super::super::linker_map;
    use super::*;

    const MAP: &str = concat!(
        "             VMA              LMA     Size Align Out     In      Symbol\n",
        "           1b650            1b650       b0    16 .rodata\n",
        "           1b650            1b650       20    16         <internal>:(.rodata.cst16)\n",
        "           1b670            1b670       35     1         /t/a b.o:(.rodata..Lanon.36b7.3)\n",
        "           1b6a8            1b6a8       10     4         /t/l.rlib(x.o):(.rodata._ZN1fE)\n",
        "           1b6b8            1b6b8        0     1                 f::{closure}:(.rodata.cst8)\n",
        "           1b6b8            1b6b8        8     1         <internal>:(.rodata.str1.1)\n",
        "           1b6d0            1b6d0       10     4         b.o:(.rodata..Lreltable._RN1f)\n",
        "          13c930           13c930       18     8         b.o:(.data.rel.ro.anon.7f.9.llvm.1)\n",
        "          13c980           13c980       40    64         b.o:(.bss._RN1s)\n",
        "          13ca00           13ca00       40    64         b.o:(.text._RN1f)\n",
    );

    fn parse(map: &str) -> Constants {
        Constants::of(&linker_map::sections(map).collect::<Vec<_>>())
    }

    #[test]
    fn sections_of_constants_are_read_from_the_map() {
        let constants = parse(MAP);
        let of = |address| constants.range(address, |_| b"");
        assert_eq!(of(0x1b64f), None);
        assert_eq!([of(0x1b650), of(0x1b65f)], [(); 2].map(|()| Some(0x1b650..0x1b660)), "the same of two");
        assert_eq!(of(0x1b660), Some(0x1b660..0x1b670));
        assert_eq!(of(0x1b690), Some(0x1b670..0x1b6a5), "the only one");
        assert_eq!([of(0x1b6a5), of(0x1b6a8)], [None, None], "padding, and the tables of a function");
        assert_eq!(constants.gap(0x1b6a8), 0x1b6a5..0x1b6b8);
        assert_eq!(of(0x1b6d4), Some(0x1b6d0..0x1b6e0));
        assert_eq!(
            [0x1b6d0, 0x1b6df, 0x1b6e0, 0x1b670].map(|at| constants.offsets(at).is_some()),
            [true, true, false, false]
        );
        assert_eq!(of(0x13c938), Some(0x13c930..0x13c948));
        assert_eq!(constants.gap(0x200000), 0x13c9c0..u64::MAX);
        assert_eq!([0x13c9bf, 0x13c9c0, 0x13c938].map(|at| constants.alignment(at)), [64, 0, 0].map(Some));
        assert_eq!(Constants::default().alignment(0x13c9bf), None);
    }

    #[test]
    fn texts_end_with_a_zero() {
        let constants = parse(MAP);
        let bytes = |range: Range<u64>| {
            let [from, to] = [range.start, range.end].map(|address| (address - 0x1b6b8) as usize);
            &b"one\0two\0"[from..to]
        };
        let of = |address| constants.range(address, bytes);
        assert_eq!([of(0x1b6b8), of(0x1b6bb)], [(); 2].map(|()| Some(0x1b6b8..0x1b6bc)));
        assert_eq!([of(0x1b6bc), of(0x1b6be)], [(); 2].map(|()| Some(0x1b6bc..0x1b6c0)));
    }

    #[test]
    fn sections_that_can_t_be_true_are_left_out() {
        let section = |address, size, content| Section { address, size, content, alignment: 0 };
        let constants = Constants::from(vec![
            section(0x30, 0x10, Content::Texts),
            section(0x10, 0x10, Content::One),
            section(0x18, 0x10, Content::One),
            section(0x28, 0, Content::One),
            section(0x50, 0x10, Content::OfSize(0)),
            section(0x60, 0x14, Content::OfSize(16)),
            section(u64::MAX, 9, Content::One),
        ]);
        let of = |address| constants.range(address, |_| b"");
        assert_eq!([of(0x18), of(0x20)], [Some(0x10..0x20), None], "the first of two that overlap");
        assert_eq!(of(0x38), Some(0x30..0x40), "without a zero");
        assert_eq!([of(0x50), of(0x72)], [None, Some(0x70..0x74)]);
        assert_eq!(constants.gap(0x50), 0x40..0x60);
        assert_eq!(constants.gap(u64::MAX).start, 0x74);
    }

    #[test]
    fn other_texts_are_no_maps() {
        let none = Constants::default();
        for text in ["", "\u{e4}".repeat(60).as_str(), "Archive member included\n\n.rodata  0x1000  0x20 a.o"]
        {
            assert_eq!(parse(text), none);
        }
        assert_eq!(none.gap(7), 0..u64::MAX);
    }
}
