//! The benchmarks of a run: every executable started once and asked what it holds.

use crate::cargo::Executable;
use crate::exit::Exit;
use crate::session::{self, RequestError, Session, SessionOptions};
use nanobench::model::{BenchmarkSpec, ClockInfo, KeyValue};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Advice about rows whose labels differ from process to process.
pub(crate) const STABLE_LABELS_ADVICE: &str = "the labels of its `args` contain an address (as of a \
    function pointer), the order of a hash set, or something else that differs from process to \
    process. Use a type whose `Display` gives stable labels";

/// A benchmark of the suite.
#[derive(Debug, Clone)]
pub(crate) struct Benchmark {
    /// Unique in the workspace.
    pub(crate) id: String,
    pub(crate) package: String,
    /// Target and modules, or target and the group that it was put into.
    pub(crate) group: String,
    /// The function's name, without its modules and without the case.
    pub(crate) function: String,
    /// The function's name and the case: `sort/1000`.
    pub(crate) name: String,
    /// Index of its harness in the suite.
    pub(crate) harness: usize,
    pub(crate) benchmark: BenchmarkSpec,
}

impl Benchmark {
    /// A benchmark in the listing of a harness whose ids begin with `prefix`, which begins with `package`.
    pub(crate) fn new(package: &str, prefix: &str, harness: usize, benchmark: &BenchmarkSpec) -> Benchmark {
        let case = benchmark.case.as_deref();
        // What stands in a case is the user's, `::` and `/` too.
        let function = without_case(&benchmark.path, case);
        let (modules, function) = function.rsplit_once("::").unwrap_or(("", function));
        let target = prefix.strip_prefix(package).map_or(prefix, |rest| rest.trim_start_matches("::"));
        let place = benchmark.group.as_deref().unwrap_or(modules);
        let separator = if place.is_empty() { "" } else { "::" };
        Benchmark {
            id: format!("{prefix}::{}", benchmark.path),
            package: package.to_owned(),
            group: format!("{target}{separator}{place}"),
            function: function.to_owned(),
            name: case.map_or(function.to_owned(), |case| format!("{function}/{case}")),
            harness,
            benchmark: benchmark.clone(),
        }
    }

    /// The id without the case: the same for all rows of a function.
    pub(crate) fn function_id(&self) -> &str {
        without_case(&self.id, self.benchmark.case.as_deref())
    }

    /// The path of the function below the crate's root, by its own name and not by the one that it is shown by.
    pub(crate) fn function_path(&self) -> String {
        let shown = without_case(&self.benchmark.path, self.benchmark.case.as_deref());
        match (&self.benchmark.function, shown.rsplit_once("::")) {
            (None, _) => shown.to_owned(),
            (Some(function), None) => function.clone(),
            (Some(function), Some((modules, _))) => format!("{modules}::{function}"),
        }
    }
}

/// An id or a path without the case at its end.
pub(crate) fn without_case<'a>(path: &'a str, case: Option<&str>) -> &'a str {
    let without = case.and_then(|case| path.strip_suffix(case)?.strip_suffix('/'));
    without.unwrap_or(path)
}

/// An executable with benchmarks, and its process while there is one.
#[derive(Debug)]
pub(crate) struct Harness {
    pub(crate) executable: Executable,
    pub(crate) clock: ClockInfo,
    /// What an iteration of an empty benchmark takes in it, in ns.
    pub(crate) empty_loop: f64,
    pub(crate) debug_build: bool,
    /// A debugger is attached to it.
    pub(crate) traced: bool,
    /// Version of `nanobench-core` in it.
    pub(crate) version: String,
    /// The counting allocator is installed in it.
    pub(crate) counts_allocations: bool,
    /// Counters that were asked for and that it can't read, and why.
    pub(crate) no_counters: Vec<KeyValue>,
    /// Number of the process that runs or ran last: each gets its own.
    pub(crate) process: u64,
    session: Option<Session>,
}

