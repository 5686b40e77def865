//! The machine code of a benchmark as text.

use super::source::lines_of_benchmark;
use crate::code::{Assembly, Line, Listing, Place, SourcedLine};
use crate::output::wrapped;
use crate::style::{FAINT, HEADING, paint};
use nanobench::report::{counted, escape};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// The number of functions that are named without their machine code.
const MAX_OTHERS: usize = 12;
/// The size of the largest source file that is read.
const MAX_BYTES: u64 = 1 << 20;
/// The width of the column of mnemonics.
const MNEMONIC: usize = 7;
/// The width of the column of operands before a note.
const OPERANDS: usize = 32;
/// The indentation of the rest of a name and its size, beyond that of names without their machine code.
const INDENT: &str = "    ";

/// The place of a benchmark's source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceOf<'a> {
    pub(crate) workspace: &'a Path,
    pub(crate) file: &'a str,
    pub(crate) line: u32,
}

/// Returns the machine code of a benchmark as text. `source`: with the source between the
/// instructions, or above them if there is no debug information. Names and sizes break at `width`.
pub(crate) fn text(assembly: &Assembly, source: Option<SourceOf<'_>>, width: Option<usize>) -> String {
    let mut text = String::new();
    if let Some(source) = source.filter(|_| !assembly.has_source_lines) {
        text += &benchmark_source(source);
    }
    let mut files = SourceFiles::default();
    for listing in &assembly.functions {
        text += &paint(HEADING, &wrapped(&heading(listing), width, INDENT));
        text.push('\n');
        let mut last: Option<&Place> = None;
        for SourcedLine { line, place } in &listing.lines {
            if let Some(place) = place.as_ref().filter(|place| source.is_some() && last != Some(*place)) {
                text += &paint(FAINT, &files.line(place, source.map(|source| source.workspace)));
                text.push('\n');
                last = Some(place);
            }
            text += &self::line(line);
            text.push('\n');
        }
        text.push('\n');
    }
    for line in others(&assembly.others).lines() {
        _ = writeln!(text, "{}", wrapped(line, width, INDENT));
    }
    text
}

/// Returns the heading of a function: `my_crate::parse: 210 bytes, 1 call away`.
fn heading(listing: &Listing) -> String {
    let name = escape(&listing.name);
    match (listing.is_timed_loop, listing.distance) {
        (true, _) => "the timed loop".to_owned(),
        (false, 0) => format!("{name}: {}, with the timed loop", counted(listing.size as usize, "byte")),
        (false, distance) => {
            format!("{name}: {}, {} away", counted(listing.size as usize, "byte"), counted(distance, "call"))
        }
    }
}

/// Returns a line of machine code, with its label and its note, without styles.
pub(super) fn plain_line(line: &Line) -> String {
    let without_note = Line { note: None, ..line.clone() };
    let note = line.note.as_ref().map(|note| format!(" ; {}", escape(note))).unwrap_or_default();
    self::line(&without_note) + &note
}

/// Returns a line of machine code, with its label and its note.
fn line(line: &Line) -> String {
    let label = line.label.map_or_else(String::new, |label| format!(".{label}:"));
    let (mnemonic, operands) = (&line.mnemonic, escape(&line.operands));
    let Some(note) = &line.note else {
        return format!("{label:>6} {mnemonic:<MNEMONIC$} {operands}").trim_end().to_owned();
    };
    let note = paint(FAINT, &format!("; {}", escape(note)));
    format!("{label:>6} {mnemonic:<MNEMONIC$} {operands:<OPERANDS$} {note}")
}

/// Returns the source of the benchmark, and how to get that of every instruction.
fn benchmark_source(source: SourceOf<'_>) -> String {
    let lines = lines_of_benchmark(source.workspace, source.file, source.line);
    let lines = lines.map_or_else(String::new, |lines| lines.trim_end().to_owned() + "\n\n");
    let advice = "// for the source between the instructions: CARGO_PROFILE_BENCH_DEBUG=line-tables-only";
    lines + &paint(FAINT, advice) + "\n\n"
}

/// Returns a line with the names of functions that are not listed.
fn others(others: &[(String, u64)]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let mut text = paint(HEADING, "also called") + "\n";
    for (name, size) in others.iter().take(MAX_OTHERS) {
        _ = writeln!(text, "  {}: {}", escape(name), counted(*size as usize, "byte"));
    }
    if let Some(more) = others.len().checked_sub(MAX_OTHERS).filter(|more| *more > 0) {
        _ = writeln!(text, "  and {more} more");
    }
    text
}

/// The lines of source files, each read once.
#[derive(Default)]
pub(super) struct SourceFiles(HashMap<Rc<str>, Vec<String>>);

impl SourceFiles {
    /// Returns a line of the source: `// src/lib.rs:7  let a = 1;`.
    pub(super) fn line(&mut self, place: &Place, workspace: Option<&Path>) -> String {
        let lines = self.0.entry(Rc::clone(&place.file)).or_insert_with(|| read_lines(&place.file));
        let path = Path::new(&*place.file);
        let path = workspace.and_then(|workspace| path.strip_prefix(workspace).ok()).unwrap_or(path);
        let text = lines.get((place.line as usize).saturating_sub(1)).map_or("", |line| line.trim());
        escape(&format!("// {}:{}  {text}", path.display(), place.line)).trim_end().to_owned()
    }
}

/// Returns the lines of a file, or none if it can't be read, as of the standard library.
fn read_lines(file: &str) -> Vec<String> {
    let is_small = fs::metadata(file).is_ok_and(|metadata| metadata.len() <= MAX_BYTES);
    let text = is_small.then(|| fs::read_to_string(file).ok()).flatten().unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes_break_between_words() {
        let listing = Listing {
            name: "my_crate::first::concat".into(),
            size: 210,
            distance: 0,
            is_timed_loop: false,
            lines: Vec::new(),
        };
        let others = vec![("alloc::raw_vec::grow".into(), 96)];
        let assembly = Assembly { functions: vec![listing], others, has_source_lines: false };
        let text = anstream::adapter::strip_str(&text(&assembly, None, Some(40))).to_string();
        let expected = "my_crate::first::concat: 210 bytes, with\n    the timed loop\n\n\
                        also called\n  alloc::raw_vec::grow: 96 bytes\n";
        assert_eq!(text, expected);
    }
}
