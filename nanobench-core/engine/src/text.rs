//! Texts made of several parts.

/// Returns the parts of a path, without spaces and `r#`.
pub(crate) fn path_parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    // A search for two characters takes longer to compile.
    for part in path.split(':').map(str::trim).filter(|part| !part.is_empty()) {
        parts.push(part.strip_prefix("r#").unwrap_or(part));
    }
    parts
}

/// The smallest width of the last cell of a row.
const MIN_CELL: usize = 24;

/// Returns a line broken between words at this width. A number and its unit are one word. The rest of
/// the last cell of a row continues below its beginning.
pub(crate) fn wrapped(line: &str, width: usize) -> String {
    let level = line.len() - line.trim_start().len();
    let gap = line[level..].find("  ").map(|gap| level + gap);
    let start = gap.map_or(level, |gap| line.len() - line[gap..].trim_start().len());
    let (cells, last_cell) = line.split_at(start);
    let mut column = cells.chars().count();
    let indent = column.min(width.saturating_sub(MIN_CELL)).max(2);
    let mut text = cells.to_owned();
    let mut words = last_cell.split(' ');
    let mut is_first = true;
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        let is_number = word.ends_with(|c: char| c.is_ascii_digit());
        if let Some(unit) = if is_number { words.next() } else { None } {
            word = word + " " + unit;
        }
        let length = word.chars().count();
        if is_first {
            is_first = false;
        } else if column + 1 + length > width {
            text = text + "\n" + &" ".repeat(indent);
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += length;
    }
    text
}

/// Joins texts. The standard library's `join` is compiled for each type of text, and is ten times as
/// long.
pub(crate) fn join(parts: &mut dyn Iterator<Item = &str>, separator: &str) -> String {
    let mut text = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("take more samples", 17), "take more samples");
        assert_eq!(wrapped("take more samples", 16), "take more\n  samples");
        let row = "    one      under 0.539 ns, like an empty one";
        assert_eq!(wrapped(row, 40), "    one      under 0.539 ns, like an\n             empty one");
        let long_name = format!("    {}  failed: a  b", "name".repeat(12));
        assert!(wrapped(&long_name, 40).ends_with("  failed:\n                a  b"), "room for a cell");
        assert_eq!(wrapped("  sampled in 5 ns", 15), "  sampled in\n  5 ns", "a quantity stays whole");
        assert_eq!(wrapped("in a/long/path", 6), "in\n  a/long/path", "so does a word");
        assert_eq!(wrapped("", 6), "");
    }
}
