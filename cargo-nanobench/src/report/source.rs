//! The source of benchmarks, as it is in the workspace now.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Lines of a benchmark's source that are shown at most.
const MAX_LINES: usize = 120;
/// The size of the largest file that is read. Sources that people write are smaller.
const MAX_BYTES: u64 = 1 << 20;

/// The source of a benchmark.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Source {
    file: String,
    /// The first line, from 1.
    line: usize,
    text: String,
    /// The number of further lines.
    more: usize,
}

/// The sources of all benchmarks, each read once.
pub(super) struct Sources {
    workspace: PathBuf,
    all: Vec<Source>,
    /// The index by file and line. `None` for a source that can't be found.
    known: HashMap<(String, u32), Option<usize>>,
    files: HashMap<String, Option<File>>,
}

/// A file with its tokens.
struct File {
    text: String,
    tokens: TokenStream,
}

impl Sources {
    pub(super) fn new(workspace: &Path) -> Sources {
        let workspace = workspace.to_owned();
        Sources { workspace, all: Vec::new(), known: HashMap::new(), files: HashMap::new() }
    }

    /// Returns the index of the source of the item that begins at this line of a file, or whose
    /// attribute does.
    pub(super) fn index(&mut self, file: &str, line: u32) -> Option<usize> {
        let key = (file.to_owned(), line);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let index = self.find(file, line as usize).map(|source| {
            self.all.push(source);
            self.all.len() - 1
        });
        self.known.insert(key, index);
        index
    }

    /// Returns all sources by their index.
    pub(super) fn into_all(self) -> Vec<Source> {
        self.all
    }

    fn find(&mut self, file: &str, line: usize) -> Option<Source> {
        let workspace = &self.workspace;
        let read = self.files.entry(file.to_owned()).or_insert_with(|| File::read(workspace, file));
        let File { text, tokens } = read.as_ref()?;
        let [first, last] = lines_of_item(tokens.clone(), line)?;
        let lines: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
        let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line)).min()?;
        let without_indent = |line: &&str| line.get(indent..).unwrap_or_default().to_owned() + "\n";
        Some(Source {
            file: file.to_owned(),
            line: first,
            text: lines.iter().take(MAX_LINES).map(without_indent).collect(),
            more: lines.len().saturating_sub(MAX_LINES),
        })
    }
}

/// Returns the source of the benchmark that begins at this line of a file of the workspace. `None`
/// if it can't be found.
pub(crate) fn lines_of_benchmark(workspace: &Path, file: &str, line: u32) -> Option<String> {
    Sources::new(workspace).find(file, line as usize).map(|source| source.text)
}

impl File {
    /// Reads a file of the workspace. The name may come from the file of a stranger, so it must not
    /// lead out of the workspace.
    fn read(workspace: &Path, file: &str) -> Option<File> {
        let is_inside = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        let path = Some(workspace.join(file)).filter(|_| is_inside)?;
        let is_small = fs::metadata(&path).ok()?.len() <= MAX_BYTES;
        let text = fs::read_to_string(path).ok().filter(|_| is_small)?;
        let tokens = text.parse().ok()?;
        Some(File { text, tokens })
    }
}

/// Returns the first and last line of the item in which a line begins, with its attributes and doc
/// comments. An invocation of a macro is an item, too, if the line is that of a name inside.
fn lines_of_item(tokens: TokenStream, line: usize) -> Option<[usize; 2]> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(place) = trees.iter().position(|tree| tree.span().start().line == line) {
        return lines_from(&trees, first_attribute(&trees, place), place);
    }
    let around_line = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => {
            let span = group.span();
            (span.start().line <= line && line <= span.end().line).then(|| group.stream())
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    };
    let (place, inside) = trees.iter().enumerate().find_map(|(i, tree)| Some((i, around_line(tree)?)))?;
    let invocation = || {
        let first = trees[..place].iter().rposition(ends_item).map_or(0, |end| end + 1);
        lines_from(&trees, first, place)
    };
    lines_of_item(inside, line).or_else(invocation)
}

