//! The source files of a target. Their text is searched, not parsed: a module may be in any file that
//! fits its name, so files of other targets may be among them. Files are missing only if a procedural
//! macro, a crate of a registry or a build script names or writes them.

use super::runtime::manifest_dir;
use cargo_metadata::{Package, Target};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A source file of a target.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// `None` if the target includes a file that is not known, or if its root file is missing.
    pub(super) text: Option<Rc<str>>,
}

/// Returns the source files of a target, which are read one by one.
pub(super) fn of(package: &Package, target: &Target) -> Sources {
    Sources::new(target.src_path.as_std_path(), &manifest_dir(package))
}

/// A walk through the source files of a target.
#[derive(Debug)]
pub(super) struct Sources {
    root: PathBuf,
    package: PathBuf,
    queue: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
    /// The last file, which nobody needs to follow if it was what somebody searched for.
    last: Option<(PathBuf, Rc<str>)>,
    has_unknown: bool,
}

impl Sources {
    pub(super) fn new(root: &Path, package: &Path) -> Self {
        let (root, package) = (root.to_owned(), package.to_owned());
        let queue = vec![root.clone()];
        Self { root, package, queue, seen: HashSet::new(), last: None, has_unknown: false }
    }

    /// Queues the files that `file` may include.
    fn follow(&mut self, file: &Path, text: &str) {
        let folder = file.parent().unwrap_or(&self.package);
        let mut folders = vec![folder.to_owned(), folder.join(file.file_stem().unwrap_or_default())];
        let inline = modules(text).filter_map(|(name, is_inline)| is_inline.then_some(name));
        for name in inline.chain(module_paths(text)) {
            let below = folders.iter().map(|folder| folder.join(name));
            let new: Vec<PathBuf> = below.filter(|it| it.is_dir() && !folders.contains(it)).collect();
            folders.extend(new);
        }
        let named = modules(text).filter(|(_, is_inline)| !is_inline);
        let named = named.flat_map(|(name, _)| [format!("{name}.rs"), format!("{name}/mod.rs")]);
        for path in named.chain(module_paths(text).map(str::to_owned)) {
            self.queue.extend(folders.iter().map(|folder| folder.join(&path)));
        }
        for include in includes(text) {
            let candidates =
                |path: &str| [folder.join(path), self.package.join(path.trim_start_matches('/'))];
            let existing = include.and_then(|path| candidates(path).into_iter().find(|it| it.is_file()));
            self.has_unknown |= existing.is_none();
            self.queue.extend(existing);
        }
    }
}

impl Iterator for Sources {
    type Item = Source;

    fn next(&mut self) -> Option<Source> {
        if let Some((path, text)) = self.last.take() {
            self.follow(&path, &text);
        }
        while let Some(path) = self.queue.pop() {
            if !self.seen.insert(path.clone()) {
                continue;
            }
            let Ok(bytes) = fs::read(&path) else {
                self.has_unknown |= path == self.root;
                continue;
            };
            let text: Rc<str> = String::from_utf8_lossy(&bytes).into();
            self.last = Some((path.clone(), Rc::clone(&text)));
            return Some(Source { path, text: Some(text) });
        }
        std::mem::take(&mut self.has_unknown).then(|| Source { path: self.root.clone(), text: None })
    }
}

/// Returns the names in `mod name;` and `mod name {`, and whether it is the latter.
pub(super) fn modules(text: &str) -> impl Iterator<Item = (&str, bool)> {
    after_word(text, "mod").filter_map(|rest| {
        let name = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let name = name.strip_prefix("r#").unwrap_or(name);
        let (name, after) = name.split_at(name.find(|c| !is_word(c))?);
        let after = after.trim_start();
        (!name.is_empty() && after.starts_with([';', '{'])).then(|| (name, after.starts_with('{')))
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

/// Returns the files that `include!` names, relative to the source file or to the package, or `None`
/// for a file that the text does not name. Those that a build script writes are left out.
fn includes(text: &str) -> impl Iterator<Item = Option<&str>> {
    after_word(text, "include").filter_map(|rest| {
        let arguments = rest.strip_prefix('!')?.trim_start();
        let strings: Vec<&str> = strings(arguments.split(';').next()?).collect();
        let is_followed = arguments.starts_with(['(', '[', '{']) && !strings.contains(&"OUT_DIR");
        is_followed.then(|| strings.last().copied())
    })
}

/// Returns the text that follows each occurrence of a word.
pub(super) fn after_word<'a>(text: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
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
