//! The order of the rows.

use crate::experiment::Row;
use std::collections::HashMap;

/// The key by which rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SortKey {
    /// Functions by their names.
    Name,
    /// The fastest functions first, and of each the fastest rows.
    Time,
}

/// Sorts the rows within their groups. Rows of a function stay together, and failed ones come last.
pub(crate) fn sort(rows: &mut [Row], key: SortKey) {
    let mut places = HashMap::new();
    let mut least: HashMap<_, f64> = HashMap::new();
    for row in rows.iter() {
        let group = (row.benchmark.package().to_owned(), row.benchmark.group.clone());
        let place = places.len();
        places.entry(group).or_insert(place);
        let least = least.entry(row.benchmark.id.function()).or_insert(f64::INFINITY);
        *least = least.min(time(row));
    }
    let place = |row: &Row| places[&(row.benchmark.package().to_owned(), row.benchmark.group.clone())];
    rows.sort_by(|one, other| {
        let functions = [one, other].map(|row| row.benchmark.id.function());
        let [first, second] = &functions;
        let names = || {
            let names =
                |row: &Row| (row.benchmark.id.row.function.clone(), row.benchmark.id.row.modules.clone());
            names(one).cmp(&names(other))
        };
        let order = match key {
            SortKey::Name => names(),
            SortKey::Time => least[first].total_cmp(&least[second]).then_with(names),
        };
        let of_function = match key {
            SortKey::Time if first == second => time(one).total_cmp(&time(other)),
            _ => std::cmp::Ordering::Equal,
        };
        place(one).cmp(&place(other)).then(order).then(of_function)
    });
}

/// Returns the time of an operation in ns, or infinity for a row without one.
fn time(row: &Row) -> f64 {
    row.measured().map_or(f64::INFINITY, |(_, summary)| summary.median)
}
