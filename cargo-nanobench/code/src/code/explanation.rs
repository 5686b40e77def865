//! The differences between the code of a benchmark in two executables: in which functions, and of
//! which kind.

use super::assembly::{self, SourcedLine};
use super::code_traits::{Calls, CodeTraits, is_of_allocator};
use super::executable::Executable;
use super::graph::{Graph, Outcome, Part};
use super::listing::{self, Line};
use super::reach::{self, is_of_harness};
use super::references::instructions;
use super::source_lines::{Place, SourceLines};
use super::symbol::Symbol;
use super::{BenchmarkCode, CodeComparer, is_of_criterion, passes_benchmark};
use nanobench::serialize::sides;
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

/// The largest number of functions that are reported.
const MAX_FUNCTIONS: usize = 32;

/// A function whose code or data differ. Pairs have the baseline first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedFunction {
    /// `None` for the timed loop with the functions that are inlined into it.
    pub name: Option<String>,
    /// The number of calls from the timed loop. `None` if only values that the set-up makes lead
    /// there, as to the methods of trait objects.
    pub distance: Option<usize>,
    /// The sizes in bytes.
    #[serde(rename = "bytes", serialize_with = "sides")]
    pub sizes: [u64; 2],
    /// The numbers of instructions, without padding.
    #[serde(serialize_with = "sides")]
    pub instructions: [usize; 2],
    /// The most telling first. Empty if only the instructions differ.
    pub changes: Vec<CodeChange>,
    /// The addresses in both executables.
    #[serde(skip)]
    pub(super) addresses: [u64; 2],
}

impl ChangedFunction {
    /// Returns whether nothing but its data differ.
    pub fn has_same_code(&self) -> bool {
        let is_data = |change: &CodeChange| matches!(change, CodeChange::OtherData(_));
        !self.changes.is_empty() && self.sizes[0] == self.sizes[1] && self.changes.iter().all(is_data)
    }

    /// Creates one that is a call away, for tests of this crate and of those above it.
    #[doc(hidden)]
    pub fn fixture(name: &str, sizes: [u64; 2], changes: Vec<CodeChange>) -> ChangedFunction {
        let name = Some(name.to_owned());
        ChangedFunction { name, distance: Some(1), sizes, instructions: [4, 5], changes, addresses: [0; 2] }
    }
}

/// A change of a function, the most telling kinds first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "name")]
pub enum CodeChange {
    /// It allocates memory, which it did not before.
    Allocates,
    NoLongerAllocates,
    /// A function that was inlined is called.
    NoLongerInlined(String),
    /// A function that was called is inlined.
    NowInlined(String),
    /// It no longer uses instructions that work on several values at once.
    NoLongerVectorised,
    NowVectorised,
    /// It checks the bounds of slices more often.
    MoreBoundsChecks,
    FewerBoundsChecks,
    /// It calls a function that it did not call before.
    Calls(String),
    /// It calls functions that are only known when the program runs, as of trait objects.
    MoreIndirectCalls,
    FewerIndirectCalls,
    /// It divides or takes roots, which takes longer than other instructions.
    MoreDivisions,
    FewerDivisions,
    /// It uses instructions that synchronise threads.
    MoreAtomics,
    FewerAtomics,
    NoLongerCalls(String),
    /// The data that it refers to. Contains the name if it has one.
    OtherData(Option<String>),
}

/// The name of the code around a benchmark that the program passes, which makes its inputs.
const PASSING_CODE: &str = "the code that makes its inputs";

impl CodeComparer {
    /// Returns the functions of a benchmark that differ in two executables, the nearest first.
    /// `codes`: its code in each. `None` if an executable can't be analysed.
    pub fn explain(
        &mut self,
        one: &Path,
        other: &Path,
        codes: [impl Into<BenchmarkCode>; 2],
    ) -> Option<Vec<ChangedFunction>> {
        let codes = codes.map(Into::into);
        let (executables, common) = self.read(one, other)?;
        let executables = executables.each_ref().map(|executable| &**executable);
        let (a, b) = (codes[0].locate(executables[0])?, codes[1].locate(executables[1])?);
        let timed = reach::timed_functions(executables[0], &a)?;
        let other_timed = reach::timed_functions(executables[1], &b)?;
        let timed = timed.iter().zip(&other_timed).map(|(x, y)| (x.address, y.address));
        let entries = a.roots.iter().copied().zip(b.roots.iter().copied());
        if common.outcome(&codes[0], executables, [&a, &b], entries.clone()) == Outcome::Equal {
            return Some(Vec::new());
        }
        let elsewhere = a.elsewhere();
        let mut walk = Walk {
            executables,
            parts: common.parts_of(&codes[0]),
            others: &elsewhere,
            seen: HashSet::new(),
            next: VecDeque::new(),
            changed: Vec::new(),
            places: HashMap::new(),
        };
        walk.follow(timed, 0);
        if walk.changed.is_empty() {
            walk.follow(entries.clone(), 1);
            if !a.targets.is_empty() && walk.changed.iter().all(is_of_libraries) {
                // Another target may leave something for this one.
                (walk.others, walk.seen) = (&a.others, HashSet::new());
                walk.follow(entries, 1);
                walk.changed.sort_by_key(is_of_libraries);
            }
            walk.changed.iter_mut().for_each(|function| function.distance = None);
        }
        Some(walk.changed)
    }

