//! Writing a value as text.

use super::Value;
use std::fmt::{self, Display, Formatter, Write as _};

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => f.write_str(if *value { "true" } else { "false" }),
            Value::Unsigned(value) => Display::fmt(value, f),
            Value::Negative(value) => Display::fmt(value, f),
            // The shortest text that parses to the same number, always with a point or an
            // exponent.
            Value::Float(value) if value.is_finite() => fmt::Debug::fmt(value, f),
            Value::Null | Value::Float(_) => f.write_str("null"),
            Value::Text(value) => string(value, f),
            Value::Array(values) => array(values, f),
            Value::Object(members) => object(members, f),
        }
    }
}

fn array(values: &[Value<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    let mut separator = '[';
    for value in values {
        f.write_char(separator)?;
        value.fmt(f)?;
        separator = ',';
    }
    f.write_str(if values.is_empty() { "[]" } else { "]" })
}

fn object(members: &super::Object<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let mut separator = '{';
    for (name, value) in members {
        f.write_char(separator)?;
        string(name, f)?;
        f.write_char(':')?;
        value.fmt(f)?;
        separator = ',';
    }
    f.write_str(if members.is_empty() { "{}" } else { "}" })
}

fn string(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(position) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        f.write_str(&rest[..position])?;
        match rest.as_bytes()[position] {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            control => write!(f, "\\u{control:04x}")?,
        }
        rest = &rest[position + 1..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}
