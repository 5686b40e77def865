//! Reasons to doubt figures, one line for each kind.

use crate::disturbance::NoisyFigures;
use crate::doubt::Doubt;
use crate::experiment::{Outcome, Row};
use nanobench::report::escape;
use std::mem::discriminant;

/// The maximum number of benchmarks named in a line.
const MAX_NAMED: usize = 3;

/// Returns the doubts about a row that was measured on a machine with this many cores.
pub(crate) fn of_row(row: &Row, cores: Option<usize>) -> Vec<Doubt> {
    let Outcome::Measured { measurement, summary } = &row.outcome else { return Vec::new() };
    let threads = row.benchmark.id.row.conditions.threads.zip(cores).filter(|_| !summary.below_resolution);
    let turns = threads.and_then(|(threads, cores)| Doubt::from_threads(threads, cores));
    let code = row.benchmark.timed_loop.filter(|_| !summary.below_resolution).and_then(Doubt::from_code);
    Doubt::find(measurement, summary).into_iter().chain(code).chain(turns).collect()
}

/// Returns whether the samples of a row vary as if something disturbed them.
pub(super) fn is_unstable(row: &Row) -> bool {
    of_row(row, None).iter().any(|doubt| doubt.may_be_disturbance() && !doubt.spares_median())
}

/// Returns the number of rows whose samples vary as if something disturbed them.
pub(crate) fn noisy_figures(rows: &[Row]) -> NoisyFigures {
    let resolved = || rows.iter().filter(|row| row.resolved().is_some());
    let noisy = resolved().filter(|row| is_unstable(row)).count();
    NoisyFigures { noisy, all: resolved().count() }
}

/// Returns a line for each kind of doubt that no disturbance explains.
pub(super) fn certain(rows: &[Row], cores: Option<usize>) -> Vec<String> {
    lines(rows, |row| of_row(row, cores).into_iter().filter(|doubt| !doubt.may_be_disturbance()).collect())
}

/// Returns a line for each kind of doubt because samples vary.
pub(super) fn varying(rows: &[Row]) -> Vec<String> {
    lines(rows, |row| of_row(row, None).into_iter().filter(Doubt::may_be_disturbance).collect())
}

/// Returns as [`varying`] those that need attention: one for each benchmark, the most telling, unless
/// its median is to be trusted.
pub(super) fn telling(rows: &[Row]) -> Vec<String> {
    lines(rows, |row| {
        let mut varying = of_row(row, None).into_iter().filter(Doubt::may_be_disturbance);
        varying.find(|doubt| !doubt.spares_median()).into_iter().collect()
    })
}

fn lines(rows: &[Row], doubts: impl Fn(&Row) -> Vec<Doubt>) -> Vec<String> {
    let mut kinds: Vec<Vec<(String, Doubt)>> = Vec::new();
    for (row, doubt) in rows.iter().flat_map(|row| doubts(row).into_iter().map(move |doubt| (row, doubt))) {
        let item = (name_among(rows, row), doubt);
        match kinds.iter_mut().find(|kind| discriminant(&kind[0].1) == discriminant(&doubt)) {
            Some(kind) => kind.push(item),
            None => kinds.push(vec![item]),
        }
    }
    kinds.iter().map(|kind| line(kind)).collect()
}

/// Returns the name of a row, or its id if rows of other modules or targets have that name.
fn name_among(rows: &[Row], row: &Row) -> String {
    let name = row.benchmark.name();
    let same_name = rows.iter().filter(|other| other.benchmark.name() == name);
    if same_name.count() > 1 { row.benchmark.id.to_string() } else { name }
}

fn line(kind: &[(String, Doubt)]) -> String {
    let named: Vec<String> =
        kind.iter().take(MAX_NAMED).map(|(name, doubt)| format!("{} ({doubt})", escape(name))).collect();
    let more = match kind.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}: {}", named.join(", "), kind[0].1.advice())
}
