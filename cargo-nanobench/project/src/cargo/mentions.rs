//! Searches the sources of a target for mentions of nanobench. Targets without one are not built.
//!
//! The text is searched, not parsed: a mention in a comment counts, and a module may be in any file
//! that fits its name. So a target may be built needlessly. A benchmark is missed only if a procedural
//! macro, a crate of a registry or a build script writes its attribute.

use super::runtime::manifest_dir;
use cargo_metadata::{Package, Target};
use memchr::memmem;
use path_clean::PathClean as _;
use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The text to search for.
const NAME: &[u8] = b"nanobench";

/// The limit for the depth of folders below a source file.
const MAX_DEPTH: usize = 16;

/// Returns whether the target's root file, or a file that may be a module of it, mentions nanobench or
/// one of these other crates.
pub(super) fn nanobench_or(others: &[String], package: &Package, target: &Target) -> bool {
    let has_word = |text: &[u8], word| after_word(&String::from_utf8_lossy(text), word).next().is_some();
    let is_mention =
        |text: &[u8]| memmem::find(text, NAME).is_some() || others.iter().any(|name| has_word(text, name));
    Search::new(target.src_path.as_std_path(), &manifest_dir(package), is_mention).finds_mention()
}

/// Returns whether the root file of a target asks for features that only nightly compilers have.
pub(super) fn nightly_features(target: &Target) -> bool {
    std::fs::read_to_string(&target.src_path).is_ok_and(|text| text.contains("#![feature("))
}

/// Returns whether a file of the target has this text, or may include files that aren't known.
pub(super) fn text(package: &Package, target: &Target, text: &str) -> bool {
    let folder = manifest_dir(package);
    let mut search = Search::new(target.src_path.as_std_path(), &folder, |_| false);
    let has_text = |file: &PathBuf| {
        std::fs::read(file).is_ok_and(|source| memmem::find(&source, text.as_bytes()).is_some())
    };
    search.finds_mention() || search.seen.iter().any(has_text)
}

/// Returns whether a file of the target mentions nanobench outside of comments.
pub(super) fn nanobench_in_code(package: &Package, target: &Target) -> bool {
    Search::new(target.src_path.as_std_path(), &manifest_dir(package), is_in_code).finds_mention()
}

/// Returns whether a file of the target has a line that begins with the attribute. Files that their
/// includer doesn't name are not searched.
pub(super) fn benchmark(package: &Package, target: &Target) -> bool {
    has_benchmark(target.src_path.as_std_path(), &manifest_dir(package))
}

fn has_benchmark(root: &Path, package: &Path) -> bool {
    has_file(root, package, begins_line_with_attribute)
}

/// Returns whether the text of a file that was found has what `is_mention` looks for. Files that are
/// not known don't count.
fn has_file(root: &Path, package: &Path, is_mention: fn(&[u8]) -> bool) -> bool {
    let mut search = Search::new(root, package, is_mention);
    search.finds_mention()
        && search.seen.iter().any(|file| std::fs::read(file).is_ok_and(|text| is_mention(&text)))
}

/// Returns whether a line of the file begins with the attribute.
pub(super) fn benchmark_in(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|text| begins_line_with_attribute(&text))
}

fn begins_line_with_attribute(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| line.trim_start().starts_with("#[nanobench"))
}

/// Returns whether a file may be a module of the target.
pub(super) fn may_include(package: &Package, target: &Target, file: &Path) -> bool {
    let (root, folder) = (target.src_path.as_std_path(), manifest_dir(package));
    let mut search = Search::new(root, &folder, |_| false);
    search.finds_mention() || search.seen.iter().any(|seen| seen.clean() == file)
}

/// Returns whether a text mentions nanobench outside of the comments that end a line.
fn is_in_code(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.lines().any(|line| line.split("//").next().is_some_and(|code| code.contains("nanobench")))
}

/// Returns whether a file of the target may use nanobench outside of tests.
pub(super) fn nanobench_outside_tests(package: &Package, target: &Target) -> bool {
    Search::new(target.src_path.as_std_path(), &manifest_dir(package), may_be_outside_tests).finds_mention()
}

/// Returns whether a text mentions nanobench before it mentions `cfg(test)`, or uses it in an item
/// that isn't within an inline module.
fn may_be_outside_tests(text: &[u8]) -> bool {
    let tests = memmem::find(text, b"cfg(test)").unwrap_or(text.len());
    memmem::find(&text[..tests], NAME).is_some() || String::from_utf8_lossy(text).lines().any(is_use)
}

/// Returns the first file of the target with a line that uses nanobench and isn't limited to tests,
/// and the number of that line: an item of the file or of an inline module, with no line before it that
/// may be a condition. Files count if they are modules without one.
pub(super) fn line_outside_tests(target: &Target) -> Option<(PathBuf, usize)> {
    let root = target.src_path.clone().into_std_path_buf();
    let folder = root.parent()?.to_owned();
    let (mut queue, mut seen) = (VecDeque::from([(root, folder)]), HashSet::new());
    while let Some((file, folder)) = queue.pop_front() {
        let text = std::fs::read_to_string(&file).ok().filter(|_| seen.insert(file.clone()));
        let Some(text) = text else { continue };
        if let Some(line) = first_line_outside_tests(&text) {
            return Some((file, line));
        }
        for name in unconditional_modules(&text) {
            let own = folder.join(name);
            queue.push_back((folder.join(format!("{name}.rs")), own.clone()));
            queue.push_back((own.join("mod.rs"), own));
        }
    }
    None
}

