//! The map that lld writes: the places of the sections of all inputs.

/// The width of the columns before the name.
const COLUMNS: usize = 49;
/// The indentation of a section of an input.
const INDENTATION: &str = "        ";

/// A section of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlacedSection<'m> {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) alignment: u64,
    /// `object.o`, `archive.rlib(member.o)`, or `<internal>` for what the linker has merged.
    pub(super) file: &'m str,
    pub(super) name: &'m str,
}

/// Returns the sections of inputs that a map lists. Other lines are ignored.
pub(super) fn sections(map: &str) -> impl Iterator<Item = PlacedSection<'_>> {
    map.lines().filter_map(parse_line)
}

/// Reads a line: addresses, size and alignment of a section, then the file and the name.
fn parse_line(line: &str) -> Option<PlacedSection<'_>> {
    let (columns, section) = line.split_at_checked(COLUMNS)?;
    let (file, name) = section.strip_prefix(INDENTATION)?.strip_suffix(')')?.rsplit_once(":(")?;
    if file.starts_with(' ') {
        return None;
    }
    let mut columns = columns.split_whitespace();
    let address = u64::from_str_radix(columns.next()?, 16).ok()?;
    let size = u64::from_str_radix(columns.nth(1)?, 16).ok()?;
    let alignment = columns.next()?.parse().ok()?;
    Some(PlacedSection { address, size, alignment, file, name })
}
