//! The references in an object whose targets lie outside of the data that they mean. A relocation
//! names these data by a symbol, or by their section.

use object::elf::{self, FileHeader64, Rela64, SectionHeader64, Sym64};
use object::read::elf::{
    FileHeader as _, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable,
};
use object::{LittleEndian, SymbolIndex};
use std::ops::Range;

const ENDIAN: LittleEndian = LittleEndian;
/// The size of the field that a relocation of an instruction fills in.
const FIELD: i64 = 4;
/// The start of the names of symbols that the linker puts at the ends of sections.
const END: &[u8] = b"__stop_";
/// The operation code of `lea`.
const LEA: u8 = 0x8d;

type Header = FileHeader64<LittleEndian>;

/// A section that the executable contains.
#[derive(Debug)]
pub(super) struct Source<'o> {
    pub(super) name: &'o str,
    pub(super) size: u64,
    /// Offsets in the section, with the distances of the targets.
    pub(super) references: Vec<(u64, Distance<'o>)>,
}

/// The distance of a target from the data that a reference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distance<'o> {
    Outside(i64),
    /// It is outside if it is beyond the size of this symbol, which another object defines.
    From(&'o [u8], i64),
    /// The end of the section with this name, to which the linker adds all inputs.
    EndOf(&'o str),
}

/// Returns the sections of an object that the executable contains, by their names. `None` if it is no
/// object for x86-64.
pub(super) fn find<'o>(bytes: &'o [u8], is_linked: impl Fn(&str) -> bool) -> Option<Vec<Source<'o>>> {
    let object = Object::parse(bytes)?;
    let mut sources: Vec<Option<Source<'_>>> = Vec::new();
    for section in object.sections.iter() {
        let name = str::from_utf8(object.sections.section_name(ENDIAN, section).ok()?).ok()?;
        let is_source = section.sh_flags(ENDIAN).contains(elf::SHF_ALLOC) && is_linked(name);
        let size = section.sh_size(ENDIAN);
        sources.push(is_source.then_some(Source { name, size, references: Vec::new() }));
    }
    for section in object.sections.iter() {
        let Some((relocations, _)) = section.rela(ENDIAN, bytes).ok()? else { continue };
        let index = section.info_link(ENDIAN);
        let Some(Some(source)) = sources.get_mut(index.0) else { continue };
        let place = object.sections.section(index).ok()?;
        for relocation in relocations {
            if let Some(distance) = object.distance(place, relocation) {
                source.references.push((relocation.r_offset(ENDIAN), distance));
            }
        }
    }
    Some(sources.into_iter().flatten().collect())
}

struct Object<'o> {
    bytes: &'o [u8],
    sections: SectionTable<'o, Header>,
    symbols: SymbolTable<'o, Header>,
}

impl<'o> Object<'o> {
    fn parse(bytes: &'o [u8]) -> Option<Object<'o>> {
        let header = Header::parse(bytes).ok()?;
        if header.e_machine(ENDIAN) != elf::EM_X86_64 {
            return None;
        }
        let sections = header.sections(ENDIAN, bytes).ok()?;
        let symbols = sections.symbols(ENDIAN, bytes, elf::SHT_SYMTAB).ok()?;
        Some(Object { bytes, sections, symbols })
    }

    /// Returns the distance of the target of a reference if that lies outside, or may do so.
    fn distance(
        &self,
        place: &SectionHeader64<LittleEndian>,
        relocation: &Rela64<LittleEndian>,
    ) -> Option<Distance<'o>> {
        let is_code = place.sh_flags(ENDIAN).contains(elf::SHF_EXECINSTR);
        let addend = relocation.r_addend(ENDIAN);
        let index = SymbolIndex(relocation.r_sym(ENDIAN, false) as usize);
        let symbol = self.symbols.symbol(index).ok()?;
        if symbol.is_undefined(ENDIAN) {
            let name = self.symbols.symbol_name(ENDIAN, symbol).ok()?;
            if let Some(section) = name.strip_prefix(END) {
                return str::from_utf8(section).ok().map(Distance::EndOf);
            }
        }
        let distance = match relocation.r_type(ENDIAN, false) {
            // It is relative to the end of the instruction.
            elf::R_X86_64_PC32 | elf::R_X86_64_PLT32 if is_code => addend.checked_add(FIELD)?,
            elf::R_X86_64_64 => addend,
            _ => return None,
        };
        if distance == 0 {
            return None;
        }
        // After the field, other instructions may have a number, for which the addend is smaller. They
        // use what they refer to, so that is no place before the data.
        let may_be_before = !is_code || self.is_lea(place, relocation.r_offset(ENDIAN));
        if distance < 0 && !may_be_before {
            return None;
        }
        if symbol.is_undefined(ENDIAN) {
            return Some(Distance::From(self.symbols.symbol_name(ENDIAN, symbol).ok()?, distance));
        }
        let extent = self.extent(symbol, index, addend)?;
        (!extent.contains(&distance)).then_some(Distance::Outside(distance.checked_sub(extent.start)?))
    }

    /// Returns whether the instruction with a field at this offset only takes an address.
    fn is_lea(&self, section: &SectionHeader64<LittleEndian>, field: u64) -> bool {
        let data = section.data(ENDIAN, self.bytes).unwrap_or_default();
        let before = usize::try_from(field).ok().and_then(|field| data.get(field.checked_sub(2)?..field));
        before.is_some_and(|before| before[0] == LEA && before[1] & 0xc7 == 0x05)
    }

