//! A run as Markdown, for a comment on a pull request or the summary of a job: the verdicts first,
//! and the full table collapsed. Texts of benchmarks are HTML, in which every character can be
//! escaped.

use crate::experiment::{Outcome, Row};
use crate::report::cells::{CORRECTED, scale_line};
use crate::report::change_cell::{change_cell, not_compared_because};
use crate::report::columns::{Column, TableOptions};
use crate::report::gate::GateResult;
use crate::report::several::{self, Cell, Line, Mean};
use crate::report::{ComparedRun, ComparedWith, Report, lost_work, summary, verdict_text, warnings};
use nanobench::report::{TimeUnit, change, counted, escape, significant, time, time_in_unit};
use verdicts::Verdict;

/// The longest text, in bytes: a comment on GitHub has at most 65,536 characters.
const MAX_LENGTH: usize = 60_000;
/// The part of it for the rows that are told first.
const MAX_FIRST: usize = MAX_LENGTH / 3;
/// The title of the column with changes since the last run.
const SINCE: &str = "since the last run";

/// Returns the text, with a newline at its end.
pub(crate) fn markdown(report: &Report) -> String {
    if report.is_of_several() {
        return side_by_side(report);
    }
    let number = report.runs.len().max(1);
    let scale = |run| report.scale(run).filter(|row| row.resolved().is_some());
    let sections: Vec<String> = report.runs.iter().map(|run| section(run, scale(run), number)).collect();
    sections.join("\n")
}

/// Returns the text about a run, which is one of this `number`. Figures are multiples of the row
/// `scale`, too.
fn section(run: &ComparedRun, scale: Option<&Row>, number: usize) -> String {
    let ComparedRun { header, rows, outcome } = run;
    let is_plain = !has_comparison(run);
    let counts = summary::verdicts(rows, outcome, is_plain);
    let counts = counts.map(|counts| format!(": {counts}")).unwrap_or_default();
    let mut text = format!("### Benchmarks{counts}\n\n");
    for line in header.comparison() {
        text += &format!("{}\n\n", html(&line));
    }
    let scaled = scale.and_then(|row| scale_line(row, TimeUnit::default()));
    text += &scaled.map(|line| format!("{}\n\n", html(&line))).unwrap_or_default();
    text += &match GateResult::of(run) {
        None => String::new(),
        Some(GateResult::Passed) => "**Gate passed.**\n\n".to_owned(),
        Some(GateResult::NotFailed(caveat)) => format!("**No gate failed**, {caveat}.\n\n"),
        Some(GateResult::Failed(kinds)) => format!("**Gate failed**: {}\n\n", html(&kinds)),
    };
    text += &summary::not_run(run).map(|line| format!("{}\n\n", html(&line))).unwrap_or_default();
    let mut first: Vec<&Row> = rows.iter().filter(|row| is_told_first(row)).collect();
    first.sort_by_key(|row| row.verdict() == Some(Verdict::Faster));
    if !first.is_empty() {
        let room = if first.len() < rows.len() { MAX_FIRST } else { 2 * MAX_FIRST };
        text += &table(run, &first, scale, room / number);
    }
    if !outcome.removed.is_empty() {
        let removed = outcome.removed.iter().map(|id| format!("| {} |\n", code(&id.to_string())));
        text += &format!("\n| removed |\n|---|\n{}", limited(removed, MAX_FIRST / number));
    }
    let end = end(run);
    let room = (MAX_LENGTH / number).saturating_sub(text.len() + end.len());
    let all = table(run, &rows.iter().collect::<Vec<_>>(), scale, room);
    let title = format!("All {}", counted(rows.len(), "benchmark"));
    if is_plain && first.is_empty() {
        text += &all;
    } else if rows.len() > first.len() {
        text += &format!("\n<details>\n<summary>{title}</summary>\n\n{all}\n</details>\n");
    }
    text + &end
}

/// Returns whether the run has a comparison that somebody asked for.
fn has_comparison(run: &ComparedRun) -> bool {
    run.header.compared_with.as_ref().is_some_and(ComparedWith::has_own_table)
}

/// Returns whether a row is above the collapsed table.
fn is_told_first(row: &Row) -> bool {
    row.failed() || matches!(row.verdict(), Some(Verdict::Slower | Verdict::Faster | Verdict::Failed))
}

