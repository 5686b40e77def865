//! What tells the rows of a function apart: a type, a constant, an argument.

use std::any::Any;
use std::fmt::{self, Debug, Display, Write};

/// The longest label, in characters.
const LONGEST: usize = 60;
/// What stands for the rest of a longer one: two dots, and eight digits that follow from the whole text. So its name stays its own,
/// wherever the argument stands among others that begin alike.
const CUT: usize = "..01234567".len();
/// As much of a text is looked at, in bytes: a list of a million elements is not written out to name a row.
const LOOKED_AT: usize = 1 << 16;

/// A part of a row's case.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// As it is shown.
    pub text: String,
    /// Its value, where it is a number.
    pub number: Option<f64>,
}

impl Label {
    /// Of a type, as it is written.
    pub fn of_type(text: &str) -> Label {
        Label { text: shown(format_args!("{text}")), number: None }
    }

    /// Of a constant: its value and how that reads.
    pub fn of_const<C: 'static>(value: &C, text: Option<String>) -> Label {
        Label { text: text.unwrap_or_else(|| "#0".to_owned()), number: number(value) }
    }

    /// Of the argument at `index`, and how that reads.
    pub(super) fn of_argument<A: 'static>(argument: &A, text: Option<String>, index: usize) -> Label {
        Label { text: text.unwrap_or_else(|| format!("#{index}")), number: number(argument) }
    }
}

/// The value of a number of the standard types.
fn number(value: &dyn Any) -> Option<f64> {
    macro_rules! any_of {
        ($($type:ty)*) => { $(if let Some(value) = value.downcast_ref::<$type>() { return Some(*value as f64); })* };
    }
    any_of!(usize u64 u32 u16 u8 u128 isize i64 i32 i16 i8 i128 f64);
    // The number that is written, which is not the nearest one of 32 bits.
    value.downcast_ref::<f32>().and_then(|value| value.to_string().parse().ok())
}

/// A value on its way to a text: by `Display` where it has that, else by `Debug`, else there is none. `(&&&Text(value)).text()`
/// finds the first of the three traits that fits (by the number of references).
#[derive(Debug)]
pub struct Text<'a, A: ?Sized>(pub &'a A);

/// Text by `Display`.
pub trait ByDisplay {
    /// The text.
    fn text(&self) -> Option<String>;
}

impl<A: Display + ?Sized> ByDisplay for &&Text<'_, A> {
    fn text(&self) -> Option<String> {
        Some(shown(format_args!("{}", self.0)))
    }
}

/// Text by `Debug`.
pub trait ByDebug {
    /// The text.
    fn text(&self) -> Option<String>;
}

impl<A: Debug + ?Sized> ByDebug for &Text<'_, A> {
    fn text(&self) -> Option<String> {
        Some(shown(format_args!("{:?}", self.0)))
    }
}

/// No text.
pub trait ByNothing {
    /// None.
    fn text(&self) -> Option<String>;
}

impl<A: ?Sized> ByNothing for Text<'_, A> {
    fn text(&self) -> Option<String> {
        None
    }
}

/// A text as a label: without what would tear a table or can't be seen, and not too long.
fn shown(text: fmt::Arguments) -> String {
    let mut label = Shown { text: String::new(), letters: 0, hash: 0xcbf2_9ce4_8422_2325, left: LOOKED_AT };
    // An error says that enough was looked at, or is the value's own.
    _ = label.write_fmt(text);
    let Shown { mut text, letters, hash, .. } = label;
    if letters > LONGEST {
        let end = text.char_indices().nth(LONGEST - CUT).map_or(text.len(), |(end, _)| end);
        text.truncate(end);
        _ = write!(text, "..{:08x}", hash as u32 ^ (hash >> 32) as u32);
    }
    // What begins or ends with a blank can't be told from what doesn't.
    if text.trim() == text && !text.is_empty() { text } else { format!("\"{text}\"") }
}

/// A label that is being written.
struct Shown {
    /// As much as is shown, and a bit more.
    text: String,
    /// How many letters the whole of it has, as far as it was looked at.
    letters: usize,
    /// Of the text as it comes, by FNV-1a, which is the same everywhere and in every version.
    hash: u64,
    left: usize,
}

impl Write for Shown {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for letter in part.chars() {
            self.left = self.left.checked_sub(letter.len_utf8()).ok_or(fmt::Error)?;
            for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            if self.letters > LONGEST {
                continue;
            }
            if is_visible(letter) {
                self.text.push(letter);
                self.letters += 1;
            } else {
                let escaped = letter.escape_default();
                self.letters += escaped.len();
                self.text.extend(escaped);
            }
        }
        Ok(())
    }
}

/// Whether a character shows as itself, and leaves those around it alone: no control character, none that turns the direction of
/// what follows, none of no width.
pub(crate) fn is_visible(letter: char) -> bool {
    let is_hidden = matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !letter.is_control() && !is_hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! text {
        ($value:expr) => {
            (&&&Text(&$value)).text()
        };
    }

    #[test]
    fn display_goes_before_debug_and_there_may_be_neither() {
        #[derive(Debug)]
        struct Shown;
        struct Silent;
        assert_eq!(text!("a\"b").as_deref(), Some("a\"b"));
        assert_eq!(text!(7).as_deref(), Some("7"));
        assert_eq!(text!(Shown).as_deref(), Some("Shown"));
        assert_eq!(text!([1, 2]).as_deref(), Some("[1, 2]"));
        assert_eq!(text!(Silent), None);
        assert_eq!(Label::of_argument(&Silent, text!(Silent), 3).text, "#3");
    }

    #[test]
    fn a_long_text_is_cut_and_no_more_of_it_written_than_is_shown() {
        struct Endless;
        impl Display for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("é1")?;
                }
            }
        }
        let label = Label::of_argument(&Endless, text!(Endless), 0);
        assert_eq!((label.text.chars().count(), label.number), (60, None));
        assert!(label.text.starts_with("é1é1") && label.text.contains("é1.."), "{}", label.text);
        assert_eq!(Label::of_type(&"x".repeat(60)).text, "x".repeat(60));
    }

    #[test]
    fn long_texts_that_begin_alike_have_names_of_their_own() {
        let long = |last: u8| Label::of_type(&format!("{}{last}", "x".repeat(60))).text;
        // FNV-1a by another implementation.
        assert_eq!(long(1), format!("{}..4619dbf1", "x".repeat(50)));
        assert_ne!(long(1), long(2));
    }

    #[test]
    fn what_would_tear_a_table_is_escaped() {
        assert_eq!(Label::of_type("a\tb\u{1b}[1m").text, "a\\tb\\u{1b}[1m");
        assert_eq!(Label::of_type("").text, "\"\"");
        assert_eq!(
            [" ", "a ", "\u{a0}b"].map(|text| Label::of_type(text).text),
            ["\" \"", "\"a \"", "\"\u{a0}b\""]
        );
        assert_eq!(Label::of_type("a\u{202e}b\u{feff}\u{2067}").text, "a\\u{202e}b\\u{feff}\\u{2067}");
        assert_eq!(
            Label::of_type("größe 木 \u{1f469}\u{200d}\u{1f4bb}").text,
            "größe 木 \u{1f469}\u{200d}\u{1f4bb}"
        );
    }

    #[test]
    fn numbers_are_known_as_such() {
        let numbers =
            [number(&7_u8), number(&-7_i128), number(&7_usize), number(&0.1_f32), number(&"7"), number(&'7')];
        assert_eq!(numbers, [Some(7.0), Some(-7.0), Some(7.0), Some(0.1), None, None]);
    }
}
