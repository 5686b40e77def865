//! A table that is printed row by row while results arrive, so its columns have their final widths
//! from the start.

use super::escape;
use crate::complexity::{Scope, Unfitted};
use crate::model::RowId;
use std::fmt::Write as _;

/// A right-aligned column of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column<'a> {
    /// Heading.
    pub title: &'a str,
    /// Smallest width, without the gap before it.
    pub width: usize,
}

/// Smallest width of the names.
const MIN_NAME_WIDTH: usize = 16;
/// Replaces the middle of a name that is too long.
const ELLIPSIS: &str = "..";
const GAP: &str = "  ";
const ROW_INDENT: &str = "    ";

/// The widths of names in a table.
#[derive(Debug, Clone, Copy)]
pub struct NameFit {
    /// Returns the number of terminal columns that a text takes.
    pub width: fn(&str) -> usize,
    /// Largest width of a name with its indentation.
    pub max_width: usize,
    /// The form of longer names.
    pub longer: LongerNames,
}

/// The form of names that are wider than their column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongerNames {
    /// They lose their middle.
    Shortened,
    /// They are on a line of their own, above their cells. If they are wider than this, they lose
    /// their middle nevertheless.
    OnOwnLine(usize),
}

impl Default for NameFit {
    /// Returns a fit with one column for each character, and without a largest width.
    #[inline]
    fn default() -> NameFit {
        NameFit { width: |text| text.chars().count(), max_width: usize::MAX, longer: LongerNames::Shortened }
    }
}

/// Escape sequences for the structure of a table. Empty ones change nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Styles {
    /// For packages and groups.
    pub heading: &'static str,
    /// For the titles of columns.
    pub title: &'static str,
}

impl Styles {
    /// Bold and dim text.
    pub const TERMINAL: Styles = Styles { heading: "\x1b[1m", title: "\x1b[2m" };
}

/// A table of benchmarks: a heading for each package, a line for each group, and a row for each
/// benchmark. Rows of the same function are below a line with its name.
#[derive(Debug, Clone)]
pub struct Table {
    name_width: usize,
    width: fn(&str) -> usize,
    longer_names: LongerNames,
    titles: Vec<String>,
    widths: Vec<usize>,
    package: Option<String>,
    group: Option<String>,
    function: Option<RowId>,
    styles: Styles,
    /// Titles and widths of the columns of the current group only, to the right of the others.
    group_columns: Vec<(String, usize)>,
}

impl Table {
    /// Creates a table for rows with these names, as passed to [`Table::row`], in these packages.
    pub fn new<'a>(
        columns: &[Column<'_>],
        packages_and_names: impl IntoIterator<Item = (&'a str, &'a str)>,
        fit: NameFit,
    ) -> Table {
        let name_width = Table::name_width(packages_and_names, fit);
        Table {
            name_width,
            width: fit.width,
            longer_names: fit.longer,
            titles: columns.iter().map(|column| escape(column.title)).collect(),
            widths: columns.iter().map(|column| column.width).collect(),
            package: None,
            group: None,
            function: None,
            styles: Styles::default(),
            group_columns: Vec::new(),
        }
    }

    /// Returns the table with styles.
    pub fn with_styles(self, styles: Styles) -> Table {
        Table { styles, ..self }
    }