impl Harness {
    /// Its process: the one that runs, or a fresh one where that has ended.
    pub(crate) fn session(
        &mut self,
        session_options: &SessionOptions,
    ) -> Result<&mut Session, session::Error> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                self.process += 1;
                Session::start(&self.executable, session_options)?
            }
        };
        self.clock = session.listing().clock.clone();
        self.empty_loop = session.listing().empty_loop;
        Ok(self.session.insert(session))
    }

    /// Ends its process, if there is one.
    pub(crate) fn end_session(&mut self) {
        self.session = None;
    }
}

/// All benchmarks of the executables that were built.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) harnesses: Vec<Harness>,
    pub(crate) benchmarks: Vec<Benchmark>,
    pub(crate) unlisted: Vec<UnlistedExecutable>,
}

/// An executable that failed before it listed its benchmarks.
#[derive(Debug)]
pub(crate) struct UnlistedExecutable {
    /// Package and target, with which the ids of its benchmarks begin.
    pub(crate) id_prefix: String,
    pub(crate) error: Arc<RequestError>,
}

/// Why the benchmarks can't be run as they are.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SuiteError {
    #[error(transparent)]
    Session(session::Error),
    #[error("two benchmarks have the same name{}\ngive one of them another name: #[nanobench(name = \"...\")]", lines(.0))]
    Duplicates(Vec<DuplicateId>),
}

/// An id that several benchmarks have.
#[derive(Debug)]
pub(crate) struct DuplicateId {
    id: String,
    /// File and line of each of the benchmarks.
    locations: Vec<(String, u32)>,
}

impl SuiteError {
    /// How the run ends by it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            SuiteError::Session(error) => error.exit(),
            SuiteError::Duplicates(_) => Exit::Surroundings,
        }
    }
}

fn lines(duplicates: &[DuplicateId]) -> String {
    let mut text = String::new();
    for DuplicateId { id, locations } in duplicates {
        let _ = write!(text, "\n{id}");
        for (file, line) in locations {
            let _ = write!(text, "\n  {file}:{line}");
        }
    }
    text
}

impl Suite {
    /// Starts every executable and asks what it holds.
    pub(crate) fn open(
        executables: Vec<Executable>,
        session_options: &SessionOptions,
    ) -> Result<Suite, SuiteError> {
        let mut suite = Suite { harnesses: Vec::new(), benchmarks: Vec::new(), unlisted: Vec::new() };
        for executable in executables {
            match Session::start(&executable, session_options) {
                Ok(session) => suite.add(executable, session),
                Err(session::Error::NoAnswer { id, reason }) if !reason.is_interruption() => {
                    suite.unlisted.push(UnlistedExecutable { id_prefix: id, error: Arc::new(reason) });
                }
                Err(error) => return Err(SuiteError::Session(error)),
            }
        }
        let duplicates = suite.duplicates();
        if duplicates.is_empty() { Ok(suite) } else { Err(SuiteError::Duplicates(duplicates)) }
    }

    fn add(&mut self, executable: Executable, session: Session) {
        let listing = session.listing();
        let (prefix, package) = (executable.id_prefix(), &executable.package.name);
        let found = listing
            .benchmarks
            .iter()
            .map(|benchmark| Benchmark::new(package, &prefix, self.harnesses.len(), benchmark));
        self.benchmarks.extend(together(found.collect()));
        self.harnesses.push(Harness {
            clock: listing.clock.clone(),
            empty_loop: listing.empty_loop,
            debug_build: listing.debug_build,
            traced: listing.traced,
            counts_allocations: listing.counts_allocations,
            no_counters: listing.no_counters.clone().unwrap_or_default(),
            version: session.version().to_owned(),
            executable,
            process: 1,
            session: Some(session),
        });
    }

