//! The lines about the changes of a run.

use super::cells::{before, interval, median_or_bound, paint};
use super::change_cell::least_change;
use super::verdict_text::{differing_function, has_other_data};
use super::{ComparedRun, RunOutcome, answer_text, lost_work, verdict_text};
use crate::experiment::{Comparison, Row, TimeChange};
use nanobench::report::{TimeUnit, change, escape};
use nanobench::stats::Interval;
use nanobench::summary::Summary;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use textwrap::core::display_width;
use verdicts::{Question, Verdict};

/// The maximum number of changes that are told beside the table.
const MAX_CHANGES: usize = 20;

/// The least number of changes with one cause that share a line.
const MIN_TOGETHER: usize = 4;

/// The space between the parts of a line about a change.
const GAP: &str = "   ";

/// A benchmark that is faster or slower.
struct Changed<'r> {
    row: &'r Row,
    summary: &'r Summary,
    comparison: &'r Comparison,
    /// The change of the average, if it stands beside that of the typical time.
    average: Option<f64>,
}

impl<'r> Changed<'r> {
    fn of(row: &'r Row, outcome: &RunOutcome) -> Option<Changed<'r>> {
        row.verdict().filter(|verdict| matches!(verdict, Verdict::Faster | Verdict::Slower))?;
        let (_, summary) = row.measured()?;
        let comparison = row.comparison.as_ref()?;
        // The failure may be of the comparison with another baseline.
        let own = comparison.largest_slowdown();
        let of_gate = || {
            let failed = outcome.failure_on_average(&row.benchmark.id);
            failed.filter(|&average| own == Some(TimeChange::Average(average)))
        };
        let average = answer_text::average_apart(comparison).or_else(of_gate);
        let average = average.filter(|_| comparison.question() == Question::Typical);
        Some(Changed { row, summary, comparison, average })
    }

    /// Returns the size of the largest change that its line shows in the direction of its verdict.
    fn size(&self) -> f64 {
        let average = self.average.map(TimeChange::Average);
        let is_slower = self.comparison.verdict == Verdict::Slower;
        let is_in_direction = |change: &TimeChange| (change.share() > 0.0) == is_slower;
        let shown = [self.comparison.decisive_change(), average].into_iter().flatten();
        shown.filter(is_in_direction).map(TimeChange::size).fold(0.0, f64::max)
    }

    /// Returns its cause, by which changes share a line: `through a::parse`. `None` if the cause is
    /// unknown, or if a line of its own tells more.
    fn cause(&self) -> Option<String> {
        let Changed { comparison, average, .. } = self;
        let paired = comparison.paired.as_ref()?;
        let tells_more = average.is_some()
            || comparison.question() != Question::Typical
            || paired.busy != [false; 2]
            || comparison.change.is_none();
        let own = paired.changed_functions.first().filter(|function| function.name.is_none());
        let cause = match &paired.differs_in {
            Some(name) => {
                format!("through {}{}", if has_other_data(paired) { "data in " } else { "" }, escape(name))
            }
            None => own.map(|_| "in their own code".to_owned())?,
        };
        (!tells_more).then_some(cause)
    }

    /// Returns the parts of its line: the change, how sure it is, and the `function` whose code
    /// differs.
    fn parts(&self, function: Option<String>) -> Vec<String> {
        let Changed { row, comparison, .. } = self;
        let verdict = comparison.verdict;
        let mut parts =
            vec![format!("{}  {}", paint(verdict, verdict.word()), escape(&row.benchmark.id.to_string()))];
        match answer_text::remark(comparison) {
            Some(answer) => {
                let by = comparison.decisive_change().map(|by| change(by.share()));
                let known = comparison.decisive_interval().map(|known| confidence(&known));
                parts.extend(by.map(|by| by + &known.unwrap_or_default() + &answer));
                let launches = comparison.slow_launches();
                parts.extend(launches.map(|slow| format!("processes: {}", answer_text::slow_launches(slow))));
            }
            None => parts.extend(self.typical_parts()),
        }
        parts.extend(function.map(|function| escape(&function)));
        parts
    }

    /// Returns the parts about the change of the typical time.
    fn typical_parts(&self) -> Vec<String> {
        let now = median_or_bound(self.summary, TimeUnit::default());
        let times = before(self.comparison, TimeUnit::default()).map(|before| format!("{before} -> {now}"));
        let change = self.comparison.change.as_ref().map(|by| {
            let known = by.known_interval().map(|known| confidence(&known)).unwrap_or_default();
            let average = self.average.map(|by| format!("; {}", answer_text::on_average(by)));
            change(by.estimate) + &known + &average.unwrap_or_default()
        });
        let change = change.or_else(|| least_change(self.row));
        let loss = lost_work::of_change(self.row).map(str::to_owned);
        let layouts = verdict_text::agreement(self.comparison);
        [times, change, loss, layouts].into_iter().flatten().collect()
    }
}

/// Returns the lines about the changes: one for each cause of several, then one for each of the
/// others. Slower ones come before faster ones, then the largest first: the groups by their number,
/// the others by the changes that they show. Lines that are wider than `width` break between their
/// parts.
pub(crate) fn changes(run: &ComparedRun, width: Option<usize>) -> Vec<String> {
    let changed = run.rows.iter().filter_map(|row| Changed::of(row, &run.outcome));
    let (groups, mut changed) = by_cause(changed);
    let together = groups.iter().map(|group| together(group, &run.rows));
    changed.sort_by(|one, other| other.size().total_cmp(&one.size()));
    changed.sort_by_key(|changed| changed.comparison.verdict == Verdict::Faster);
    let functions: Vec<Option<String>> =
        changed.iter().map(|changed| differing_function(changed.comparison.paired.as_ref()?)).collect();
    let common = common(&functions).filter(|_| groups.is_empty());
    let own = functions.iter().map(|function| function.clone().filter(|_| common.is_none()));
    let each = changed.iter().zip(own).map(|(changed, function)| filled(&changed.parts(function), width));
    let mut lines: Vec<String> = together.chain(each).collect();
    let more = lines.len().saturating_sub(MAX_CHANGES);
    // A line about a single one would take as much room.
    if more > 1 {
        lines.truncate(MAX_CHANGES);
        lines.push(format!("and {more} more changes, which the table has"));
    }
    lines.extend(common.map(|function| format!("all {}: {}", functions.len(), escape(function))));
    lines
}

/// Returns the groups of changes that share a line, and the other changes.
fn by_cause<'r>(changed: impl Iterator<Item = Changed<'r>>) -> (Vec<Vec<Changed<'r>>>, Vec<Changed<'r>>) {
    let mut groups: BTreeMap<(bool, Option<String>), Vec<Changed<'r>>> = BTreeMap::new();
    for changed in changed {
        let is_faster = changed.comparison.verdict == Verdict::Faster;
        groups.entry((is_faster, changed.cause())).or_default().push(changed);
    }
    let is_told = |((_, cause), group): &((bool, Option<String>), Vec<_>)| {
        cause.is_some() && group.len() >= MIN_TOGETHER
    };
    let (mut told, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_told);
    told.sort_by_key(|((is_faster, _), group)| (*is_faster, Reverse(group.len())));
    let others = others.into_iter().flat_map(|(_, group)| group).collect();
    (told.into_iter().map(|(_, group)| group).collect(), others)
}

