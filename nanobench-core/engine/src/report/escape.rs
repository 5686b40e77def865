//! Texts of strangers.

use crate::registry::is_visible;

/// Escapes control characters and other invisible ones in a text from a benchmark or a file, so
/// that it can't control the terminal.
#[inline]
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
    fn names_cannot_control_the_terminal() {
        assert_eq!(escape("a\x1b[31mb\u{202e}\n\u{200f}"), "a\\u{1b}[31mb\\u{202e}\\n\\u{200f}");
    }
}