    /// Returns the executable that would hold `benchmark`, if it failed before it listed its
    /// benchmarks.
    pub(super) fn unlisted_executable(&self, benchmark: &Benchmark) -> Option<&UnlistedExecutable> {
        let would_hold =
            |prefix: &str| benchmark.id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with("::"));
        self.unlisted.iter().find(|executable| would_hold(&executable.id_prefix))
    }

    /// Narrows the suite to `selected`: executables none of whose benchmarks are selected are ended and forgotten.
    pub(crate) fn narrow(&mut self, mut selected: Vec<Benchmark>) {
        let used: BTreeSet<usize> = selected.iter().map(|found| found.harness).collect();
        let harnesses = std::mem::take(&mut self.harnesses).into_iter().enumerate();
        self.harnesses =
            harnesses.filter(|(old, _)| used.contains(old)).map(|(_, harness)| harness).collect();
        for found in &mut selected {
            // Those that stay keep their order, so the new index is the number of those before.
            found.harness = used.range(..found.harness).count();
        }
        self.benchmarks = selected;
    }

    /// Ids of the benchmarks that others are compared with in the run.
    pub(crate) fn baselines(&self) -> BTreeSet<String> {
        let named: BTreeSet<(usize, &String)> = self
            .benchmarks
            .iter()
            .filter_map(|found| Some((found.harness, found.benchmark.baseline.as_ref()?)))
            .collect();
        let is_named = |found: &&Benchmark| named.contains(&(found.harness, &found.benchmark.path));
        self.benchmarks.iter().filter(is_named).map(|found| found.id.clone()).collect()
    }

    /// Ends all processes. Whoever needs one gets a fresh one.
    pub(crate) fn end_sessions(&mut self) {
        self.harnesses.iter_mut().for_each(Harness::end_session);
    }

    /// Returns the ids that more than one benchmark has.
    fn duplicates(&self) -> Vec<DuplicateId> {
        let mut locations: BTreeMap<&str, Vec<(String, u32)>> = BTreeMap::new();
        for Benchmark { id, benchmark, .. } in &self.benchmarks {
            locations.entry(id).or_default().push((benchmark.file.clone(), benchmark.line));
        }
        let duplicates = locations.into_iter().filter(|(_, locations)| locations.len() > 1);
        duplicates.map(|(id, locations)| DuplicateId { id: id.to_owned(), locations }).collect()
    }
}

/// The benchmarks with those of one group next to each other, where the first of them stands.
fn together(benchmarks: Vec<Benchmark>) -> Vec<Benchmark> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut placed: Vec<(usize, Benchmark)> = benchmarks
        .into_iter()
        .map(|found| {
            let next = places.len();
            (*places.entry(found.group.clone()).or_insert(next), found)
        })
        .collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, case: Option<&str>, group: Option<&str>) -> Benchmark {
        let benchmark = BenchmarkSpec {
            path: path.to_owned(),
            case: case.map(str::to_owned),
            group: group.map(str::to_owned),
            ..BenchmarkSpec::default()
        };
        Benchmark::new("my-crate", "my-crate::first", 0, &benchmark)
    }

    #[test]
    fn nothing_is_split_within_a_case() {
        let sort =
            found("a::b::sort/Vec<std::string::String>/1/2", Some("Vec<std::string::String>/1/2"), None);
        assert_eq!((sort.group.as_str(), sort.function.as_str()), ("first::a::b", "sort"));
        assert_eq!(sort.name, "sort/Vec<std::string::String>/1/2");
        assert_eq!(sort.id, "my-crate::first::a::b::sort/Vec<std::string::String>/1/2");
        assert_eq!(sort.function_id(), "my-crate::first::a::b::sort");
    }

    #[test]
    fn a_function_has_its_own_path_whatever_it_is_called() {
        assert_eq!(found("a::sort/1::2", Some("1::2"), None).function_path(), "a::sort");
        let renamed = |path| {
            let mut found = found(path, Some("1/2"), Some("group"));
            found.benchmark.function = Some("sort".to_owned());
            found.function_path()
        };
        assert_eq!(
            (renamed("a::b::x / y/1/2"), renamed("x/1/2")),
            ("a::b::sort".to_owned(), "sort".to_owned())
        );
    }

    #[test]
    fn a_group_stands_in_the_place_of_modules() {
        assert_eq!(found("a::sort", None, Some("sorting")).group, "first::sorting");
        assert_eq!(found("sort", None, None).group, "first");
    }

    #[test]
    fn groups_are_not_torn_apart() {
        let all = ["a", "b", "c"].into_iter().zip([Some("x"), None, Some("x")]);
        let together = together(all.map(|(path, group)| found(path, None, group)).collect());
        let names: Vec<&str> = together.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["a", "c", "b"]);
    }
}
