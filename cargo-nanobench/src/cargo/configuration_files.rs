//! Texts of cargo's configuration files, and of those that they include.

use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Reads a file and those that it includes, in order of precedence. Unreadable files are left out.
pub(super) fn read(path: &Path) -> Vec<String> {
    read_unless(path, &mut Vec::new())
}

/// Reads the files that a text includes, relative to a folder, in order of precedence.
pub(super) fn included_by(text: &str, folder: &Path) -> Vec<String> {
    included_unless(text, folder, &mut Vec::new())
}

/// The files of `including` are left out: they are being read, and including them again would never
/// end.
fn read_unless(path: &Path, including: &mut Vec<PathBuf>) -> Vec<String> {
    let Some(known) = path.canonicalize().ok().filter(|known| !including.contains(known)) else {
        return Vec::new();
    };
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    including.push(known);
    let included = included_unless(&text, path.parent().unwrap_or(path), including);
    including.pop();
    [text].into_iter().chain(included).collect()
}

/// The last file takes precedence over the others.
fn included_unless(text: &str, folder: &Path, including: &mut Vec<PathBuf>) -> Vec<String> {
    included(text).iter().rev().flat_map(|name| read_unless(&folder.join(name), including)).collect()
}

/// Returns the paths of `include`, relative to the file. An entry is a path, or a table with `path`
/// and `optional`.
fn included(text: &str) -> Vec<String> {
    let Some(Value::Array(entries)) =
        text.parse::<Table>().ok().and_then(|mut table| table.remove("include"))
    else {
        return Vec::new();
    };
    let path = |entry: &Value| Some(entry.get("path").unwrap_or(entry).as_str()?.to_owned());
    entries.iter().filter_map(path).collect()
}
