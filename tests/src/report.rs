//! The fields of the document of `--format json` that the tests read.

#![expect(missing_docs, reason = "docs/reference/formats.md describes the fields")]

use serde::Deserialize;
use std::collections::BTreeMap;

/// The document, or the part of it that compares with a further baseline.
#[derive(Debug, Clone, Deserialize)]
pub struct Report {
    pub baseline: Option<String>,
    pub against: Option<String>,
    #[serde(default)]
    context: BTreeMap<String, String>,
    pub differences: Vec<String>,
    pub warnings: Vec<String>,
    pub benchmarks: Vec<Row>,
    #[serde(default)]
    complexity: Vec<Complexity>,
    gate: Option<Gate>,
    #[serde(default)]
    pub other_runs: Vec<Report>,
}

/// A benchmark.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    pub id: String,
    pub case: Option<String>,
    pub group: Option<String>,
    pub tags: Vec<String>,
    context: BTreeMap<String, String>,
    pub description: String,
    status: Status,
    error: Option<String>,
    pub count: Option<f64>,
    pub batch: f64,
    pub unit: String,
    pub cache: String,
    pub wipe_size: Option<f64>,
    pub threads: f64,
    samples: Option<u64>,
    pub iterations: Option<Iterations>,
    time: Option<Time>,
    pub throughput: Vec<Throughput>,
    pub relation: Option<Relation>,
    pub relation_error: Option<String>,
    pub scaled: Option<f64>,
    pub allocations: Option<Allocations>,
    counters: Option<BTreeMap<String, f64>>,
    pub comparison: Option<Comparison>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
enum Status {
    #[serde(rename = "ok")]
    Ok,
    #[serde(rename = "below resolution")]
    BelowResolution,
    #[serde(rename = "failed")]
    Failed,
    #[serde(rename = "not run")]
    NotRun,
}

/// The iterations per sample.
#[derive(Debug, Clone, Deserialize)]
pub struct Iterations {
    pub min: u64,
    pub max: u64,
}

#[derive(Debug, Clone, Deserialize)]
struct Time {
    median: f64,
}

/// A throughput, per operation and per second.
#[derive(Debug, Clone, Deserialize)]
pub struct Throughput {
    pub unit: String,
    pub amount: f64,
    pub per_second: f64,
}

/// The comparison with another benchmark of the run.
#[derive(Debug, Clone, Deserialize)]
pub struct Relation {
    pub baseline: String,
    pub relative: f64,
    pub interval: (f64, f64),
}

/// Allocations per operation.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Allocations {
    pub allocations: f64,
    pub deallocations: f64,
    pub reallocations: f64,
    pub bytes: f64,
    pub peak: f64,
}

/// The comparison with the baseline.
#[derive(Debug, Clone, Deserialize)]
pub struct Comparison {
    pub relative: Option<f64>,
    pub change: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub verdict: String,
    method: Option<String>,
    pub launch_noise: Option<f64>,
    pub pairs: Option<u64>,
    pub sentence: String,
    /// The question that the verdict is about.
    pub question: Option<String>,
    pub typical: Option<Answer>,
    pub average: Option<Answer>,
    pub busy_between_calls: Option<BusySides>,
    pub changed_functions: Vec<ChangedFunction>,
}

/// A function whose code differs.
#[derive(Debug, Clone, Deserialize)]
pub struct ChangedFunction {
    /// `None` for the timed loop.
    pub name: Option<String>,
    /// Its distance in calls from the timed loop.
    pub distance: u64,
}

/// The answer to one of the questions of a comparison.
#[derive(Debug, Clone, Deserialize)]
pub struct Answer {
    pub verdict: String,
    pub change: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub p: Option<f64>,
}

/// The sides whose threads are busy between calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct BusySides {
    pub baseline: bool,
    pub now: bool,
}

#[derive(Debug, Clone, Deserialize)]
struct Complexity {
    function: String,
    fits: Vec<Fit>,
    unfitted: Option<Unfitted>,
}

