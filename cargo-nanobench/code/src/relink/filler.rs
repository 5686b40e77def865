//! An object that moves functions and data to random places, the same in the layouts of both sides.
//!
//! Compilers align functions to 16 bytes, so one that moves has four places within a cache line, of
//! which some may be slow. A gap precedes each function: it begins at a line, wherever the linker puts
//! both, and its length is one of these places. So functions that differ have the same place, too. One
//! whose own alignment is larger keeps it.
//!
//! Data of a random length lie before all other data.
//! The linker places data, too: constants, statics, and the addresses of the C library's functions.
//! If one side has more of them, all that lie behind are elsewhere in each of its layouts, where they
//! may share a part of the first cache with something else. A copy between two buffers of 16 KiB took
//! 6 % less time after an unrelated edit, because the address of `memcpy` lay in another line. Behind
//! data of a random length, every place is as probable on one side as on the other.

use nanobench::Rng;
use object::elf::SHF_GNU_RETAIN;
use object::write::{Object, SectionId, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionFlags, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

/// The sections that begin with such data: those that a process reads or writes, without its code.
const SECTIONS: [(&str, SectionKind); 3] = [
    (".rodata", SectionKind::ReadOnlyData),
    (".data.rel.ro", SectionKind::ReadOnlyDataWithRel),
    (".data", SectionKind::Data),
];
/// The steps between its lengths, in bytes: the size of an address.
const STEP: u32 = 8;
/// The number of these steps: up to a page, since a place in the first cache depends on the place in
/// a page.
const STEPS: u32 = 512;

/// The size of a cache line, in bytes.
const LINE: u32 = 64;
/// The distance between the places that a function may have in a line.
const STEP_OF_FUNCTIONS: u32 = 16;

/// The lengths of what lies before others, in bytes.
#[derive(Debug)]
pub(super) struct Filler {
    /// Before each section of data.
    data: [usize; SECTIONS.len()],
    /// Before each function, by its place in the order.
    gaps: Vec<usize>,
}

impl Filler {
    /// Draws random lengths for this number of functions.
    pub(super) fn random(functions: usize, rng: &mut Rng) -> Filler {
        let data = SECTIONS.map(|_| (rng.bounded(STEPS) * STEP) as usize);
        let gap = |_| (rng.bounded(LINE / STEP_OF_FUNCTIONS) * STEP_OF_FUNCTIONS) as usize;
        Filler { data, gaps: (0..functions).map(gap).collect() }
    }

    /// Returns the object.
    pub(super) fn object(&self, architecture: Architecture) -> object::write::Result<Vec<u8>> {
        let mut object = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
        for ((name, kind), length) in SECTIONS.into_iter().zip(self.data) {
            add_section(&mut object, name, kind, length, STEP);
        }
        for (index, &length) in self.gaps.iter().enumerate() {
            let section = add_section(&mut object, ".text.gap", SectionKind::Text, length, LINE);
            object.add_symbol(Symbol {
                name: gap(index).into_bytes(),
                value: 0,
                size: length as u64,
                kind: SymbolKind::Text,
                scope: SymbolScope::Compilation,
                weak: false,
                section: SymbolSection::Section(section),
                flags: SymbolFlags::None,
            });
        }
        object.write()
    }
}

/// Adds zeros that the linker keeps, although nothing refers to them.
fn add_section(
    object: &mut Object<'_>,
    name: &str,
    kind: SectionKind,
    length: usize,
    alignment: u32,
) -> SectionId {
    let section = object.add_section(Vec::new(), name.into(), kind);
    if let SectionFlags::Elf { sh_flags, .. } = object.section_flags_mut(section) {
        *sh_flags |= SHF_GNU_RETAIN;
    }
    object.append_section_data(section, &vec![0; length], alignment.into());
    section
}

/// Returns an order of functions with their gaps, one symbol a line, as the linker reads it.
pub(super) fn order_file(functions: &[&str]) -> String {
    let lines = functions.iter().enumerate().map(|(index, symbol)| format!("{}\n{symbol}\n", gap(index)));
    lines.collect()
}

/// Returns the symbol of the gap before a function, by the function's place in the order.
fn gap(index: usize) -> String {
    format!("nanobench_gap.{index}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{Object as _, ObjectSection as _};

    #[test]
    fn the_linker_has_to_keep_data_of_these_lengths() {
        let bytes = Filler { data: [0, 8, 4_088], gaps: Vec::new() }.object(Architecture::X86_64).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let lengths = SECTIONS.map(|(name, _)| {
            let section = file.section_by_name(name).unwrap();
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { panic!("{name}") };
            assert!(sh_flags & SHF_GNU_RETAIN == SHF_GNU_RETAIN, "{name}: {sh_flags:?}");
            section.size()
        });
        assert_eq!(lengths, [0, 8, 4_088]);
    }

    #[test]
    fn a_gap_precedes_each_function() {
        assert_eq!(order_file(&["f", "g"]), "nanobench_gap.0\nf\nnanobench_gap.1\ng\n");
        let filler = Filler { data: [0; 3], gaps: vec![48, 0] };
        let bytes = filler.object(Architecture::X86_64).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let gaps = file.sections().filter(|section| section.name() == Ok(".text.gap"));
        let gaps: Vec<[u64; 2]> = gaps.map(|section| [section.size(), section.align()]).collect();
        assert_eq!(gaps, [[48, 64], [0, 64]]);
        let random: std::collections::BTreeSet<usize> =
            Filler::random(50, &mut Rng::with_seed(1)).gaps.into_iter().collect();
        assert_eq!(random.into_iter().collect::<Vec<_>>(), [0, 16, 32, 48]);
    }
}
