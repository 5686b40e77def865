//! What tells the rows of a function apart: a type, a constant, an argument.

use std::any::Any;
use std::fmt::{self, Debug, Display, Write};

/// The longest label, in characters.
const LONGEST: usize = 60;
/// Stands for the rest of a longer one.
const CUT: &str = "..";

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
        Label { text: shortened(text), number: None }
    }

    /// Of a constant: its value and how that reads.
    pub fn of_const<C: 'static>(value: &C, text: Option<String>) -> Label {
        let text = text.map_or_else(|| "#0".to_owned(), |text| shortened(&text));
        Label { text, number: number(value) }
    }

    /// Of the argument at `index`.
    pub(super) fn of_argument<A: 'static>(argument: &A, text: Option<String>, index: usize) -> Label {
        let text = text.map_or_else(|| format!("#{index}"), |text| shortened(&text));
        Label { text, number: number(argument) }
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
        Some(beginning(format_args!("{}", self.0)))
    }
}

/// Text by `Debug`.
pub trait ByDebug {
    /// The text.
    fn text(&self) -> Option<String>;
}

impl<A: Debug + ?Sized> ByDebug for &Text<'_, A> {
    fn text(&self) -> Option<String> {
        Some(beginning(format_args!("{:?}", self.0)))
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

/// As much of a text as a label shows, and a bit more, to see that there is more. A list of a million elements is not
/// written out for that.
fn beginning(text: fmt::Arguments) -> String {
    struct Beginning {
        text: String,
        left: usize,
    }
    impl Write for Beginning {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            for letter in part.chars() {
                self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(letter);
            }
            Ok(())
        }
    }
    let mut beginning = Beginning { text: String::new(), left: LONGEST + 1 };
    // An error says that it is full.
    _ = beginning.write_fmt(text);
    beginning.text
}

/// A text as a label: without what would tear a table, and not too long.
fn shortened(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if letter.is_control() { shown.extend(letter.escape_debug()) } else { shown.push(letter) }
    }
    match shown.char_indices().nth(LONGEST) {
        None => shown,
        Some(_) => shown.chars().take(LONGEST - CUT.len()).chain(CUT.chars()).collect(),
    }
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
        assert!(label.text.starts_with("é1é1") && label.text.ends_with("é1.."), "{}", label.text);
        assert_eq!(Label::of_type(&"x".repeat(60)).text, "x".repeat(60));
    }

    #[test]
    fn what_would_tear_a_table_is_escaped() {
        assert_eq!(Label::of_type("a\tb\u{1b}[1m").text, "a\\tb\\u{1b}[1m");
        assert_eq!(Label::of_type("").text, "\"\"");
    }

    #[test]
    fn numbers_are_known_as_such() {
        let numbers =
            [number(&7_u8), number(&-7_i128), number(&7_usize), number(&0.1_f32), number(&"7"), number(&'7')];
        assert_eq!(numbers, [Some(7.0), Some(-7.0), Some(7.0), Some(0.1), None, None]);
    }
}
