//! The files that a command for the linker names: directly, or as libraries that it looks for.

use crate::regular_file;
use object::elf::{ELFMAG, ET_REL};
use std::path::{Path, PathBuf};

/// The first bytes of archives, and of objects with LLVM's bitcode.
const CODE: [&[u8]; 3] = [b"!<arch>\n", b"!<thin>\n", b"BC\xc0\xde"];
/// The place of the kind of an ELF file.
const ELF_TYPE: std::ops::Range<usize> = 16..18;

/// The kind of a file that a linker reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object or an archive of objects, which become a part of the executable.
    Code,
    /// A library that processes load.
    Shared,
    /// A linker script, which may name any file.
    Script,
}

impl Kind {
    /// Returns the kind of a file. `None` if it can't be read.
    pub(super) fn of(path: &Path) -> Option<Kind> {
        let start = regular_file::read(path, ELF_TYPE.end as u64).ok()?;
        let is_elf = start.starts_with(&ELFMAG);
        let is_object = is_elf && start.get(ELF_TYPE) == Some(&ET_REL.0.to_le_bytes());
        Some(match is_elf {
            _ if is_object || CODE.iter().any(|code| start.starts_with(code)) => Kind::Code,
            true => Kind::Shared,
            false => Kind::Script,
        })
    }
}

/// The folders with libraries.
#[derive(Debug)]
pub(super) struct Folders(Vec<PathBuf>);

impl Folders {
    /// Returns those that a command names. They are searched for all libraries, also for those before
    /// them.
    pub(super) fn of(arguments: &[String]) -> Folders {
        let mut folders = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("-L") {
                Some("") => folders.extend(arguments.next().map(PathBuf::from)),
                Some(folder) => folders.push(folder.into()),
                None => {}
            }
        }
        Folders(folders)
    }

    /// Returns the file of the library with the name behind `-l`. `is_static`: only archives count.
    pub(super) fn library(&self, name: &str, is_static: bool) -> Option<PathBuf> {
        if let Some(file) = name.strip_prefix(':') {
            return self.file(file);
        }
        let ends: &[&str] = if is_static { &["a"] } else { &["so", "a"] };
        let files = |folder: &PathBuf| {
            let folder = folder.clone();
            let name = name.to_owned();
            ends.iter().map(move |end| folder.join(format!("lib{name}.{end}")))
        };
        self.0.iter().flat_map(files).find(|file| file.is_file())
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        self.0.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
    }
}
