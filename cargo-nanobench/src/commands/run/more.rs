//! `--more TIME`: the last comparison goes on, with the evidence that it has kept.

use crate::baseline::{self, LockedStore, OtherSide, Store};
use crate::cargo::Project;
use crate::cli::RunArgs;
use crate::environment::Environment;
use crate::experiment::{Benchmark, EarlierRuns, FailOn, KeptRun, Pattern, RunPlan, Suite};
use crate::fingerprint::Fingerprint;
use crate::report::ComparedRun;
use nanobench::report::escape;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Duration;

/// The last comparison, which goes on.
#[derive(Debug)]
pub(in crate::commands) struct More {
    time: Duration,
    last: Comparison,
}

/// The version of what is kept: evidence counts by the rule that has collected it.
const FORMAT: u32 = 1;

/// A comparison, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Comparison {
    format: u32,
    with: OtherSide,
    /// The processor with its number of cores, the system and its kernel.
    machine: [Option<String>; 4],
    /// The number of benchmarks that the first command compared. Each has a share of its error.
    benchmarks: usize,
    /// By the ids of the benchmarks.
    rows: BTreeMap<String, KeptRow>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptRow {
    executables: Executables,
    run: KeptRun,
}

/// The executables of the baseline and of the candidate.
type Executables = [Fingerprint; 2];

/// The evidence of a comparison that is about to begin.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    more: Option<&'a More>,
    benchmarks: usize,
    /// By the ids of the benchmarks.
    executables: BTreeMap<String, Executables>,
}

/// An error of `--more`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MoreError {
    #[error(
        "there is no comparison to go on with, or another version has kept it\n\
         compare first: cargo nanobench --baseline NAME"
    )]
    NoComparison,
    #[error(
        "the last comparison, with {0}, left no benchmark unsure\n\
         to go on with others all the same, name them: cargo nanobench --more TIME FILTER"
    )]
    NoneUnsure(String),
    #[error(
        "--fail-on placement compares executables as they were linked, and the last comparison was one of layouts\n\
         compare again: {0} --fail-on placement"
    )]
    AsLinked(String),
    #[error(
        "the last comparison, with {0}, was made on another machine or system: its evidence says nothing about this one\n\
         compare again: {1}"
    )]
    OtherMachine(String, String),
    #[error(
        "no benchmark that these filters name was compared with {0} by the last comparison, so no evidence goes on\n\
         compare them: {1}"
    )]
    NotCompared(String, String),
    #[error(
        "{id} has other code than in the last comparison, with {with}, so its evidence doesn't count\ncompare again: {command}"
    )]
    OtherCode { id: String, with: String, command: String },
}

impl More {
    /// Reads what is kept of the last comparison.
    pub(super) fn load(time: Duration, project: &Project) -> Result<More, MoreError> {
        let store = Store::open(project.target_directory(), project.root());
        let last: Option<Comparison> = store.evidence();
        let last = last.filter(|last| last.format == FORMAT).ok_or(MoreError::NoComparison)?;
        let environment = Environment::this_machine();
        if last.machine != machine(&environment) {
            return Err(MoreError::OtherMachine(last.title(), last.command()));
        }
        Ok(More { time, last })
    }

    /// Returns the flags of the comparison that goes on: those of this command, with the other side of the
    /// last one and, unless some are named, the benchmarks that it left unsure. Returns an error if they ask
    /// for another comparison.
    pub(super) fn flags(&self, flags: &RunArgs) -> Result<RunArgs, MoreError> {
        let mut flags = flags.clone();
        if flags.gate.fails_on(FailOn::Placement) {
            return Err(MoreError::AsLinked(self.last.command()));
        }
        match &self.last.with {
            OtherSide::Baseline { name, .. } => flags.compare.baseline = vec![name.clone()],
            OtherSide::Revision { name, .. } => flags.against = Some(name.clone()),
        }
        // Those of the same code, too.
        flags.compare.include_unchanged = Some(1.0);
        if flags.select.filters.is_empty() {
            let unsure = self.last.rows.iter().filter(|(_, row)| row.run.is_unsure);
            flags.select.filters = unsure.map(|(id, _)| Pattern::part(id.clone())).collect();
            flags.select.exact = true;
            if flags.select.filters.is_empty() {
                return Err(MoreError::NoneUnsure(self.last.title()));
            }
        }
        Ok(flags)
    }

