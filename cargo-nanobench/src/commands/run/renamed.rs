//! Rows that are called otherwise in each process: new and missing every time, and compared with nothing.

use crate::experiment::{Row, STABLE_LABELS_ADVICE, Suite, Verdict};
use crate::session::SessionOptions;
use nanobench::report::escape;
use std::collections::{BTreeMap, BTreeSet};

/// What is said of functions some of whose rows are new and some `missing`, if another process of the same executable doesn't have the
/// new ones either.
pub(super) fn renamed(
    suite: &mut Suite,
    rows: &[Row],
    missing: &[String],
    session_options: &SessionOptions,
) -> Option<String> {
    let mut doubtful: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.verdict() == Some(Verdict::New)) {
        let function = row.benchmark.function_id();
        if missing.iter().any(|id| is_row_of(id, function)) {
            doubtful.entry(row.benchmark.harness).or_default().push(row);
        }
    }
    let mut functions: BTreeSet<&str> = BTreeSet::new();
    for (harness, rows) in doubtful {
        let harness = &mut suite.harnesses[harness];
        harness.end_session();
        // One that doesn't start any more has been told of elsewhere.
        let Ok(session) = harness.session(session_options) else { continue };
        let lost = rows.iter().filter(|row| session.index_of(&row.benchmark.benchmark.path).is_none());
        functions.extend(lost.map(|row| row.benchmark.function_id()));
        harness.end_session();
    }
    (!functions.is_empty()).then(|| {
        let named: Vec<String> = functions.into_iter().map(escape).collect();
        format!(
            "rows of {} are called otherwise in each process, so they are new and missing every time: {STABLE_LABELS_ADVICE}",
            named.join(", ")
        )
    })
}

/// Whether a row of this id is one of the function's.
fn is_row_of(id: &str, function: &str) -> bool {
    id.strip_prefix(function).is_some_and(|case| case.starts_with('/'))
}
