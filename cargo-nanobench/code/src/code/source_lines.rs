//! The source lines of machine code, from debug information.

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, RunTimeEndian, SectionId};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _};
use std::ops::Range;
use std::rc::Rc;

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub file: Rc<str>,
    pub line: u32,
}

/// The source lines of an executable.
pub(super) struct SourceLines<'a>(Context<EndianSlice<'a, RunTimeEndian>>);

impl<'a> SourceLines<'a> {
    /// Reads the debug information of the bytes of an executable. Returns `None` if it has none, or
    /// if it is compressed.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<SourceLines<'a>> {
        let file = ElfFile64::<object::Endianness>::parse(bytes).ok()?;
        file.section_by_name(".debug_line")?;
        let load = |section: SectionId| {
            let section = file.section_by_name(section.name());
            let data = section.map_or(Ok(&[][..]), |section| section.data())?;
            Ok::<_, object::Error>(EndianSlice::new(data, RunTimeEndian::Little))
        };
        Context::from_dwarf(Dwarf::load(load).ok()?).ok().map(SourceLines)
    }

    /// Returns the starts of the places in this range of addresses, in order.
    pub(super) fn of(&self, range: Range<u64>) -> Vec<(u64, Place)> {
        let Ok(ranges) = self.0.find_location_range(range.start, range.end) else { return Vec::new() };
        let place = |(start, _, location): (u64, u64, addr2line::Location<'_>)| {
            Some((start, Place { file: location.file?.into(), line: location.line? }))
        };
        ranges.filter_map(place).collect()
    }
}
