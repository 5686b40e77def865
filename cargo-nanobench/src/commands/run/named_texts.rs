//! The search for many names in the sections of an executable.

use memchr::memmem;
use std::collections::HashSet;

/// The number of bytes at the end of a name that are searched for first, and of the words in them:
/// one of them is at a multiple of its length, wherever the name is.
const TAIL: usize = 2 * WORD;
const WORD: usize = 4;
/// The places of the filter for words, in bits, and the odd factor that distributes them.
const SLOT_BITS: u32 = 18;
const SLOT_FACTOR: u32 = 0x9e37_79b1;

/// Returns those names that occur in the sections.
pub(super) fn named_within<'n>(
    sections: &[&[u8]],
    names: impl Iterator<Item = &'n String>,
) -> HashSet<&'n str> {
    let names: Vec<&str> = names.map(String::as_str).collect();
    let tails = tails_within(sections, names.iter().map(|name| name.as_bytes()));
    let is_named = |name: &&str| tails.contains(tail(name.as_bytes())) && contain(sections, name);
    names.into_iter().filter(is_named).collect()
}

/// Returns whether one of the sections contains a text.
pub(super) fn contain(sections: &[&[u8]], text: &str) -> bool {
    sections.iter().any(|bytes| memmem::find(bytes, text.as_bytes()).is_some())
}

/// Returns the first bytes of a name, as many as an instruction moves at once.
pub(super) fn first_word(name: &str) -> &str {
    name.get(..if name.len() < 2 * WORD { WORD } else { 2 * WORD }).unwrap_or(name)
}

/// Returns the last bytes of a name.
fn tail(name: &[u8]) -> &[u8] {
    &name[name.len().saturating_sub(TAIL)..]
}

/// Returns those ends of names that occur in the sections.
fn tails_within<'n>(sections: &[&[u8]], names: impl Iterator<Item = &'n [u8]>) -> HashSet<&'n [u8]> {
    let (long, short): (HashSet<&[u8]>, HashSet<&[u8]>) =
        names.map(tail).partition(|tail| tail.len() == TAIL);
    let occurs = |tail: &&[u8]| sections.iter().any(|bytes| memmem::find(bytes, tail).is_some());
    let mut found: HashSet<&[u8]> = short.into_iter().filter(occurs).collect();
    // A pass over the sections finds all of the others. Few places pass the filter.
    let filter: &mut [bool] = &mut vec![false; 1 << SLOT_BITS];
    let words = long.iter().flat_map(|tail| tail.windows(WORD).take(WORD));
    words.filter_map(|word| word.try_into().ok()).for_each(|word| filter[slot(word)] = true);
    if !long.is_empty() {
        sections.iter().for_each(|bytes| find_tails(bytes, filter, |tail| found.extend(long.get(tail))));
    }
    found
}

/// Calls `hit` with each end of a name that may be in a section: where it is, one of its first
/// words is at a multiple of its length, and passes the filter. This goes through whole
/// executables, and the package is compiled with little optimisation: hence no iterator, whose
/// steps would all be calls.
fn find_tails(bytes: &[u8], filter: &[bool], mut hit: impl FnMut(&[u8])) {
    let (words, _) = bytes.as_chunks::<WORD>();
    let mut at = 0;
    while at < words.len() {
        if filter[slot(words[at])] {
            let (first, last) = ((at * WORD).saturating_sub(WORD - 1), at * WORD + TAIL);
            bytes[first..last.min(bytes.len())].windows(TAIL).for_each(&mut hit);
        }
        at += 1;
    }
}

/// Returns the place of a word in the filter.
#[inline(always)]
fn slot([a, b, c, d]: [u8; WORD]) -> usize {
    let word = u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16 | u32::from(d) << 24;
    (word.wrapping_mul(SLOT_FACTOR) >> (u32::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_in_instructions_is_found_by_its_first_bytes() {
        assert_eq!(["TMPDIR", "TWO_STEPS", "HOME", "a"].map(first_word), ["TMPD", "TWO_STEP", "HOME", "a"]);
    }

    #[test]
    fn names_are_found_by_their_ends() {
        let sections: [&[u8]; 2] = [b"xTWO_STEPSdata/steps.txtcal", b"\x48\xb8ta/a.csv\x00\x00"];
        let found = |name: &str| {
            let names = ["other", "another.txt", name];
            let found = tails_within(&sections, names.iter().map(|name| name.as_bytes()));
            assert!(found.len() <= 1);
            found.contains(tail(name.as_bytes()))
        };
        for name in ["TWO_STEPS", "steps.txt", "a.csv", "data/a.csv"] {
            assert!(found(name), "{name}");
        }
        for name in ["TWO_STEP_", "steps.csv", "b.csv", "STEPS2"] {
            assert!(!found(name), "{name}");
        }
        for distance in 0..10 {
            let section = [&b"........."[..distance], b"rest/of.it"].concat();
            let found = |name: &str| !tails_within(&[&section], std::iter::once(name.as_bytes())).is_empty();
            assert!(found("rest/of.it") && found("est/of.it") && !found("fest/of.its"), "{distance}");
        }
        assert!(tails_within(&sections, std::iter::empty()).is_empty());
        assert!(tails_within(&[b"short"], [&b"longer than that"[..]].into_iter()).is_empty());
    }
}