fn table(run: &ComparedRun, rows: &[&Row], scale: Option<&Row>, max_length: usize) -> String {
    let (scaled, scaled_rule) = scale.map_or(("", ""), |_| (" scaled |", "--:|"));
    let with = run.header.compared_with.as_ref().filter(|_| has_comparison(run));
    match with {
        Some(with) => {
            let name = html(&with.name);
            let titles = format!(
                "| benchmark |{scaled} {name} | now | change | 95 % CI | verdict |\n\
                 |---|{scaled_rule}--:|--:|--:|--:|---|\n"
            );
            titles + &limited(rows.iter().map(|row| compared(row, scale)), max_length)
        }
        None => {
            let last = last_column(run, rows);
            let (title, rule) = last.map_or((String::new(), ""), |title| (format!(" {title} |"), "---|"));
            let titles = format!(
                "| benchmark |{scaled} time/op | err% | op/s | samples |{title}\n\
                 |---|{scaled_rule}--:|--:|--:|--:|{rule}\n"
            );
            titles + &limited(rows.iter().map(|row| alone(row, scale, last)), max_length)
        }
    }
}

/// Returns the title of the column behind the figures if these rows need one: for changes since the
/// last run, which nobody asked for, and for remarks. GitHub leaves out cells without a title.
fn last_column(run: &ComparedRun, rows: &[&Row]) -> Option<&'static str> {
    if run.header.compared_with.as_ref().is_some_and(ComparedWith::has_change_column) {
        return Some(SINCE);
    }
    rows.iter().any(|row| remark(row).is_some()).then_some("remark")
}

/// Returns the lines that fit, and the number of others.
fn limited(lines: impl ExactSizeIterator<Item = String>, max_length: usize) -> String {
    let (all, mut shown) = (lines.len(), 0);
    let mut text = String::new();
    for line in lines {
        if text.len() + line.len() > max_length {
            return text + &format!("\n... and {} more\n", all - shown);
        }
        text += &line;
        shown += 1;
    }
    text
}

/// Returns the line of a row that is compared with a baseline.
fn compared(row: &Row, scale: Option<&Row>) -> String {
    let remark = remark(row).filter(|_| lost_work::of_change(row).is_none());
    let [before, now, by, interval] =
        [Column::Before, Column::Now, Column::Change, Column::ChangeInterval].map(|column| cell(column, row));
    let verdict = row.comparison.as_ref().map(|comparison| {
        let (word, remark) = verdict_text::of_row(row, comparison, None);
        let word = if is_told_first(row) { format!("**{word}**") } else { word };
        word + &html(&remark)
    });
    let now = now.filter(|_| remark.is_none());
    let verdict = remark.map(|remark| html(&remark)).or(verdict);
    cells(row, scale, [before, now, by, interval, verdict])
}

/// Returns the line of a row whose comparison, if it has one, nobody asked for. `last` is the title
/// of the last column.
fn alone(row: &Row, scale: Option<&Row>, last: Option<&str>) -> String {
    let figures = [Column::Time, Column::Spread, Column::Rate, Column::Samples];
    let text = match row.resolved() {
        Some(_) => (last == Some(SINCE)).then(|| since(row)),
        None => remark(row),
    };
    let text = last.map(|_| text.map(|text| html(&text)));
    cells(row, scale, figures.map(|column| cell(column, row)).into_iter().chain(text))
}

/// Returns the cell of a column as HTML.
fn cell(column: Column, row: &Row) -> Option<String> {
    column.cell(row, TableOptions::default(), None).map(|text| html(&text))
}

/// Returns the change since the last run, or why there is none.
fn since(row: &Row) -> String {
    let because = row.comparison.as_ref().and_then(not_compared_because);
    change_cell(row) + &because.map_or_else(String::new, |because| format!(": {because}"))
}

/// Returns the remark on a row without figures.
fn remark(row: &Row) -> Option<String> {
    match &row.outcome {
        Outcome::Failed(error) => Some(error.to_string()),
        Outcome::NotRun => None,
        Outcome::Measured { .. } => row.resolved().is_none().then(|| lost_work::below_resolution(row))?,
    }
}

/// Returns the line of a row with these cells, which are HTML, behind its multiple of `scale`.
fn cells(row: &Row, scale: Option<&Row>, cells: impl IntoIterator<Item = Option<String>>) -> String {
    let scaled = scale.map(|scale| match row.multiple_of(scale) {
        Some(_) if row.benchmark.id == scale.benchmark.id => Some("**1.00**".to_owned()),
        multiple => multiple.map(significant),
    });
    let cells: Vec<String> = scaled.into_iter().chain(cells).map(Option::unwrap_or_default).collect();
    format!("| {} | {} |\n", code(&row.benchmark.id.to_string()), cells.join(" | "))
}

