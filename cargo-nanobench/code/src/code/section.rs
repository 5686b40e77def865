//! The sections of an executable.

use super::collections;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, SectionFlags, SectionKind, elf};
use std::ops::Range;

/// A section of the program in memory.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) address: u64,
    pub(super) size: u64,
    /// Its bytes in the file: none for a section that is initially zero.
    pub(super) bytes: Range<usize>,
    pub(super) kind: SectionKind,
    /// False for data that the loader protects after it has filled in the addresses.
    pub(super) is_writable: bool,
    /// True if the program has chosen its name, to collect data in it.
    pub(super) is_collection: bool,
    /// True if the program uses the address of its end.
    pub(super) is_walked_to_end: bool,
}

impl Section {
    pub(super) fn range(&self) -> Range<u64> {
        self.address..self.address + self.size
    }
}

/// A section of initial thread-local values.
#[derive(Debug)]
pub(super) struct TlsSection {
    pub(super) address: u64,
    pub(super) size: u64,
    /// True if all bytes are zero, and none are stored.
    pub(super) is_zero: bool,
}

/// Reads the sections, by address, and those of thread-local values. Returns `None` for a damaged file.
pub(super) fn read(file: &ElfFile64<'_>, file_size: usize) -> Option<(Vec<Section>, Vec<TlsSection>)> {
    let (mut sections, mut tls) = (Vec::new(), Vec::new());
    let mut unread = file_size;
    for section in file.sections() {
        let (address, size, kind) = (section.address(), section.size(), section.kind());
        let is_zero = kind == SectionKind::UninitializedTls;
        if is_zero || kind == SectionKind::Tls {
            tls.push(TlsSection { address, size, is_zero });
        }
        // Zero thread-local storage has an address, but no memory in the executable.
        if address > 0 && size > 0 && !is_zero {
            // In a damaged file, a section may be larger than the file, or all sections together.
            let length = section.data().ok()?.len();
            unread = unread.checked_sub(length)?;
            let start = section.file_range().map_or(0, |(start, _)| start);
            let start = usize::try_from(start).ok()?;
            let name = section.name().unwrap_or_default();
            let is_protected = [".data.rel.ro", ".got", ".dynamic"].iter().any(|p| name.starts_with(p));
            let is_writable =
                matches!(kind, SectionKind::Data | SectionKind::UninitializedData) && !is_protected;
            let is_collection = kind != SectionKind::Text && collections::is_name(name);
            let is_walked_to_end = is_collection && file.symbol_by_name(&format!("__stop_{name}")).is_some();
            sections.push(Section {
                address,
                size,
                bytes: start..start + length,
                kind,
                is_writable,
                is_collection,
                is_walked_to_end,
            });
        }
    }
    sections.sort_by_key(|section: &Section| section.address);
    Some((sections, tls))
}

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
