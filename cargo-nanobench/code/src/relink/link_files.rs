//! The files that a command for the linker names: directly, or as libraries that it looks for.

use super::linker_script;
use crate::regular_file;
use object::elf::{ELFMAG, ET_DYN, ET_REL};
use std::path::{Path, PathBuf};

/// The first bytes of archives.
const ARCHIVES: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];
/// The place of the kind of an ELF file.
const ELF_TYPE: std::ops::Range<usize> = 16..18;

/// The kind of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object or an archive of objects, which become a part of the executable.
    Code,
    /// A library that processes load.
    Shared,
    /// A text that may name further files.
    Script(String),
}

/// Returns the kind of a file. `None` if it is no input of links, or can't be read.
pub(super) fn kind(path: &Path) -> Option<Kind> {
    let start = regular_file::read(path, linker_script::MAX_SIZE).ok()?;
    if ARCHIVES.iter().any(|archive| start.starts_with(archive)) {
        return Some(Kind::Code);
    }
    if start.starts_with(&ELFMAG) {
        let elf_type = u16::from_le_bytes(start.get(ELF_TYPE)?.try_into().ok()?);
        return match elf_type {
            _ if elf_type == ET_REL.0 => Some(Kind::Code),
            _ if elf_type == ET_DYN.0 => Some(Kind::Shared),
            _ => None,
        };
    }
    let is_complete = (start.len() as u64) < linker_script::MAX_SIZE;
    String::from_utf8(start).ok().filter(|_| is_complete).map(Kind::Script)
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

    /// Returns the file that an argument of a script at this path means.
    pub(super) fn named_by(&self, script: &Path, argument: &str) -> Option<PathBuf> {
        // An absolute path replaces the folder.
        let beside = script.parent().unwrap_or(Path::new("")).join(argument);
        let places = [beside, PathBuf::from(argument)];
        places.into_iter().find(|file| file.is_file()).or_else(|| self.file(argument))
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        self.0.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
    }
}
