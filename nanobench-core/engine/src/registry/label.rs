//! Labels, which distinguish the rows of a function: types, constants and arguments as text. None of
//! this is inlined into the code of benchmarks, where it would depend on the labels of others.

use std::any::Any;
use std::fmt::{self, Debug, Display, Write};

/// Maximum length of a label, in characters.
const MAX_LABEL_LENGTH: usize = 60;
/// Length of the end of a longer text: two dots and eight digits that depend on the whole text, so
/// that texts with the same beginning have different labels.
const HASH_SUFFIX_LENGTH: usize = "..01234567".len();
/// Maximum number of bytes of a text that are read: a list of a million elements is not formatted
/// to label a row.
const MAX_TEXT_LENGTH: usize = 1 << 16;

/// A part of a row's id.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The text that is shown.
    pub text: String,
    /// The value of a number.
    pub number: Option<f64>,
}

impl Label {
    /// Creates the label of a type from its source text.
    pub fn from_type(text: &str) -> Label {
        Label { text: label_text(format_args!("{text}")), number: None }
    }

    /// Creates the label of an argument from the text that `label = ..` gives it.
    #[inline(never)]
    pub fn named(value: &dyn Any, name: impl Display) -> Label {
        Label { text: label_text(format_args!("{name}")), number: number(value) }
    }

    /// Replaces the number, which is the size for a complexity.
    pub fn with_number(self, number: u64) -> Label {
        Label { number: Some(number as f64), ..self }
    }

    /// Creates the label of a constant, or of the argument at `index`, from its value and its text,
    /// if it has one.
    pub fn from_value(value: &dyn Any, text: Option<String>, index: usize) -> Label {
        let text = float_text(value).or(text).unwrap_or_else(|| format!("#{index}"));
        Label { text, number: number(value) }
    }
}

/// Returns the value of a number of a standard type.
#[inline]
fn number(value: &dyn Any) -> Option<f64> {
    macro_rules! any_of {
        ($($type:ty)*) => { $(if let Some(value) = value.downcast_ref::<$type>() { return Some(*value as f64); })* };
    }
    any_of!(usize u64 u32 u16 u8 u128 isize i64 i32 i16 i8 i128 f64);
    // An `f32` in its shortest form: 0.1, not 0.10000000149011612.
    value.downcast_ref::<f32>().and_then(|value| value.to_string().parse().ok())
}

/// Returns the shortest text of a floating-point number: `1e300`, `0.1`, `1000`.
#[inline]
fn float_text(value: &dyn Any) -> Option<String> {
    let text = match value.downcast_ref::<f64>() {
        Some(value) => format!("{value:?}"),
        None => format!("{:?}", value.downcast_ref::<f32>()?),
    };
    Some(text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned))
}

/// A value to make a label of.
///
/// `(&&&Text(value)).text()` formats it by `Display` if it has that, else by `Debug`. It has no
/// text without both. The number of references decides which of the three traits is tried first.
#[derive(Debug)]
pub struct Text<'a, A: ?Sized>(pub &'a A);

/// Text by `Display`.
pub trait DisplayText {
    /// Returns the text.
    fn text(&self) -> Option<String>;
}

impl<A: Display + ?Sized> DisplayText for &&Text<'_, A> {
    #[inline(never)]
    fn text(&self) -> Option<String> {
        Some(label_text(format_args!("{}", self.0)))
    }
}

/// Text by `Debug`.
pub trait DebugText {
    /// Returns the text.
    fn text(&self) -> Option<String>;
}

impl<A: Debug + ?Sized> DebugText for &Text<'_, A> {
    #[inline(never)]
    fn text(&self) -> Option<String> {
        Some(label_text(format_args!("{:?}", self.0)))
    }
}

/// No text.
pub trait NoText {
    /// Returns `None`.
    fn text(&self) -> Option<String>;
}

impl<A: ?Sized> NoText for Text<'_, A> {
    fn text(&self) -> Option<String> {
        None
    }
}

/// Returns a text as a label: with invisible characters escaped, and shortened.
#[inline]
fn label_text(text: fmt::Arguments) -> String {
    let mut writer = LabelWriter {
        text: String::new(),
        length: 0,
        hash: 0xcbf2_9ce4_8422_2325,
        bytes_left: MAX_TEXT_LENGTH,
    };
    // An error is the writer's, after enough text, or the value's own.
    _ = writer.write_fmt(text);
    let LabelWriter { mut text, length, hash, .. } = writer;
    if length > MAX_LABEL_LENGTH {
        let end = text.char_indices().nth(MAX_LABEL_LENGTH - HASH_SUFFIX_LENGTH);
        text.truncate(end.map_or(text.len(), |(end, _)| end));
        _ = write!(text, "..{:08x}", hash as u32 ^ (hash >> 32) as u32);
    }
    // Quotes show where blanks begin and end.
    if text.trim() == text && !text.is_empty() { text } else { format!("\"{text}\"") }
}

