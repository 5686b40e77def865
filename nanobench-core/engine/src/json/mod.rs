//! JSON for the channel between the tool and a harness process, and for stored samples.
//!
//! Every user compiles this crate, so it has its own small implementation: a text is parsed into a
//! [`Value`], which [`Json`] converts to Rust types, without generic readers and writers. It
//! implements RFC 8259 strictly. Integers up to 64 bits and floating-point numbers keep their exact
//! values.

mod convert;
mod parse;
mod value;
mod write;

pub use convert::Json;
pub use parse::parse;
pub use value::{Object, Value};

#[cfg(test)]
mod tests;

use std::fmt::{self, Display};

/// The reason why a text is not JSON, or a value is not of the expected type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(reason: impl Into<String>) -> Error {
        Error(reason.into())
    }

    /// Reports a value of another type than `expected`.
    pub(crate) fn unexpected(expected: &str, value: &Value<'_>) -> Error {
        Error(format!("expected {expected}, found {}", value.kind()))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Reads a value of type `T` from JSON.
///
/// # Errors
/// Fails if the text is not JSON, with the line and column, or if it is not a `T`.
pub fn from_str<T: Json>(text: &str) -> Result<T, Error> {
    T::from_json(parse(text)?)
}

/// Writes a value as JSON, on one line.
pub fn to_string(value: &dyn Json) -> String {
    value.to_json().to_string()
}
