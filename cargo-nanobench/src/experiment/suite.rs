//! The benchmarks of a run: every executable started once and asked what it holds.

use crate::cargo::Executable;
use crate::exit::Exit;
use crate::session::{self, Session, Treatment};
use nanobench::model::{Benchmark, ClockInfo};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A benchmark of the suite.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Unique in the workspace.
    pub(crate) id: String,
    pub(crate) package: String,
    /// The id between package and name: target and modules.
    pub(crate) group: String,
    pub(crate) name: String,
    /// Index of its harness in the suite.
    pub(crate) harness: usize,
    /// Index in the listing of the harness.
    pub(crate) index: u64,
    pub(crate) benchmark: Benchmark,
}

/// An executable with benchmarks, and its process while there is one.
#[derive(Debug)]
pub(crate) struct Harness {
    pub(crate) executable: Executable,
    pub(crate) clock: ClockInfo,
    /// What an iteration of an empty benchmark takes in it, in ns.
    pub(crate) nothing: f64,
    pub(crate) debug_build: bool,
    /// A debugger is attached to it.
    pub(crate) traced: bool,
    /// Version of `nanobench-core` in it.
    pub(crate) version: String,
    /// Number of the process that runs or ran last: each gets its own.
    pub(crate) process: u64,
    session: Option<Session>,
}

impl Harness {
    /// Its process: the one that runs, or a fresh one where that has ended.
    pub(crate) fn session(&mut self, treatment: Treatment) -> Result<&mut Session, session::Error> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                self.process += 1;
                Session::start(&self.executable, treatment)?
            }
        };
        self.clock = session.listing().clock.clone();
        self.nothing = session.listing().nothing;
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
    pub(crate) benchmarks: Vec<Found>,
    /// Executables that did not get as far as saying what they hold: what stands before the ids of theirs, and why.
    pub(crate) broken: Vec<(String, String)>,
}

/// Why the benchmarks can't be run as they are.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SuiteError {
    #[error(transparent)]
    Session(session::Error),
    #[error("{}", tell_duplicates(.0))]
    Duplicates(Vec<(String, Vec<String>)>),
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

fn tell_duplicates(duplicates: &[(String, Vec<String>)]) -> String {
    let mut text = String::from("two benchmarks have the same name");
    for (id, places) in duplicates {
        let _ = write!(text, "\n{id}");
        for place in places {
            let _ = write!(text, "\n  {place}");
        }
    }
    text + "\ngive one of them another name: #[nanobench(name = \"...\")]"
}

impl Suite {
    /// Starts every executable and asks what it holds.
    pub(crate) fn open(executables: Vec<Executable>, treatment: Treatment) -> Result<Suite, SuiteError> {
        let mut suite = Suite { harnesses: Vec::new(), benchmarks: Vec::new(), broken: Vec::new() };
        for executable in executables {
            match Session::start(&executable, treatment) {
                Ok(session) => suite.add(executable, session),
                Err(session::Error::NoAnswer { id, reason }) if !reason.is_interruption() => {
                    suite.broken.push((id, reason.to_string()));
                }
                Err(error) => return Err(SuiteError::Session(error)),
            }
        }
        let duplicates = suite.duplicates();
        if duplicates.is_empty() { Ok(suite) } else { Err(SuiteError::Duplicates(duplicates)) }
    }

    fn add(&mut self, executable: Executable, session: Session) {
        let listing = session.listing();
        let prefix = executable.id_prefix();
        for (index, benchmark) in listing.benchmarks.iter().enumerate() {
            let id = format!("{prefix}::{}", benchmark.path);
            let package = executable.package.name.clone();
            let within = &id[package.len() + "::".len()..];
            let (group, name) = within.rsplit_once("::").unwrap_or(("", within));
            self.benchmarks.push(Found {
                package,
                group: group.to_owned(),
                name: name.to_owned(),
                harness: self.harnesses.len(),
                index: index as u64,
                benchmark: benchmark.clone(),
                id,
            });
        }
        self.harnesses.push(Harness {
            clock: listing.clock.clone(),
            nothing: listing.nothing,
            debug_build: listing.debug_build,
            traced: listing.traced,
            version: session.version().to_owned(),
            executable,
            process: 1,
            session: Some(session),
        });
    }

    /// Narrows the suite to `selected`: executables none of whose benchmarks are selected are ended and forgotten.
    pub(crate) fn narrow(&mut self, mut selected: Vec<Found>) {
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

    /// Ids that more than one benchmark has, with the places of those.
    fn duplicates(&self) -> Vec<(String, Vec<String>)> {
        let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for Found { id, benchmark, .. } in &self.benchmarks {
            places.entry(id).or_default().push(format!("{}:{}", benchmark.file, benchmark.line));
        }
        let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
        twice.map(|(id, places)| (id.to_owned(), places)).collect()
    }
}
