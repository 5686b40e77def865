//! JSON as this crate needs it: what goes over the channel, and what of it is stored.
//!
//! Every user compiles this crate, and a general JSON library with all below it was a quarter of what that takes: so a
//! text is parsed into a [`Value`], and values become what they stand for by [`Json`], without generic readers and writers.
//! RFC 8259, strictly; integers up to 64 bits and floating-point numbers come back as they were written.

mod convert;
mod parse;
mod value;
mod write;

pub use convert::Json;
pub use value::{Object, Value};

#[cfg(test)]
mod tests;

use std::fmt::{self, Display};

/// Why a text is no JSON, or a value is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(reason: impl Into<String>) -> Error {
        Error(reason.into())
    }

    /// Another kind of value than was wanted.
    pub(crate) fn unexpected(wanted: &str, found: &Value<'_>) -> Error {
        Error(format!("expected {wanted}, found {}", found.kind()))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Reads what a text says.
///
/// # Errors
/// A text that is no JSON, with its place, and JSON that is no `T`.
pub fn from_str<T: Json>(text: &str) -> Result<T, Error> {
    T::from_json(Value::parse(text)?)
}

/// The text of a value, on one line.
pub fn to_string(value: &dyn Json) -> String {
    value.to_json().to_string()
}
