//! References to addresses outside of the data that they mean.
//!
//! A loop that runs backwards, or counts up to zero, addresses a table by its end: `lea rcx, [TABLE +
//! 256]`. A table that begins with 1 may be addressed by a place before it. In the executable, such
//! an address seems to be that of other data. Only the inputs of the link name the data that it is
//! relative to.

use super::linker_map::PlacedSection;
use super::object_references::{self, Distance, Source};
use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// The file name of what the linker has merged or made, which refers to nothing.
const MADE_BY_LINKER: &str = "<internal>";

/// The size of the field of an instruction with the distance to its target.
const FIELD: u64 = 4;

/// The sections of one input by name, with their addresses and sizes.
type Placed<'m> = HashMap<&'m str, Vec<(u64, u64)>>;

/// The places of references, with the distances of their targets from the data that they mean.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, i64)>")]
pub struct OutsideReferences(
    /// By address.
    Vec<(u64, i64)>,
);

impl From<Vec<(u64, i64)>> for OutsideReferences {
    fn from(mut references: Vec<(u64, i64)>) -> OutsideReferences {
        references.sort_unstable();
        OutsideReferences(references)
    }
}

impl OutsideReferences {
    /// Returns the distance of the target of a reference from the data that it means: zero unless it
    /// lies outside. `place`: the addresses of the instruction or the word that refers to it.
    pub fn distance(&self, place: Range<u64>) -> i64 {
        let first = self.0.partition_point(|(at, _)| *at < place.start);
        self.0.get(first).filter(|(at, _)| *at < place.end).map_or(0, |(_, distance)| *distance)
    }

    /// Finds those of an executable in the inputs of its link, which the map lists. `None` if an
    /// input can't be read, as one that the linker itself compiles.
    pub(super) fn find(map: &[PlacedSection<'_>], executable: &Path) -> Option<OutsideReferences> {
        let mut placed: HashMap<&str, Placed<'_>> = HashMap::new();
        let is_input = |section: &&PlacedSection<'_>| {
            section.file != MADE_BY_LINKER && section.address > 0 && section.size > 0
        };
        for section in map.iter().filter(is_input) {
            let of_file = placed.entry(section.file).or_default();
            of_file.entry(section.name).or_default().push((section.address, section.size));
        }
        let mut references = References::default();
        let mut archives: HashMap<&str, HashMap<&str, Placed<'_>>> = HashMap::new();
        for (file, placed) in placed {
            match file.strip_suffix(')').and_then(|file| file.rsplit_once('(')) {
                Some((archive, member)) => {
                    archives.entry(archive).or_default().insert(member, placed);
                }
                None => references.add(&placed, &[fs::read(file).ok()?])?,
            }
        }
        for (archive, members) in archives {
            references.add_archive(archive, &members)?;
        }
        references.resolve(executable)
    }
}

/// References that are found one input after another.
#[derive(Default)]
struct References {
    known: Vec<(u64, i64)>,
    /// References to symbols of other inputs: place, distance, name.
    of_others: Vec<(u64, i64, Vec<u8>)>,
    /// References to the ends of sections: place, name of the section.
    ends: Vec<(u64, String)>,
}

impl References {
    fn add_archive(&mut self, path: &str, members: &HashMap<&str, Placed<'_>>) -> Option<()> {
        let mut file = File::open(path).ok()?;
        let headers = ReadCache::new(File::open(path).ok()?);
        let archive = ArchiveFile::parse(&headers).ok()?;
        let mut objects: HashMap<&str, Vec<Vec<u8>>> = HashMap::new();
        for member in archive.members() {
            let member = member.ok()?;
            if let Some((name, _)) = members.get_key_value(str::from_utf8(member.name()).ok()?) {
                let object = read_range(&mut file, member.file_range()).ok()?;
                objects.entry(name).or_default().push(object);
            }
        }
        members.iter().try_for_each(|(name, placed)| self.add(placed, objects.get(name)?))
    }

    /// Adds those of an input, or of several with the same name.
    fn add(&mut self, placed: &Placed<'_>, objects: &[Vec<u8>]) -> Option<()> {
        let mut sources: HashMap<&str, Vec<Source<'_>>> = HashMap::new();
        for object in objects {
            for source in object_references::find(object, |name| placed.contains_key(name))? {
                sources.entry(source.name).or_default().push(source);
            }
        }
        for (name, sources) in sources {
            for (address, source) in places(placed.get(name)?, &sources)? {
                for (offset, distance) in &source.references {
                    let at = address.wrapping_add(*offset);
                    match *distance {
                        Distance::Outside(distance) => self.known.push((at, distance)),
                        Distance::From(symbol, distance) => {
                            self.of_others.push((at, distance, symbol.to_vec()));
                        }
                        Distance::EndOf(section) => self.ends.push((at, section.to_owned())),
                    }
                }
            }
        }
        Some(())
    }

