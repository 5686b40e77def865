//! Output on stdout, and messages on stderr. In a terminal, their lines break between words.

mod progress;
mod runner_commands;
mod screen;
mod stdout;

use progress::above_progress;
pub use progress::set_progress;
pub use screen::Screen;
pub use stdout::{stdout_may_share_the_screen, takes_unicode};

use anstyle::Style;
use nanobench::report::{escape, is_visible};
use std::io::{self, IsTerminal as _, Write as _};
use terminal_size::terminal_size_of;
use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator, WordSplitter};

/// The lines of the screen that stay free for the lines before and after those that change.
const MARGIN: usize = 4;
/// The indentation of the rest of a line that doesn't fit.
const INDENT: &str = "  ";
/// The indentation of the rest of a row of a table, beyond that of the row: rows of the next level
/// have two spaces.
const ROW_INDENT: usize = 4;
/// The indentation of the rows of the last level. More spaces are an empty name.
const LAST_LEVEL: usize = 6;
/// The width that the rest of a last cell needs, to continue below its beginning. If there is less, it
/// continues at the right edge.
const MIN_CELL: usize = 24;

/// Prints `text`, with its styles if stdout takes them.
pub fn print(text: &str) -> io::Result<()> {
    let text = escape_all_but_styles(text);
    let text = runner_commands::escape(&text);
    let mut stdout = anstream::stdout();
    ignore_broken_pipe(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints lines of words.
pub fn print_lines<'a>(lines: impl IntoIterator<Item = &'a String>) -> io::Result<()> {
    let width = width();
    let lines = lines.into_iter().map(|line| wrapped(line, width, INDENT) + "\n");
    print(&lines.collect::<String>())
}

/// Prints whole rows of a table, and lines between them.
pub fn print_rows(rows: &str) -> io::Result<()> {
    let width = width();
    print(&rows.lines().map(|row| wrapped_row(row, width) + "\n").collect::<String>())
}

/// Returns a row of a table, whose rest can't be mistaken for another row. The rest of the last cell,
/// such as a verdict, continues below its beginning if there is room.
fn wrapped_row(row: &str, width: Option<usize>) -> String {
    let Some(all) = width else { return row.to_owned() };
    let cells = row.trim();
    let level = row.len() - row.trim_start().len();
    let behind_names = level.min(LAST_LEVEL) + ROW_INDENT;
    let indent = match cells.rfind("  ") {
        Some(gap) => {
            let cell = level + display_width(&cells[..gap]) + "  ".len();
            let has_room = cell + MIN_CELL <= all;
            if has_room { cell } else { all.saturating_sub(MIN_CELL).max(behind_names) }
        }
        // An empty name, or a name alone.
        None => behind_names,
    };
    wrapped(row, width, &" ".repeat(indent))
}

/// Prints a message to stderr, behind a word with its style.
pub fn report(style: Style, word: &str, message: &str) {
    print_message(&self::message(style, word, message));
}

/// Returns the lines of a message on stderr, behind a word with its style.
pub fn message(style: Style, word: &str, message: &str) -> String {
    let message = format!("{style}{word}{style:#}: {}", escape_lines(message));
    wrapped(&runner_commands::escape(&message), stderr_width(), INDENT)
}

/// Prints a [`message`] to stderr.
pub fn print_message(lines: &str) {
    // There is no other place to report that stderr can't be written. The run goes on: its results
    // are on stdout.
    let _ = above_progress(|| writeln!(anstream::stderr(), "{lines}"));
}

/// Prints lines to stderr that are neither a warning nor an error.
pub fn note(lines: &str) {
    let lines = escape_all_but_styles(lines);
    print_message(&wrapped(&runner_commands::escape(&lines), stderr_width(), INDENT));
}

/// Prints a command to the runner of GitHub Actions, on stderr.
pub fn runner_command(line: &str) {
    // An error is ignored as in `print_message`.
    let _ = writeln!(io::stderr(), "{}", escape(line));
}

/// Returns whether stderr can't be written, as on a full disk. A line break shows it.
pub fn stderr_is_lost() -> bool {
    let mut stderr = io::stderr();
    !stderr.is_terminal() && stderr.write_all(b"\n").is_err()
}

/// Escapes invisible characters, except for line breaks. Messages quote benchmarks, files and other
/// programs.
fn escape_lines(text: &str) -> String {
    text.split('\n').map(escape).collect::<Vec<_>>().join("\n")
}

/// Escapes invisible characters, except for line breaks and the tool's own styles. This is the last
/// safeguard: texts of benchmarks are escaped when they become cells and lines.
fn escape_all_but_styles(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let mut escaped = escape_lines(pieces.next().unwrap_or_default());
    for piece in pieces {
        let parameters = piece.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';');
        escaped += if parameters.starts_with('m') { "\x1b[" } else { "\\u{1b}[" };
        escaped += &escape_lines(piece);
    }
    escaped
}

