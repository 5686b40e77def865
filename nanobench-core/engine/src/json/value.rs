//! A JSON value.

use std::borrow::Cow;

/// The names and values of an object, in the order of the text.
pub type Object<'a> = Vec<(Cow<'a, str>, Value<'a>)>;

/// A JSON value. Strings are borrowed where possible, from the parsed text or from the value to be
/// written.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of 0 or more.
    Unsigned(u64),
    /// A negative integer.
    Negative(i64),
    /// Any other number. A number that is not finite is written as `null`.
    Float(f64),
    /// A string. It is not named `String`, because the compiler would then write
    /// `std::string::String` in its messages to users.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object.
    Object(Object<'a>),
}

impl<'a> Value<'a> {
    /// Returns the member `name` of an object.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value<'a>> {
        let Value::Object(members) = self else { return None };
        members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Takes the value out and leaves `null` in its place.
    pub fn take(&mut self) -> Value<'a> {
        std::mem::replace(self, Value::Null)
    }

    /// Returns the name of its type, with an article.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Unsigned(_) | Value::Negative(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}