    /// Returns all of them. The executable tells the sizes of symbols and sections.
    fn resolve(mut self, executable: &Path) -> Option<OutsideReferences> {
        if self.of_others.is_empty() && self.ends.is_empty() {
            return Some(self.known.into());
        }
        let bytes = fs::read(executable).ok()?;
        let file = ElfFile64::<Endianness>::parse(&*bytes).ok()?;
        let sizes = file.symbols().filter_map(|symbol| Some((symbol.name_bytes().ok()?, symbol.size())));
        let sizes: HashMap<&[u8], u64> = sizes.collect();
        let outside = self.of_others.iter().filter(|(_, distance, symbol)| {
            let size = sizes.get(&**symbol).copied().unwrap_or_default();
            let is_behind = |distance| size > 0 && distance >= size;
            u64::try_from(*distance).map_or(true, is_behind)
        });
        self.known.extend(outside.map(|(at, distance, _)| (*at, *distance)));
        for (at, name) in &self.ends {
            // Without such a section, both symbols are zero.
            if let Some(section) = file.section_by_name(name) {
                let size = i64::try_from(section.size()).ok()?;
                self.known.push((place_of_address(&file, *at, section.address() + section.size())?, size));
            }
        }
        Some(self.known.into())
    }
}

/// Returns the place that contains an address: one that a relocation refers to, or a word of the
/// global offset table that the instruction there loads.
fn place_of_address(file: &ElfFile64<'_>, at: u64, address: u64) -> Option<u64> {
    let section = file
        .sections()
        .find(|section| (section.address()..section.address() + section.size()).contains(&at))?;
    if section.kind() != SectionKind::Text {
        return Some(at);
    }
    let field = section.data_range(at, FIELD).ok()??.try_into().ok()?;
    let target = (at + FIELD).wrapping_add_signed(i32::from_le_bytes(field).into());
    Some(if target == address { at } else { target })
}

fn read_range(file: &mut File, (start, size): (u64, u64)) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the addresses of the sections of an input with the same name, of those that have
/// references. `None` if they can't be told from each other.
fn places<'s, 'o>(placed: &[(u64, u64)], sources: &'s [Source<'o>]) -> Option<Vec<(u64, &'s Source<'o>)>> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !source.references.is_empty()) {
        // The linker keeps their order, but may have dropped some.
        let of_size: Vec<u64> =
            placed.iter().filter(|(_, size)| *size == source.size).map(|(address, _)| *address).collect();
        let same: Vec<&Source<'_>> = sources.iter().filter(|other| other.size == source.size).collect();
        if of_size.len() == same.len() {
            let index = same.iter().position(|other| std::ptr::eq(*other, source))?;
            found.push((of_size[index], source));
        } else if !of_size.is_empty() {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_by_their_place() {
        let references = OutsideReferences::from(vec![(0x30, 8), (0x13, -4)]);
        let of = |start| references.distance(start..start + 7);
        assert_eq!([0xc, 0xd, 0x13, 0x14].map(of), [0, -4, -4, 0]);
        assert_eq!(of(0x30), 8);
        assert_eq!(OutsideReferences::default().distance(0..8), 0);
    }

    #[test]
    fn sections_with_the_same_name_are_told_by_their_order_and_size() {
        let source = |size, references: &[u64]| {
            let references = references.iter().map(|at| (*at, Distance::Outside(8))).collect();
            Source { name: ".text", size, references }
        };
        let places = |placed: &[(u64, u64)], sources: &[Source<'_>]| {
            let found = places(placed, sources)?;
            Some(found.iter().map(|(address, source)| (*address, source.references[0].0)).collect::<Vec<_>>())
        };
        let three = [source(16, &[1]), source(8, &[2]), source(16, &[3])];
        let all = [(0x100, 16), (0x110, 8), (0x120, 16)];
        assert_eq!(places(&all, &three), Some(vec![(0x100, 1), (0x110, 2), (0x120, 3)]));
        assert_eq!(places(&all[1..2], &three), Some(vec![(0x110, 2)]), "the linker has dropped two");
        assert_eq!(places(&all[1..], &three), None, "either of two");
        let without = [source(16, &[]), source(8, &[2]), source(16, &[])];
        assert_eq!(places(&all[1..], &without), Some(vec![(0x110, 2)]), "neither matters");
    }
}
