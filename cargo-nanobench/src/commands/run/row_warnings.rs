//! Warnings about the rows of a run.

use crate::benchmark_id::{BenchmarkId, FunctionId};
use crate::experiment::{CodeBefore, Outcome, Row, STABLE_LABELS_ADVICE, Suite};
use crate::report;
use nanobench::report::{escape, time};
use nanobench::summary::unoptimized_empty_loop;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use verdicts::Verdict;

/// The time of the code before a benchmark that needs no mention.
const MAX_CODE_BEFORE: Duration = Duration::from_millis(100);

/// Returns the warnings about the rows of a run, which starts a process again unless it was interrupted.
pub(super) fn all(
    suite: &mut Suite,
    rows: &[Row],
    missing: &[BenchmarkId],
    scale_to: Option<&BenchmarkId>,
    is_interrupted: bool,
) -> Vec<String> {
    let unstable = if is_interrupted { None } else { unstable_ids(suite, rows, missing) };
    let others = [
        unscaled(rows, scale_to),
        unoptimized(rows),
        without_baseline(rows),
        report::contradiction(rows),
        slow_code_before(rows),
    ];
    others.into_iter().chain([unstable]).flatten().collect()
}

/// Warns about benchmarks that the program passes after code that takes long in each process.
fn slow_code_before(rows: &[Row]) -> Option<String> {
    let before = rows.iter().filter_map(|row| Some((row, row.paired()?.code_before)));
    let slow: Vec<(&Row, CodeBefore)> = before.filter(|(_, code)| code.mean() > MAX_CODE_BEFORE).collect();
    let (slowest, code) = slow.iter().max_by_key(|(_, code)| code.mean())?;
    let total: Duration = slow.iter().map(|(_, code)| code.total).sum();
    let more = if slow.len() > 1 { format!(" and {} more", slow.len() - 1) } else { String::new() };
    Some(format!(
        "{}{more}: the code before it takes {:.2} s in each process, {:.0} s in all: make inputs in the closure of \
         the benchmark, or move other benchmarks to targets of their own",
        escape(&slowest.benchmark.id.to_string()),
        code.mean().as_secs_f64(),
        total.as_secs_f64()
    ))
}

/// Warns if the benchmark of `--multiples-of` has no figure.
fn unscaled(rows: &[Row], scale_to: Option<&BenchmarkId>) -> Option<String> {
    let row = rows.iter().find(|row| Some(&row.benchmark.id) == scale_to)?;
    let reason = match &row.outcome {
        _ if row.resolved().is_some() => return None,
        Outcome::Failed(_) => "it failed",
        Outcome::Measured { .. } => "it is below resolution",
        Outcome::NotRun => return None,
    };
    Some(format!(
        "cannot show multiples of {} (--multiples-of): {reason}",
        escape(&row.benchmark.id.to_string())
    ))
}

/// Warns about a build in which the empty loop is not optimised.
fn unoptimized(rows: &[Row]) -> Option<String> {
    let empty_loop = rows.iter().find_map(|row| unoptimized_empty_loop(row.resolved()?.0))?;
    Some(format!(
        "an empty loop takes {}, because this build adds work to timed code, or leaves it unoptimised: \
         nothing is compared; remove flags such as `-Cinstrument-coverage` from RUSTFLAGS, and `opt-level = 0` \
         for nanobench-engine or nanobench-core from the profile",
        time(empty_loop)
    ))
}

/// Warns about rows whose baseline has no matching row in the run, with the reason for the first.
fn without_baseline(rows: &[Row]) -> Option<String> {
    let mut without = rows.iter().filter_map(|row| Some((row, row.benchmark.spec.relation_error.as_ref()?)));
    let (row, reason) = without.next()?;
    let more = match without.count() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!(
        "{} is not compared with its baseline in this run: {}{more}",
        escape(&row.benchmark.id.to_string()),
        escape(reason)
    ))
}

/// Warns about rows whose ids differ in each process, so that they are new and removed in every comparison:
/// functions with both new and `missing` rows, if another process of the same executable doesn't have the new
/// rows either.
fn unstable_ids(suite: &mut Suite, rows: &[Row], missing: &[BenchmarkId]) -> Option<String> {
    let mut suspects: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.verdict() == Some(Verdict::New)) {
        let function = row.benchmark.id.function();
        if missing.iter().any(|id| id.function() == function) {
            suspects.entry(row.benchmark.harness).or_default().push(row);
        }
    }
    let mut functions: BTreeSet<FunctionId> = BTreeSet::new();
    for (harness, rows) in suspects {
        let harness = &mut suite.harnesses[harness];
        harness.end_session();
        // Other warnings report an executable that no longer starts.
        let Ok(session) = harness.session() else { continue };
        let lost = rows.iter().filter(|row| session.index_of(&row.benchmark.id.row).is_none());
        functions.extend(lost.map(|row| row.benchmark.id.function()));
        harness.end_session();
    }
    (!functions.is_empty()).then(|| {
        let functions: Vec<String> = functions.iter().map(|function| escape(&function.to_string())).collect();
        format!(
            "rows of {} have other names in each process, so every comparison reports them as new and removed: \
             {STABLE_LABELS_ADVICE}",
            functions.join(", ")
        )
    })
}