/// A label that is being written.
struct LabelWriter {
    /// The label, or a bit more than is needed of a long one.
    text: String,
    /// Number of characters of the whole label, at most [`MAX_LABEL_LENGTH`] and an escape.
    length: usize,
    /// Hash of the whole text, by FNV-1a: the same on all machines and in all versions.
    hash: u64,
    bytes_left: usize,
}

impl Write for LabelWriter {
    #[inline]
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for character in part.chars() {
            self.bytes_left = self.bytes_left.checked_sub(character.len_utf8()).ok_or(fmt::Error)?;
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            if self.length > MAX_LABEL_LENGTH {
                continue;
            }
            if is_visible(character) {
                self.text.push(character);
                self.length += 1;
            } else {
                let escaped = character.escape_default();
                self.length += escaped.len();
                self.text.extend(escaped);
            }
        }
        Ok(())
    }
}

/// Returns whether a terminal shows a character as itself. Control characters, characters without
/// a width and those that change the direction of text are not visible.
pub fn is_visible(character: char) -> bool {
    // The format characters of Unicode, and the letters without a glyph. Joiners are part of emoji
    // and of words.
    let is_hidden = matches!(character, '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}'
        | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    !character.is_control() && !is_hidden
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
    fn display_is_preferred_to_debug_and_both_may_be_missing() {
        #[derive(Debug)]
        struct Shown;
        struct Silent;
        assert_eq!(text!("a\"b").as_deref(), Some("a\"b"));
        assert_eq!(text!(7).as_deref(), Some("7"));
        assert_eq!(text!(Shown).as_deref(), Some("Shown"));
        assert_eq!(text!([1, 2]).as_deref(), Some("[1, 2]"));
        assert_eq!(text!(Silent), None);
        assert_eq!(Label::from_value(&Silent, text!(Silent), 3).text, "#3");
    }

    #[test]
    fn a_custom_label_is_escaped_and_keeps_the_number_of_the_argument() {
        assert_eq!(Label::named(&7, "7\tKiB"), Label { text: "7\\tKiB".into(), number: Some(7.0) });
        assert_eq!(Label::named(&1e300, "large").text, "large");
        assert_eq!(Label::named(&(), "").text, "\"\"");
    }

    #[test]
    fn endless_text_is_cut() {
        struct Endless;
        impl Display for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("é1")?;
                }
            }
        }
        let label = Label::from_value(&Endless, text!(Endless), 0);
        assert_eq!((label.text.chars().count(), label.number), (60, None));
        assert!(label.text.starts_with("é1é1") && label.text.contains("é1.."), "{}", label.text);
        assert_eq!(Label::from_type(&"x".repeat(60)).text, "x".repeat(60));
    }

    #[test]
    fn long_texts_with_the_same_beginning_have_different_labels() {
        let long = |last: u8| Label::from_type(&format!("{}{last}", "x".repeat(60))).text;
        // FNV-1a by another implementation.
        assert_eq!(long(1), format!("{}..4619dbf1", "x".repeat(50)));
        assert_ne!(long(1), long(2));
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(Label::from_type("a\tb\u{1b}[1m").text, "a\\tb\\u{1b}[1m");
        assert_eq!(Label::from_type("").text, "\"\"");
        assert_eq!(
            [" ", "a ", "\u{a0}b"].map(|text| Label::from_type(text).text),
            ["\" \"", "\"a \"", "\"\u{a0}b\""]
        );
        assert_eq!(Label::from_type("a\u{202e}b\u{feff}\u{2067}").text, "a\\u{202e}b\\u{feff}\\u{2067}");
        assert_eq!(Label::from_type("a\u{180e}b\u{fff9}\u{e0041}").text, "a\\u{180e}b\\u{fff9}\\u{e0041}");
        assert_eq!(
            Label::from_type("größe 木 \u{1f469}\u{200d}\u{1f4bb}").text,
            "größe 木 \u{1f469}\u{200d}\u{1f4bb}"
        );
    }

    #[test]
    fn numbers_of_standard_types_have_a_value() {
        let numbers =
            [number(&7_u8), number(&-7_i128), number(&7_usize), number(&0.1_f32), number(&"7"), number(&'7')];
        assert_eq!(numbers, [Some(7.0), Some(-7.0), Some(7.0), Some(0.1), None, None]);
    }

    #[test]
    fn floats_have_their_shortest_text() {
        let text = |value: f64| Label::from_value(&value, text!(value), 0).text;
        let texts = [1e300, 1e-7, 0.1, 1.5, 1000.0, 1_000_000.0, -2.0, f64::NAN, f64::INFINITY].map(text);
        assert_eq!(texts, ["1e300", "1e-7", "0.1", "1.5", "1000", "1000000", "-2", "NaN", "inf"]);
        assert_eq!(Label::from_value(&0.1_f32, text!(0.1_f32), 0).text, "0.1");
    }
}
