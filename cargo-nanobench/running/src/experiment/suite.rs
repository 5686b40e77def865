//! The benchmarks of a run, as their executables list them.

use super::instruction_counts;
use super::renames::{code_of, rust_path};
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::cargo::Executable;
use crate::code::{BenchmarkCode, KnownExecutables, TimedLoop};
use crate::instructions::Counting;
use crate::session::{self, EarlySessions, RequestError, Session, SessionOptions, StartingSession};
use nanobench::model::{BenchmarkSpec, RowId};
use nanobench::protocol::Listing;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Advice about rows whose labels differ from process to process.
pub const STABLE_LABELS_ADVICE: &str = "the labels of its `args` contain an address (as of a \
    function pointer), the order of a hash set, or something else that differs from process to \
    process. Use a type whose `Display` gives stable labels";

/// A benchmark of the suite.
#[derive(Debug, Clone)]
pub struct Benchmark {
    pub id: BenchmarkId,
    /// Target and modules, or target and the group that the attribute names.
    pub group: String,
    /// Index of its harness in the suite.
    pub harness: usize,
    pub spec: BenchmarkSpec,
    /// The code in its timed loop, if it was examined.
    pub timed_loop: Option<TimedLoop>,
}

impl Benchmark {
    /// Creates a benchmark from its entry in the listing of a harness.
    pub fn new(target: &TargetId, harness: usize, spec: &BenchmarkSpec) -> Benchmark {
        let place = spec.group.as_deref().unwrap_or(&spec.id.modules);
        let separator = if place.is_empty() { "" } else { "::" };
        Benchmark {
            id: BenchmarkId { target: target.clone(), row: spec.id.clone() },
            group: format!("{}{separator}{place}", target.within_package()),
            harness,
            spec: spec.clone(),
            timed_loop: None,
        }
    }

    pub fn package(&self) -> &str {
        &self.id.target.package
    }

    /// Returns the name of the function with its case: `sort/1000`.
    pub fn name(&self) -> String {
        RowId { modules: String::new(), ..self.id.row.clone() }.to_string()
    }

    /// Returns its code.
    pub fn code(&self) -> BenchmarkCode {
        code_of(&self.spec)
    }

    /// Returns the path of the Rust function below the crate's root.
    pub fn rust_path(&self) -> String {
        rust_path(&self.spec)
    }
}

/// An executable with benchmarks, and its process while one runs.
#[derive(Debug)]
pub struct Harness {
    pub executable: Executable,
    pub session_options: SessionOptions,
    /// Version of `nanobench-core` in the executable.
    pub version: String,
    /// The listing of the current or last process, with all counters that benchmarks ask for.
    pub listing: Arc<Listing>,
    /// Number of the current or last process, counted from 1.
    pub process: u64,
    session: Option<Session>,
    /// The libraries that benchmarks opened in processes that have ended.
    opened_libraries: BTreeSet<PathBuf>,
    /// An earlier command kept the listing, and a process didn't confirm it.
    is_listing_doubtful: bool,
    /// The processes in which instructions are counted.
    pub(super) counting: Counting,
}

impl Harness {
    /// Returns the session with the running process. Starts a process if none runs, or if that can't
    /// run this row any more.
    pub fn session_for(&mut self, row: &RowId) -> Result<&mut Session, session::Error> {
        if self.session.as_ref().is_some_and(|session| !session.serves(row)) {
            self.end_session();
        }
        self.session()
    }

    /// Returns the session with the running process. Starts a process if none runs.
    pub fn session(&mut self) -> Result<&mut Session, session::Error> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                self.process += 1;
                let session = Session::start_known(&self.executable, &self.session_options, &self.listing)?;
                self.listing = Arc::clone(session.listing());
                session
            }
        };
        Ok(self.session.insert(session))
    }

    /// Returns whether the listing of the running process was kept by an earlier command.
    pub fn has_kept_listing(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_kept)
    }

    /// Tells the process that there are no more requests, if one runs. It may end at once, so the
    /// libraries are noted before.
    pub(super) fn finish_session(&mut self) {
        if let Some(session) = &mut self.session {
            self.opened_libraries.extend(session.opened_libraries());
            session.finish();
        }
    }

    /// Ends the process if one runs.
    pub fn end_session(&mut self) {
        if let Some(mut session) = self.session.take() {
            self.opened_libraries.extend(session.opened_libraries());
            self.is_listing_doubtful |= !session.confirms_listing();
        }
        self.counting = Counting::default();
    }

    /// Ends the process, and returns the libraries that benchmarks opened so far.
    pub fn opened_libraries(&mut self) -> &BTreeSet<PathBuf> {
        self.end_session();
        &self.opened_libraries
    }
}

/// All benchmarks of the executables that were built.
#[derive(Debug)]
pub struct Suite {
    pub harnesses: Vec<Harness>,
    pub benchmarks: Vec<Benchmark>,
    pub unlisted: Vec<UnlistedExecutable>,
    /// An executable without any selected benchmark has a kept listing that it didn't confirm.
    has_doubtful_listing: bool,
    /// The machine code of the executables and their baselines, as far as it was read.
    pub machine_code: KnownExecutables,
}

