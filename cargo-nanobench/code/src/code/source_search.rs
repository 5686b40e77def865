//! The places of functions in the source files of a workspace, by their names: for executables
//! without debug information.

use super::Place;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Returns the only function in the source that may have this symbol. `None` if there are several,
/// if none is known to be a method of the symbol's type, or if it belongs to another crate. `crates`:
/// the names of the workspace's crates, with the folders of their sources.
pub fn find_function(symbol: &str, crates: &[(String, PathBuf)]) -> Option<Place> {
    let own_name = symbol.trim_start_matches(['<', '&']).split("::").next()?;
    let (_, folder) = crates.iter().find(|(name, _)| name == own_name)?;
    let name = function_name(symbol)?;
    let mut found: Vec<Definition> = source_files(folder).flat_map(|file| definitions(&file, name)).collect();
    if found.len() > 1 || symbol.starts_with('<') {
        let owner = Owner::of(symbol, name)?;
        found.retain(|definition| owner.has(definition));
    }
    let only = found.pop()?;
    found.is_empty().then_some(only.place)
}

/// The definition of a function.
struct Definition {
    place: Place,
    /// The first line of the `impl` or `trait` around it.
    header: Option<String>,
}

/// The type or the trait that a function belongs to.
struct Owner<'a> {
    /// The name of the type, or of the trait with a default method.
    name: &'a str,
    /// The name of the trait that the type implements.
    implemented: Option<&'a str>,
}

impl Owner<'_> {
    /// Returns the owner of the function `name` with this symbol: `T` and `Add` of
    /// `<a::T as core::ops::Add>::add`.
    fn of<'a>(symbol: &'a str, name: &str) -> Option<Owner<'a>> {
        if let Some((name, implemented)) = symbol.strip_prefix('<').and_then(|rest| rest.split_once(" as ")) {
            return Some(Owner { name: last_name(name)?, implemented: Some(last_name(implemented)?) });
        }
        let path = &symbol[..symbol.rfind(&format!("::{name}"))?];
        Some(Owner {
            name: last_name(path.trim_start_matches('<').trim_end_matches('>'))?,
            implemented: None,
        })
    }

    /// Returns whether it owns a function, by the line in which its `impl` or `trait` begins.
    fn has(&self, definition: &Definition) -> bool {
        let Some(header) = &definition.header else { return false };
        let contains = |text: &str, name| text.split(|c| !is_of_name(c)).any(|word| word == name);
        match (self.implemented, header.split_once(" for ")) {
            (Some(implemented), Some((of, to))) => contains(of, implemented) && contains(to, self.name),
            (None, None) => contains(header, self.name),
            _ => false,
        }
    }
}

/// Returns the last name of a path, without generic arguments: `T` of `&a::T<u8>`.
fn last_name(path: &str) -> Option<&str> {
    let path = path.trim_start_matches(['&', '<']);
    let path = path.split(['<', '>']).next()?.trim_end_matches("::");
    path.rsplit("::").next().filter(|name| is_name(name) && !name.is_empty())
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

/// Returns the functions of this name that a file defines.
fn definitions(file: &Path, name: &str) -> Vec<Definition> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut header: Option<&str> = None;
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let begins = begins_owner(line);
        if begins {
            header = Some(line);
        } else if header.is_some_and(|header| line.starts_with('}') || line.trim_end() == closing_of(header))
        {
            header = None;
        }
        if defines(line, name) {
            let place = Place { file: file.to_string_lossy().into(), line: number };
            found.push(Definition { place, header: header.map(str::to_owned) });
        }
        if begins && line.trim_end().ends_with('}') {
            header = None;
        }
    }
    found
}

/// Returns whether a line begins an `impl` or a `trait`.
fn begins_owner(line: &str) -> bool {
    // The last is the end of `pub(in crate::a)`.
    let is_before =
        |word: &&str| ["pub", "unsafe"].contains(word) || word.starts_with("pub(") || word.ends_with(')');
    let mut words = line.split_whitespace().skip_while(is_before);
    words.next().is_some_and(|word| word == "impl" || word == "trait" || word.starts_with("impl<"))
}

