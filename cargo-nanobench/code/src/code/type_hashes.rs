//! The hashes by which `TypeId` distinguishes types. A hash depends on the version and the features
//! of the type's package, and so do the constants in code that compares types.
//!
//! The functions that return hashes, such as those in the vtables of `dyn Any`, tell which numbers
//! are hashes. A program hardly does more with a hash than compare it with another one. So two
//! hashes are equal if each is the other's counterpart wherever it occurs. If both executables have
//! a hash, the package of its type is the same, and the hash is its own only counterpart.

use super::comparison::{PartComparison, WORD};
use super::executable::Executable;
use super::references::instructions;
use super::symbol::Symbol;
use iced_x86::OpKind;
use std::collections::HashSet;

/// The ends of the names of functions that return a hash. No type has such functions of its own.
const RETURNING: [&str; 2] = [" as core::any::Any>::type_id", " as core::error::Error>::type_id"];
/// The name that such a function of an error has, depending on the compiler.
const DEFAULT: &str = "core::error::Error::type_id";
/// The size of a hash.
const HASH: u64 = 2 * WORD;

/// Returns both halves of all hashes that functions of the executable return.
pub(super) fn find<'s>(executable: &Executable, symbols: impl Iterator<Item = &'s Symbol>) -> HashSet<u64> {
    // Few names have to be demangled.
    let named = symbols.filter(|symbol| symbol.name.contains("type_id"));
    let returning = named.filter(|symbol| {
        let name = symbol.demangled();
        name == DEFAULT || RETURNING.iter().any(|end| name.ends_with(end))
    });
    let halves = returning.flat_map(|symbol| instructions(executable, symbol)).flat_map(|i| {
        // Depending on the compiler, two instructions have it, or a constant.
        let is_load = i.is_ip_rel_memory_operand() && i.memory_size().size() as u64 == HASH;
        let constant = if is_load { executable.bytes(i.ip_rel_memory_address(), HASH) } else { &[] };
        let immediate = (i.op1_kind() == OpKind::Immediate64).then(|| i.immediate64());
        words(constant).chain(immediate)
    });
    halves.collect()
}

impl PartComparison<'_> {
    /// Returns whether the numbers in data are equal.
    pub(super) fn are_same_numbers(&mut self, [one, other]: [&[u8]; 2]) -> bool {
        let is_same_rest = one.chunks_exact(8).remainder() == other.chunks_exact(8).remainder();
        one.len() == other.len()
            && is_same_rest
            && words(one).zip(words(other)).all(|(x, y)| self.is_same_number(x, y))
    }

    /// Returns whether two numbers are equal, or halves of hashes, whose other counterparts are
    /// compared later.
    pub(super) fn is_same_number(&mut self, x: u64, y: u64) -> bool {
        let [one, other] = self.executables.map(Executable::type_hashes);
        let (is_hash, is_other_hash) = (one.contains(&x), other.contains(&y));
        if is_hash || is_other_hash {
            self.result.counterparts.push((x, y));
        }
        x == y || is_hash && is_other_hash && !other.contains(&x) && !one.contains(&y)
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()))
}
