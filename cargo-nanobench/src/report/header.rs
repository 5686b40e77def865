//! What is true of the whole run, known before its first row.

use crate::benchmark_id::BenchmarkId;
use crate::environment::{Environment, machine};
use crate::experiment::{RERUN_SPREAD, STORED_THRESHOLD, Suite};
use nanobench::model::{ClockInfo, KeyValue, Measurement};
use nanobench::report::{counted, escape, percent, time};
use std::collections::HashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Where and with what the benchmarks run.
#[derive(Debug)]
pub(crate) struct RunHeader {
    pub(crate) environment: Environment,
    /// The clock of the first harness.
    pub(crate) clock: Option<ClockInfo>,
    /// What an iteration of an empty benchmark takes, in ns.
    pub(crate) empty_loop: Option<f64>,
    /// Which saved run the rows are, where nothing was run.
    pub(crate) saved: Option<String>,
    /// What the rows are compared with.
    pub(crate) compared_with: Option<ComparedWith>,
    /// The executables in which allocations are counted, by their places in the suite.
    pub(crate) counts_allocations: BTreeSet<usize>,
    /// Ids of what others are compared with in the run.
    pub(crate) baselines: HashSet<BenchmarkId>,
    /// The counters that are asked for and can be read.
    pub(crate) counters: Vec<String>,
    /// What may be wrong with the figures, each with what to do.
    pub(crate) warnings: Vec<String>,
}

/// A saved run, for headings.
#[derive(Debug)]
pub(crate) struct ComparedWith {
    /// What it was measured with that this run is not.
    pub(crate) differences: Vec<String>,
    /// The executables that it was measured with and that are gone or changed.
    pub(crate) gone: usize,
    /// It comes from another machine: its executables aren't run here.
    pub(crate) foreign: bool,
    /// Name and description of the run that is compared with it, where that is a saved one, too.
    pub(crate) now: Option<(String, String)>,
    /// `main`, or `last run`.
    pub(crate) name: String,
    /// Age, commit and size of it.
    pub(crate) description: String,
    /// Its executables run beside the new ones.
    pub(crate) side_by_side: bool,
    /// All that is selected comes from the same executables, byte for byte, so that none of them has to.
    pub(crate) unchanged: bool,
    /// There are executables of it that can be run.
    pub(crate) with_executables: bool,
    /// It is another build, which runs in turn with this one; not figures of another time.
    pub(crate) beside: Option<Beside>,
}

/// The other of two builds that run beside each other.
#[derive(Debug)]
pub(crate) struct Beside {
    /// Of what it was built, in full.
    pub(crate) commit: String,
}

impl ComparedWith {
    /// What may be wrong with the comparison.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let name = escape(&self.name);
        let differences = (!self.differences.is_empty()).then(|| {
            let differences = escape(&self.differences.join("; "));
            format!("{name} was built or measured differently, which may explain some changes: {differences}")
        });
        let gone = (self.gone > 0).then(|| {
            let gone = counted(self.gone, "executable");
            format!("{gone} of {name} gone or changed: what they held is compared with stored figures")
        });
        let foreign = self.foreign.then(|| {
            format!("{name} comes from another machine: its executables aren't run here, what it measured there is compared with")
        });
        differences.into_iter().chain(gone).chain(foreign).collect()
    }

    /// What a heading says of the comparison.
    fn heading(&self) -> Vec<String> {
        let (name, description) = (escape(&self.name), escape(&self.description));
        if self.beside.is_some() {
            return vec![format!("{name} is {description}, run beside the working tree")];
        }
        if self.side_by_side && self.unchanged {
            return vec![format!(
                "compared with {name} ({description}): the same to the byte, so only one of the two is run"
            )];
        }
        if self.side_by_side {
            return vec![format!("compared with {name} ({description}), both run now, side by side")];
        }
        let wander = percent(RERUN_SPREAD).replace(".0", "");
        let stored = format!(
            "stored figures tell nothing smaller than a factor of {}: the machine does as much by itself",
            1.0 + STORED_THRESHOLD
        );
        match (&self.now, self.with_executables) {
            (Some((_, now)), _) => vec![
                format!("{} compared with {name} ({description})", escape(now)),
                format!("both as they were measured, at other times: {stored}"),
            ],
            (None, true) => vec![
                format!("compared with {name} ({description}), as measured then"),
                format!(
                    "what looks changed by over {wander} is measured again side by side; less is not told from the machine's own"
                ),
            ],
            (None, false) => vec![
                format!("compared with {name} ({description}), as measured then"),
                format!("none of its executables can be run here: {stored}"),
            ],
        }
    }
}

