//! The alignment of functions in layouts.
//!
//! Compilers align functions to 16 bytes, so one that moves has four places within a cache line.
//! Most of the differences between layouts come from that ("Layouts" in `docs/method.md`). With all
//! functions at the beginning of a line, the same precision takes far fewer layouts.

use object::elf::{FileHeader64, SectionHeader64};
use object::read::elf::FileHeader as _;
use object::{LittleEndian, U64, pod};

/// The size of a cache line, in bytes.
const ALIGNMENT: u64 = 64;
/// The start of the names of sections with functions.
const FUNCTIONS: &[u8] = b".text";

/// Aligns the functions in an object, which are in sections of their own. `None` if it is damaged.
pub(super) fn align_functions(object: &mut [u8]) -> Option<()> {
    let endian = LittleEndian;
    let header = FileHeader64::<LittleEndian>::parse(&*object).ok()?;
    let sections = header.sections(endian, &*object).ok()?;
    let has_functions = |section| sections.section_name(endian, section).ok()?.starts_with(FUNCTIONS).into();
    let has_functions: Option<Vec<bool>> = sections.iter().map(has_functions).collect();
    let (has_functions, start) = (has_functions?, usize::try_from(header.e_shoff(endian)).ok()?);
    let headers = object.get_mut(start..)?;
    let (headers, _) =
        pod::slice_from_bytes_mut::<SectionHeader64<LittleEndian>>(headers, has_functions.len()).ok()?;
    for (section, _) in headers.iter_mut().zip(has_functions).filter(|(_, has_functions)| *has_functions) {
        let own = section.sh_addralign.get(endian);
        section.sh_addralign = U64::new(endian, own.max(ALIGNMENT));
    }
    Some(())
}
