//! What goes to stdout.

use std::io::{self, Write as _};

/// Prints `text`, with its styles where they are wanted.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout();
    forgiving(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints a JSON document, byte for byte: it holds no styles, and what it holds of the user's is no terminal's. Characters that only
/// a terminal heeds are escaped where JSON itself leaves them as they are.
pub(crate) fn print_json(document: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    forgiving(stdout.write_all(without_controls(document).as_bytes()).and_then(|()| stdout.flush()))
}

/// The document with DEL and the control characters behind it escaped. They only stand in its texts.
fn without_controls(document: &str) -> String {
    document.chars().fold(String::with_capacity(document.len()), |mut text, letter| {
        match letter {
            '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => text.push(letter),
        }
        text
    })
}

/// Someone who has read enough (`| head`) is no error.
fn forgiving(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The columns of the terminal that stdout is. None where it is none.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_heed_is_escaped_and_nothing_is_lost() {
        let text = "a\u{1b}[31m\u{7f}\u{85}\u{9b}1m \u{a0}\u{202e}\n\"\\";
        let document = without_controls(&serde_json::to_string_pretty(&[text]).unwrap());
        assert!(!document.contains(|letter: char| letter.is_control() && letter != '\n'), "{document:?}");
        assert!(document.contains("\\u007f\\u0085\\u009b"), "{document}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&document).unwrap(), [text]);
    }
}