/// Returns the text with each line broken between words at this width, and the rest of it indented.
pub fn wrapped(text: &str, width: Option<usize>, indent: &str) -> String {
    let Some(width) = width else { return text.to_owned() };
    // Flags like `--wait-quiet` stay whole, and so do words that are longer than the line.
    let options = Options::new(width)
        .word_separator(WordSeparator::Custom(words_and_quantities))
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    let lines = text.lines().flat_map(|line| {
        let words = line.trim_start();
        let start = &line[..line.len() - words.len()];
        textwrap::wrap(words, options.clone().initial_indent(start).subsequent_indent(indent))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the words of a line. A number and the word behind it are one word, and so is an interval.
fn words_and_quantities(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut words = WordSeparator::AsciiSpace.find_words(line);
    let mut end = 0;
    Box::new(std::iter::from_fn(move || {
        let start = end;
        loop {
            let word = words.next()?;
            end += word.len() + word.whitespace.len();
            if end == line.len() || word.whitespace != " " || !is_within_a_quantity(&word) {
                return Some(Word::from(&line[start..end]));
            }
        }
    }))
}

/// Returns whether the next word belongs to this one: `4.2` to `4.2 %`, and `..` to `(-1.0 .. +4.2)`.
fn is_within_a_quantity(word: &str) -> bool {
    let number = word.trim_start_matches(['(', '+', '-', '~']);
    let is_digit = |letter: char| letter.is_ascii_digit();
    word == ".." || number.starts_with(is_digit) && number.ends_with(is_digit)
}

/// Returns the number of lines that fit into the part of the screen that changes, on stderr.
pub fn max_lines() -> usize {
    terminal_size_of(io::stderr()).map_or(0, |(_, height)| usize::from(height.0).saturating_sub(MARGIN))
}

/// Returns whole lines for the part of the [`Screen`] that changes: cut at its width, not more than
/// fit, and without styles unless stderr takes them.
pub fn for_screen(lines: &str) -> String {
    let Some((width, _)) = terminal_size_of(io::stderr()) else { return String::new() };
    let width = usize::from(width.0.saturating_sub(screen::ECHO_ROOM));
    let cut = |line: &str| {
        let lines = textwrap::wrap(line, Options::new(width).word_splitter(WordSplitter::NoHyphenation));
        lines.first().map(ToString::to_string).unwrap_or_default()
    };
    let lines = lines.lines().take(max_lines()).map(cut).collect::<Vec<_>>().join("\n");
    match anstream::AutoStream::choice(&io::stderr()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(&lines).to_string(),
        _ => lines,
    }
}

/// Prints a JSON document, with all invisible characters escaped that JSON itself leaves as they
/// are.
pub fn print_json(document: &str) -> io::Result<()> {
    print_document(&escape_invisible(document))
}

/// Prints a document without invisible characters as it is, even if parts of it look like styles.
pub fn print_document(document: &str) -> io::Result<()> {
    print_rendered(document.as_bytes())
}

/// Prints a text that a template made, as it is: texts of benchmarks in it are escaped.
pub fn print_rendered(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    ignore_broken_pipe(stdout.write_all(text).and_then(|()| stdout.flush()))
}

/// Returns the document with DEL, the C1 control characters and other invisible ones escaped. They
/// only occur in strings.
pub fn escape_invisible(document: &str) -> String {
    document.chars().fold(String::with_capacity(document.len()), |mut text, letter| {
        if letter == '\n' || is_visible(letter) {
            text.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        text
    })
}

/// Ignores a reader that has closed the pipe, such as `head`.
fn ignore_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Returns the width of the terminal. `None` if stdout is not a terminal.
pub fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Returns the width of the terminal. `None` if stderr is not a terminal.
fn stderr_width() -> Option<usize> {
    terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let text = "warning: busy machine: use --wait-quiet 60s\n  more";
        let expected = "warning: busy\n  machine: use\n  --wait-quiet\n  60s\n  more";
        assert_eq!(wrapped(text, Some(16), INDENT), expected);
        assert_eq!(wrapped(text, None, INDENT), text);
        let styled = "\x1b[33mwarning\x1b[0m: busy";
        assert_eq!(wrapped(styled, Some(13), INDENT), styled, "styles have no width");
        let row = "    split  101 ns  unsure: 3 s more would decide";
        let expected = "    split  101 ns  unsure: 3 s\n          more would decide";
        assert_eq!(wrapped_row(row, Some(34)), expected, "no row of the next level");
        let expected = "    split  101 ns  unsure: 3 s more would\n                   decide";
        assert_eq!(wrapped_row(row, Some(43)), expected, "below the verdict");
        let reason = "      why: a function shrank";
        assert_eq!(wrapped_row(reason, Some(22)), "      why: a function\n          shrank");
        let remark = "              under 1 ns: nothing is left";
        assert_eq!(wrapped_row(remark, Some(33)), "              under 1 ns: nothing\n          is left");
        let figures = "+4.1 % (-0.4 .. +9.6), 3 more in sort/100 or so";
        let expected = "+4.1 %\n  (-0.4 .. +9.6),\n  3 more in\n  sort/100 or so";
        assert_eq!(wrapped(figures, Some(17), INDENT), expected, "quantities stay whole");
        let columns = "a/100  4 ns  a\nb/100  4 ns  b";
        assert_eq!(wrapped(columns, Some(11), ""), "a/100  4 ns\na\nb/100  4 ns\nb");
        assert_eq!(wrapped("in a/long/path", Some(6), INDENT), "in\n  a/long/path");
        assert_eq!(wrapped("  a/long/path", Some(6), INDENT), "  a/long/path", "no blank line");
    }

    #[test]
    fn only_styles_reach_the_terminal() {
        let text = "\x1b[1;31mred\x1b[0m\n\x1b]0;title\x07\x1b[2J\r\u{202e}";
        let expected = "\x1b[1;31mred\x1b[0m\n\\u{1b}]0;title\\u{7}\\u{1b}[2J\\r\\u{202e}";
        assert_eq!(escape_all_but_styles(text), expected);
        assert_eq!(escape_lines("a\n\x1b[31mb"), "a\n\\u{1b}[31mb");
    }

    #[test]
    fn control_characters_are_escaped_and_no_character_is_lost() {
        let text = "a\u{1b}[31m\u{7f}\u{85}\u{9b}1m \u{a0}\u{202e}\u{e0041}\n\"\\";
        let document = escape_invisible(&serde_json::to_string_pretty(&[text]).unwrap());
        assert!(!document.contains(|letter: char| letter.is_control() && letter != '\n'), "{document:?}");
        assert!(document.contains("\\u007f\\u0085\\u009b"), "{document}");
        assert!(document.contains("\\u202e\\udb40\\udc41"), "{document}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&document).unwrap(), [text]);
    }
}
