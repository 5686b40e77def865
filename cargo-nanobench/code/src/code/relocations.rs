//! Reads the words of an executable that the loader fills in.
//!
//! The loader may place a position-independent executable anywhere, so each address in its data has
//! a relocation: a word without one is a number.

use super::access::Access;
use super::executable::MAX_ADDRESS;
use object::elf;
use object::read::elf::{ElfFile64, Rela as _, RelrIterator, SectionHeader as _, VersionTable};
use object::{Endianness, Object as _, ObjectSymbol as _, ObjectSymbolTable as _, SymbolIndex};
use std::mem;
use std::ops::Range;

type File<'a> = ElfFile64<'a, Endianness>;

/// The value of a word that the loader fills in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Relocation {
    /// An address in the executable.
    Internal(u64),
    /// A symbol of a library, with its version and the library that the version belongs to, or a
    /// value that only the loader knows.
    External(String),
}

impl Relocation {
    pub(super) fn internal(&self) -> Option<u64> {
        match self {
            Relocation::Internal(address) => Some(*address),
            Relocation::External(_) => None,
        }
    }

    /// Returns the access that a function has, by its name and library.
    pub(super) fn access(&self) -> Access {
        self.import().map_or_else(Access::default, |(name, library)| Access::of_import(name, library))
    }

    /// Returns the name of the symbol of a library, and the library if its version tells it.
    pub(super) fn import(&self) -> Option<(&str, Option<&str>)> {
        let Relocation::External(text) = self else { return None };
        // `open64@GLIBC_2.2.5 of libc.so.6, R_X86_64_GLOB_DAT+0`
        let (symbol, _) = text.split_once(", ")?;
        let (symbol, library) = symbol.split_once(" of ").map_or((symbol, None), |(s, l)| (s, Some(l)));
        let name = symbol.split_once('@').map_or(symbol, |(name, _)| name);
        Some((name, library.filter(|library| !library.is_empty())))
    }
}

/// The words that the loader fills in, by address.
#[derive(Debug)]
pub(super) struct Relocations(Vec<(u64, Relocation)>);

impl Relocations {
    /// Reads the words. Returns `None` if the executable isn't position-independent, so that
    /// addresses can't be told from numbers.
    pub(super) fn read(file: &File<'_>) -> Option<Relocations> {
        let mut words = read(file)?;
        words.sort_by_key(|(address, _)| *address);
        // Of several for a word, the loader applies the last one last.
        words.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                mem::swap(later, earlier);
            }
            is_same
        });
        Some(Relocations(words))
    }

    pub(super) fn get(&self, address: u64) -> Option<&Relocation> {
        let at = self.0.binary_search_by_key(&address, |(address, _)| *address).ok()?;
        Some(&self.0[at].1)
    }

    /// Returns the words that start in a range, with their addresses.
    pub(super) fn range(&self, range: Range<u64>) -> &[(u64, Relocation)] {
        let before = |end: u64| self.0.partition_point(|(address, _)| *address < end);
        self.0.get(before(range.start)..before(range.end)).unwrap_or_default()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Relocation> {
        self.0.iter().map(|(_, relocation)| relocation)
    }
}

fn read(file: &File<'_>) -> Option<Vec<(u64, Relocation)>> {
    let endian = file.endian();
    if file.elf_header().e_type.get(endian) != elf::ET_DYN {
        return None;
    }
    let mut relocations = Vec::new();
    let versions = file.elf_section_table().versions(endian, file.data()).ok()?.unwrap_or_default();
    let sections = file.elf_section_table().iter();
    for section in sections.filter(|section| section.sh_flags(endian).contains(elf::SHF_ALLOC)) {
        for word in section.rela(endian, file.data()).ok()?.map_or(&[][..], |(words, _)| words) {
            let (kind, addend) = (word.r_type(endian, false), word.r_addend(endian));
            let value = match kind {
                elf::R_X86_64_NONE => continue,
                // The second is the address of a function that chooses between functions.
                elf::R_X86_64_RELATIVE | elf::R_X86_64_IRELATIVE => {
                    Relocation::Internal(u64::try_from(addend).ok()?)
                }
                _ => symbol(file, &versions, SymbolIndex(word.r_sym(endian, false) as usize), kind, addend)?,
            };
            relocations.push((word.r_offset.get(endian), value));
        }
        if let Some(words) = section.relr(endian, file.data()).ok()? {
            relocations.extend(relative(file, words)?);
        }
    }
    let is_valid = |(at, value): &(u64, Relocation)| {
        *at <= MAX_ADDRESS && value.internal().is_none_or(|address| address <= MAX_ADDRESS)
    };
    relocations.iter().all(is_valid).then_some(relocations)
}

/// Returns the value of a word that refers to a symbol.
fn symbol(
    file: &File<'_>,
    versions: &VersionTable<'_, elf::FileHeader64<Endianness>>,
    index: SymbolIndex,
    kind: elf::RelocationType,
    addend: i64,
) -> Option<Relocation> {
    if index.0 == 0 {
        return Some(Relocation::External(format!("{kind:?}+{addend}")));
    }
    let symbol = file.dynamic_symbol_table()?.symbol_by_index(index).ok()?;
    if !symbol.is_undefined()
        && matches!(kind, elf::R_X86_64_64 | elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT)
    {
        return Some(Relocation::Internal(symbol.address().wrapping_add_signed(addend)));
    }
    let version = versions.version(versions.version_index(file.endian(), index).index()).ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let version = version.map_or_else(String::new, |version| {
        format!("@{} of {}", text(version.name()), version.file().map(text).unwrap_or_default())
    });
    Some(Relocation::External(format!("{}{version}, {kind:?}+{addend}", symbol.name().ok()?)))
}

/// Returns the addresses in words that are only listed, and contain their own values.
fn relative(
    file: &File<'_>,
    words: RelrIterator<'_, elf::FileHeader64<Endianness>>,
) -> Option<Vec<(u64, Relocation)>> {
    use object::ObjectSection as _;
    let value = |at: u64| {
        let bytes = file.sections().find_map(|section| section.data_range(at, 8).ok().flatten())?;
        Some((at, Relocation::Internal(u64::from_le_bytes(bytes.try_into().ok()?))))
    };
    words.map(value).collect()
}
