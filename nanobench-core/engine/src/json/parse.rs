//! Parsing of text into a value.

use super::{Error, Object, Value};
use std::borrow::Cow;

/// Largest depth of nested arrays and objects, so that no text overflows the stack.
const MAX_DEPTH: u32 = 128;

/// Parses a text that is a single JSON value.
///
/// # Errors
/// Fails for any other text, with the reason, the line and the column.
pub fn parse(text: &str) -> Result<Value<'_>, Error> {
    let mut parser = Parser { text, position: 0, depth: 0 };
    let value = parser.document();
    value.map_err(|reason| parser.error(reason))
}

struct Parser<'a> {
    text: &'a str,
    /// Index of the next byte. It is never within a character, because only ASCII and complete
    /// strings are skipped before an error.
    position: usize,
    /// Number of open arrays and objects.
    depth: u32,
}

/// The reason for an error at [`Parser::position`].
type Reason = &'static str;

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Value<'a>, Reason> {
        let value = self.value()?;
        match self.peek_visible() {
            None => Ok(value),
            Some(_) => Err("unexpected text after the value"),
        }
    }

    /// Returns the error with its line and column. Columns are counted in characters, from 1.
    #[cold]
    fn error(&self, reason: Reason) -> Error {
        let before = &self.text[..self.position];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Error(format!("{reason} at line {line}, column {column}"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    /// Skips white space. Returns the next byte.
    fn peek_visible(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.position += 1;
        }
        self.peek()
    }

    /// Skips `byte` if it is the next one. Returns whether it was.
    fn skip(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.position += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Result<Value<'a>, Reason> {
        match self.peek_visible() {
            Some(b'"') => self.string().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[') => self.nested(Parser::array),
            Some(b'{') => self.nested(Parser::object),
            Some(b'n') => self.word("null", Value::Null),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(_) => Err("expected a value"),
            None => Err("unexpected end"),
        }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, Reason> {
        if !self.text[self.position..].starts_with(word) {
            return Err("expected a value");
        }
        self.position += word.len();
        Ok(value)
    }

    fn nested(
        &mut self,
        content: fn(&mut Parser<'a>) -> Result<Value<'a>, Reason>,
    ) -> Result<Value<'a>, Reason> {
        if self.depth == MAX_DEPTH {
            return Err("too many levels");
        }
        self.depth += 1;
        self.position += 1; // The bracket.
        let value = content(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Value<'a>, Reason> {
        let mut values = Vec::new();
        if self.peek_visible() == Some(b']') {
            self.position += 1;
            return Ok(Value::Array(values));
        }
        loop {
            values.push(self.value()?);
            if self.skip_separator(b']', "expected `,` or `]`")? {
                return Ok(Value::Array(values));
            }
        }
    }

    fn object(&mut self) -> Result<Value<'a>, Reason> {
        let mut members = Object::new();
        if self.peek_visible() == Some(b'}') {
            self.position += 1;
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek_visible() != Some(b'"') {
                return Err("expected a name in quotes");
            }
            let name = self.string()?;
            if self.peek_visible() != Some(b':') {
                return Err("expected `:`");
            }
            self.position += 1;
            members.push((name, self.value()?));
            if self.skip_separator(b'}', "expected `,` or `}`")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// Skips the comma or the bracket after a value in an array or object. Returns whether it was
    /// the bracket.
    fn skip_separator(&mut self, bracket: u8, expected: Reason) -> Result<bool, Reason> {
        self.peek_visible();
        if self.skip(bracket) {
            Ok(true)
        } else if self.skip(b',') {
            Ok(false)
        } else {
            Err(expected)
        }
    }

    fn number(&mut self) -> Result<Value<'a>, Reason> {
        let start = self.position;
        let is_negative = self.skip(b'-');
        if !self.skip(b'0') {
            self.skip_digits()?;
        }
        let integer_end = self.position;
        if self.skip(b'.') {
            self.skip_digits()?;
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            self.skip_digits()?;
        }
        let number = &self.text[start..self.position];
        let integer = if self.position > integer_end || number == "-0" {
            None
        } else if is_negative {
            let magnitude = number[1..].parse().ok();
            magnitude.and_then(|magnitude| 0_i64.checked_sub_unsigned(magnitude)).map(Value::Negative)
        } else {
            number.parse().ok().map(Value::Unsigned)
        };
        integer.or_else(|| float(number)).ok_or("this number is too large")
    }

    /// Skips one or more digits.
    fn skip_digits(&mut self) -> Result<(), Reason> {
        let start = self.position;
        while let Some(b'0'..=b'9') = self.peek() {
            self.position += 1;
        }
        if self.position > start { Ok(()) } else { Err("expected a digit") }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Reason> {
        self.position += 1; // The quote.
        let unescaped = self.unescaped()?;
        if self.skip(b'"') {
            return Ok(Cow::Borrowed(unescaped));
        }
        let mut text = unescaped.to_owned();
        while !self.skip(b'"') {
            self.position += 1; // The backslash.
            text.push(self.escaped()?);
            text.push_str(self.unescaped()?);
        }
        Ok(Cow::Owned(text))
    }

    /// Reads characters up to a quote or a backslash.
    fn unescaped(&mut self) -> Result<&'a str, Reason> {
        let start = self.position;
        loop {
            match self.peek() {
                Some(b'"' | b'\\') => return Ok(&self.text[start..self.position]),
                Some(0..0x20) => return Err("control character in a string"),
                Some(_) => self.position += 1,
                None => return Err("unexpected end in a string"),
            }
        }
    }

    /// Reads the rest of an escape after its backslash, and returns its character.
    fn escaped(&mut self) -> Result<char, Reason> {
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err("unknown escape"),
        };
        self.position += 1;
        Ok(character)
    }

    /// Reads `u00e9`, or a surrogate pair such as `ud83d\ude00`.
    fn unicode(&mut self) -> Result<char, Reason> {
        const HALF: Reason = "half a surrogate pair";
        let unit = self.hexadecimal()?;
        if !(0xd800..0xe000).contains(&unit) {
            return char::from_u32(unit).ok_or(HALF);
        }
        if unit >= 0xdc00 || !self.skip(b'\\') || self.peek() != Some(b'u') {
            return Err(HALF);
        }
        match self.hexadecimal()? {
            low @ 0xdc00..0xe000 => {
                char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).ok_or(HALF)
            }
            _ => Err(HALF),
        }
    }

    /// Reads a `u` and four digits.
    fn hexadecimal(&mut self) -> Result<u32, Reason> {
        self.position += 1; // The letter.
        let mut number = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            number = number * 16 + digit.ok_or("expected four hexadecimal digits")?;
            self.position += 1;
        }
        Ok(number)
    }
}

/// Reads a number that is not an integer of 64 bits. `None` if it is too large for a float, too.
fn float(number: &str) -> Option<Value<'static>> {
    number.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Float)
}