/// An executable that failed before it listed its benchmarks.
#[derive(Debug)]
pub struct UnlistedExecutable {
    pub target: TargetId,
    pub error: Arc<RequestError>,
}

/// An error that prevents a run of the benchmarks.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error(transparent)]
    Session(Box<session::Error>),
    #[error("two benchmarks have the same name{}\nrename one of them (#[nanobench(name = \"...\")]), or move it into a module: groups are not part of ids", lines(.0))]
    Duplicates(Locations),
}

/// Locations of benchmarks by their ids: `src/lib.rs:7`.
type Locations = BTreeMap<String, Vec<String>>;

fn lines(duplicates: &Locations) -> String {
    let lines = |(id, locations): (&String, &Vec<String>)| format!("\n{id}\n  {}", locations.join("\n  "));
    duplicates.iter().map(lines).collect()
}

impl Suite {
    /// Starts every executable and requests the listing of its benchmarks. Each calibrates its
    /// clock, so they start one after another.
    pub fn open(executables: Vec<Executable>, session_options: &SessionOptions) -> Result<Suite, SuiteError> {
        Suite::open_beside(executables, session_options, EarlySessions::default(), |_| None)
    }

    /// Opens a suite, with processes that may have started early. `meanwhile` is called with each
    /// executable, while its process starts if it hasn't yet, and may return the listing of one that
    /// passes its benchmarks.
    pub fn open_beside(
        executables: Vec<Executable>,
        session_options: &SessionOptions,
        mut early: EarlySessions<'_>,
        mut meanwhile: impl FnMut(&Executable) -> Option<Arc<Listing>>,
    ) -> Result<Suite, SuiteError> {
        let start = |executable| {
            let mut meanwhile = || meanwhile(&executable);
            let session = match early.take(&executable) {
                Some(starting) => {
                    meanwhile();
                    starting.open(session_options)
                }
                None => Session::start(&executable, session_options, meanwhile),
            };
            (session, executable)
        };
        Suite::from_sessions(executables.into_iter().map(start), session_options)
    }

