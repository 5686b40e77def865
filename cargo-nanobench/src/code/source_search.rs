//! The places of functions in the source files of a workspace, by their names: for executables
//! without debug information.

use super::Place;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Returns the only function in the source that may have this symbol. `None` if there are several,
/// as methods of one name, or if it belongs to another crate. `crates`: the names of the workspace's
/// crates, with the folders of their sources.
pub(crate) fn find_function(symbol: &str, crates: &[(String, PathBuf)]) -> Option<Place> {
    let own_name = symbol.trim_start_matches(['<', '&']).split("::").next()?;
    let (_, folder) = crates.iter().find(|(name, _)| name == own_name)?;
    let name = function_name(symbol)?;
    let mut places = source_files(folder).flat_map(|file| places_in(&file, name));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// Returns the name of the function in a demangled symbol: `split` of `a::parse::split::<u8>`,
/// `add` of `<a::T as core::ops::Add>::add`. A closure belongs to its function.
fn function_name(symbol: &str) -> Option<&str> {
    let mut rest = symbol;
    while let Some((before, last)) = rest.rsplit_once("::") {
        if last.ends_with('>') && !last.starts_with('<') {
            // Within generic arguments.
            rest = &rest[..opening_of(rest)?];
            rest = rest.strip_suffix("::").unwrap_or(rest);
            continue;
        }
        if last.starts_with(['{', '<']) {
            rest = before;
            continue;
        }
        return is_name(last).then_some(last);
    }
    None
}

/// Returns the place of the bracket that the last character closes.
fn opening_of(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().rev().find_map(|(place, character)| {
        depth += match character {
            '>' => 1,
            '<' => -1,
            _ => 0,
        };
        (depth == 0).then_some(place)
    })
}

fn is_name(text: &str) -> bool {
    text.chars().all(is_of_name) && text.starts_with(|first: char| !first.is_ascii_digit())
}

fn is_of_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Returns the source files of a crate, without those of packages within its folder.
fn source_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_own = |entry: &DirEntry| {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_other =
            || entry.path().join("Cargo.toml").exists() || entry.path().join("CACHEDIR.TAG").exists();
        entry.depth() == 0 || !(is_hidden || entry.file_type().is_dir() && is_other())
    };
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_own);
    let files = files.flatten().map(DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// Returns the places in a file where a function of this name is defined.
fn places_in(file: &Path, name: &str) -> Vec<Place> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().zip(1..).filter(|(line, _)| defines(line, name));
    lines.map(|(_, line)| Place { file: file.to_string_lossy().into(), line }).collect()
}

/// Returns whether a line of source begins the definition of a function.
fn defines(line: &str, name: &str) -> bool {
    let Some((before, after)) = line.split_once("fn ") else { return false };
    let is_comment = before.trim_start().starts_with("//");
    let rest = after.trim_start().strip_prefix(name);
    !is_comment && !before.ends_with(is_of_name) && rest.is_some_and(|rest| rest.starts_with(['(', '<']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_name_their_functions() {
        assert_eq!(function_name("a::parse::split"), Some("split"));
        assert_eq!(function_name("a::parse::split::<alloc::vec::Vec<u8>>"), Some("split"));
        assert_eq!(function_name("<a::T as core::ops::Add<u8>>::add"), Some("add"));
        assert_eq!(function_name("a::f::{{closure}}"), Some("f"));
        assert_eq!(function_name("<a::T>::f::{closure#0}"), Some("f"));
        assert_eq!(function_name("malloc"), None);
    }

    #[test]
    fn the_only_function_of_a_name_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let text = "// fn other()\nimpl T {\n    pub(crate) const fn one<T>() {}\n    fn two() {}\n}\nfn two () {}\nfn two() {}\n";
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/lib.rs"), text).unwrap();
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("Cargo.toml"), "").unwrap();
        fs::write(other.join("lib.rs"), "fn one() {}").unwrap();
        let crates = [("a".to_owned(), folder.path().to_owned())];
        let line = |symbol| find_function(symbol, &crates).map(|place| place.line);
        assert_eq!(line("a::one::<u8>"), Some(3));
        assert_eq!(line("<a::T>::one"), Some(3));
        assert_eq!(line("a::two"), None, "one of two");
        assert_eq!(line("a::other"), None, "a comment");
        assert_eq!(line("b::one"), None, "another crate");
    }
}