    /// Keeps those of the selected benchmarks that the last comparison has compared: others have no evidence
    /// that could go on, and no share of the error. Returns an error if none is left.
    pub(super) fn narrow(&self, selected: &mut Vec<Benchmark>) -> Result<(), MoreError> {
        selected.retain(|benchmark| self.last.rows.contains_key(&benchmark.id.to_string()));
        if selected.is_empty() {
            return Err(MoreError::NotCompared(self.last.title(), self.last.command()));
        }
        Ok(())
    }

    /// Returns an error if a benchmark has other executables than in the last comparison.
    fn check(&self, executables: &BTreeMap<String, Executables>) -> Result<(), MoreError> {
        let has_other_code = |(id, now): &(&String, &Executables)| {
            self.last.rows.get(*id).is_some_and(|row| row.executables != **now)
        };
        match executables.iter().find(has_other_code) {
            None => Ok(()),
            Some((id, _)) => Err(MoreError::OtherCode {
                id: escape(id),
                with: self.last.title(),
                command: self.last.command(),
            }),
        }
    }

    /// Returns the paired runs that go on.
    pub(super) fn earlier(&self) -> EarlierRuns {
        let runs = self.last.rows.iter().map(|(id, row)| (id.clone(), row.run.clone()));
        let gone = self.last.benchmarks.saturating_sub(self.last.rows.len());
        EarlierRuns { runs: runs.collect(), gone, time: self.time }
    }
}

impl Comparison {
    fn title(&self) -> String {
        match &self.with {
            OtherSide::Baseline { name, .. } | OtherSide::Revision { name, .. } => escape(name),
        }
    }

    fn command(&self) -> String {
        let flag = match &self.with {
            OtherSide::Baseline { .. } => "--baseline",
            OtherSide::Revision { .. } => "--against",
        };
        format!("cargo nanobench {flag} {}", self.title())
    }
}

fn machine(environment: &Environment) -> [Option<String>; 4] {
    let Environment { cpu, cores, os, kernel, .. } = environment;
    [cpu.clone(), cores.map(|cores| cores.to_string()), os.clone(), kernel.clone()]
}

impl<'a> Evidence<'a> {
    /// Prepares to keep the evidence of a comparison. Returns an error if it can't go on with that of the
    /// last one. `plan`: what it compares.
    pub(super) fn start(
        more: Option<&'a More>,
        plan: &RunPlan<'_>,
        suite: &Suite,
    ) -> Result<Evidence<'a>, MoreError> {
        let executables = executables(plan, suite);
        more.map_or(Ok(()), |more| more.check(&executables))?;
        let benchmarks = more.map_or(plan.compared(), |more| more.last.benchmarks);
        Ok(Evidence { more, benchmarks, executables })
    }
}

/// Keeps the evidence of a run's comparison, beside that of the last one on benchmarks that did not run
/// again. Deletes that of the last one if another comparison `is_requested` with which no command can go on.
pub(super) fn keep(
    lock: &LockedStore<'_>,
    evidence: Option<Evidence<'_>>,
    other_side: Option<&OtherSide>,
    is_requested: bool,
    run: &ComparedRun,
) -> Result<(), baseline::Error> {
    let Some((mut evidence, with)) = evidence.zip(other_side.cloned()) else {
        return if is_requested { lock.drop_evidence() } else { Ok(()) };
    };
    let rows = run.rows.iter().filter_map(|row| {
        let (id, run) = (row.benchmark.id.to_string(), row.paired()?.kept.clone()?);
        let executables = evidence.executables.remove(&id)?;
        Some((id, KeptRow { executables, run }))
    });
    let mut rows: BTreeMap<String, KeptRow> = rows.collect();
    if rows.is_empty() {
        return lock.drop_evidence();
    }
    for (id, row) in evidence.more.iter().flat_map(|more| &more.last.rows) {
        rows.entry(id.clone()).or_insert_with(|| row.clone());
    }
    let (machine, benchmarks) = (machine(&run.header.environment), evidence.benchmarks);
    Ok(lock.keep_evidence(&Comparison { format: FORMAT, with, machine, benchmarks, rows })?)
}

/// Returns the executables of the benchmarks that a run will compare, by their ids.
fn executables(plan: &RunPlan<'_>, suite: &Suite) -> BTreeMap<String, Executables> {
    let mut fingerprints: HashMap<&Path, Option<Fingerprint>> = HashMap::new();
    let mut all = BTreeMap::new();
    for (benchmark, paths) in plan.executables(suite) {
        let [baseline, candidate] = paths.map(|path| {
            fingerprints.entry(path).or_insert_with(|| Fingerprint::from_file(path).ok()).clone()
        });
        all.extend(baseline.zip(candidate).map(|(a, b)| (benchmark.id.to_string(), [a, b])));
    }
    all
}
