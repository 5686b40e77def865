//! The functions and statics of an executable, by address.

use super::symbol::{Name, Symbol};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSymbol as _, ObjectSymbolTable as _, SymbolIndex, SymbolKind};
use std::cmp::Reverse;
use std::slice::Iter;
use std::sync::Arc;

/// The symbols that lie in no other.
#[derive(Debug)]
pub(super) struct Symbols(Vec<Symbol>);

impl Symbols {
    /// Reads the symbols. Returns `None` if there are none.
    pub(super) fn read(file: &ElfFile64<'_>) -> Option<Symbols> {
        let table = file.symbol_table()?;
        let sized = table.symbols().filter(|symbol| {
            symbol.size() > 0 && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data)
        });
        let mut places: Vec<(u64, Reverse<u64>, SymbolIndex)> =
            sized.map(|symbol| (symbol.address(), Reverse(symbol.size()), symbol.index())).collect();
        places.sort_unstable_by_key(|&(address, size, SymbolIndex(index))| (address, size, index));
        // All names are in one text, because there are thousands.
        let (mut text, mut symbols, mut end) = (String::new(), Vec::with_capacity(places.len()), 0);
        for (address, Reverse(size), index) in places {
            if let (true, Ok(name)) = (address >= end, table.symbol_by_index(index).ok()?.name()) {
                end = address + size;
                symbols.push((address, size, text.len()..text.len() + name.len()));
                text.push_str(name);
            }
        }
        let text = Arc::new(text);
        let symbol =
            |(address, size, range)| Symbol { address, size, name: Name::new(Arc::clone(&text), range) };
        let symbols: Vec<Symbol> = symbols.into_iter().map(symbol).collect();
        (!symbols.is_empty()).then_some(Symbols(symbols))
    }

    pub(super) fn iter(&self) -> Iter<'_, Symbol> {
        self.0.iter()
    }

    /// Returns the last symbol that starts at an address or before it.
    pub(super) fn up_to(&self, address: u64) -> Option<&Symbol> {
        self.0[..self.after(address)].last()
    }

    /// Returns the first symbol that starts after an address.
    pub(super) fn next(&self, address: u64) -> Option<&Symbol> {
        self.0.get(self.after(address))
    }

    fn after(&self, address: u64) -> usize {
        self.0.partition_point(|symbol| symbol.address <= address)
    }
}
