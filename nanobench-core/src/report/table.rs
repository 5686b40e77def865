//! A table that grows row by row while results arrive: its columns are as wide as they will be from the start.

use super::{Bytes, per_second, percent, time, time_per};
use crate::complexity::Unfitted;
use crate::model::BenchmarkSpec;
use crate::registry::is_visible;
use crate::summary::Summary;
use std::fmt::Write as _;

/// A column of figures, aligned to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its heading.
    pub title: &'a str,
    /// Its least width, the gap before it not counted.
    pub width: usize,
}

/// The columns of a run without a comparison, for the cells of [`figure_cells`].
pub const FIGURE_COLUMNS: [Column<'static>; 4] = [
    Column { title: "time/op", width: 10 },
    Column { title: "err%", width: 7 },
    Column { title: "op/s", width: 10 },
    Column { title: "samples", width: 7 },
];

/// What is said of a benchmark that can't be told from an empty one.
pub const BELOW_RESOLUTION: &str = "below resolution: nothing was left to time; did the optimiser remove it? \
                                    return or black_box the result";

/// Names get at least this much room.
const MIN_NAME_WIDTH: usize = 16;
/// Stands for the middle of a name that is too long.
const CUT: &str = "..";
const GAP: &str = "  ";
const ROW_INDENT: &str = "    ";

/// How names are fitted into a table.
#[derive(Debug, Clone, Copy)]
pub struct NameFit {
    /// How many columns of a terminal a text takes.
    pub width: fn(&str) -> usize,
    /// The most that a name gets of them, with its indentation. What is longer loses its middle.
    pub max_width: usize,
}

impl Default for NameFit {
    /// A column for each character, and as many as there are.
    fn default() -> NameFit {
        NameFit { width: |text| text.chars().count(), max_width: usize::MAX }
    }
}

/// The rows of one package after another: a heading for each package, a line for each group, a row each benchmark, those
/// of one function under a line with its name.
#[derive(Debug)]
pub struct Table {
    name_width: usize,
    width: fn(&str) -> usize,
    titles: Vec<String>,
    widths: Vec<usize>,
    package: Option<String>,
    group: Option<String>,
    function: Option<String>,
    /// Titles and widths of the columns that only this group has, to the right of the others.
    own: Vec<(String, usize)>,
}

impl Table {
    /// A table for rows of these names (as [`Table::row`] gets them) under these packages.
    pub fn new<'a>(
        columns: &[Column<'_>],
        packages_and_names: impl IntoIterator<Item = (&'a str, &'a str)>,
        fit: NameFit,
    ) -> Table {
        let name_width = Table::name_width(packages_and_names, fit.width).min(fit.max_width);
        Table {
            name_width,
            width: fit.width,
            titles: columns.iter().map(|column| escape(column.title)).collect(),
            widths: columns.iter().map(|column| column.width).collect(),
            package: None,
            group: None,
            function: None,
            own: Vec::new(),
        }
    }

