//! Lines that the runner of GitHub Actions would take for commands. It reads everything that a step
//! prints, on both streams.

use std::borrow::Cow;

/// The variable that the runner sets.
const VARIABLE: &str = "GITHUB_ACTIONS";

/// Escapes commands to the runner if there is one: names of benchmarks must not give it any.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if std::env::var_os(VARIABLE).is_some() { escape_commands(text).into() } else { text.into() }
}

/// Escapes `::` at the beginning of a line, and `##[` anywhere: these begin commands.
fn escape_commands(text: &str) -> String {
    let escape_line = |line: &str| {
        let (start, words) = line.split_at(line.len() - visible(line).len());
        let words = words.strip_prefix("::").map_or_else(|| words.into(), |rest| format!("\\u{{3a}}:{rest}"));
        format!("{start}{words}").replace("##[", "\\u{23}#[")
    };
    text.split('\n').map(escape_line).collect::<Vec<_>>().join("\n")
}

/// Returns a line without the spaces and styles that it begins with.
fn visible(line: &str) -> &str {
    let words = line.trim_start();
    let style = words.strip_prefix("\x1b[").and_then(|rest| rest.split_once('m'));
    let style = style.filter(|(numbers, _)| numbers.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';')));
    style.map_or(words, |(_, rest)| visible(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command() {
        let text = "::error::a\n  \x1b[1;31m\x1b[0m ::b\na::b ::c\n :c\na ##[error]b ###[c";
        let expected =
            "\\u{3a}:error::a\n  \x1b[1;31m\x1b[0m \\u{3a}:b\na::b ::c\n :c\na \\u{23}#[error]b #\\u{23}#[c";
        assert_eq!(escape_commands(text), expected);
    }
}