/// Returns the first and last line of the item that begins at `first` and doesn't end before `place`.
fn lines_from(trees: &[TokenTree], first: usize, place: usize) -> Option<[usize; 2]> {
    let last = trees[place..].iter().find(|tree| ends_item(tree))?;
    Some([trees.get(first)?.span().start().line, last.span().end().line])
}

fn ends_item(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

/// Returns the place of the first of the attributes right before a place: each is a `#` with a
/// group in brackets. A doc comment is one of them.
fn first_attribute(trees: &[TokenTree], place: usize) -> usize {
    let is_attribute = |pair: &[TokenTree]| {
        matches!(pair, [TokenTree::Punct(hash), TokenTree::Group(group)]
            if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket)
    };
    let before = trees[..place].rchunks_exact(2).take_while(|pair| is_attribute(pair)).count();
    place - 2 * before
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "//! Docs.\nuse a::b;\n\nmod inner {\n    /// Sorts.\n    #[cold]\n    \
        #[nanobench(args = [1, 2], setup = |n| { n })]\n    fn sort(v: [u8; 3]) {\n        \
        f(\"}\", '}'); // }\n    }\n    fn other() {}\n}\n";

    fn sources() -> (tempfile::TempDir, Sources) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("ws")).unwrap();
        fs::write(folder.path().join("ws/a.rs"), FILE).unwrap();
        fs::write(folder.path().join("outside.rs"), FILE).unwrap();
        let sources = Sources::new(&folder.path().join("ws"));
        (folder, sources)
    }

    #[test]
    fn a_benchmark_is_shown_with_its_attributes_and_comments() {
        let (_folder, mut sources) = sources();
        assert_eq!(sources.index("a.rs", 7), Some(0));
        assert_eq!(sources.index("a.rs", 7), Some(0), "rows share it");
        let text = "/// Sorts.\n#[cold]\n#[nanobench(args = [1, 2], setup = |n| { n })]\n\
            fn sort(v: [u8; 3]) {\n    f(\"}\", '}'); // }\n}\n";
        let expected = Source { file: "a.rs".into(), line: 5, text: text.into(), more: 0 };
        assert_eq!(sources.into_all(), [expected]);
    }

    #[test]
    fn a_name_that_a_macro_gets_is_shown_with_its_invocation() {
        let text = "use a::b;\n\n/// Fruit.\nmake!(\n    zebra,\n    apple\n);\nmake! {\n    mango\n}\n";
        let lines = |line: usize| lines_of_item(text.parse().unwrap(), line);
        assert_eq!([5, 6, 9].map(lines), [Some([3, 7]), Some([3, 7]), Some([8, 10])]);
    }

    #[test]
    fn long_sources_are_cut_and_large_files_are_not_read() {
        let (folder, mut sources) = sources();
        let write = |name: &str, line: &str, lines: usize| {
            let text = format!("fn f() {{\n{}}}\n", line.repeat(lines));
            fs::write(folder.path().join("ws").join(name), text).unwrap();
        };
        write("long.rs", "    f();\n", MAX_LINES);
        write("large.rs", "/*          */\n", MAX_BYTES as usize / 15 + 1);
        assert_eq!((sources.index("long.rs", 1), sources.index("large.rs", 1)), (Some(0), None));
        let source = &sources.into_all()[0];
        assert_eq!((source.text.lines().count(), source.more), (MAX_LINES, 2));
    }

    #[test]
    fn nothing_outside_of_the_workspace_is_read() {
        let (folder, mut sources) = sources();
        let absolute = folder.path().join("outside.rs").to_string_lossy().into_owned();
        for file in ["../outside.rs", &absolute, "missing.rs", ""] {
            assert_eq!(sources.index(file, 7), None, "{file}");
        }
        assert_eq!(sources.index("a.rs", 99), None, "no such line");
    }
}