/// Returns the footnote, the collapsed warnings, and the facts about the machine.
fn end(run: &ComparedRun) -> String {
    let all: Vec<String> = run.header.warnings.iter().cloned().chain(warnings(run, false)).collect();
    let lines: String = all.iter().map(|line| format!("- {}\n", html(line))).collect();
    let footnote = summary::correction(&run.rows).filter(|_| has_comparison(run));
    let footnote = footnote.map(|correction| format!("\n{}\n", html(&format!("{CORRECTED} {correction}"))));
    let mut text = footnote.unwrap_or_default();
    if !all.is_empty() {
        let title = counted(all.len(), "warning");
        text += &format!("\n<details>\n<summary>{title}</summary>\n\n{lines}\n</details>\n");
    }
    let environment = &run.header.environment;
    let rustc = environment.rustc.as_ref().map(|rustc| rustc.version.clone());
    let cores = environment.cores.map(|cores| counted(cores, "core"));
    let facts: Vec<String> = environment.cpu.clone().into_iter().chain(cores).chain(rustc).collect();
    if !facts.is_empty() {
        text += &format!("\n<sub>{}</sub>\n", html(&facts.join(", ")));
    }
    text
}

/// Returns the table of several saved runs.
fn side_by_side(report: &Report) -> String {
    let names: Vec<String> = report.runs.iter().map(|run| html(&several::name(run))).collect();
    let titles: String = names.iter().skip(1).map(|name| format!(" {name} | change |")).collect();
    let rule = "--:|--:|".repeat(names.len() - 1);
    let mut text = format!("| benchmark | {} |{titles}\n|---|--:|{rule}\n", names[0]);
    for line in several::lines(report) {
        let (title, figures): (String, Vec<[String; 2]>) = match &line {
            Line::Benchmark(benchmark, cells) => {
                let unit = benchmark.spec.unit.as_deref();
                let figures = cells.iter().map(|cell| cell.as_ref().map(|cell| figures(cell, unit)));
                (code(&benchmark.id.to_string()), figures.map(Option::unwrap_or_default).collect())
            }
            Line::Mean(mean @ Mean { group, times, changes, .. }) => {
                let title = match group {
                    Some(group) => format!("{} in {}", mean.name(), html(group)),
                    None => format!("**{}**", mean.name()),
                };
                let change = |percent: &Option<f64>| percent.map(|by| change(by / 100.0)).unwrap_or_default();
                (title, times.iter().zip(changes).map(|(of, by)| [time(*of), change(by)]).collect())
            }
        };
        // The first run has no change.
        let figures: Vec<String> = figures
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(place, _)| *place != 1)
            .map(|(_, figure)| figure)
            .collect();
        text += &format!("| {title} | {} |\n", figures.join(" | "));
    }
    text
}

/// Returns the time and the change of a cell.
fn figures(cell: &Cell, unit: Option<&str>) -> [String; 2] {
    let time = cell.time.map(|time| html(&time_in_unit(time, unit, TimeUnit::default())));
    let by = cell.change.map(|by| change(by.estimate));
    let word = cell
        .word
        .map(|word| if word == verdict_text::IDENTICAL { word.to_owned() } else { format!("**{word}**") });
    [time.unwrap_or_default(), by.into_iter().chain(word).collect::<Vec<_>>().join(" ")]
}

/// Returns a text as code.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Returns a text as HTML on one line, in which GitHub finds nobody to notify and no issue to link.
/// It looks for both in the text that the HTML means, except in code. A space without width hides
/// them, as other tools do it.
fn html(text: &str) -> String {
    const SPACE: &str = "&#8203;";
    escaped(text).replace("&#64;", &format!("&#64;{SPACE}")).replace("&#35;", &format!("&#35;{SPACE}"))
}

/// Returns a text as HTML on one line. Characters are escaped to which Markdown or HTML may give a
/// meaning.
fn escaped(text: &str) -> String {
    let text: Vec<char> = escape(text).chars().collect();
    let is_word =
        |index: Option<usize>| index.and_then(|index| text.get(index)).is_some_and(|c| c.is_alphanumeric());
    let mut html = String::new();
    for (index, &c) in text.iter().enumerate() {
        let is_plain = match c {
            // Within a word, it emphasises nothing.
            '_' => is_word(index.checked_sub(1)) && is_word(Some(index + 1)),
            // They may be part of a link.
            ':' => text.get(index + 1) != Some(&'/'),
            '.' => !text[..index].ends_with(&['w'; 3]),
            _ => !"<>&\"'`*~|[]\\@#$!".contains(c),
        };
        match is_plain {
            true => html.push(c),
            false => html += &format!("&#{};", u32::from(c)),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_notified_and_nothing_is_linked() {
        assert_eq!(html("a@b #1"), "a&#64;&#8203;b &#35;&#8203;1");
        assert_eq!(code("a@b #1"), "<code>a&#64;b &#35;1</code>", "can be copied as it is");
    }
}