    /// Opens a suite that is not measured: the executables start all at once, and don't calibrate
    /// their clocks.
    pub fn open_unmeasured(
        executables: Vec<Executable>,
        session_options: &SessionOptions,
    ) -> Result<Suite, SuiteError> {
        // In this thread: the system ends a process with the thread that started it.
        let starting: Vec<_> =
            executables.iter().map(|executable| Session::spawn(executable, session_options)).collect();
        let list = session_options.unmeasured_list();
        let sessions: Vec<_> = thread::scope(|scope| {
            let connect =
                |starting: Result<StartingSession<'_>, session::Error>| starting?.connect(list.clone());
            let connecting: Vec<_> =
                starting.into_iter().map(|starting| scope.spawn(move || connect(starting))).collect();
            let connected = connecting.into_iter();
            connected.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        Suite::from_sessions(sessions.into_iter().zip(executables), session_options)
    }

    /// Creates a suite from the sessions of its executables.
    fn from_sessions(
        sessions: impl Iterator<Item = (Result<Session, session::Error>, Executable)>,
        session_options: &SessionOptions,
    ) -> Result<Suite, SuiteError> {
        let (harnesses, benchmarks, unlisted) = (Vec::new(), Vec::new(), Vec::new());
        let machine_code = KnownExecutables::default();
        let mut suite = Suite { harnesses, benchmarks, unlisted, has_doubtful_listing: false, machine_code };
        for (session, executable) in sessions {
            match session {
                Ok(session) => suite.add(executable, session_options, session),
                Err(session::Error::NoAnswer { id, reason }) if !reason.is_interruption() => {
                    suite.unlisted.push(UnlistedExecutable { target: *id, error: Arc::new(reason) });
                }
                Err(error) => return Err(SuiteError::Session(Box::new(error))),
            }
        }
        let duplicates = suite.duplicates();
        if duplicates.is_empty() { Ok(suite) } else { Err(SuiteError::Duplicates(duplicates)) }
    }

    fn add(&mut self, executable: Executable, session_options: &SessionOptions, session: Session) {
        let listing = Arc::clone(session.listing());
        let target = TargetId::from(&executable);
        let benchmarks = listing.benchmarks.iter().map(|spec| {
            let mut benchmark = Benchmark::new(&target, self.harnesses.len(), spec);
            instruction_counts::keep_countable(&mut benchmark.spec, &listing.no_counters);
            benchmark
        });
        if executable.passes_in_order() {
            // In another order, it would take several processes to sample them.
            self.benchmarks.extend(benchmarks);
        } else {
            self.benchmarks.extend(gather_groups(benchmarks));
        }
        self.harnesses.push(Harness {
            executable,
            session_options: session_options.clone(),
            version: session.version().to_owned(),
            listing,
            process: 1,
            session: Some(session).filter(Session::serves_benchmarks),
            opened_libraries: BTreeSet::new(),
            is_listing_doubtful: false,
            counting: Counting::default(),
        });
    }

    /// Returns the executable that would hold `benchmark`, if it failed before it listed its
    /// benchmarks.
    pub(super) fn unlisted_executable(&self, benchmark: &Benchmark) -> Option<&UnlistedExecutable> {
        self.unlisted.iter().find(|executable| executable.target == benchmark.id.target)
    }

    /// Narrows the suite to `selected`. Ends the processes of executables without any selected
    /// benchmark, and removes them.
    pub fn narrow(&mut self, mut selected: Vec<Benchmark>) {
        let used: BTreeSet<usize> = selected.iter().map(|benchmark| benchmark.harness).collect();
        for (old, mut harness) in std::mem::take(&mut self.harnesses).into_iter().enumerate() {
            if used.contains(&old) {
                self.harnesses.push(harness);
            } else {
                harness.end_session();
                self.has_doubtful_listing |= harness.is_listing_doubtful;
            }
        }
        for benchmark in &mut selected {
            // The order stays, so the new index is the number of remaining harnesses before it.
            benchmark.harness = used.range(..benchmark.harness).count();
        }
        self.benchmarks = selected;
    }

    /// Returns whether an executable has a kept listing that it didn't confirm. Known once all processes
    /// have ended.
    pub fn has_doubtful_listing(&self) -> bool {
        self.has_doubtful_listing || self.harnesses.iter().any(|harness| harness.is_listing_doubtful)
    }

    /// Returns the ids of the benchmarks that are baselines of other benchmarks in the run.
    pub fn baselines(&self) -> HashSet<BenchmarkId> {
        let all: HashSet<&BenchmarkId> = self.benchmarks.iter().map(|benchmark| &benchmark.id).collect();
        let baseline = |benchmark: &Benchmark| {
            let row = benchmark.spec.baseline.clone()?;
            Some(BenchmarkId { target: benchmark.id.target.clone(), row })
        };
        self.benchmarks.iter().filter_map(baseline).filter(|id| all.contains(id)).collect()
    }

    /// Ends all processes, at the same time. Later sessions start fresh ones.
    pub fn end_sessions(&mut self) {
        self.harnesses.iter_mut().for_each(Harness::finish_session);
        self.harnesses.iter_mut().for_each(Harness::end_session);
    }

    /// Returns the ids that several benchmarks have.
    fn duplicates(&self) -> Locations {
        let mut locations = Locations::new();
        for Benchmark { id, spec, .. } in &self.benchmarks {
            let location = format!("{}:{}", spec.file, spec.line);
            locations.entry(id.to_string()).or_default().push(location);
        }
        locations.retain(|_, locations| locations.len() > 1);
        locations
    }
}

/// Moves the benchmarks of each group to the place of its first one.
fn gather_groups(benchmarks: impl Iterator<Item = Benchmark>) -> impl Iterator<Item = Benchmark> {
    let groups = gather(benchmarks.map(|benchmark| (benchmark.group.clone(), benchmark)));
    groups.into_iter().flat_map(|(_, benchmarks)| benchmarks)
}

/// Gathers values by their keys, in the order of the first value of each key.
pub(super) fn gather<K: PartialEq, V>(pairs: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut all: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match all.iter_mut().rev().find(|(other, _)| *other == key) {
            Some((_, values)) => values.push(value),
            None => all.push((key, vec![value])),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use project::fixtures::id;

    fn benchmark(text: &str, group: Option<&str>) -> Benchmark {
        let BenchmarkId { target, row } = id(text);
        let group = group.map(str::to_owned);
        Benchmark::new(&target, 0, &BenchmarkSpec { id: row, group, ..BenchmarkSpec::default() })
    }

    #[test]
    fn a_benchmark_has_a_name_and_the_path_of_its_rust_function() {
        let mut sort = benchmark("my-crate::first::a::b::sort/1/2", None);
        assert_eq!((sort.group.as_str(), sort.name().as_str()), ("first::a::b", "sort/1/2"));
        assert_eq!(sort.rust_path(), "a::b::sort");
        sort.spec.rust_name = Some("sort_vec".to_owned());
        assert_eq!(sort.rust_path(), "a::b::sort_vec");
    }

    #[test]
    fn a_group_replaces_the_modules() {
        assert_eq!(benchmark("my-crate::first::a::sort", Some("sorting")).group, "first::sorting");
        assert_eq!(benchmark("my-crate::first::sort", None).group, "first");
    }

    #[test]
    fn the_benchmarks_of_a_group_are_next_to_each_other() {
        let all = ["a", "b", "c"].into_iter().zip([Some("x"), None, Some("x")]);
        let all = all.map(|(name, group)| benchmark(&format!("my-crate::first::{name}"), group));
        let names: Vec<String> = gather_groups(all).map(|benchmark| benchmark.name()).collect();
        assert_eq!(names, ["a", "c", "b"]);
    }
}
