//! An executable as it lies in memory: sections, symbols, and which words of it are addresses.

use iced_x86::{Decoder, DecoderOptions, Instruction};
use object::read::elf::ElfFile64;
use object::{
    Architecture, Object as _, ObjectSection as _, ObjectSymbol as _, ObjectSymbolTable as _,
    RelocationFlags, RelocationTarget, SectionKind, SymbolKind, elf,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is known of an executable.
#[derive(Debug)]
pub(super) struct Image {
    sections: Vec<Section>,
    /// What each thread begins with, in order.
    template: Vec<Template>,
    /// Functions and statics, by address.
    symbols: BTreeMap<u64, Symbol>,
    /// Words that the loader fills in.
    links: BTreeMap<u64, Link>,
    /// Functions that run before `main`.
    initialisers: Vec<u64>,
    /// Statics of several places are collected in a section of their own, which nothing refers to one by one.
    has_collections: bool,
    /// All addresses that anything refers to: where nameless data begin, and so where those before them end.
    marks: BTreeSet<u64>,
}

#[derive(Debug)]
struct Section {
    address: u64,
    size: u64,
    /// Empty for what is zero at the beginning.
    bytes: Vec<u8>,
    kind: SectionKind,
}

/// A part of what each thread begins with: the initial values of `thread_local!`.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) address: u64,
    pub(super) size: u64,
    /// Nothing is stored of it.
    pub(super) is_zero: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Symbol {
    pub(super) address: u64,
    pub(super) size: u64,
    name: String,
}

impl Symbol {
    /// Whether it has the name of the other, but for the hash.
    pub(super) fn has_name_of(&self, other: &Symbol) -> bool {
        self.demangled() == other.demangled()
    }

    /// Its name as rustc's users write it, without the hash.
    pub(super) fn demangled(&self) -> String {
        format!("{:#}", rustc_demangle::demangle(&self.name))
    }
}

/// What a word holds when the executable runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Link {
    /// An address within the executable.
    Here(u64),
    /// Something of another library.
    Elsewhere(String),
}

impl Link {
    fn here(&self) -> Option<u64> {
        match self {
            Link::Here(address) => Some(*address),
            Link::Elsewhere(_) => None,
        }
    }
}

/// What lies at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Code,
    Data,
    /// Zero at the beginning.
    Zero,
}

