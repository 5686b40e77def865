//! Rows that are called otherwise in each process: new and missing every time, and compared with nothing.

use crate::benchmark_id::{BenchmarkId, FunctionId};
use crate::experiment::{Row, STABLE_LABELS_ADVICE, Suite, Verdict};
use crate::session::SessionOptions;
use nanobench::report::escape;
use std::collections::{BTreeMap, BTreeSet};

/// What is said of functions some of whose rows are new and some `missing`, if another process of the same executable doesn't have the
/// new ones either.
pub(super) fn renamed(
    suite: &mut Suite,
    rows: &[Row],
    missing: &[BenchmarkId],
    session_options: &SessionOptions,
) -> Option<String> {
    let mut doubtful: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.verdict() == Some(Verdict::New)) {
        let function = row.benchmark.id.function();
        if missing.iter().any(|id| id.function() == function) {
            doubtful.entry(row.benchmark.harness).or_default().push(row);
        }
    }
    let mut functions: BTreeSet<FunctionId> = BTreeSet::new();
    for (harness, rows) in doubtful {
        let harness = &mut suite.harnesses[harness];
        harness.end_session();
        // One that doesn't start any more has been told of elsewhere.
        let Ok(session) = harness.session(session_options) else { continue };
        let lost = rows.iter().filter(|row| session.index_of(&row.benchmark.id.row).is_none());
        functions.extend(lost.map(|row| row.benchmark.id.function()));
        harness.end_session();
    }
    (!functions.is_empty()).then(|| {
        let named: Vec<String> = functions.iter().map(|function| escape(&function.to_string())).collect();
        format!(
            "rows of {} are called otherwise in each process, so they are new and missing every time: {STABLE_LABELS_ADVICE}",
            named.join(", ")
        )
    })
}
