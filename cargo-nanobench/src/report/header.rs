//! Facts about a whole run that are known before its first row.

use super::ComparedWith;
use crate::benchmark_id::BenchmarkId;
use crate::environment::{Environment, machine};
use crate::experiment::{Sampling, Suite, step_instead};
use crate::instructions::{Step, first_step, is_exact};
use crate::style::{FAINT, paint};
use nanobench::model::{ClockInfo, KeyValue, Measurement, Overhead, Overheads, RowId};
use nanobench::protocol::Listing;
use nanobench::report::{counted, escape, significant, time};
use serde::Serialize;
use std::collections::HashSet;
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr;

/// The environment of a run, and everything else that is known before its first row.
#[derive(Debug, Serialize)]
pub(crate) struct RunHeader {
    pub(crate) environment: Environment,
    /// The clock of the first harness.
    pub(crate) clock: Option<ClockInfo>,
    /// The time of an iteration of an empty benchmark, in ns.
    pub(crate) empty_loop: Option<f64>,
    /// The overheads of measuring. `None` for a saved run.
    pub(crate) overheads: Option<Overheads>,
    /// The options by which samples were planned, if a JSON document has the samples.
    #[serde(skip)]
    pub(crate) samples_planned_by: Option<Sampling>,
    /// The name of the saved run that the rows come from. `None` for a run that is measured now.
    #[serde(skip)]
    pub(crate) saved: Option<String>,
    #[serde(skip)]
    pub(crate) compared_with: Option<ComparedWith>,
    /// The indices of the harnesses that count allocations.
    #[serde(skip)]
    pub(crate) counts_allocations: BTreeSet<usize>,
    /// Ids of the benchmarks that are baselines of other benchmarks in the run.
    #[serde(skip)]
    pub(crate) baselines: HashSet<BenchmarkId>,
    /// The counter of instructions and branches, if there is one: `processor`, or the name of a
    /// [`crate::instructions::Step`].
    pub(crate) instructions_counted_by: Option<&'static str>,
    /// Reasons to distrust the figures, each with advice.
    #[serde(skip)]
    pub(crate) warnings: Vec<String>,
}

impl RunHeader {
    /// Creates the header of a suite that is about to run.
    pub(crate) fn new(
        environment: Environment,
        suite: &Suite,
        compared_with: Option<ComparedWith>,
    ) -> RunHeader {
        let first = suite.harnesses.first();
        let mut warnings: Vec<String> = machine::setting_warning().into_iter().collect();
        if suite.harnesses.iter().any(|harness| harness.listing.debug_build) {
            warnings.push(
                "this is a debug build: its figures are unreliable. Remove --profile, or set \
                 `debug-assertions = false` in that profile"
                    .to_owned(),
            );
        }
        if suite.harnesses.iter().any(|harness| harness.listing.traced) {
            warnings.push("a debugger is attached, so the figures are unreliable".to_owned());
        }
        if let Some(with) = &compared_with {
            warnings.extend(with.warning());
        }
        warnings.extend(unreadable(suite));
        let counts =
            suite.harnesses.iter().enumerate().filter(|(_, harness)| harness.listing.counts_allocations);
        RunHeader {
            environment,
            clock: first.map(|harness| harness.listing.clock_calibration.clock.clone()),
            empty_loop: first.map(|harness| harness.listing.clock_calibration.empty_loop),
            overheads: first.and_then(|harness| harness.listing.clock_calibration.overheads),
            samples_planned_by: None,
            saved: None,
            compared_with,
            counts_allocations: counts.map(|(place, _)| place).collect(),
            baselines: suite.baselines(),
            instructions_counted_by: instructions_counted_by(suite),
            warnings,
        }
    }