    /// The room that these names need beside the figures.
    pub fn name_width<'a>(
        packages_and_names: impl IntoIterator<Item = (&'a str, &'a str)>,
        width: fn(&str) -> usize,
    ) -> usize {
        let widths = packages_and_names
            .into_iter()
            .map(|(package, name)| width(&escape(package)).max(ROW_INDENT.len() + width(&escape(name))));
        widths.max().unwrap_or(0).max(MIN_NAME_WIDTH)
    }

    /// The lines that lead to the next row: a heading where its package is another than that of the row before,
    /// a group line where its group is. Empty where there is nothing to say.
    pub fn headings(&mut self, package: &str, group: &str) -> String {
        self.headings_with_columns(package, group, &[])
    }

    /// The same for a group with columns of its own, whose titles stand on its line.
    pub fn headings_with_columns(&mut self, package: &str, group: &str, own: &[Column<'_>]) -> String {
        let mut lines = String::new();
        if self.package.as_deref() != Some(package) {
            if self.package.is_some() {
                lines.push('\n');
            }
            lines.push_str(&self.line(&escape(package), &self.titles));
            self.package = Some(package.to_owned());
            (self.group, self.function) = (None, None);
        }
        if self.group.as_deref() != Some(group) {
            self.own = own.iter().map(|column| (escape(column.title), column.width)).collect();
            let titles = self.own.iter().map(|(title, _)| title.clone());
            let titles: Vec<String> = self.widths.iter().map(|_| String::new()).chain(titles).collect();
            if !group.is_empty() {
                let group = format!("{GAP}{}", escape(group));
                // A group is shown in full: what is too long for a line with titles has one of its own.
                if self.own.is_empty() || (self.width)(&group) > self.name_width {
                    let _ = writeln!(lines, "{group}");
                }
                if !self.own.is_empty() {
                    let group = if (self.width)(&group) > self.name_width { "" } else { &group };
                    lines.push_str(&self.line(group, &titles));
                }
            } else if self.group.is_some() {
                // What stands in no group is not to look like one more of the group before.
                lines.push('\n');
            }
            self.group = Some(group.to_owned());
            self.function = None;
        }
        lines
    }

    /// The line that leads to the next row where that is a case of a function: its name, where the row before was of
    /// another function. `has_case` is false for the one row that stands for the function itself.
    pub fn function_heading(&mut self, function: &str, has_case: bool) -> String {
        if self.function.as_deref() == Some(function) {
            return String::new();
        }
        self.function = Some(function.to_owned());
        if has_case { format!("{ROW_INDENT}{}\n", escape(function)) } else { String::new() }
    }

    /// The name of a row under the line with its function's name, for [`Table::new`], [`Table::row`] and
    /// [`Table::remark_row`].
    pub fn nested_name(case: &str) -> String {
        format!("{GAP}{case}")
    }

    /// A row of figures.
    pub fn row(&self, name: &str, cells: &[String]) -> String {
        self.line(&format!("{ROW_INDENT}{}", escape(name)), cells)
    }

    /// A row that says something instead of figures.
    pub fn remark_row(&self, name: &str, text: &str) -> String {
        let name = self.padded(&format!("{ROW_INDENT}{}", escape(name)), self.name_width);
        format!("{name}{GAP} {text}\n")
    }

    /// The line of a curve that is not among those that were fitted to the rows `of` a case.
    pub fn unfitted_row(&self, of: &str, curve: &Unfitted) -> String {
        self.remark_row(
            &Table::nested_name(&curve.name),
            &format!("{of}not fitted: {}", escape(&curve.reason)),
        )
    }

    fn line(&self, name: &str, cells: &[String]) -> String {
        let mut line = self.padded(&self.cut(name), self.name_width);
        let widths = self.widths.iter().chain(self.own.iter().map(|(_, width)| width));
        for (width, cell) in widths.zip(cells) {
            let blanks = width.saturating_sub((self.width)(cell));
            let _ = write!(line, "{GAP}{:blanks$}{cell}", "");
        }
        let mut line = line.trim_end().to_owned();
        line.push('\n');
        line
    }

    /// `text` with blanks behind it.
    fn padded(&self, text: &str, width: usize) -> String {
        let blanks = width.saturating_sub((self.width)(text));
        format!("{text}{:blanks$}", "")
    }

    /// A name without its middle where it is too long: its beginning says what it is, its end which case of it.
    fn cut(&self, name: &str) -> String {
        if (self.width)(name) <= self.name_width {
            return name.to_owned();
        }
        let room = self.name_width.saturating_sub(CUT.len());
        let end: String = self.fitting(name.chars().rev(), room / 2).chars().rev().collect();
        self.fitting(name.chars(), room - room / 2) + CUT + &end
    }

    /// As many of these characters as there is room for.
    fn fitting(&self, characters: impl Iterator<Item = char>, room: usize) -> String {
        let mut text = String::new();
        for character in characters {
            text.push(character);
            if (self.width)(&text) > room {
                text.pop();
                break;
            }
        }
        text
    }
}

/// The least width of columns in which those that count in something else than operations say in what.
pub fn min_unit_width<'a>(benchmarks: impl IntoIterator<Item = &'a BenchmarkSpec>) -> usize {
    let units = benchmarks.into_iter().filter_map(|benchmark| benchmark.unit.as_ref());
    units.map(|unit| "0.123 us/".len() + unit.chars().count()).max().unwrap_or(0)
}

