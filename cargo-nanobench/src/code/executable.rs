//! An executable as it is in memory: its sections, symbols and relocations.

use iced_x86::{Decoder, DecoderOptions, Instruction};
use object::read::elf::ElfFile64;
use object::{
    Architecture, Object as _, ObjectSection as _, ObjectSymbol as _, ObjectSymbolTable as _,
    RelocationFlags, RelocationTarget, SectionKind, SymbolKind, elf,
};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// An ELF executable for x86-64.
#[derive(Debug)]
pub(super) struct Executable {
    sections: Vec<Section>,
    /// The initial thread-local storage, in order.
    pub(super) tls: Vec<TlsSection>,
    /// Functions and statics, by address.
    symbols: BTreeMap<u64, Symbol>,
    /// Words that the loader fills in, by address.
    relocations: BTreeMap<u64, Relocation>,
    /// The functions that run before `main`.
    initializers: Vec<u64>,
    /// True if the linker collects statics in sections (as `linkme` does), whose elements are used
    /// without a reference to each.
    pub(super) has_linker_sets: bool,
    /// All addresses with references to them. Data without a symbol end at the next of these.
    referenced: OnceCell<BTreeSet<u64>>,
}

#[derive(Debug)]
struct Section {
    address: u64,
    size: u64,
    /// Empty for a section that is initially zero.
    bytes: Vec<u8>,
    kind: SectionKind,
}

/// A section of initial thread-local values.
#[derive(Debug)]
pub(super) struct TlsSection {
    pub(super) address: u64,
    pub(super) size: u64,
    /// True if all bytes are zero, and none are stored.
    pub(super) is_zero: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Symbol {
    pub(super) address: u64,
    pub(super) size: u64,
    name: String,
}

impl Symbol {
    /// Returns whether both have the same name, apart from the hash.
    pub(super) fn has_same_name(&self, other: &Symbol) -> bool {
        self.demangled() == other.demangled()
    }

    /// Returns the demangled name without the hash.
    pub(super) fn demangled(&self) -> String {
        format!("{:#}", rustc_demangle::demangle(&self.name))
    }
}

/// The value of a word that the loader fills in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Relocation {
    /// An address in the executable.
    Internal(u64),
    /// A symbol of a library.
    External(String),
}

impl Relocation {
    fn internal(&self) -> Option<u64> {
        match self {
            Relocation::Internal(address) => Some(*address),
            Relocation::External(_) => None,
        }
    }
}

/// The kind of memory at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Code,
    Data,
    /// Initially zero.
    Zero,
}

