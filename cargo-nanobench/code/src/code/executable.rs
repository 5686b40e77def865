//! An executable as it is in memory: its sections, symbols and relocations.

mod linked;

use super::benchmark_code::Passed;
use super::ip_relative::{self, CodePart};
use super::relocations::{Relocation, Relocations};
use super::section::{self, Section, TlsSection};
use super::standard_library::is_standard;
use super::symbol::Symbol;
use super::symbols::Symbols;
use super::{ENTRY_PREFIX, SETTINGS_PREFIX, exports, type_hashes};
use crate::fingerprint::Fingerprint;
use crate::relink::{self, LazyLinkedData};
use memchr::memmem;
use object::read::elf::ElfFile64;
use object::{Architecture, Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The end of the addresses of programs. Sums of a few of them fit 64 bits.
pub(super) const MAX_ADDRESS: u64 = 1 << 47;

/// A position-independent ELF executable for x86-64.
#[derive(Debug)]
pub(super) struct Executable {
    /// The bytes of the file up to the end of what is loaded: debug information, which may be a hundred
    /// times as much, comes after it.
    file: Vec<u8>,
    /// By address.
    sections: Vec<Section>,
    /// The initial thread-local storage, in order.
    pub(super) tls: Vec<TlsSection>,
    /// Functions and statics.
    symbols: Symbols,
    /// Words that the loader fills in.
    relocations: Relocations,
    /// The functions that run before `main`.
    initializers: Vec<u64>,
    /// The functions and statics that `dlsym` finds by name.
    pub(super) exports: BTreeMap<String, Option<u64>>,
    /// The facts about its data that only its link knows.
    linked: LazyLinkedData,
    /// It has the code and data of the executable that it is compared with, at other places, so what is
    /// known of that one's data is true of its own.
    is_layout: bool,
    /// All addresses with references to them. Other data without a symbol end at the next of these.
    referenced: OnceCell<Vec<u64>>,
    /// The number of statics that the program may write to by name, without hashes.
    written_names: OnceCell<HashMap<String, usize>>,
    /// The halves of hashes of types.
    type_hashes: OnceCell<HashSet<u64>>,
    /// The standard library has names of the newer scheme, by which copies of its functions for
    /// other crates are told.
    tells_copies: OnceCell<bool>,
    /// The entries of benchmarks.
    entries: OnceCell<HashMap<String, Option<u64>>>,
    /// The functions of benchmarks that the program passes, and of their targets.
    passed: OnceCell<Passed>,
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
        let linked = relink::linked_data_of(path, Fingerprint::of(&bytes));
        Executable::parse(bytes, linked)
    }

    /// Reads a layout, which is going to be compared with its executable.
    pub(super) fn read_layout(path: &Path) -> Option<Executable> {
        let linked = LazyLinkedData::new(Box::new(Default::default));
        let layout = Executable::parse(std::fs::read(path).ok()?, linked)?;
        Some(Executable { is_layout: true, ..layout })
    }

    fn parse(bytes: Vec<u8>, linked: LazyLinkedData) -> Option<Executable> {
        let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
        if file.architecture() != Architecture::X86_64 {
            return None;
        }
        let mut ranges = (file.sections().map(|section| (section.address(), section.size())))
            .chain(file.symbols().map(|symbol| (symbol.address(), symbol.size())));
        if ranges.any(|(address, size)| address.saturating_add(size) > MAX_ADDRESS) {
            return None;
        }
        let (sections, tls) = section::read(&file, bytes.len())?;
        let symbols = Symbols::read(&file)?;
        let relocations = Relocations::read(&file)?;
        let loaded = sections.iter().map(|section| section.bytes.end).max().unwrap_or_default();
        let (initializers, exports) = (initializers(&file, &relocations), exports::read(&file));
        Some(Executable {
            sections,
            tls,
            symbols,
            initializers,
            exports,
            relocations,
            linked,
            is_layout: false,
            file: bytes.get(..loaded)?.to_owned(),
            referenced: OnceCell::new(),
            written_names: OnceCell::new(),
            type_hashes: OnceCell::new(),
            tells_copies: OnceCell::new(),
            entries: OnceCell::new(),
            passed: OnceCell::new(),
        })
    }

    /// Returns whether both load the same, byte for byte.
    pub(super) fn has_same_bytes(&self, other: &Executable) -> bool {
        self.file == other.file
    }

    /// Returns the only entry of a benchmark with this path below the root of a crate.
    pub(super) fn entry(&self, path: &str) -> Option<&Symbol> {
        let entries = self.entries.get_or_init(|| self.find_entries());
        let address = (*entries.get(path)?)?;
        self.symbols.up_to(address)
    }

    /// Returns the functions of benchmarks that the program passes, and of their targets.
    pub(super) fn passed(&self) -> &Passed {
        self.passed.get_or_init(|| Passed::find(self))
    }

    /// Returns the addresses of the entries of benchmarks by path. `None` for several of one path.
    fn find_entries(&self) -> HashMap<String, Option<u64>> {
        let mut entries = HashMap::new();
        // A mangled name contains the prefix, too, so that few names have to be demangled.
        let prefix = memmem::Finder::new(ENTRY_PREFIX);
        for symbol in self.symbols.iter().filter(|symbol| prefix.find(symbol.name.as_bytes()).is_some()) {
            if let Some((_, path)) = symbol.demangled().split_once("::") {
                let is_only = !entries.contains_key(path);
                entries.insert(path.to_owned(), is_only.then_some(symbol.address));
            }
        }
        entries
    }

    /// Returns whether no other static that the program may write to has the same name, apart from
    /// the hash.
    pub(super) fn is_only_static(&self, symbol: &Symbol) -> bool {
        let names = self.written_names.get_or_init(|| {
            let mut names = HashMap::new();
            for symbol in self.symbols.iter().filter(|symbol| self.is_writable(symbol.address)) {
                *names.entry(symbol.demangled()).or_insert(0) += 1;
            }
            names
        });
        names.get(&symbol.demangled()) == Some(&1)
    }

    /// Returns the halves of the hashes of types.
    pub(super) fn type_hashes(&self) -> &HashSet<u64> {
        self.type_hashes.get_or_init(|| type_hashes::find(self, self.symbols.iter()))
    }

    /// Returns the functions that an entry and its settings point to, in order.
    pub(super) fn code_pointers(&self, entry: &Symbol) -> Vec<u64> {
        let (own, others): (Vec<u64>, Vec<u64>) =
            self.pointers(entry.range()).partition(|&address| self.region(address) == Some(Region::Code));
        let statics = others.into_iter().filter_map(|address| self.symbol(address));
        let settings = statics.filter(|symbol| symbol.name.contains(SETTINGS_PREFIX));
        own.into_iter().chain(settings.flat_map(|settings| self.code_pointers(settings))).collect()
    }

    /// Returns the addresses in the executable that data contain, in order.
    pub(super) fn pointers(&self, range: Range<u64>) -> impl Iterator<Item = u64> {
        self.relocations.range(range).iter().filter_map(|(_, relocation)| relocation.internal())
    }

    pub(super) fn region(&self, address: u64) -> Option<Region> {
        Some(match self.section(address)?.kind {
            SectionKind::Text => Region::Code,
            SectionKind::UninitializedData => Region::Zero,
            _ => Region::Data,
        })
    }

    /// Returns all functions and statics.
    pub(super) fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter()
    }

    /// Returns the function or static that contains the address.
    pub(super) fn symbol(&self, address: u64) -> Option<&Symbol> {
        self.symbols.up_to(address).filter(|symbol| symbol.contains(address))
    }

    /// Returns whether both are the same function of the standard library that panics, and no copy for
    /// types of the user, whose methods it may call. An older scheme of names doesn't tell copies.
    pub(super) fn is_same_panic(&self, one: &Symbol, other: &Symbol) -> bool {
        let tells_copies = || {
            *self.tells_copies.get_or_init(|| {
                let is_new = |symbol: &Symbol| symbol.name.starts_with("_R") && symbol.panics();
                self.symbols.iter().any(is_new)
            })
        };
        one.name == other.name && one.panics() && (is_standard(&one.name) || !tells_copies())
    }

    /// Returns the function that the C runtime calls.
    pub(super) fn c_main(&self) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| *symbol.name == *"main")
    }

    /// Returns the functions that run before `main`, without those of the C runtime, which have no
    /// size.
    pub(super) fn initializers(&self) -> impl Iterator<Item = u64> {
        self.initializers.iter().copied().filter(|address| self.symbol(*address).is_some())
    }

    pub(super) fn relocation(&self, address: u64) -> Option<&Relocation> {
        self.relocations.get(address)
    }

    /// Returns the number of bytes up to the next word that the loader fills in.
    pub(super) fn bytes_to_relocation(&self, address: u64) -> u64 {
        self.relocations.range(address..u64::MAX).first().map_or(u64::MAX, |(next, _)| next - address)
    }

    /// Returns the bytes at an address, at most up to the end of the section.
    pub(super) fn bytes(&self, address: u64, size: u64) -> &[u8] {
        let Some(section) = self.section(address) else { return &[] };
        let from = usize::try_from(address - section.address).unwrap_or(usize::MAX);
        let to = from.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        let bytes = self.bytes_of(section);
        bytes.get(from..to.min(bytes.len())).unwrap_or_default()
    }

    /// Returns the target of the offset at address `at`, which is relative to the start of its
    /// table.
    pub(super) fn offset_target(&self, at: u64, table: u64) -> Option<u64> {
        let bytes = self.bytes(at, 4).try_into().ok()?;
        Some(table.wrapping_add_signed(i64::from(i32::from_le_bytes(bytes))))
    }

    /// Returns the distance from an address to the next one with a reference to it, or to the end
    /// of the data without symbols. Data without a symbol end there, unless the reference is to
    /// their interior.
    pub(super) fn to_next_reference(&self, address: u64) -> u64 {
        if self.section(address).is_none() {
            return 0;
        }
        let end = self.nameless(address).end;
        let referenced = self.referenced();
        let next = referenced.partition_point(|reference| *reference <= address);
        referenced.get(next).map_or(end, |next| end.min(*next)) - address
    }

    /// Returns the distance from an address to the previous one with a reference to it.
    pub(super) fn to_previous_reference(&self, address: u64) -> u64 {
        let start = self.nameless(address).start;
        let referenced = self.referenced();
        let before = &referenced[..referenced.partition_point(|reference| *reference < address)];
        address - before.last().map_or(start, |previous| start.max(*previous))
    }

    /// Returns whether the program may write to this address.
    pub(super) fn is_writable(&self, address: u64) -> bool {
        self.section(address).is_some_and(|section| section.is_writable)
    }

    /// Returns the ranges of the collections that a pointer to this address may be used to walk.
    pub(super) fn collections(&self, address: u64) -> impl Iterator<Item = Range<u64>> {
        let after = self.sections.partition_point(|section| section.address <= address);
        // Otherwise, references to an end mean an address within the section.
        let may_be_end = !self.linked.is_known() && !self.is_layout;
        let is_walked = move |section: &&Section| {
            let range = section.range();
            range.contains(&address) || range.end == address && may_be_end && section.is_walked_to_end
        };
        let near = self.sections[after.saturating_sub(2)..after].iter();
        near.filter(|section| section.is_collection).filter(is_walked).map(Section::range)
    }

    fn referenced(&self) -> &[u64] {
        self.referenced.get_or_init(|| self.find_referenced())
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.address <= address);
        self.sections[..after].last().filter(|section| section.range().contains(&address))
    }

    fn bytes_of(&self, section: &Section) -> &[u8] {
        self.file.get(section.bytes.clone()).unwrap_or_default()
    }

    fn find_referenced(&self) -> Vec<u64> {
        let mut referenced: Vec<u64> = self.relocations.values().filter_map(Relocation::internal).collect();
        referenced.extend(ip_relative::addresses(&self.text_halves()));
        referenced.sort_unstable();
        referenced.dedup();
        referenced
    }

    /// Returns both halves of each section of code. The second one begins with a function, or is empty.
    fn text_halves(&self) -> [Vec<CodePart<'_>>; 2] {
        let text = self.sections.iter().filter(|section| section.kind == SectionKind::Text);
        let halves = text.map(|section| {
            let bytes = self.bytes_of(section);
            let middle = self.symbols.next(section.address + section.size / 2);
            let first = middle.map_or(section.size, |symbol| symbol.address - section.address);
            let (first, second) = bytes.split_at(first.min(bytes.len() as u64) as usize);
            ((section.address, first), (section.address + first.len() as u64, second))
        });
        halves.unzip().into()
    }
}

fn initializers(file: &ElfFile64<'_>, relocations: &Relocations) -> Vec<u64> {
    let sections =
        [".preinit_array", ".init_array"].into_iter().filter_map(|name| file.section_by_name(name));
    let words = sections.flat_map(|section| {
        let (start, size) = (section.address(), section.size());
        relocations.range(start..start + size).iter()
    });
    words.filter_map(|(_, relocation)| relocation.internal()).collect()
}

/// Executables by path, each of which is read once; `None` for those that can't be analysed. Clones share
/// them.
#[derive(Debug, Clone, Default)]
pub struct KnownExecutables(Rc<RefCell<HashMap<PathBuf, Option<Rc<Executable>>>>>);

impl KnownExecutables {
    /// Returns the executable at `path`, which is read unless it is known.
    pub(super) fn read(&self, path: &Path) -> Option<Rc<Executable>> {
        let mut known = self.0.borrow_mut();
        known.entry(path.to_owned()).or_insert_with(|| Executable::read(path).map(Rc::new)).clone()
    }
}
