//! Counts of instructions where the processor's counters can't be read, and for gates.

use super::baseline::KnownBenchmark;
use super::suite::{Benchmark, Harness};
use crate::cargo::Executable;
use crate::instructions::{self, BRANCHES, CallCounts, Counted, NotCounted, Step, is_exact};
use crate::interrupt;
use crate::warnings::warn_once;
use nanobench::model::{Amount, BenchmarkSpec, Counts, KeyValue};
use nanobench::report::escape;
use serde::Serialize;
use std::time::Duration;

/// Largest `count` that a function gets while its instructions are counted, which takes up to a
/// thousand times as long as usual.
const MAX_COUNT: u64 = 64;

/// The instructions of a call on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct InstructionChange {
    /// The step that counted both.
    #[serde(rename = "counted_by")]
    pub step: Step,
    pub before: f64,
    pub now: f64,
}

impl InstructionChange {
    /// Returns the change as a share.
    pub fn share(&self) -> f64 {
        if self.before == self.now { 0.0 } else { self.now / self.before - 1.0 }
    }
}

/// Removes counters from a benchmark that can't be counted here in any way.
pub(super) fn keep_countable(benchmark: &mut BenchmarkSpec, no_counters: &[KeyValue]) {
    if let Some(counters) = &mut benchmark.counters {
        counters.retain(|name| {
            !is_unreadable(no_counters, name) || is_exact(name) && instructions::first_step().is_some()
        });
    }
}

/// Returns whether the harness can't read a counter.
pub(super) fn is_unreadable(no_counters: &[KeyValue], name: &str) -> bool {
    no_counters.iter().any(|unreadable| unreadable.key == name)
}

/// Returns the step that counts instead of the counter of this name, if the harness can't read it.
pub fn step_instead(no_counters: &[KeyValue], name: &str) -> Option<Step> {
    let is_counted = is_unreadable(no_counters, name) && is_exact(name);
    is_counted.then(instructions::first_step).flatten()
}

/// Adds these counters to the counts of a benchmark, which the harness can't read. `count`: that of
/// the measurement. `operation`: the time of one of them.
pub(super) fn add(
    counts: &mut Option<Counts>,
    names: Vec<String>,
    benchmark: &BenchmarkSpec,
    harness: &mut Harness,
    count: u64,
    operation: Option<Duration>,
) {
    let Harness { executable, session_options, counting, .. } = harness;
    let counted = counted(executable, benchmark, count, operation);
    match counting.count([counted], session_options) {
        Ok([of_call]) => {
            let counts = counts.get_or_insert(Counts { iterations: 1, ..Counts::default() });
            let calls = counts.iterations as f64 * count as f64 / counted.count as f64;
            let amounts = names.into_iter().map(|name| {
                let value = if name == BRANCHES { of_call.branches } else { of_call.instructions };
                Amount { name, value: value * calls }
            });
            counts.counters.get_or_insert_default().extend(amounts);
        }
        Err(error) => warn_uncounted(&benchmark.id.to_string(), &error),
    }
}

/// Returns the `count` of the calls that are counted on both sides.
pub fn compared_count(spec: &BenchmarkSpec) -> u64 {
    if spec.takes_count { spec.count.unwrap_or(MAX_COUNT).min(MAX_COUNT) } else { 1 }
}

/// Returns the call of a benchmark that is counted. `operation`: the time of one of `count`.
fn counted<'a>(
    executable: &'a Executable,
    spec: &'a BenchmarkSpec,
    count: u64,
    operation: Option<Duration>,
) -> Counted<'a> {
    let count = count.min(MAX_COUNT);
    let time = operation.map(|operation| operation.mul_f64(count as f64));
    Counted { executable, row: &spec.id, count, time }
}

/// Counts the instructions of a call on both sides. `None` if that is impossible, after a warning.
/// `operation`: the time of one of the count.
pub(super) fn compare(
    benchmark: &Benchmark,
    known: &KnownBenchmark<'_>,
    harness: &mut Harness,
    operation: Option<Duration>,
) -> Option<InstructionChange> {
    let Harness { executable, session_options, counting, .. } = harness;
    let before = known.executable?.executable(executable)?;
    let sides = [(&before, known.spec), (&*executable, &benchmark.spec)];
    let count = compared_count(&benchmark.spec);
    let sides = sides.map(|(executable, spec)| counted(executable, spec, count, operation));
    match counting.count(sides, session_options) {
        Ok([CallCounts { step, instructions: before, .. }, now]) => {
            Some(InstructionChange { step, before, now: now.instructions })
        }
        Err(error) => {
            warn_uncounted(&benchmark.id.to_string(), &error);
            None
        }
    }
}

fn warn_uncounted(id: &str, error: &NotCounted) {
    if !interrupt::requested() {
        let id = format!("cannot count the instructions of {}", escape(id));
        warn_once(id.clone(), format!("{id} {}", escape(&error.to_string())));
    }
}
