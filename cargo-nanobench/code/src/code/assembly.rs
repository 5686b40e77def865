//! The machine code of a benchmark: of its timed loop, and of the functions that it calls.

use super::BenchmarkCode;
use super::executable::Executable;
use super::listing::{self, Line};
use super::reach::{self, Called};
use super::references;
use super::source_lines::{Place, SourceLines};
use super::symbol::Symbol;
use std::path::Path;

/// The machine code of a benchmark.
#[derive(Debug)]
pub struct Assembly {
    /// The timed loop first, then the functions that it calls, the nearest first.
    pub functions: Vec<Listing>,
    /// The names and sizes of functions that are not listed, the nearest first.
    pub others: Vec<(String, u64)>,
    /// The executable has debug information about source lines.
    pub has_source_lines: bool,
}

/// The machine code of a function.
#[derive(Debug)]
pub struct Listing {
    pub name: String,
    /// The size of the whole function in bytes.
    pub size: u64,
    /// The number of calls from the timed loop.
    pub distance: usize,
    /// Only the timed loop of the function is listed.
    pub is_timed_loop: bool,
    pub lines: Vec<SourcedLine>,
}

/// A line of machine code with its place in the source.
#[derive(Debug)]
pub struct SourcedLine {
    pub line: Line,
    pub place: Option<Place>,
}

/// An obstacle to listing machine code.
#[derive(Debug, thiserror::Error)]
pub enum NoAssembly {
    #[error(
        "cannot read the machine code of {0}\nonly position-independent ELF executables with symbols, for x86-64, are \
         supported: don't set `strip` in the profile, or use another linker if yours removes them, as mold may"
    )]
    Unsupported(String),
    #[error(
        "cannot find the machine code of `{0}`\nit has no symbol, or several benchmarks of the executable have this path"
    )]
    NotFound(String),
}

/// Lists the machine code of benchmarks in an executable.
#[derive(Debug)]
pub struct Disassembler {
    executable: Executable,
    bytes: Vec<u8>,
}

impl Disassembler {
    /// Reads an executable.
    pub fn read(path: &Path) -> Result<Disassembler, NoAssembly> {
        let unsupported = || NoAssembly::Unsupported(path.display().to_string());
        let executable = Executable::read(path).ok_or_else(unsupported)?;
        Ok(Disassembler { executable, bytes: std::fs::read(path).unwrap_or_default() })
    }

    /// Lists the machine code of a benchmark, which is called `name`. `depth`: the number of calls from the
    /// timed loop to the farthest functions that are listed. Functions of the standard library are only named.
    pub fn assembly(&self, code: &BenchmarkCode, name: &str, depth: usize) -> Result<Assembly, NoAssembly> {
        let executable = &self.executable;
        let found = code.locate(executable);
        let timed = found.and_then(|found| reach::timed_functions(executable, &found));
        let timed = timed.filter(|timed| !timed.is_empty());
        let timed = timed.ok_or_else(|| NoAssembly::NotFound(name.to_owned()))?;
        let places = SourceLines::parse(&self.bytes);
        let (listed, others): (Vec<Called>, Vec<Called>) =
            reach::called(executable, timed).into_iter().partition(|called| is_listed(called, depth));
        Ok(Assembly {
            functions: listed.iter().map(|called| listing(executable, called, places.as_ref())).collect(),
            others: others.iter().map(|called| (called.symbol.demangled(), called.symbol.size)).collect(),
            has_source_lines: places.is_some(),
        })
    }
}

fn is_listed(called: &Called, depth: usize) -> bool {
    called.distance == 0 || called.distance <= depth && !reach::is_foreign(&called.symbol.demangled())
}

fn listing(executable: &Executable, called: &Called, places: Option<&SourceLines<'_>>) -> Listing {
    let Called { symbol, distance } = called;
    let code = references::instructions(executable, symbol);
    let timed_loop = reach::timed_loop(&code).filter(|_| *distance == 0);
    let range = timed_loop.as_ref().map(|range| code[*range.start()].ip()..=code[*range.end()].ip());
    let lines = listing::lines(executable, symbol, &code);
    let is_shown = |line: &Line| range.as_ref().is_none_or(|range| range.contains(&line.address));
    Listing {
        name: symbol.demangled(),
        size: symbol.size,
        distance: *distance,
        is_timed_loop: timed_loop.is_some(),
        lines: sourced(lines.into_iter().filter(is_shown), symbol, places),
    }
}

/// Adds the places of the lines of a function in the source.
pub(super) fn sourced(
    lines: impl Iterator<Item = Line>,
    symbol: &Symbol,
    places: Option<&SourceLines<'_>>,
) -> Vec<SourcedLine> {
    let places = places.map(|places| places.of(symbol.range())).unwrap_or_default();
    let place = |address: u64| {
        let after = places.partition_point(|(start, _)| *start <= address);
        after.checked_sub(1).map(|last| places[last].1.clone())
    };
    lines.map(|line| SourcedLine { place: place(line.address), line }).collect()
}