impl Image {
    /// Reads an executable. `None` where it is not of a kind that is understood.
    pub(super) fn read(path: &Path) -> Option<Image> {
        let bytes = std::fs::read(path).ok()?;
        let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
        if file.architecture() != Architecture::X86_64 {
            return None;
        }
        let section = |section: object::read::elf::ElfSection64<'_, '_>| Section {
            address: section.address(),
            size: section.size(),
            bytes: section.data().map(<[u8]>::to_vec).unwrap_or_default(),
            kind: section.kind(),
        };
        // What each thread begins with zero of has an address, and no place in memory.
        let is_there = |section: &object::read::elf::ElfSection64<'_, '_>| {
            section.address() > 0 && section.kind() != SectionKind::UninitializedTls
        };
        let sections = file.sections().filter(is_there).map(section).collect();
        let template = |section: object::read::elf::ElfSection64<'_, '_>| {
            let is_zero = section.kind() == SectionKind::UninitializedTls;
            let is_part = is_zero || section.kind() == SectionKind::Tls;
            is_part.then(|| Template { address: section.address(), size: section.size(), is_zero })
        };
        let template = file.sections().filter_map(template).collect();
        let symbol = |symbol: object::read::elf::ElfSymbol64<'_, '_>| {
            let (address, size, name) = (symbol.address(), symbol.size(), symbol.name().ok()?.to_owned());
            let counts = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data) && size > 0;
            counts.then_some((address, Symbol { address, size, name }))
        };
        let symbols: BTreeMap<u64, Symbol> = file.symbols().filter_map(symbol).collect();
        if symbols.is_empty() {
            return None;
        }
        let links = links(&file);
        let mut image = Image {
            sections,
            template,
            symbols,
            initialisers: initialisers(&file, &links),
            has_collections: file
                .symbols()
                .any(|symbol| symbol.name().is_ok_and(|name| name.starts_with("__start_"))),
            links,
            marks: BTreeSet::new(),
        };
        image.marks = image.find_marks();
        Some(image)
    }

    /// The static whose demangled name ends so, below the root of a crate.
    pub(super) fn entry(&self, name: &str) -> Option<&Symbol> {
        let is_it = |symbol: &&Symbol| {
            let plain = symbol.demangled();
            plain.split_once("::").is_some_and(|(_, below)| below == name)
        };
        let mut found = self.symbols.values().filter(is_it);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// The functions that a static points to, in order.
    pub(super) fn code_pointers(&self, symbol: &Symbol) -> Vec<u64> {
        let within = self.links.range(symbol.address..symbol.address + symbol.size);
        let code = |(_, link): (&u64, &Link)| match link {
            Link::Here(address) if self.place(*address) == Some(Region::Code) => Some(*address),
            _ => None,
        };
        within.filter_map(code).collect()
    }

    pub(super) fn place(&self, address: u64) -> Option<Region> {
        Some(match self.section(address)?.kind {
            SectionKind::Text => Region::Code,
            SectionKind::UninitializedData => Region::Zero,
            _ => Region::Data,
        })
    }

    /// The function or static that the address lies in.
    pub(super) fn symbol(&self, address: u64) -> Option<&Symbol> {
        let (_, symbol) = self.symbols.range(..=address).next_back()?;
        (address < symbol.address + symbol.size).then_some(symbol)
    }

    /// The functions that run before `main`, but for those of the C runtime, which have no size.
    pub(super) fn initialisers(&self) -> impl Iterator<Item = u64> {
        self.initialisers.iter().copied().filter(|address| self.symbol(*address).is_some())
    }

    /// Whether statics are collected from several places, as `linkme` does.
    pub(super) fn has_collections(&self) -> bool {
        self.has_collections
    }

    /// What each thread begins with.
    pub(super) fn template(&self) -> &[Template] {
        &self.template
    }

    pub(super) fn link(&self, address: u64) -> Option<&Link> {
        self.links.get(&address)
    }

    /// Bytes from an address on; fewer where the section ends.
    pub(super) fn bytes(&self, address: u64, size: u64) -> &[u8] {
        let Some(section) = self.section(address) else { return &[] };
        let from = usize::try_from(address - section.address).unwrap_or(usize::MAX);
        let to = from.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        section.bytes.get(from..to.min(section.bytes.len())).unwrap_or_default()
    }

    /// Where a distance in a table leads.
    pub(super) fn distance(&self, at: u64, table: u64) -> Option<u64> {
        let bytes = self.bytes(at, 4).try_into().ok()?;
        Some(table.wrapping_add_signed(i64::from(i32::from_le_bytes(bytes))))
    }

    /// How far nameless data go at most: up to what is next referred to, named, or the end of the section.
    pub(super) fn extent(&self, address: u64) -> u64 {
        let after = address + 1;
        let end = self.section(address).map_or(after, |section| section.address + section.size);
        let mark = self.marks.range(after..).next().copied().unwrap_or(end);
        let symbol = self.symbols.range(after..).next().map_or(end, |(address, _)| *address);
        end.min(mark).min(symbol) - address
    }

    fn section(&self, address: u64) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| (section.address..section.address + section.size).contains(&address))
    }

    fn find_marks(&self) -> BTreeSet<u64> {
        let mut marks: BTreeSet<u64> = self.links.values().filter_map(Link::here).collect();
        for section in self.sections.iter().filter(|section| section.kind == SectionKind::Text) {
            let instructions = Decoder::with_ip(64, &section.bytes, section.address, DecoderOptions::NONE);
            marks.extend(
                instructions
                    .into_iter()
                    .filter(Instruction::is_ip_rel_memory_operand)
                    .map(|i| i.ip_rel_memory_address()),
            );
        }
        marks
    }
}

fn initialisers(file: &ElfFile64<'_>, links: &BTreeMap<u64, Link>) -> Vec<u64> {
    let Some(section) = file.section_by_name(".init_array") else { return Vec::new() };
    let within = links.range(section.address()..section.address() + section.size());
    within.filter_map(|(_, link)| link.here()).collect()
}

fn links(file: &ElfFile64<'_>) -> BTreeMap<u64, Link> {
    let names = file.dynamic_symbol_table();
    let link = |(address, relocation): (u64, object::Relocation)| {
        let link = match (relocation.flags(), relocation.target()) {
            (RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE }, _) => {
                Link::Here(u64::try_from(relocation.addend()).ok()?)
            }
            (_, RelocationTarget::Symbol(index)) => {
                let symbol = names.as_ref()?.symbol_by_index(index).ok()?;
                Link::Elsewhere(format!("{}+{}", symbol.name().ok()?, relocation.addend()))
            }
            (flags, _) => Link::Elsewhere(format!("{flags:?}+{}", relocation.addend())),
        };
        Some((address, link))
    };
    file.dynamic_relocations().into_iter().flatten().filter_map(link).collect()
}