/// Returns the line that ends what this line begins.
fn closing_of(line: &str) -> String {
    let indentation = line.len() - line.trim_start().len();
    format!("{}}}", &line[..indentation])
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
        let text = "// fn other()\nimpl T {\n    pub const fn one<T>() {}\n    fn two() {}\n}\nfn two () {}\nfn two() {}\n";
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

    #[test]
    fn methods_of_one_name_are_told_apart_by_their_owners() {
        let folder = tempfile::tempdir().unwrap();
        let text = "pub trait Fee {\n    /// impl Flat\n    fn fee(&self) {}\n}\nimpl Fee for Flat {\n    fn fee(&self) {}\n}\n\
                    impl<T> Fee for crate::Steps<T> {\n    fn fee(&self) {}\n}\nfn fee() {}\n\
                    mod one {\n    impl Flat {\n        fn fee(&self) {}\n    }\n    fn fee() {}\n}\n";
        fs::write(folder.path().join("lib.rs"), text).unwrap();
        let crates = [("a".to_owned(), folder.path().to_owned())];
        let line = |symbol| find_function(symbol, &crates).map(|place| place.line);
        assert_eq!(line("<a::Flat as a::Fee>::fee"), Some(6));
        assert_eq!(line("<a::Steps<T> as a::Fee>::fee"), Some(9));
        assert_eq!(line("<a::Steps<u8> as a::Fee>::fee::{{closure}}"), Some(9));
        assert_eq!(line("a::Fee::fee"), Some(3));
        assert_eq!(line("a::one::Flat::fee"), Some(14));
        assert_eq!(line("<a::Flat>::fee"), Some(14));
        assert_eq!(line("a::fee"), None, "one of two functions");
    }

    #[test]
    fn the_only_method_of_a_name_may_be_of_another_type() {
        let folder = tempfile::tempdir().unwrap();
        let text = "#[derive(PartialEq)]\nstruct Key;\nimpl PartialEq for Other {\n    fn eq(&self) {}\n}\n";
        fs::write(folder.path().join("lib.rs"), text).unwrap();
        let crates = [("c".to_owned(), folder.path().to_owned())];
        let line = |symbol| find_function(symbol, &crates).map(|place| place.line);
        assert_eq!(line("<c::Key as core::cmp::PartialEq>::eq"), None);
        assert_eq!(line("<c::Other as core::cmp::PartialEq>::eq"), Some(4));
    }

    #[test]
    fn only_impls_and_traits_own_functions() {
        let folder = tempfile::tempdir().unwrap();
        let text = "impl Fee for Flat {\n    fn all(\n    ) -> impl Iterator<Item = u8> {\n    }\n    // impl detail\n    fn fee() {}\n}\n\
                    impl Tax for Flat { fn tax() {} }\nfn rate() {}\nmod one {\n    fn rate() {}\n}\n";
        fs::write(folder.path().join("lib.rs"), text).unwrap();
        let crates = [("a".to_owned(), folder.path().to_owned())];
        let line = |symbol| find_function(symbol, &crates).map(|place| place.line);
        assert_eq!(line("<a::Flat as a::Fee>::fee"), Some(6));
        assert_eq!(line("<a::Flat as a::Tax>::tax"), Some(8));
        assert_eq!(line("<a::Flat as a::Tax>::rate"), None, "it is below the impl");
        for owner in ["impl<T> A for B {", "    unsafe impl A for B {", "pub(in a::b) trait A {"] {
            assert!(begins_owner(owner), "{owner}");
        }
        for other in ["    ) -> impl A {", "fn of(it: impl A) {", "implement(a)", "/// trait A"] {
            assert!(!begins_owner(other), "{other}");
        }
    }
}
