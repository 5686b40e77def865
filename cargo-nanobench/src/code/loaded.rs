//! The parts of an executable's file that are in memory when it runs, and so may hold its texts.

use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, SectionFlags, elf};

/// Returns the sections of an executable that are loaded with it. Debug information and most names
/// of functions are not. Only ELF files are understood: of others, all bytes are returned.
pub(crate) fn loaded(executable: &[u8]) -> Vec<&[u8]> {
    let Ok(file) = ElfFile64::<object::Endianness>::parse(executable) else { return vec![executable] };
    let is_loaded = |flags: SectionFlags| match flags {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_ALLOC),
        _ => true,
    };
    let sections = file.sections().filter(|section| is_loaded(section.flags()));
    sections.filter_map(|section| section.data().ok()).collect()
}