    /// Returns the first places in files that pass the test of functions of the second executable, as far
    /// as its debug information has them.
    pub fn places(
        &mut self,
        one: &Path,
        other: &Path,
        functions: &[ChangedFunction],
        is_own: impl Fn(&Path) -> bool,
    ) -> Vec<Option<Place>> {
        let bytes = std::fs::read(other).unwrap_or_default();
        let lines = SourceLines::parse(&bytes);
        let executable = self.read(one, other).map(|([_, other], _)| other);
        let place = |function: &ChangedFunction| {
            let symbol = executable.as_ref()?.symbol(function.addresses[1])?;
            let places = lines.as_ref()?.of(symbol.range()).into_iter().map(|(_, place)| place);
            places.into_iter().find(|place| is_own(Path::new(&*place.file)))
        };
        functions.iter().map(place).collect()
    }

    /// Lists the machine code of functions in both executables.
    pub fn listings(
        &mut self,
        one: &Path,
        other: &Path,
        functions: &[ChangedFunction],
    ) -> Vec<Option<Sides>> {
        let bytes = std::fs::read(other).unwrap_or_default();
        let places = SourceLines::parse(&bytes);
        let executables = self.read(one, other).map(|(executables, _)| executables);
        let sides = |function: &ChangedFunction| {
            let [one, other] = executables.as_ref()?.each_ref().map(|executable| &**executable);
            let [before, now] = function.addresses;
            let (before, now) = (one.symbol(before)?, other.symbol(now)?);
            let lines =
                |executable, symbol| listing::lines(executable, symbol, &instructions(executable, symbol));
            let sourced = assembly::sourced(lines(other, now).into_iter(), now, places.as_ref());
            Some(Sides { before: lines(one, before), now: sourced })
        };
        functions.iter().map(sides).collect()
    }
}

/// Returns whether a function that differs belongs to the standard library or to nanobench, as if its
/// thread-local data have moved.
fn is_of_libraries(function: &ChangedFunction) -> bool {
    let name = function.name.as_deref().unwrap_or_default();
    reach::is_foreign(name) || is_of_criterion(name)
}

/// The machine code of a function in two executables. The source of the first one may be gone.
#[derive(Debug)]
pub struct Sides {
    pub before: Vec<Line>,
    pub now: Vec<SourcedLine>,
}

/// The addresses of a function in both executables.
type Pair = (u64, u64);

/// A pair of functions to look at.
struct Step {
    functions: Pair,
    distance: usize,
    /// The functions that refer to them.
    from: Option<Pair>,
}

/// The way along the references of both executables, past functions that differ.
struct Walk<'a> {
    executables: [&'a Executable; 2],
    parts: &'a mut Graph,
    /// The code of other benchmarks in the first executable.
    others: &'a HashSet<u64>,
    seen: HashSet<Part>,
    next: VecDeque<Step>,
    changed: Vec<ChangedFunction>,
    /// The indices of changed functions by their addresses.
    places: HashMap<Pair, usize>,
}

