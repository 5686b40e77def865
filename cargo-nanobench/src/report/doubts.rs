//! Reasons to doubt figures, one line for each kind.

use super::lost_work;
use crate::disturbance::NoisyFigures;
use crate::experiment::Row;
use nanobench::doubt::{self, Doubt, SettingsBy};
use nanobench::report::is_uncertain;
use std::collections::HashMap;
use textwrap::core::display_width;

/// The width of the longest name in a line, which fits into a terminal of 60 columns.
const MAX_NAME: usize = 56;

/// Returns the doubts about a row that was measured on a machine with this many cores.
pub(crate) fn of_row(row: &Row, cores: Option<usize>) -> Vec<Doubt> {
    let Some((measurement, summary)) = row.measured() else { return Vec::new() };
    let threads = row.benchmark.id.row.conditions.threads.zip(cores).filter(|_| !summary.below_resolution);
    let turns = threads.and_then(|(threads, cores)| Doubt::from_threads(threads, cores));
    Doubt::find(measurement, summary).into_iter().chain(lost_work::doubt(row)).chain(turns).collect()
}

/// Returns whether the samples of a row vary as if something disturbed them.
fn is_unstable(row: &Row) -> bool {
    of_row(row, None).iter().any(|doubt| doubt.may_be_disturbance() && !doubt.spares_median())
}

/// Returns whether the time of a row must not be trusted: it is uncertain, or some of the work is gone.
pub(super) fn is_doubtful(row: &Row) -> bool {
    let is_uncertain = |(measurement, summary)| is_uncertain(measurement, summary);
    row.measured().is_some_and(is_uncertain) || lost_work::doubt(row).is_some()
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
    lines(rows, |row| Doubt::telling(&of_row(row, None)).into_iter().collect())
}

fn lines(rows: &[Row], doubts: impl Fn(&Row) -> Vec<Doubt>) -> Vec<String> {
    let mut rows_by_name: HashMap<String, usize> = HashMap::new();
    for row in rows {
        *rows_by_name.entry(row.benchmark.name()).or_default() += 1;
    }
    let mut named = Vec::new();
    for row in rows {
        let name = unique_name(row, &rows_by_name);
        named.extend(doubts(row).into_iter().map(|doubt| (name.clone(), doubt)));
    }
    doubt::lines(named, SettingsBy::Flags)
}

/// Returns the name of a row, or its id if rows of other modules or targets have that name. Either
/// is shortened.
fn unique_name(row: &Row, rows_by_name: &HashMap<String, usize>) -> String {
    let name = row.benchmark.name();
    let is_unique = rows_by_name.get(&name).is_none_or(|&rows| rows == 1);
    shortened(if is_unique { name } else { row.benchmark.id.to_string() })
}

/// Returns a name without its middle if it is too long. The beginning names the function, the end the
/// case.
fn shortened(name: String) -> String {
    if display_width(&name) <= MAX_NAME {
        return name;
    }
    let end: String = half(name.chars().rev()).chars().rev().collect();
    half(name.chars()) + ".." + &end
}

/// Returns as many characters as fit into half of a long name.
fn half(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        text.push(letter);
        if display_width(&text) >= MAX_NAME / 2 {
            text.pop();
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("sort/100".to_owned()), "sort/100");
        let name = format!("{}/{}", "汉".repeat(200), "1".repeat(27));
        assert_eq!(shortened(name), format!("{}..{}", "汉".repeat(13), "1".repeat(27)));
    }
}
