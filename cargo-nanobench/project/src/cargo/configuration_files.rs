//! Cargo's configuration: the values of `--config`, and the files that apply to a folder, with those that
//! they include.

use super::options::CargoOptions;
use cargo_config2::Walk;
use std::path::{Path, PathBuf};
use std::{env, fs};
use toml::{Table, Value};

/// A text of the configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The folder that relative paths in it refer to.
    pub(super) folder: PathBuf,
}

/// The texts that cargo would read for a build, in order of precedence.
#[derive(Debug)]
pub(super) struct Texts {
    /// The values of `--config`, which precede the environment.
    pub(super) flags: Vec<Text>,
    pub(super) files: Vec<Text>,
}

impl Texts {
    /// Reads all that cargo would read. Unreadable files are left out, as cargo reports them.
    pub(super) fn read(args: &CargoOptions) -> Texts {
        let folder = args.common.other_tree.as_ref().map(|tree| tree.folder.clone());
        let folder = folder.or_else(|| env::current_dir().ok()).unwrap_or_default();
        // Each value is a key and its value, or the path of a file. The last one wins.
        let flags = args.common.config.iter().rev();
        let flags = flags.flat_map(|value| match read(&folder.join(value)) {
            none if none.is_empty() => with_included(value, &folder),
            files => files,
        });
        Texts { flags: flags.collect(), files: Walk::new(&folder).flat_map(|path| read(&path)).collect() }
    }

    /// Returns the tables in order of precedence, with the folders that paths refer to. Invalid ones are
    /// left out.
    pub(super) fn tables(&self) -> impl Iterator<Item = (Table, &Path)> {
        Texts::parse(&self.flags).chain(Texts::parse(&self.files))
    }

    pub(super) fn parse(texts: &[Text]) -> impl Iterator<Item = (Table, &Path)> {
        texts.iter().filter_map(|Text { text, folder }| Some((text.parse().ok()?, &**folder)))
    }
}

/// Returns a text, and those of the files that it includes, relative to a folder.
pub(super) fn with_included(text: &str, folder: &Path) -> Vec<Text> {
    let own = Text { text: text.to_owned(), folder: folder.to_owned() };
    [own].into_iter().chain(included_unless(text, folder, &mut Vec::new())).collect()
}

/// Reads a file and those that it includes, in order of precedence.
pub(super) fn read(path: &Path) -> Vec<Text> {
    read_unless(path, &mut Vec::new())
}

/// The files of `including` are left out: they are being read, and including them again would never
/// end.
fn read_unless(path: &Path, including: &mut Vec<PathBuf>) -> Vec<Text> {
    let Some(known) = path.canonicalize().ok().filter(|known| !including.contains(known)) else {
        return Vec::new();
    };
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    including.push(known);
    let folder = path.parent().unwrap_or(path);
    let included = included_unless(&text, folder, including);
    including.pop();
    // Paths refer to the folder that `.cargo` is in.
    let folder = folder.parent().unwrap_or(folder).to_owned();
    [Text { text, folder }].into_iter().chain(included).collect()
}

/// The last file takes precedence over the others.
fn included_unless(text: &str, folder: &Path, including: &mut Vec<PathBuf>) -> Vec<Text> {
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
