//! A JSON value.

use std::borrow::Cow;

/// The members of an object, in the order of the text.
pub type Object<'a> = Vec<(Cow<'a, str>, Value<'a>)>;

/// A JSON value. Strings are those of the text or of what is written, where they can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number from 0.
    Unsigned(u64),
    /// A whole number below 0.
    Negative(i64),
    /// Any other number. One that is not finite is written as `null`.
    Float(f64),
    /// A string.
    /// Not named `String`: with a second one, the compiler would write `std::string::String` in all that it says to users.
    Text(Cow<'a, str>),
    /// A list.
    Array(Vec<Value<'a>>),
    /// Names and values.
    Object(Object<'a>),
}

impl<'a> Value<'a> {
    /// The member `name` of an object.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value<'a>> {
        let Value::Object(members) = self else { return None };
        members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The value, with `null` left in its place.
    pub fn take(&mut self) -> Value<'a> {
        std::mem::replace(self, Value::Null)
    }

    /// What it is, in words.
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