    /// Creates the header of a saved run.
    pub(crate) fn from_saved<'a>(
        name: String,
        environment: Environment,
        measurements: impl Iterator<Item = &'a Measurement> + Clone,
        with: Option<ComparedWith>,
    ) -> RunHeader {
        let launch = measurements.clone().flat_map(|measurement| &measurement.launches).next();
        let mut counted = measurements.filter_map(|measurement| measurement.counts.as_ref());
        RunHeader {
            environment,
            clock: launch.map(|launch| launch.clock.clone()),
            empty_loop: launch.map(|launch| launch.empty_loop),
            overheads: None,
            samples_planned_by: None,
            saved: Some(name),
            warnings: with.as_ref().and_then(ComparedWith::warning).into_iter().collect(),
            compared_with: with,
            // All benchmarks of a saved run have harness 0.
            counts_allocations: counted
                .find(|counted| counted.allocations.is_some())
                .map(|_| 0)
                .into_iter()
                .collect(),
            baselines: HashSet::new(),
            instructions_counted_by: None,
        }
    }

    /// Returns the lines above the first table, without the warnings. Unless `verbose`, a terminal
    /// that is too narrow for the first line gets fewer facts.
    pub(crate) fn heading(&self, verbose: bool, width: Option<usize>) -> Vec<String> {
        let fits = |line: &String| width.is_none_or(|width| line.width() <= width);
        let all = self.facts(true);
        let facts = if verbose || fits(&all) { all } else { self.facts(false) };
        let mut lines = vec![paint(FAINT, &facts)];
        lines.extend(
            self.overheads.filter(|_| verbose).map(|overheads| paint(FAINT, &overhead_line(&overheads))),
        );
        let step = self.instructions_counted_by.filter(|step| *step != PROCESSOR);
        lines.extend(step.map(|step| {
            let line = format!("instructions and branches: exact counts of one call, by {step}");
            paint(FAINT, &line)
        }));
        lines.extend(self.comparison());
        if verbose && !self.environment.context.is_empty() {
            lines.push(format!("context: {}", escape(&pairs(&self.environment.context))));
        }
        lines
    }

    /// Returns the lines above the rows, with an empty one at the end. `quiet`: only those about the
    /// comparison.
    pub(crate) fn above_rows(&self, quiet: bool, verbose: bool, width: Option<usize>) -> Vec<String> {
        let mut lines = if quiet { self.comparison() } else { self.heading(verbose, width) };
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }

    /// Returns the line about the tool and the machine. `calibrated`: with the cost of the clock and of
    /// an empty loop.
    fn facts(&self, calibrated: bool) -> String {
        let mut facts = Vec::new();
        facts.extend(self.environment.cpu.as_deref().map(escape));
        facts.extend(self.environment.cores.map(|cores| counted(cores, "core")));
        facts.extend(self.clock.as_ref().map(|clock| {
            let (resolution, read) = (time(clock.resolution), time(clock.read_cost));
            let costs = format!(" (resolution {resolution}, read {read})");
            format!("clock {}{}", escape(&clock.name), if calibrated { &costs } else { "" })
        }));
        let empty_loop = self.empty_loop.filter(|_| calibrated);
        facts.extend(empty_loop.map(|empty_loop| format!("empty loop {}", time(empty_loop))));
        format!("nanobench {}  {}", env!("CARGO_PKG_VERSION"), facts.join(", "))
    }

    /// Returns the name of the baseline.
    pub(super) fn baseline(&self) -> Option<&str> {
        self.compared_with.as_ref().map(|with| with.name.as_str())
    }

    /// Returns the lines about the comparison.
    pub(crate) fn comparison(&self) -> Vec<String> {
        self.compared_with.iter().flat_map(ComparedWith::heading).collect()
    }
}

/// Returns the line about the overheads with their spread.
fn overhead_line(Overheads { empty_loop, count_loop, time_control }: &Overheads) -> String {
    let of = |name, Overhead { median, low, high }: &Overhead| {
        format!("{name} {} ({} .. {})", time(*median), significant(*low), significant(*high))
    };
    let all = [of("empty loop", empty_loop), of("count", count_loop), of("TimeControl", time_control)];
    format!("overheads: {}", all.join(", "))
}

/// Formats pairs as `a=1, b=2`.
pub(super) fn pairs(pairs: &[KeyValue]) -> String {
    pairs.iter().map(|KeyValue { key, value }| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

/// The counter of instructions in most machines.
const PROCESSOR: &str = "processor";

/// Returns the counter of instructions and branches, if a benchmark has one.
fn instructions_counted_by(suite: &Suite) -> Option<&'static str> {
    suite.benchmarks.iter().find_map(|benchmark| {
        let no_counters = &suite.harnesses[benchmark.harness].listing.no_counters;
        let name = benchmark.spec.counters.iter().flatten().find(|name| is_exact(name))?;
        Some(step_instead(no_counters, name).map_or(PROCESSOR, Step::name))
    })
}

/// Warns of counters that can't be read, though benchmarks of the run ask for them, with the reasons.
fn unreadable(suite: &Suite) -> Option<String> {
    let selected: HashSet<(usize, &RowId)> =
        suite.benchmarks.iter().map(|benchmark| (benchmark.harness, &benchmark.id.row)).collect();
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (place, harness) in suite.harnesses.iter().enumerate() {
        let Listing { benchmarks, no_counters, .. } = &*harness.listing;
        let asking = benchmarks.iter().filter(|spec| selected.contains(&(place, &spec.id)));
        let asked: HashSet<&str> =
            asking.flat_map(|spec| spec.counters.iter().flatten()).map(String::as_str).collect();
        let is_missing = |name: &str| asked.contains(name) && (!is_exact(name) || first_step().is_none());
        for KeyValue { key, value } in no_counters.iter().filter(|counter| is_missing(&counter.key)) {
            let keys = by_reason.entry(value).or_default();
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
    }
    let reasons: Vec<String> =
        by_reason.iter().map(|(reason, keys)| format!("{} ({reason})", keys.join(", "))).collect();
    (!reasons.is_empty()).then(|| format!("cannot count here: {}", escape(&reasons.join("; "))))
}
