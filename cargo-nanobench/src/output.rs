//! Output on stdout, and messages on stderr. In a terminal, their lines break between words.

use std::io::{self, Write as _};
use terminal_size::terminal_size_of;
use textwrap::{Options, WordSplitter};

/// The lines of the screen that stay free for the lines before and after those that change.
const MARGIN: usize = 4;
/// The indentation of the rest of a line that doesn't fit.
const INDENT: &str = "  ";
/// The indentation of a wrapped row of a table, which is indented itself.
const ROW_INDENT: &str = "      ";

/// Prints `text`, with its styles if stdout takes them.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout();
    ignore_broken_pipe(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints lines of words.
pub(crate) fn print_lines<'a>(lines: impl IntoIterator<Item = &'a String>) -> io::Result<()> {
    let width = width();
    let lines = lines.into_iter().map(|line| wrapped(line, width, INDENT) + "\n");
    print(&lines.collect::<String>())
}

/// Prints whole rows of a table.
pub(crate) fn print_rows(rows: &str) -> io::Result<()> {
    let width = width();
    print(&rows.lines().map(|row| wrapped(row, width, ROW_INDENT) + "\n").collect::<String>())
}

/// Prints a message to stderr.
pub(crate) fn report(message: &str) {
    let width = terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
    anstream::eprintln!("{}", wrapped(message, width, INDENT));
}

/// Returns the text with each line broken between words at this width, and the rest of it indented.
pub(crate) fn wrapped(text: &str, width: Option<usize>, indent: &str) -> String {
    let Some(width) = width else { return text.to_owned() };
    // Flags like `--wait-quiet` stay whole, and so do words that are longer than the line.
    let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    let lines = text.lines().flat_map(|line| {
        let words = line.trim_start();
        let start = &line[..line.len() - words.len()];
        textwrap::wrap(words, options.clone().initial_indent(start).subsequent_indent(indent))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whole lines for the part of the screen that changes, on stderr: cut at its width, not
/// more than fit, and without styles unless stderr takes them.
pub(crate) fn for_screen(lines: &str) -> String {
    let Some((width, height)) = terminal_size_of(io::stderr()) else { return String::new() };
    let (width, max) = (usize::from(width.0), usize::from(height.0).saturating_sub(MARGIN));
    let cut = |line: &str| {
        let lines = textwrap::wrap(line, Options::new(width).word_splitter(WordSplitter::NoHyphenation));
        lines.first().map(ToString::to_string).unwrap_or_default()
    };
    let lines = lines.lines().take(max).map(cut).collect::<Vec<_>>().join("\n");
    match anstream::AutoStream::choice(&io::stderr()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(&lines).to_string(),
        _ => lines,
    }
}

/// Prints a JSON document, with all control characters escaped that JSON itself leaves as they are.
pub(crate) fn print_json(document: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    ignore_broken_pipe(stdout.write_all(escape_controls(document).as_bytes()).and_then(|()| stdout.flush()))
}

/// Returns the document with DEL and the C1 control characters escaped. They only occur in strings.
fn escape_controls(document: &str) -> String {
    document.chars().fold(String::with_capacity(document.len()), |mut text, letter| {
        match letter {
            '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => text.push(letter),
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
pub(crate) fn width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
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
        let expected = "    split  101 ns  unsure: 3 s\n      more would decide";
        assert_eq!(wrapped(row, Some(34), ROW_INDENT), expected);
        assert_eq!(wrapped("in a/long/path", Some(6), INDENT), "in\n  a/long/path");
        assert_eq!(wrapped("  a/long/path", Some(6), INDENT), "  a/long/path", "no blank line");
    }

    #[test]
    fn control_characters_are_escaped_and_no_character_is_lost() {
        let text = "a\u{1b}[31m\u{7f}\u{85}\u{9b}1m \u{a0}\u{202e}\n\"\\";
        let document = escape_controls(&serde_json::to_string_pretty(&[text]).unwrap());
        assert!(!document.contains(|letter: char| letter.is_control() && letter != '\n'), "{document:?}");
        assert!(document.contains("\\u007f\\u0085\\u009b"), "{document}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&document).unwrap(), [text]);
    }
}
