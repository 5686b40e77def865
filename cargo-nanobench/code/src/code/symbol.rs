//! A function or static of an executable, with its name.

use super::access::Access;
use super::standard_library::{is_change_of_hook, is_panic, is_standard};
use std::ops::{Deref, Range};
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(super) struct Symbol {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) name: Name,
}

/// A part of the text with the names of all symbols.
#[derive(Debug, Clone)]
pub(super) struct Name {
    text: Arc<String>,
    range: Range<usize>,
}

impl Name {
    pub(super) fn new(text: Arc<String>, range: Range<usize>) -> Name {
        Name { text, range }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.range.clone()]
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        **self == **other
    }
}

impl Symbol {
    pub(super) fn range(&self) -> Range<u64> {
        self.address..self.address + self.size
    }

    /// Returns whether both have the same name. `None` if only their hashes differ, as with another
    /// version of the crate, or of another item of the same name.
    pub(super) fn same_name(&self, other: &Symbol) -> Option<bool> {
        // The compiler adds a suffix to a name that several of its units share.
        let [a, b] = [self, other].map(|symbol| symbol.name.split(".llvm.").next());
        if a == b {
            Some(true)
        } else if self.demangled() == other.demangled() {
            None
        } else {
            Some(false)
        }
    }

    /// Returns whether both are the function of the same version of the standard library that makes
    /// the random keys of hash maps. Only on old kernels, it reads them from a file.
    pub(super) fn is_same_key_source(&self, other: &Symbol) -> bool {
        self.name == other.name
            && self.name.contains("hashmap_random_keys")
            && self.demangled().starts_with("std::sys::")
    }

    /// Returns whether both are the same function of the same version of the standard library, as it
    /// was compiled with it.
    pub(super) fn is_same_standard(&self, other: &Symbol) -> bool {
        self.name == other.name && is_standard(&self.name)
    }

    /// Returns whether it is a function of the crate getrandom that asks the system for random numbers. It
    /// looks for the C library's function by name, and other threads may wait for it.
    pub(super) fn draws_numbers(&self) -> bool {
        let is_own = |name: String| {
            ["getrandom::backends::", "getrandom::imp::"].iter().any(|module| name.starts_with(module))
        };
        self.name.contains("getrandom") && is_own(self.demangled())
    }

    /// Returns whether it is a function of the standard library that panics, or ends the program.
    pub(super) fn panics(&self) -> bool {
        // Few names have to be demangled.
        ["panic", "_fail", "handle_", "capacity_"].iter().any(|part| self.name.contains(part))
            && is_panic(&self.demangled())
    }

    /// Returns the access that it has by itself.
    pub(super) fn access(&self) -> Access {
        let known = Access::of_function(&self.name);
        let changes_hook = self.name.contains("_hook") && is_change_of_hook(&self.demangled());
        Access { changes_surroundings: known.changes_surroundings || changes_hook, ..known }
    }

    pub(super) fn contains(&self, address: u64) -> bool {
        self.range().contains(&address)
    }

    /// Returns the demangled name without the hash.
    pub(super) fn demangled(&self) -> String {
        format!("{:#}", rustc_demangle::demangle(&self.name))
    }
}