    /// Returns the extent of the data that a relocation names, relative to its symbol. `None` for code
    /// and thread-local storage.
    fn extent(&self, symbol: &'o Sym64<LittleEndian>, index: SymbolIndex, addend: i64) -> Option<Range<i64>> {
        let size = i64::try_from(symbol.st_size(ENDIAN)).ok()?;
        let Some(section) = self.symbols.symbol_section(ENDIAN, symbol, index).ok()? else {
            return (size > 0).then_some(0..size);
        };
        let section = self.sections.section(section).ok()?;
        let flags = section.sh_flags(ENDIAN);
        if flags.contains(elf::SHF_EXECINSTR) || flags.contains(elf::SHF_TLS) {
            return None;
        }
        let value = i64::try_from(symbol.st_value(ENDIAN)).ok()?;
        if size > 0 {
            Some(0..size)
        } else if flags.contains(elf::SHF_MERGE) {
            // The linker adds the addend to the symbol of a section before it looks for the constant.
            let is_section = symbol.st_type() == elf::STT_SECTION;
            self.merged(section, if is_section { addend } else { value })
                .map(|range| range.start - value..range.end - value)
        } else {
            Some(-value..i64::try_from(section.sh_size(ENDIAN)).ok()?.checked_sub(value)?)
        }
    }

    /// Returns the range of the constant at an offset of a section whose constants the linker merges.
    fn merged(&self, section: &SectionHeader64<LittleEndian>, at: i64) -> Option<Range<i64>> {
        let unit = usize::try_from(section.sh_entsize(ENDIAN)).ok().filter(|size| *size > 0)?;
        let at = usize::try_from(at).ok()?;
        let start = at - at % unit;
        let range = if section.sh_flags(ENDIAN).contains(elf::SHF_STRINGS) {
            let data = section.data(ENDIAN, self.bytes).ok()?;
            let is_end = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
            let before = data.get(..start)?.rchunks(unit).position(is_end);
            let after = data.get(start..)?.chunks(unit).position(is_end)?;
            before.map_or(0, |units| start - units * unit)..start + (after + 1) * unit
        } else {
            start..start + unit
        };
        Some(i64::try_from(range.start).ok()?..i64::try_from(range.end).ok()?)
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    /// Assembles an object.
    fn assemble(folder: &Path, assembly: &str) -> Vec<u8> {
        let text = format!("#![no_std] core::arch::global_asm!(r#\"{assembly}\"#, options(att_syntax));");
        fs::write(folder.join("a.rs"), text).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["--crate-type", "lib", "--emit", "obj", "-C", "codegen-units=1", "a.rs"]);
        let done = rustc.current_dir(folder).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        fs::read(folder.join("a.o")).unwrap()
    }

    #[test]
    fn targets_outside_of_their_data_are_found() {
        // The comments are the offsets of the fields.
        let object = "
            .section .text.f, \"ax\", @progbits
            leaq .Ltable(%rip), %rax            # 3
            leaq .Ltable+24(%rip), %rax         # 10
            leaq .Ltable+32(%rip), %rax         # 17
            leaq .Ltable-4(%rip), %rax          # 24
            cmpl $7, .Ltable(%rip)              # 30
            leaq named+8(%rip), %rax            # 38
            leaq named+16(%rip), %rax           # 45
            leaq other+16(%rip), %rax           # 52
            leaq other(%rip), %rax              # 59
            leaq .Lsmall+8(%rip), %rax          # 66
            movq .Lsmall(%rip), %rax            # 73
            call g                              # 78
            leaq .Lword+4(%rip), %rax           # 85
            leaq .Lword+3(%rip), %rax           # 92
            leaq g+1(%rip), %rax                # 99
            leaq __stop_own(%rip), %rax         # 106
            movq __stop_own@GOTPCREL(%rip), %rax # 113
            .section .text.g, \"ax\", @progbits
            .type g, @function
            g: ret
            .size g, 1
            .section .rodata..Ltable, \"a\", @progbits
            .Ltable: .zero 32
            .section .rodata.both, \"a\", @progbits
            .globl named
            .type named, @object
            named: .zero 16
            .size named, 16
            .zero 16
            .section .rodata.cst8, \"aM\", @progbits, 8
            .quad 1
            .Lsmall: .quad 2
            .quad 3
            .section .rodata.str1.1, \"aMS\", @progbits, 1
            .asciz \"before\"
            .Lword: .asciz \"abc\"
            .asciz \"behind\"
            .section .data.rel.ro.p, \"aw\", @progbits
            .quad .Ltable+8, .Ltable+32, named-8
            .section .data.rel.ro.gone, \"aw\", @progbits
            .quad .Ltable+64";
        let folder = tempfile::tempdir().unwrap();
        let bytes = assemble(folder.path(), object);
        let found = find(&bytes, |name| name != ".data.rel.ro.gone").unwrap();
        let of = |name: &str| &found.iter().find(|source| source.name == name).unwrap().references;
        let outside = Distance::Outside;
        assert_eq!(
            *of(".text.f"),
            [
                (17, outside(32)),
                (24, outside(-4)),
                (45, outside(16)),
                (52, Distance::From(b"other", 16)),
                (66, outside(8)),
                (85, outside(4)),
                (106, Distance::EndOf("own")),
                (113, Distance::EndOf("own")),
            ]
        );
        assert_eq!(*of(".data.rel.ro.p"), [(8, outside(32)), (16, outside(-8))]);
        assert!(found.iter().all(|source| source.name != ".data.rel.ro.gone"));
        assert!(find(b"!<thin>", |_| true).is_none() && find(&bytes[..200], |_| true).is_none());
    }
}
