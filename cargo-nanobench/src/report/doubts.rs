//! What makes figures doubtful, in one line for each kind of doubt.

use crate::doubt::Doubt;
use crate::experiment::{Outcome, Row};
use nanobench::report::escape;
use std::mem::discriminant;

/// So many benchmarks are named in a line.
const NAMED: usize = 3;

/// What there is to doubt in a row that was measured on a machine of so many cores.
pub(crate) fn of_row(row: &Row, cores: Option<usize>) -> Vec<Doubt> {
    let Outcome::Measured { measurement, summary } = &row.outcome else { return Vec::new() };
    let threads = row.benchmark.id.row.conditions.threads.zip(cores).filter(|_| !summary.below_resolution);
    let turns = threads.and_then(|(threads, cores)| Doubt::of_threads(threads, cores));
    Doubt::of(measurement, summary).into_iter().chain(turns).collect()
}

/// A line for each kind that there is, in the order in which they come up.
pub(crate) fn lines(rows: &[Row], cores: Option<usize>) -> Vec<String> {
    let mut kinds: Vec<Vec<(String, Doubt)>> = Vec::new();
    for (row, doubt) in
        rows.iter().flat_map(|row| of_row(row, cores).into_iter().map(move |doubt| (row, doubt)))
    {
        let item = (name_among(rows, row), doubt);
        match kinds.iter_mut().find(|kind| discriminant(&kind[0].1) == discriminant(&doubt)) {
            Some(kind) => kind.push(item),
            None => kinds.push(vec![item]),
        }
    }
    kinds.iter().map(|kind| line(kind)).collect()
}

/// The name of a row, or its id where others have that name, in other modules or targets.
fn name_among(rows: &[Row], row: &Row) -> String {
    let name = row.benchmark.name();
    let called_so = rows.iter().filter(|other| other.benchmark.name() == name);
    if called_so.count() > 1 { row.benchmark.id.to_string() } else { name }
}

fn line(kind: &[(String, Doubt)]) -> String {
    let named: Vec<String> =
        kind.iter().take(NAMED).map(|(name, doubt)| format!("{}: {doubt}", escape(name))).collect();
    let more = match kind.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{}{more}\n  {}", named.join("; "), kind[0].1.advice())
}