/// The cells of [`FIGURE_COLUMNS`]. The time is that of one thread, the rate that of all of them together.
pub fn figure_cells(benchmark: &BenchmarkSpec, summary: &Summary, bytes: Bytes) -> Vec<String> {
    let unit = benchmark.unit.as_deref();
    let threads = benchmark.threads.unwrap_or(1) as f64;
    let rate = per_second(threads * 1e9 / summary.median, unit.unwrap_or("op"), bytes);
    let rate = match unit.filter(|&unit| unit != "byte") {
        None => rate,
        Some(unit) => format!("{} {}/s", rate.trim_end_matches("/s").trim_end(), escape(unit)),
    };
    vec![time_in_unit(summary.median, unit), percent(summary.err), rate, summary.samples.to_string()]
}

/// A time of an operation in ns, which is one of this unit where it says so.
pub fn time_in_unit(nanoseconds: f64, unit: Option<&str>) -> String {
    unit.map_or_else(|| time(nanoseconds), |unit| time_per(nanoseconds, &escape(unit)))
}

/// Text from a benchmark or a file, with control characters and the like made visible, so that it can't speak to the terminal.
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if is_visible(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_under_their_package_and_group() {
        let rows = [("a", "one"), ("a", "two"), ("b", "three")];
        let mut table = Table::new(&[Column { title: "time/op", width: 8 }], rows, NameFit::default());
        let mut text = table.headings("a", "first");
        text += &table.row("one", &["1.00 ns".into()]);
        text += &table.headings("a", "first");
        text += &table.remark_row("two", "failed: boom");
        text += &table.headings("b", "first");
        text += &table.row("three", &["3.00 us".into()]);
        let expected = "\
a                  time/op
  first
    one            1.00 ns
    two            failed: boom

b                  time/op
  first
    three          3.00 us
";
        assert_eq!(text, expected);
    }

    #[test]
    fn cases_stand_under_their_function() {
        let names = ["walk", "  cold", "  100", "  1000"];
        let mut table = Table::new(
            &[Column { title: "time/op", width: 8 }],
            names.map(|name| ("a", name)),
            NameFit::default(),
        );
        let mut text = table.headings("a", "first");
        for (function, case) in
            [("walk", None), ("walk", Some("cold")), ("sort", Some("100")), ("sort", Some("1000"))]
        {
            text += &table.headings("a", "first");
            text += &table.function_heading(function, case.is_some());
            text += &table.row(&case.map_or(function.to_owned(), Table::nested_name), &["1.00 ns".into()]);
        }
        let expected = "\
a                  time/op
  first
    walk           1.00 ns
      cold         1.00 ns
    sort
      100          1.00 ns
      1000         1.00 ns
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_group_may_have_columns_of_its_own() {
        let mut table = Table::new(
            &[Column { title: "time/op", width: 8 }],
            [("a", "one"), ("a", "two")],
            NameFit::default(),
        );
        let own = [Column { title: "byte/s", width: 9 }];
        let mut text = table.headings_with_columns("a", "first", &own);
        text += &table.row("one", &["1.00 ns".into(), "3.20 GB/s".into()]);
        text += &table.headings("a", "second");
        text += &table.row("two", &["1.00 ns".into()]);
        let expected = "\
a                  time/op
  first                        byte/s
    one            1.00 ns  3.20 GB/s
  second
    two            1.00 ns
";
        assert_eq!(text, expected);
    }

    #[test]
    fn names_get_no_more_room_than_there_is_and_as_many_columns_as_they_take() {
        // As if every character but those of ASCII took two columns.
        let width = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let names = [("a", "two"), ("a", "二つ"), ("a", "collect/Vec<alloc::string::String>/1000")];
        let mut table =
            Table::new(&[Column { title: "time/op", width: 8 }], names, NameFit { width, max_width: 24 });
        let mut text =
            table.headings_with_columns("a", "a_group_of_a_long_name", &[Column { title: "peak", width: 6 }]);
        for (_, name) in names {
            text += &table.row(name, &["1.00 ns".into(), "24 B".into()]);
        }
        let expected = "\
a                          time/op
  a_group_of_a_long_name              peak
    two                    1.00 ns    24 B
    二つ                   1.00 ns    24 B
    collect..tring>/1000   1.00 ns    24 B
";
        assert_eq!(text, expected);
    }

    #[test]
    fn names_cannot_speak_to_the_terminal() {
        assert_eq!(escape("a\x1b[31mb\u{202e}\n\u{200f}"), "a\\u{1b}[31mb\\u{202e}\\n\\u{200f}");
    }
}