impl Walk<'_> {
    /// Looks at everything that can be reached from these functions, at this distance.
    fn follow(&mut self, roots: impl Iterator<Item = Pair>, distance: usize) {
        self.next.extend(roots.map(|functions| Step { functions, distance, from: None }));
        while let Some(Step { functions, distance, from }) = self.next.pop_front() {
            let is_new = self.seen.insert(Part::Function(functions.0, functions.1))
                && !self.others.contains(&functions.0);
            if is_new && self.changed.len() < MAX_FUNCTIONS {
                self.visit(functions, distance, from);
            }
        }
    }

    /// Compares two functions and the data that they refer to.
    fn visit(&mut self, function: Pair, distance: usize, from: Option<Pair>) {
        let compared = self.parts.compare_part(self.executables, Part::Function(function.0, function.1));
        if compared.is_same {
            let mut data = compared.references.clone();
            while let Some(part) = data.pop() {
                if let Part::Function(a, b) = part {
                    let from = Some(function);
                    self.next.push_back(Step { functions: (a, b), distance: distance + 1, from });
                } else if self.seen.insert(part) {
                    let compared = self.parts.compare_part(self.executables, part);
                    if compared.is_same {
                        data.extend(&compared.references);
                    } else {
                        self.add(function, distance, CodeChange::OtherData(self.name_of_data(part)));
                    }
                }
            }
            return;
        }
        let [Some(f), Some(g)] = self.symbols(function) else { return };
        let (f, g) = (f.clone(), g.clone());
        if is_of_harness(&f.demangled()) || is_of_harness(&g.demangled()) {
            return;
        }
        if let (Some(from), Some(false)) = (from, f.same_name(&g)) {
            // The caller calls another function, as a rule for another purpose.
            self.add(from, distance - 1, CodeChange::NoLongerCalls(f.demangled()));
            self.add(from, distance - 1, CodeChange::Calls(g.demangled()));
            return;
        }
        let changes = self.differences([&f, &g], function, distance);
        self.place(function, distance);
        for change in changes {
            self.add(function, distance, change);
        }
    }

    /// Compares the code of two functions, and notes those pairs of functions to look at that both
    /// call.
    fn differences(&mut self, [f, g]: [&Symbol; 2], pair: Pair, distance: usize) -> Vec<CodeChange> {
        let [one, other] = self.executables;
        let (f_code, g_code) = (instructions(one, f), instructions(other, g));
        let [before, now] = [CodeTraits::of(one, &f_code), CodeTraits::of(other, &g_code)];
        let mut changes = before.changes_to(&now);
        let (old, mut new) = (Calls::of(one, &f_code), Calls::of(other, &g_code));
        let mut gone = Vec::new();
        for (name, symbol) in old.0 {
            let Some(place) = new.0.iter().position(|(other, _)| *other == name) else {
                gone.push((name, symbol));
                continue;
            };
            let (_, counterpart) = new.0.remove(place);
            if let (Some(x), Some(y)) = (symbol, counterpart) {
                let functions = (x.address, y.address);
                self.next.push_back(Step { functions, distance: distance + 1, from: Some(pair) });
            }
        }
        let mut came = new.0;
        came.retain(|(name, _)| !is_of_allocator(name));
        gone.retain(|(name, _)| !is_of_allocator(name));
        for (name, symbol) in came {
            let code = symbol.map(|symbol| CodeTraits::of(other, &instructions(other, &symbol)));
            let was_inlined = code.is_some_and(|code| before.has_lost(&now, &code));
            changes.push(if was_inlined {
                CodeChange::NoLongerInlined(name)
            } else {
                CodeChange::Calls(name)
            });
        }
        for (name, symbol) in gone {
            let code = symbol.map(|symbol| CodeTraits::of(one, &instructions(one, &symbol)));
            // One that has changed, too, isn't recognised, but is no longer there.
            let is_gone = || {
                now.instructions > before.instructions
                    && !other.symbols().any(|symbol| symbol.demangled() == name)
            };
            let is_inlined = code.is_some_and(|code| now.has_lost(&before, &code) || is_gone());
            changes.push(if is_inlined {
                CodeChange::NowInlined(name)
            } else {
                CodeChange::NoLongerCalls(name)
            });
        }
        changes
    }

    /// Returns the index of a changed function.
    fn place(&mut self, function: Pair, distance: usize) -> usize {
        if let Some(place) = self.places.get(&function) {
            return *place;
        }
        let symbols = self.symbols(function).map(|symbol: Option<&Symbol>| symbol.cloned());
        let numbers = |side: usize| {
            let Some(symbol) = &symbols[side] else { return 0 };
            let code = instructions(self.executables[side], symbol);
            CodeTraits::of(self.executables[side], &code).instructions
        };
        let name = symbols[0].as_ref().map(Symbol::demangled).unwrap_or_default();
        let name = if passes_benchmark(&name) { PASSING_CODE.to_owned() } else { name };
        self.changed.push(ChangedFunction {
            name: (distance > 0).then_some(name),
            distance: Some(distance),
            instructions: [numbers(0), numbers(1)],
            sizes: symbols.map(|symbol| symbol.map_or(0, |symbol| symbol.size)),
            changes: Vec::new(),
            addresses: [function.0, function.1],
        });
        self.places.insert(function, self.changed.len() - 1);
        self.changed.len() - 1
    }

    fn add(&mut self, function: Pair, distance: usize, change: CodeChange) {
        let place = self.place(function, distance);
        let changes = &mut self.changed[place].changes;
        if !changes.contains(&change) {
            changes.push(change);
            changes.sort();
        }
    }

    fn symbols(&self, (a, b): Pair) -> [Option<&Symbol>; 2] {
        [self.executables[0].symbol(a), self.executables[1].symbol(b)]
    }

    fn name_of_data(&self, part: Part) -> Option<String> {
        match part {
            Part::Data(a, ..) | Part::Nameless(a, ..) => self.executables[0].symbol(a).map(Symbol::demangled),
            Part::Function(..) | Part::Offsets(..) | Part::ThreadLocals => None,
        }
    }
}
