//! The functions and statics of an executable that `dlsym` finds by name.

use super::comparison::{PartComparison, Use};
use object::read::elf::{ElfFile64, ElfSymbol64};
use object::{Object as _, ObjectSymbol as _, SymbolKind};
use std::collections::BTreeMap;

/// The functions of the C library that find others by name.
const LOOKUPS: [&str; 2] = ["dlsym", "dlvsym"];
/// The functions that start the program.
const STARTS: [&str; 2] = ["_start", "main"];

/// Returns the addresses of the functions and statics that an executable exports, by name. Those with
/// mangled names of Rust, which nobody writes, are left out, and so is the start of the program, which
/// leads to everything. Thread-local statics, whose addresses are offsets, have no address here: it
/// is unknown if they are the same.
pub(super) fn read(file: &ElfFile64<'_>) -> BTreeMap<String, Option<u64>> {
    let is_exported = |symbol: &ElfSymbol64<'_, '_>| !symbol.is_undefined() && symbol.size() > 0;
    let exported = file.dynamic_symbols().filter(is_exported);
    let address =
        |symbol: &ElfSymbol64<'_, '_>| (symbol.kind() != SymbolKind::Tls).then_some(symbol.address());
    let named = exported.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), address(&symbol))));
    let is_written = |name: &str| !STARTS.contains(&name) && rustc_demangle::try_demangle(name).is_err();
    named.filter(|(name, _)| is_written(name)).collect()
}

/// Returns whether an imported function finds others by name.
pub(super) fn is_lookup(import: &str) -> bool {
    LOOKUPS.contains(&import)
}

impl PartComparison<'_> {
    /// Returns whether everything that the executables export is equal, apart from what is compared
    /// as a part of its own. It is uncertain if they export different names.
    pub(super) fn have_same_exports(&mut self) -> bool {
        let [one, other] = self.executables.map(|executable| &executable.exports);
        let are_unknown = one.values().any(Option::is_none) || !one.keys().eq(other.keys());
        self.result.is_uncertain |= are_unknown;
        let common = one.iter().filter_map(|(name, a)| (*a).zip(*other.get(name)?));
        let common: Vec<(u64, u64)> = common.collect();
        common.into_iter().all(|(a, b)| self.is_same_target(a, b, Use::Any, None))
    }
}
