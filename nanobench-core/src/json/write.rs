//! The text of a value.

use super::Value;
use std::fmt::{self, Display, Formatter, Write as _};

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => f.write_str(if *value { "true" } else { "false" }),
            Value::Unsigned(value) => Display::fmt(value, f),
            Value::Negative(value) => Display::fmt(value, f),
            // As few digits as bring the same number back, and never without a point or an exponent.
            Value::Float(value) if value.is_finite() => fmt::Debug::fmt(value, f),
            Value::Null | Value::Float(_) => f.write_str("null"),
            Value::Text(value) => string(value, f),
            Value::Array(values) => array(values, f),
            Value::Object(members) => object(members, f),
        }
    }
}

fn array(values: &[Value<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    let mut before = '[';
    for value in values {
        f.write_char(before)?;
        value.fmt(f)?;
        before = ',';
    }
    f.write_str(if values.is_empty() { "[]" } else { "]" })
}

fn object(members: &super::Object<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let mut before = '{';
    for (name, value) in members {
        f.write_char(before)?;
        string(name, f)?;
        f.write_char(':')?;
        value.fmt(f)?;
        before = ',';
    }
    f.write_str(if members.is_empty() { "{}" } else { "}" })
}

fn string(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        f.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            control => write!(f, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}
