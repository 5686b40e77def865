//! The linker that makes layouts.

use super::link_command::Link;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The only linker that can order the functions at random, and nothing else.
const NAME: &str = "ld.lld";
/// The folders in which GCC looks for the programs that it calls, and tells these to look.
const PROGRAM_FOLDERS: &str = "COMPILER_PATH";

/// Returns the linker of this link if it is lld, and otherwise that of the compiler.
pub(super) fn for_layouts(link: &Link) -> Option<PathBuf> {
    let of_link = || find_of_gcc(NAME).or_else(|| find(NAME, env::var_os("PATH")));
    let is_lld = link.linker.as_deref() == Some("lld");
    is_lld.then(of_link).flatten().or_else(|| of_compiler(link)).or_else(of_link)
}

/// Returns the linker of the compiler whose standard library is linked.
fn of_compiler(link: &Link) -> Option<PathBuf> {
    let libraries = link.partial.iter().filter(|argument| argument.ends_with(".rlib"));
    let folders = libraries.filter_map(|library| Path::new(library).parent()?.parent());
    folders.map(|folder| folder.join("bin/gcc-ld").join(NAME)).find(|linker| linker.is_file())
}

/// Returns the program of this name that GCC would call, but not this one.
pub(super) fn find_of_gcc(name: &str) -> Option<PathBuf> {
    find(name, env::var_os(PROGRAM_FOLDERS))
}

/// Returns the first program of this name in the folders that is not this one.
fn find(name: &str, folders: Option<OsString>) -> Option<PathBuf> {
    let own = env::current_exe().and_then(fs::canonicalize).ok();
    let is_other = |program: &PathBuf| program.is_file() && program.canonicalize().ok() != own;
    let folders = folders?;
    let folders = env::split_paths(&folders).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(is_other)
}