/// Returns the names in the lines `mod name;` without an indent or an attribute above.
fn unconditional_modules(text: &str) -> impl Iterator<Item = &str> {
    let limits_all = text.lines().any(|line| line.starts_with("#![cfg"));
    let code = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let with_line_above = iter::once("").chain(code.clone()).zip(code);
    let declared = with_line_above.filter(move |(above, line)| {
        !limits_all
            && (line.starts_with("mod ") || line.starts_with("pub"))
            && !above.trim_end().ends_with(']')
    });
    declared.flat_map(|(_, line)| modules(line))
}

fn first_line_outside_tests(text: &str) -> Option<usize> {
    // The indent of the items of an inline module, once a line of it is known.
    let mut indent: Option<&str> = Some("");
    for (index, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let own_indent = &line[..line.len() - code.len()];
        let is_item = !code.is_empty() && *indent.get_or_insert(own_indent) == own_indent;
        if is_item && is_use(code) {
            return Some(index + 1);
        }
        if may_be_condition(line) || (is_item && begins_macro(code)) {
            return None;
        }
        if opens_module(line) {
            indent = None;
        } else if line.starts_with('}') {
            indent = Some("");
        }
    }
    None
}

/// Returns whether a line may exclude the lines after it from a build: with a condition or a test, or
/// because it begins a comment, a text, or a module that this search doesn't follow.
fn may_be_condition(line: &str) -> bool {
    let begins_module = line.contains("mod ") && line.contains('{') && !opens_module(line);
    let quotes = line.replace("\\\"", "").replace("'\"'", "").matches('"').count();
    let begins_text = quotes % 2 == 1;
    line.contains("cfg") || line.contains("#[test") || line.contains("/*") || begins_module || begins_text
}

/// Returns whether a line begins a call of a macro, which may discard its input.
fn begins_macro(line: &str) -> bool {
    line.contains('!') && line.trim_end().ends_with(['{', '(', '['])
}

/// Returns whether a line without an indent is the first of an inline module.
fn opens_module(line: &str) -> bool {
    !line.starts_with(char::is_whitespace) && line.contains("mod ") && line.trim_end().ends_with('{')
}

/// Returns whether a file of the target may have the attribute in a module that doesn't import it.
pub(super) fn attribute_without_import(package: &Package, target: &Target) -> bool {
    has_file(target.src_path.as_std_path(), &manifest_dir(package), may_lack_import)
}

/// The lines of an inline module, or those outside of all inline modules.
#[derive(Debug, Default)]
struct ModuleLines {
    have_attribute: bool,
    may_import: bool,
    /// They import all from the module around them.
    import_outer: bool,
}

/// Returns whether a text has the attribute outside of inline modules, or in one of them, without a
/// `use` there that may import it.
fn may_lack_import(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let (mut outer, mut inner) = (ModuleLines::default(), Vec::new());
    let mut is_inside = false;
    for line in text.lines() {
        let code = line.trim();
        if line.starts_with('}') {
            is_inside = false;
        } else if opens_module(line) {
            is_inside = true;
            inner.push(ModuleLines::default());
        }
        let lines = inner.last_mut().filter(|_| is_inside).unwrap_or(&mut outer);
        lines.have_attribute |= ["#[nanobench]", "#[nanobench("].iter().any(|start| code.starts_with(start));
        lines.import_outer |= code.contains("use super::*");
        lines.may_import |= may_import_attribute(code);
    }
    let lacks = |lines: &ModuleLines| {
        lines.have_attribute && !lines.may_import && !(lines.import_outer && outer.may_import)
    };
    lacks(&outer) || inner.iter().any(lacks)
}

/// Returns whether a line may import the attribute: by name, with all of another module but the outer
/// one, or in lines that follow.
fn may_import_attribute(code: &str) -> bool {
    let Some((_, imported)) = code.split_once("use ") else { return code.starts_with("#[macro_use") };
    let imported = imported.strip_prefix("nanobench::").unwrap_or(imported);
    imported.contains("nanobench")
        || imported.contains("::*") && !imported.contains("super::*")
        || imported.ends_with('{')
        || imported == "*;"
}

/// Returns whether a line begins with a use of nanobench, without an indent.
fn is_use(line: &str) -> bool {
    ["#[nanobench", "use nanobench::"].iter().any(|start| line.starts_with(start))
}

/// A walk through the files of a target.
#[derive(Debug)]
struct Search<'a, F> {
    /// Returns whether the text of a file is what is searched for.
    is_mention: F,
    root: &'a Path,
    package: &'a Path,
    queue: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
    /// The `.rs` files below folders that were searched.
    listings: HashMap<PathBuf, Vec<PathBuf>>,
}

