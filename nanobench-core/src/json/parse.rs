//! From text to a value.

use super::{Error, Object, Value};
use std::borrow::Cow;

/// Arrays and objects within each other, at most: no text makes the parser run out of stack.
const MOST_LEVELS: u32 = 128;

impl<'a> Value<'a> {
    /// What a text says, which has to be one JSON value.
    ///
    /// # Errors
    /// Any other text, with what is wrong and where.
    pub fn parse(text: &'a str) -> Result<Value<'a>, Error> {
        let mut parser = Parser { text, at: 0, levels: 0 };
        let value = parser.document();
        value.map_err(|what| parser.error(what))
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Byte that is next. Never within a character: only ASCII and whole strings are passed over before an error.
    at: usize,
    /// Arrays and objects that are open.
    levels: u32,
}

/// What is wrong at [`Parser::at`].
type What = &'static str;

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Value<'a>, What> {
        let value = self.value()?;
        match self.next_visible() {
            None => Ok(value),
            Some(_) => Err("unexpected text after the value"),
        }
    }

    /// The error, with its place. Columns are characters, from 1.
    #[cold]
    fn error(&self, what: What) -> Error {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error(format!("{what} at line {line}, column {column}"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over white space.
    fn next_visible(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    /// Passes over a byte, if it is the next one.
    fn skip(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Result<Value<'a>, What> {
        match self.next_visible() {
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

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, What> {
        if !self.text[self.at..].starts_with(word) {
            return Err("expected a value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn nested(&mut self, content: fn(&mut Parser<'a>) -> Result<Value<'a>, What>) -> Result<Value<'a>, What> {
        if self.levels == MOST_LEVELS {
            return Err("too many levels");
        }
        self.levels += 1;
        self.at += 1; // The bracket.
        let value = content(self);
        self.levels -= 1;
        value
    }

    fn array(&mut self) -> Result<Value<'a>, What> {
        let mut values = Vec::new();
        if self.next_visible() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(values));
        }
        loop {
            values.push(self.value()?);
            if self.ends(b']', "expected `,` or `]`")? {
                return Ok(Value::Array(values));
            }
        }
    }

    fn object(&mut self) -> Result<Value<'a>, What> {
        let mut members = Object::new();
        if self.next_visible() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            if self.next_visible() != Some(b'"') {
                return Err("expected a name in quotes");
            }
            let name = self.string()?;
            if self.next_visible() != Some(b':') {
                return Err("expected `:`");
            }
            self.at += 1;
            members.push((name, self.value()?));
            if self.ends(b'}', "expected `,` or `}`")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// Passes over what follows a value in an array or object: whether it is the end.
    fn ends(&mut self, bracket: u8, expected: What) -> Result<bool, What> {
        self.next_visible();
        if self.skip(bracket) {
            Ok(true)
        } else if self.skip(b',') {
            Ok(false)
        } else {
            Err(expected)
        }
    }

    fn number(&mut self) -> Result<Value<'a>, What> {
        let start = self.at;
        let is_negative = self.skip(b'-');
        if !self.skip(b'0') {
            self.digits()?;
        }
        let whole = self.at;
        if self.skip(b'.') {
            self.digits()?;
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            self.digits()?;
        }
        let number = &self.text[start..self.at];
        let integer = if self.at > whole || number == "-0" {
            None
        } else if is_negative {
            let size = number[1..].parse().ok();
            size.and_then(|size| 0_i64.checked_sub_unsigned(size)).map(Value::Negative)
        } else {
            number.parse().ok().map(Value::Unsigned)
        };
        integer.or_else(|| float(number)).ok_or("this number is too large")
    }

    /// Passes over one digit at least.
    fn digits(&mut self) -> Result<(), What> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err("expected a digit") }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, What> {
        self.at += 1; // The quote.
        let plain = self.plain()?;
        if self.skip(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        while !self.skip(b'"') {
            self.at += 1; // The backslash.
            text.push(self.escaped()?);
            text.push_str(self.plain()?);
        }
        Ok(Cow::Owned(text))
    }

    /// What stands for itself, up to a quote or a backslash.
    fn plain(&mut self) -> Result<&'a str, What> {
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"' | b'\\') => return Ok(&self.text[start..self.at]),
                Some(0..0x20) => return Err("control character in a string"),
                Some(_) => self.at += 1,
                None => return Err("unexpected end in a string"),
            }
        }
    }

    /// The character that an escape stands for, behind its backslash.
    fn escaped(&mut self) -> Result<char, What> {
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
        self.at += 1;
        Ok(character)
    }

    /// `u00e9`, or two of them that stand for one character: `ud83d\ude00`.
    fn unicode(&mut self) -> Result<char, What> {
        const HALF: What = "half a surrogate pair";
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

    /// The four digits behind a `u`.
    fn hexadecimal(&mut self) -> Result<u32, What> {
        self.at += 1; // The letter.
        let mut number = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            number = number * 16 + digit.ok_or("expected four hexadecimal digits")?;
            self.at += 1;
        }
        Ok(number)
    }
}

/// A number that is no integer of 64 bits. None for one that is too large for a float, too.
fn float(number: &str) -> Option<Value<'static>> {
    number.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Float)
}
