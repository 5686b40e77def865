//! Data of a random length that lie before all other data in the layouts of both sides.
//!
//! The linker places data, too: constants, statics, and the addresses of the C library's functions.
//! If one side has more of them, all that lie behind are elsewhere in each of its layouts, where they
//! may share a part of the first cache with something else. A copy between two buffers of 16 KiB took
//! 6 % less time after an unrelated edit, because the address of `memcpy` lay in another line. Behind
//! data of a random length, every place is as probable on one side as on the other.

use nanobench::Rng;
use object::elf::SHF_GNU_RETAIN;
use object::write::Object;
use object::{Architecture, BinaryFormat, Endianness, SectionFlags, SectionKind};

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

/// The lengths of the data before each section, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filler([usize; SECTIONS.len()]);

impl Filler {
    /// Returns data of random lengths.
    pub(super) fn random(rng: &mut Rng) -> Filler {
        Filler(SECTIONS.map(|_| (rng.bounded(STEPS) * STEP) as usize))
    }

    /// Returns an object with the data.
    pub(super) fn object(&self, architecture: Architecture) -> object::write::Result<Vec<u8>> {
        let mut object = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
        for ((name, kind), length) in SECTIONS.into_iter().zip(self.0) {
            let section = object.add_section(Vec::new(), name.into(), kind);
            // The linker would drop what nothing refers to.
            if let SectionFlags::Elf { sh_flags, .. } = object.section_flags_mut(section) {
                *sh_flags |= SHF_GNU_RETAIN;
            }
            object.append_section_data(section, &vec![0; length], u64::from(STEP));
        }
        object.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{Object as _, ObjectSection as _};

    #[test]
    fn the_linker_has_to_keep_data_of_these_lengths() {
        let bytes = Filler([0, 8, 4_088]).object(Architecture::X86_64).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let lengths = SECTIONS.map(|(name, _)| {
            let section = file.section_by_name(name).unwrap();
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { panic!("{name}") };
            assert!(sh_flags & SHF_GNU_RETAIN == SHF_GNU_RETAIN, "{name}: {sh_flags:?}");
            section.size()
        });
        assert_eq!(lengths, [0, 8, 4_088]);
    }
}