impl<'a, F: Fn(&[u8]) -> bool> Search<'a, F> {
    fn new(root: &'a Path, package: &'a Path, is_mention: F) -> Self {
        let (seen, listings) = (HashSet::new(), HashMap::new());
        Self { is_mention, root, package, queue: vec![root.to_owned()], seen, listings }
    }

    fn finds_mention(&mut self) -> bool {
        while let Some(file) = self.queue.pop() {
            if !self.seen.insert(file.clone()) {
                continue;
            }
            match std::fs::read(&file) {
                Ok(text) if (self.is_mention)(&text) => return true,
                Ok(text) if !self.follow(&file, &String::from_utf8_lossy(&text)) => return true,
                // Cargo reports a target without its file when it is built.
                Err(_) if file == self.root => return true,
                Ok(_) | Err(_) => {}
            }
        }
        false
    }

    /// Queues the files that `file` may include. Returns false if they can't be told from its text.
    fn follow(&mut self, file: &Path, text: &str) -> bool {
        let folder = file.parent().unwrap_or(self.package);
        let own_folder = folder.join(file.file_stem().unwrap_or_default());
        for name in modules(text) {
            for relative in [format!("{name}.rs"), format!("{name}/mod.rs")] {
                self.queue.extend([folder.join(&relative), own_folder.join(&relative)]);
                self.queue_below(folder, Path::new(&relative));
            }
        }
        for path in module_paths(text) {
            self.queue.push(folder.join(path));
            self.queue_below(folder, Path::new(path));
        }
        includes(text).all(|include| match include {
            Include::Generated => true,
            Include::File(path) => {
                let candidates = [folder.join(path), self.package.join(path.trim_start_matches('/'))];
                let existing = candidates.into_iter().find(|candidate| candidate.is_file());
                let exists = existing.is_some();
                self.queue.extend(existing);
                exists
            }
            Include::Unknown => false,
        })
    }

    /// Queues the files in subfolders of `folder` whose paths end in `tail`, for modules within
    /// inline modules.
    fn queue_below(&mut self, folder: &Path, tail: &Path) {
        let files = self.listings.entry(folder.to_owned()).or_insert_with(|| source_files_below(folder));
        self.queue.extend(files.iter().filter(|file| file.ends_with(tail)).cloned());
    }
}

/// Returns the `.rs` files in the subfolders of `folder`.
fn source_files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).max_depth(MAX_DEPTH).into_iter();
    let entries = entries.filter_entry(|entry| entry.depth() == 0 || !is_separate(entry)).flatten();
    let files = entries.filter(|entry| entry.depth() > 1).map(DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns whether this is the folder of another target or package, a build directory, or hidden.
fn is_separate(entry: &DirEntry) -> bool {
    entry.file_type().is_dir()
        && (["main.rs", "Cargo.toml", "CACHEDIR.TAG"].iter().any(|file| entry.path().join(file).exists())
            || entry.file_name().to_string_lossy().starts_with('.'))
}

/// An `include!`.
#[derive(Debug, PartialEq, Eq)]
enum Include<'a> {
    /// A file, relative to the source file or to the package.
    File(&'a str),
    /// A file that a build script writes.
    Generated,
    /// A file that the text does not name.
    Unknown,
}

/// Returns the names in `mod name;`.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    after_word(text, "mod").filter_map(|rest| {
        let name = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let name = name.strip_prefix("r#").unwrap_or(name);
        let (name, after) = name.split_at(name.find(|c| !is_word(c))?);
        (!name.is_empty() && after.trim_start().starts_with(';')).then_some(name)
    })
}

/// Returns the strings in `path = ".."` of any attribute.
fn module_paths(text: &str) -> impl Iterator<Item = &str> {
    after_word(text, "path").filter_map(|rest| {
        let value = rest.trim_start().strip_prefix('=')?.trim_start();
        let value = value.strip_prefix('r').unwrap_or(value).trim_start_matches('#');
        strings(value.starts_with('"').then_some(value)?).next()
    })
}

/// Returns the files that `include!` names.
fn includes(text: &str) -> impl Iterator<Item = Include<'_>> {
    after_word(text, "include").filter_map(|rest| {
        let arguments = rest.strip_prefix('!')?.trim_start();
        if !arguments.starts_with(['(', '[', '{']) {
            return None;
        }
        let strings: Vec<&str> = strings(arguments.split(';').next()?).collect();
        Some(match strings[..] {
            [] => Include::Unknown,
            _ if strings.contains(&"OUT_DIR") => Include::Generated,
            [.., last] => Include::File(last),
        })
    })
}

/// Returns the text that follows each occurrence of a word.
fn after_word<'a>(text: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    text.match_indices(word).filter_map(move |(at, word)| {
        let rest = &text[at + word.len()..];
        (!text[..at].ends_with(is_word) && !rest.starts_with(is_word)).then_some(rest)
    })
}

/// Returns the texts between double quotes.
fn strings(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests;