impl RunHeader {
    /// The facts of a suite that is about to run.
    pub(crate) fn new(
        environment: Environment,
        suite: &Suite,
        counters: &[String],
        compared_with: Option<ComparedWith>,
    ) -> RunHeader {
        let first = suite.harnesses.first();
        let mut warnings = machine::setting_warnings();
        if suite.harnesses.iter().any(|harness| harness.debug_build) {
            warnings.push(
                "this is a debug build: the figures say little. Leave the profile to cargo nanobench, or give it \
                 one with `debug-assertions = false`"
                    .to_owned(),
            );
        }
        if suite.harnesses.iter().any(|harness| harness.traced) {
            warnings.push("a debugger is attached: the figures say little".to_owned());
        }
        if let Some(with) = &compared_with {
            warnings.extend(with.warnings());
        }
        warnings.extend(unreadable(suite));
        let counts = suite.harnesses.iter().enumerate().filter(|(_, harness)| harness.counts_allocations);
        let can_read = |counter: &&String| {
            let harnesses = &suite.harnesses;
            !harnesses.iter().all(|harness| harness.no_counters.iter().any(|pair| pair.key == **counter))
        };
        RunHeader {
            environment,
            clock: first.map(|harness| harness.clock.clone()),
            empty_loop: first.map(|harness| harness.empty_loop),
            saved: None,
            compared_with,
            counts_allocations: counts.map(|(place, _)| place).collect(),
            baselines: suite.baselines(),
            counters: counters.iter().filter(can_read).cloned().collect(),
            warnings,
        }
    }

    /// The facts of a run that was saved under a name.
    pub(crate) fn of_saved<'a>(
        name: String,
        environment: Environment,
        measurements: impl Iterator<Item = &'a Measurement> + Clone,
        with: Option<ComparedWith>,
    ) -> RunHeader {
        let launch = measurements.clone().flat_map(|measurement| &measurement.launches).next();
        let counted = measurements.filter_map(|measurement| measurement.counted.as_ref());
        let mut counters: Vec<String> = Vec::new();
        for counter in counted.clone().flat_map(|counted| counted.counters.iter().flatten()) {
            if !counters.contains(&counter.name) {
                counters.push(counter.name.clone());
            }
        }
        RunHeader {
            environment,
            clock: launch.map(|launch| launch.clock.clone()),
            empty_loop: launch.map(|launch| launch.empty_loop),
            saved: Some(name),
            warnings: with.as_ref().map(ComparedWith::warnings).unwrap_or_default(),
            compared_with: with,
            // A saved run has one place for all its executables.
            counts_allocations: counted.filter(|counted| counted.allocations.is_some()).map(|_| 0).collect(),
            baselines: HashSet::new(),
            counters,
        }
    }

    /// The lines above a table, without the warnings.
    pub(crate) fn heading(&self, verbose: bool) -> Vec<String> {
        let mut reports = Vec::new();
        reports.extend(self.environment.cpu.as_deref().map(escape));
        reports.extend(self.environment.cores.map(|cores| counted(cores, "core")));
        reports.extend(self.clock.as_ref().map(|clock| {
            let (resolution, read) = (time(clock.resolution), time(clock.read_cost));
            format!("clock {} (resolution {resolution}, read {read})", escape(&clock.name))
        }));
        reports.extend(self.empty_loop.map(|empty_loop| format!("nothing: {}", time(empty_loop))));
        let mut lines = vec![format!("nanobench {}  {}", env!("CARGO_PKG_VERSION"), reports.join(", "))];
        lines.extend(self.comparison());
        if verbose && !self.environment.context.is_empty() {
            lines.push(format!("context: {}", escape(&pairs(&self.environment.context))));
        }
        lines
    }

    /// The lines about what the table is compared with.
    pub(crate) fn comparison(&self) -> Vec<String> {
        self.compared_with.iter().flat_map(ComparedWith::heading).collect()
    }
}

/// `a=1, b=2`
pub(super) fn pairs(pairs: &[KeyValue]) -> String {
    pairs.iter().map(|KeyValue { key, value }| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

/// Which counters can't be read, in one line, with the reasons.
fn unreadable(suite: &Suite) -> Option<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for KeyValue { key, value } in suite.harnesses.iter().flat_map(|harness| &harness.no_counters) {
        let keys = by_reason.entry(value).or_default();
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let reasons: Vec<String> =
        by_reason.iter().map(|(reason, keys)| format!("{} ({reason})", keys.join(", "))).collect();
    (!reasons.is_empty()).then(|| format!("can't be counted here: {}", escape(&reasons.join("; "))))
}