    /// Returns the width of the column of these names.
    pub fn name_width<'a>(
        packages_and_names: impl IntoIterator<Item = (&'a str, &'a str)>,
        NameFit { width, max_width, longer }: NameFit,
    ) -> usize {
        let widths = packages_and_names
            .into_iter()
            .map(|(package, name)| width(&escape(package)).max(ROW_INDENT.len() + width(&escape(name))));
        let in_column = widths.filter(|width| longer == LongerNames::Shortened || *width <= max_width);
        in_column.max().unwrap_or(0).max(MIN_NAME_WIDTH).min(max_width)
    }

    /// Returns the lines above the next row: a heading if its package differs from that of the row
    /// before, and a line for its group if that differs. Otherwise, they are empty.
    #[inline]
    pub fn headings(&mut self, package: &str, group: &str) -> String {
        self.headings_with_columns(package, group, &[])
    }

    /// Returns the lines above the next row, whose group has its own columns. Their titles are on
    /// the line of the group.
    #[inline]
    pub fn headings_with_columns(
        &mut self,
        package: &str,
        group: &str,
        group_columns: &[Column<'_>],
    ) -> String {
        let mut lines = String::new();
        if self.package.as_deref() != Some(package) {
            if self.package.is_some() {
                lines.push('\n');
            }
            lines.push_str(&self.styled_line(&escape(package), &self.titles, self.styles));
            self.package = Some(package.to_owned());
            (self.group, self.function) = (None, None);
        }
        if self.group.as_deref() != Some(group) {
            lines.push_str(&self.begin_group(group, group_columns));
        }
        lines
    }

    /// Returns the line of a group. A blank line separates rows without a group from the group
    /// before.
    #[inline]
    fn begin_group(&mut self, group: &str, columns: &[Column<'_>]) -> String {
        self.group_columns = columns.iter().map(|column| (escape(column.title), column.width)).collect();
        self.function = None;
        let previous = self.group.replace(group.to_owned());
        if group.is_empty() {
            return if previous.is_some() { "\n".to_owned() } else { String::new() };
        }
        let name = format!("{GAP}{}", escape(group));
        let mut line = format!("{GAP}{}", paint(self.styles.heading, &escape(group)));
        if self.group_columns.iter().any(|(title, _)| !title.is_empty()) {
            // The name of a group is never shortened. The other columns have no titles on this
            // line, so it may extend over them. If it is even longer, it has its own line.
            let start = self.name_width + self.widths.iter().map(|width| GAP.len() + width).sum::<usize>();
            let mut spaces = start.saturating_sub((self.width)(&name));
            if (self.width)(&name) > start {
                line.push('\n');
                spaces = start;
            }
            let _ = write!(line, "{:spaces$}", "");
            let titles = self.group_columns.iter().map(|(title, width)| (*width, title));
            self.push_cells(&mut line, titles, self.styles.title);
        }
        line + "\n"
    }

    /// Returns a line with the name of the function, if the next row is the first of several rows
    /// of that function. Otherwise, it is empty.
    #[inline]
    pub fn function_heading(&mut self, row: &RowId) -> String {
        if self.function.as_ref().is_some_and(|other| other.is_same_function(row)) {
            return String::new();
        }
        self.function = Some(row.clone());
        let has_case = !row.case().is_empty();
        if has_case { format!("{ROW_INDENT}{}\n", escape(&row.function)) } else { String::new() }
    }

    /// Returns the name of a row: its case, nested under the line of its function, or the function
    /// for its only row.
    #[inline]
    pub fn row_name(row: &RowId) -> String {
        let case = row.case();
        if case.is_empty() { row.function.clone() } else { Table::nested_name(&case) }
    }

    /// Returns the indented name of a row below the line of its function, for [`Table::new`],
    /// [`Table::row`] and [`Table::remark_row`].
    #[inline]
    pub fn nested_name(case: &str) -> String {
        format!("{GAP}{case}")
    }

    /// Returns a row of figures.
    #[inline]
    pub fn row(&self, name: &str, cells: &[String]) -> String {
        self.line(&format!("{ROW_INDENT}{}", escape(name)), cells)
    }

    /// Returns a row with a remark instead of figures.
    #[inline]
    pub fn remark_row(&self, name: &str, text: &str) -> String {
        let name = self.name_cell(&format!("{ROW_INDENT}{}", escape(name)), "");
        format!("{name}{GAP} {text}\n")
    }

    /// Returns a row with more about the benchmark or the function above it. A colon tells its name
    /// from that of a case.
    #[inline]
    pub fn detail_row(&self, name: &str, text: &str) -> String {
        self.remark_row(&Table::nested_name(&format!("{name}:")), text)
    }

    /// Returns the name of the row of a curve: below the rows of its function, or of its group.
    #[inline]
    pub fn curve_name(scope: &Scope, curve: &str) -> String {
        if matches!(scope, Scope::Function { .. }) { Table::nested_name(curve) } else { curve.to_owned() }
    }

    /// Returns the row of a curve that could not be fitted. `case` is the prefix that names the
    /// case, if any.
    #[inline]
    pub fn unfitted_row(&self, scope: &Scope, case: &str, curve: &Unfitted) -> String {
        self.remark_row(
            &Table::curve_name(scope, &curve.name),
            &format!("{case}not fitted: {}", escape(&curve.reason)),
        )
    }

    #[inline]
    fn line(&self, name: &str, cells: &[String]) -> String {
        self.styled_line(name, cells, Styles::default())
    }

    /// Returns a line whose name is a heading, and whose cells are titles.
    #[inline]
    fn styled_line(&self, name: &str, cells: &[String], styles: Styles) -> String {
        let mut line = self.name_cell(name, styles.heading);
        let widths = self.widths.iter().chain(self.group_columns.iter().map(|(_, width)| width));
        self.push_cells(&mut line, widths.copied().zip(cells), styles.title);
        let mut line = line.trim_end().to_owned();
        line.push('\n');
        line
    }

    /// Adds cells to a line, each with the width of its column.
    fn push_cells<'a>(
        &self,
        line: &mut String,
        cells: impl Iterator<Item = (usize, &'a String)>,
        style: &str,
    ) {
        for (width, cell) in cells {
            let spaces = width.saturating_sub((self.width)(cell));
            let _ = write!(line, "{GAP}{:spaces$}{}", "", paint(style, cell));
        }
    }

    /// Returns the name at the beginning of a line, as wide as its column.
    #[inline]
    fn name_cell(&self, name: &str, style: &str) -> String {
        match self.longer_names {
            LongerNames::OnOwnLine(max_width) if (self.width)(name) > self.name_width => {
                let name = self.shortened(name, max_width);
                format!("{}\n{:width$}", paint(style, &name), "", width = self.name_width)
            }
            _ => {
                let name = self.shortened(name, self.name_width);
                let spaces = self.name_width.saturating_sub((self.width)(&name));
                format!("{}{:spaces$}", paint(style, &name), "")
            }
        }
    }

    /// Returns a name without its middle if it is wider than this. The beginning names the function,
    /// the end the case.
    #[inline]
    fn shortened(&self, name: &str, max_width: usize) -> String {
        if (self.width)(name) <= max_width {
            return name.to_owned();
        }
        let width = max_width.saturating_sub(ELLIPSIS.len());
        let end: String = self.take_width(name.chars().rev(), width / 2).chars().rev().collect();
        self.take_width(name.chars(), width - width / 2) + ELLIPSIS + &end
    }

    /// Returns as many of the characters as fit into `width`.
    fn take_width(&self, characters: impl Iterator<Item = char>, width: usize) -> String {
        let mut text = String::new();
        for character in characters {
            text.push(character);
            if (self.width)(&text) > width {
                text.pop();
                break;
            }
        }
        text
    }
}

/// Returns `text` in a style.
#[inline]
fn paint(style: &str, text: &str) -> String {
    if style.is_empty() || text.is_empty() { text.to_owned() } else { format!("{style}{text}\x1b[0m") }
}

#[cfg(test)]
mod tests;
