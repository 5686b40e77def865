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

/// Puts an apostrophe before a text that spreadsheets would take for a formula.
#[inline]
pub fn without_formula(text: String) -> String {
    let begins_formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    if begins_formula { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_begin_like_formulas_are_marked_and_numbers_are_not() {
        let written = |cell: &str| without_formula(cell.to_owned());
        for formula in ["=1+1", "+1 %", "-f", "@f", "=", "-"] {
            assert_eq!(written(formula), format!("'{formula}"));
        }
        for cell in ["-1.5", "+3", "-1e-9", "-inf", "a=b", "1-2", ""] {
            assert_eq!(written(cell), cell);
        }
    }

    #[test]
    fn names_cannot_control_the_terminal() {
        assert_eq!(escape("a\x1b[31mb\u{202e}\n\u{200f}"), "a\\u{1b}[31mb\\u{202e}\\n\\u{200f}");
    }
}
