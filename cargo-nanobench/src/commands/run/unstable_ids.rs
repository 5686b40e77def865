//! Rows whose ids differ in each process, so that they are new and missing in every comparison.

use crate::benchmark_id::{BenchmarkId, FunctionId};
use crate::experiment::{Row, STABLE_LABELS_ADVICE, Suite};
use nanobench::report::escape;
use std::collections::{BTreeMap, BTreeSet};
use verdicts::Verdict;

/// Warns about functions with both new and `missing` rows, if another process of the same
/// executable doesn't have the new rows either.
pub(super) fn warning(suite: &mut Suite, rows: &[Row], missing: &[BenchmarkId]) -> Option<String> {
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
            "rows of {} have other names in each process, so every comparison reports them as new and missing: \
             {STABLE_LABELS_ADVICE}",
            functions.join(", ")
        )
    })
}