impl Executable {
    /// Reads an executable. Returns `None` if its format is not supported.
    pub(super) fn read(path: &Path) -> Option<Executable> {
        let bytes = std::fs::read(path).ok()?;
        let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
        if file.architecture() != Architecture::X86_64 {
            return None;
        }
        let (mut sections, mut tls, mut symbols) = (Vec::new(), Vec::new(), BTreeMap::new());
        for section in file.sections() {
            let (address, size, kind) = (section.address(), section.size(), section.kind());
            let is_zero = kind == SectionKind::UninitializedTls;
            if is_zero || kind == SectionKind::Tls {
                tls.push(TlsSection { address, size, is_zero });
            }
            // Zero thread-local storage has an address, but no memory in the executable.
            if address > 0 && !is_zero {
                let bytes = section.data().map(<[u8]>::to_vec).unwrap_or_default();
                sections.push(Section { address, size, bytes, kind });
            }
        }
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            if let (SymbolKind::Text | SymbolKind::Data, Ok(name)) = (symbol.kind(), symbol.name()) {
                let (address, size, name) = (symbol.address(), symbol.size(), name.to_owned());
                symbols.insert(address, Symbol { address, size, name });
            }
        }
        if symbols.is_empty() {
            return None;
        }
        let relocations = relocations(&file);
        Some(Executable {
            sections,
            tls,
            symbols,
            initializers: initializers(&file, &relocations),
            has_linker_sets: file
                .symbols()
                .any(|symbol| symbol.name().is_ok_and(|name| name.starts_with("__start_"))),
            relocations,
            referenced: OnceCell::new(),
        })
    }

    /// Returns the only static with this path below the root of a crate.
    pub(super) fn static_named(&self, name: &str) -> Option<&Symbol> {
        // A mangled name contains it, too, so that few names have to be demangled.
        let last = name.rsplit("::").next().filter(|last| last.is_ascii()).unwrap_or_default();
        let has_path = |symbol: &&Symbol| {
            if !symbol.name.contains(last) {
                return false;
            }
            let plain = symbol.demangled();
            plain.split_once("::").is_some_and(|(_, below)| below == name)
        };
        let mut matching = self.symbols.values().filter(has_path);
        let first = matching.next();
        first.filter(|_| matching.next().is_none())
    }

    /// Returns the functions that a static points to, in order.
    pub(super) fn code_pointers(&self, symbol: &Symbol) -> Vec<u64> {
        let within = self.relocations.range(symbol.address..symbol.address + symbol.size);
        let code = |(_, relocation): (&u64, &Relocation)| match relocation {
            Relocation::Internal(address) if self.region(*address) == Some(Region::Code) => Some(*address),
            _ => None,
        };
        within.filter_map(code).collect()
    }

    pub(super) fn region(&self, address: u64) -> Option<Region> {
        Some(match self.section(address)?.kind {
            SectionKind::Text => Region::Code,
            SectionKind::UninitializedData => Region::Zero,
            _ => Region::Data,
        })
    }

    /// Returns the function or static that contains the address.
    pub(super) fn symbol(&self, address: u64) -> Option<&Symbol> {
        let (_, symbol) = self.symbols.range(..=address).next_back()?;
        (address < symbol.address + symbol.size).then_some(symbol)
    }

    /// Returns the functions that run before `main`, without those of the C runtime, which have no
    /// size.
    pub(super) fn initializers(&self) -> impl Iterator<Item = u64> {
        self.initializers.iter().copied().filter(|address| self.symbol(*address).is_some())
    }

    pub(super) fn relocation(&self, address: u64) -> Option<&Relocation> {
        self.relocations.get(&address)
    }

    /// Returns the number of bytes up to the next word that the loader fills in.
    pub(super) fn bytes_to_relocation(&self, address: u64) -> u64 {
        self.relocations.range(address..).next().map_or(u64::MAX, |(next, _)| next - address)
    }

    /// Returns the bytes at an address, at most up to the end of the section.
    pub(super) fn bytes(&self, address: u64, size: u64) -> &[u8] {
        let Some(section) = self.section(address) else { return &[] };
        let from = usize::try_from(address - section.address).unwrap_or(usize::MAX);
        let to = from.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        section.bytes.get(from..to.min(section.bytes.len())).unwrap_or_default()
    }

    /// Returns the target of the offset at address `at`, which is relative to the start of its
    /// table.
    pub(super) fn offset_target(&self, at: u64, table: u64) -> Option<u64> {
        let bytes = self.bytes(at, 4).try_into().ok()?;
        Some(table.wrapping_add_signed(i64::from(i32::from_le_bytes(bytes))))
    }

    /// Returns the maximum size of data without a symbol: up to the next referenced address, the
    /// next symbol, or the end of the section.
    pub(super) fn max_size(&self, address: u64) -> u64 {
        let after = address + 1;
        let end = self.section(address).map_or(after, |section| section.address + section.size);
        let referenced = self.referenced.get_or_init(|| self.find_referenced());
        let referenced = referenced.range(after..).next().copied().unwrap_or(end);
        let symbol = self.symbols.range(after..).next().map_or(end, |(address, _)| *address);
        end.min(referenced).min(symbol) - address
    }

    fn section(&self, address: u64) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| (section.address..section.address + section.size).contains(&address))
    }

    fn find_referenced(&self) -> BTreeSet<u64> {
        let mut referenced: BTreeSet<u64> =
            self.relocations.values().filter_map(Relocation::internal).collect();
        for section in self.sections.iter().filter(|section| section.kind == SectionKind::Text) {
            let instructions = Decoder::with_ip(64, &section.bytes, section.address, DecoderOptions::NONE);
            referenced.extend(
                instructions
                    .into_iter()
                    .filter(Instruction::is_ip_rel_memory_operand)
                    .map(|i| i.ip_rel_memory_address()),
            );
        }
        referenced
    }
}

fn initializers(file: &ElfFile64<'_>, relocations: &BTreeMap<u64, Relocation>) -> Vec<u64> {
    let Some(section) = file.section_by_name(".init_array") else { return Vec::new() };
    let within = relocations.range(section.address()..section.address() + section.size());
    within.filter_map(|(_, relocation)| relocation.internal()).collect()
}

fn relocations(file: &ElfFile64<'_>) -> BTreeMap<u64, Relocation> {
    let names = file.dynamic_symbol_table();
    let value = |(address, relocation): (u64, object::Relocation)| {
        let value = match (relocation.flags(), relocation.target()) {
            (RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE }, _) => {
                Relocation::Internal(u64::try_from(relocation.addend()).ok()?)
            }
            (_, RelocationTarget::Symbol(index)) => {
                let symbol = names.as_ref()?.symbol_by_index(index).ok()?;
                Relocation::External(format!("{}+{}", symbol.name().ok()?, relocation.addend()))
            }
            (flags, _) => Relocation::External(format!("{flags:?}+{}", relocation.addend())),
        };
        Some((address, value))
    };
    file.dynamic_relocations().into_iter().flatten().filter_map(value).collect()
}
