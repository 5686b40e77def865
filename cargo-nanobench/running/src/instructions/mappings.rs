//! The files that a process has mapped into its memory.

use super::call::Place;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSegment as _};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The mapped parts of files, by address.
pub(super) struct Mappings(BTreeMap<u64, Mapping>);

struct Mapping {
    end: u64,
    file: Arc<Path>,
    /// The difference of the addresses in memory and those in the file.
    bias: u64,
}

impl Mappings {
    /// Reads those of a process.
    pub(super) fn read(process: u32) -> io::Result<Mappings> {
        let text = std::fs::read_to_string(format!("/proc/{process}/maps"))?;
        let mut biases = BTreeMap::new();
        Ok(Mappings(text.lines().filter_map(|line| parse(line, &mut biases)).collect()))
    }

    /// Returns the place of the instruction at an address in memory. Code without a file keeps its
    /// address.
    pub(super) fn place(&self, address: u64) -> Place {
        let mapping = self.0.range(..=address).next_back().map(|(_, mapping)| mapping);
        match mapping.filter(|mapping| address < mapping.end) {
            Some(mapping) => (Arc::clone(&mapping.file), address.wrapping_sub(mapping.bias)),
            None => (Path::new("").into(), address),
        }
    }
}

/// Parses a line: `7f0c8-7f0c9 r-xp 00026000 fe:00 1234   /usr/lib/libc.so.6`. `biases`: those of
/// the files so far.
fn parse(line: &str, biases: &mut BTreeMap<String, (Arc<Path>, u64)>) -> Option<(u64, Mapping)> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let (start, end) = (number(start)?, number(end)?);
    let offset = number(words.nth(1)?)?;
    let name = words.nth(2)?.trim_start();
    let (file, bias) = match biases.get(name) {
        Some(known) => known.clone(),
        None => {
            let file: Arc<Path> = Path::new(name).into();
            let bias = if name.starts_with('/') { bias(&file, start, offset)? } else { 0 };
            biases.insert(name.to_owned(), (Arc::clone(&file), bias));
            (file, bias)
        }
    };
    Some((start, Mapping { end, file, bias }))
}

/// Returns the bias of an ELF file whose part at `offset` is at `start`. The first part of a file
/// may begin before its first segment does, because pages are mapped as a whole.
fn bias(path: &Path, start: u64, offset: u64) -> Option<u64> {
    let bytes = std::fs::read(path).ok()?;
    let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
    let segment = file.segments().find(|segment| {
        let (from, size) = segment.file_range();
        (from & !0xfff..from.saturating_add(size)).contains(&offset)
    })?;
    let (from, _) = segment.file_range();
    Some(start.wrapping_add(from).wrapping_sub(offset).wrapping_sub(segment.address()))
}