/// Returns the line of a group: `67 slower, +178.0 to +183.2 %, all through a::mix`.
fn together(group: &[Changed<'_>], rows: &[Row]) -> String {
    let verdict = group[0].comparison.verdict;
    let shares = group.iter().filter_map(|changed| Some(changed.comparison.change?.estimate));
    let (low, high) = shares
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), share| (low.min(share), high.max(share)));
    let [low, high] = [low, high].map(change);
    let range = if low == high { low } else { format!("{} to {high}", low.trim_end_matches(" %")) };
    let is_all = group.len() == rows.iter().filter(|row| row.verdict() == Some(verdict)).count();
    let all = if is_all { "all " } else { "" };
    let number = paint(verdict, &format!("{} {}", group.len(), verdict.word()));
    format!("{number}, {range}, {all}{}", group[0].cause().unwrap_or_default())
}

/// Returns an interval behind its change: ` (+4.2 .. +5.3, 95 % CI)`.
fn confidence(known: &Interval) -> String {
    format!(" {}, 95 % CI)", interval(known).trim_end_matches(')'))
}

/// Returns the value that is the same for several changes, if it is the same for all.
fn common(functions: &[Option<String>]) -> Option<&str> {
    let [Some(first), rest @ ..] = functions else { return None };
    let is_common = !rest.is_empty() && rest.iter().all(|other| other.as_ref() == Some(first));
    is_common.then_some(first)
}

/// Joins parts, on as many lines as they need.
fn filled(parts: &[String], width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if display_width(line) + GAP.len() + display_width(part) <= width => {
                *line += &(GAP.to_owned() + part);
            }
            Some(_) => lines.push(format!("  {part}")),
            None => lines.push(part.clone()),
        }
    }
    lines.join("\n")
}
