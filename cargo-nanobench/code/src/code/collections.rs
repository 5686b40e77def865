//! Sections in which a program collects data, and which it walks by pointers, as `linkme` does. Code
//! refers to their start or end, and not to each element.

use super::access::is_among;
use super::comparison::PartComparison;
use super::graph::Part;

/// The names of the data sections that compilers and linkers make.
const STANDARD: &str = "\
    .bss .bss.rel.ro .ctors .data .data.rel.ro .dtors .dynamic .dynstr .dynsym .eh_frame .eh_frame_hdr \
    .fini_array .gcc_except_table .got .got.plt .hash .init_array .interp .jcr .lbss .ldata .lrodata \
    .preinit_array .relro_padding .rodata .tbss .tdata .tm_clone_table";
/// The starts of the names of others.
const STANDARD_PREFIXES: [&str; 5] = [".debug_", ".gnu.", ".note", ".rela.", ".relr."];

/// Returns whether the program has chosen the name of a section, which contains no code.
pub(super) fn is_name(section: &str) -> bool {
    !is_among(STANDARD, section) && !STANDARD_PREFIXES.iter().any(|prefix| section.starts_with(prefix))
}

impl PartComparison<'_> {
    /// Compares the collections that pointers to these addresses may be used to walk, as parts of
    /// their own. Returns whether they have the same places and sizes on both sides.
    pub(super) fn are_same_collections(&mut self, a: u64, b: u64) -> bool {
        let [one, other] = self.executables;
        let (mut of_one, mut of_other) = (one.collections(a), other.collections(b));
        loop {
            match (of_one.next(), of_other.next()) {
                (None, None) => return true,
                (Some(x), Some(y)) if a - x.start == b - y.start && x.end - a == y.end - b => {
                    self.result.references.push(Part::Data(x.start, y.start, x.end - x.start));
                }
                _ => return false,
            }
        }
    }
}