/// A complexity that fits the rows of a function.
#[derive(Debug, Clone, Deserialize)]
pub struct Fit {
    pub name: String,
    pub coefficient: f64,
    pub err: f64,
}

#[derive(Debug, Clone, Deserialize)]
struct Unfitted {
    reason: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Gate {
    passed: bool,
    failures: Vec<GateFailure>,
}

#[derive(Debug, Clone, Deserialize)]
struct GateFailure {
    kind: String,
    id: String,
}

impl Report {
    /// Returns the ids of all benchmarks, in the document's order.
    pub fn ids(&self) -> Vec<&str> {
        self.benchmarks.iter().map(|row| row.id.as_str()).collect()
    }

    /// Returns the benchmark with this id.
    #[track_caller]
    pub fn row(&self, id: &str) -> Row {
        let row = self.benchmarks.iter().find(|row| row.id == id);
        row.unwrap_or_else(|| panic!("no benchmark has the id {id}: {self:#?}")).clone()
    }

    /// Returns the kind and the id of each benchmark that failed a gate. `None` without a gate.
    #[track_caller]
    pub fn held_back(&self) -> Option<Vec<(String, String)>> {
        let gate = self.gate.clone()?;
        assert_eq!(gate.passed, gate.failures.is_empty(), "{gate:#?}");
        Some(gate.failures.into_iter().map(|failure| (failure.kind, failure.id)).collect())
    }

    /// Returns the reason why the user's own curve is not among a function's fits. `function` is
    /// its id without labels.
    #[track_caller]
    pub fn unfitted(&self, function: &str) -> &str {
        let unfitted = self.complexity(function).unfitted.as_ref();
        &unfitted.unwrap_or_else(|| panic!("{function} has all fits: {self:#?}")).reason
    }

    /// Returns the fits of a function's complexity, best first. `function` is its id without
    /// labels.
    #[track_caller]
    pub fn fits(&self, function: &str) -> Vec<Fit> {
        self.complexity(function).fits.clone()
    }

    /// Returns a value of the run's context.
    pub fn context(&self, key: &str) -> Option<&str> {
        self.context.get(key).map(String::as_str)
    }

    #[track_caller]
    fn complexity(&self, function: &str) -> &Complexity {
        let complexity = self.complexity.iter().find(|complexity| complexity.function == function);
        complexity.unwrap_or_else(|| panic!("no complexity of {function}: {self:#?}"))
    }
}

impl Row {
    /// Returns whether the benchmark was not run, and so has no figures.
    pub fn is_not_run(&self) -> bool {
        self.status == Status::NotRun && self.time.is_none() && self.samples.is_none()
    }

    /// Returns whether the benchmark was measured.
    pub fn is_ok(&self) -> bool {
        self.status != Status::Failed
    }

    /// Returns the number of samples.
    #[track_caller]
    pub fn samples(&self) -> u64 {
        self.samples.unwrap_or_else(|| panic!("no samples: {self:#?}"))
    }

    /// Returns the median in nanoseconds per operation.
    #[track_caller]
    pub fn median(&self) -> f64 {
        self.time.as_ref().unwrap_or_else(|| panic!("no time: {self:#?}")).median
    }

    /// Returns the reason why the benchmark was not measured.
    #[track_caller]
    pub fn error(&self) -> &str {
        self.error.as_deref().unwrap_or_else(|| panic!("no error: {self:#?}"))
    }

    /// Returns a value of the benchmark's context.
    pub fn context(&self, key: &str) -> Option<&str> {
        self.context.get(key).map(String::as_str)
    }

    /// Returns a counter's value per operation. `None` if it was not read.
    pub fn counter(&self, name: &str) -> Option<f64> {
        self.counters.as_ref()?.get(name).copied()
    }
}

impl Comparison {
    /// Returns whether both executables were run side by side.
    pub fn is_side_by_side(&self) -> bool {
        self.method.as_deref() == Some("side by side")
    }
}
