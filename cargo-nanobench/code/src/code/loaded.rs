//! The parts of an executable's file that are in memory when it runs, and so may hold its texts.

use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, SectionFlags, SectionKind, elf};

/// The sections of an executable that are loaded with it. Debug information and most names of
/// functions are not.
#[derive(Debug, Default)]
pub struct LoadedSections<'f> {
    /// The constants and statics.
    pub data: Vec<&'f [u8]>,
    /// Everything else: instructions, symbols, tables.
    pub other: Vec<&'f [u8]>,
}

impl<'f> LoadedSections<'f> {
    /// Finds the sections of an executable. Only ELF files are understood: of others, all bytes may be
    /// data.
    pub fn new(executable: &'f [u8]) -> Self {
        let Ok(file) = ElfFile64::<object::Endianness>::parse(executable) else {
            return LoadedSections { data: vec![executable], other: Vec::new() };
        };
        let mut loaded = LoadedSections::default();
        for section in file.sections() {
            let is_loaded = match section.flags() {
                SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_ALLOC),
                _ => true,
            };
            let Some(bytes) = section.data().ok().filter(|_| is_loaded) else { continue };
            let sections = if is_data(section.kind()) { &mut loaded.data } else { &mut loaded.other };
            sections.push(bytes);
        }
        loaded
    }
}

fn is_data(kind: SectionKind) -> bool {
    use SectionKind::{Data, ReadOnlyData, ReadOnlyDataWithRel, ReadOnlyString, Tls};
    matches!(kind, Data | ReadOnlyData | ReadOnlyDataWithRel | ReadOnlyString | Tls)
}
