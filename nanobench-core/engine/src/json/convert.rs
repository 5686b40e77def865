//! Conversion between values and Rust types.

use super::{Error, Value};
use std::borrow::Cow;

/// A type that can be written as JSON and read again.
pub trait Json {
    /// Converts to a value.
    fn to_json(&self) -> Value<'_>;

    /// Converts from a value.
    ///
    /// # Errors
    /// Fails if the value is of another type or out of range.
    fn from_json(value: Value<'_>) -> Result<Self, Error>
    where
        Self: Sized;
}

impl Json for bool {
    fn to_json(&self) -> Value<'_> {
        Value::Bool(*self)
    }

    fn from_json(value: Value<'_>) -> Result<bool, Error> {
        match value {
            Value::Bool(value) => Ok(value),
            other => Err(Error::unexpected("a boolean", &other)),
        }
    }
}

impl Json for u64 {
    fn to_json(&self) -> Value<'_> {
        Value::Unsigned(*self)
    }

    fn from_json(value: Value<'_>) -> Result<u64, Error> {
        match value {
            Value::Unsigned(value) => Ok(value),
            Value::Negative(_) | Value::Float(_) => {
                Err(Error::new(format!("{value} is not an integer of 0 or more")))
            }
            other => Err(Error::unexpected("an integer", &other)),
        }
    }
}

impl Json for u32 {
    fn to_json(&self) -> Value<'_> {
        Value::Unsigned(u64::from(*self))
    }

    fn from_json(value: Value<'_>) -> Result<u32, Error> {
        let value = u64::from_json(value)?;
        u32::try_from(value).map_err(|_| Error::new(format!("{value} is too large")))
    }
}

impl Json for f64 {
    fn to_json(&self) -> Value<'_> {
        Value::Float(*self)
    }

    fn from_json(value: Value<'_>) -> Result<f64, Error> {
        match value {
            Value::Unsigned(value) => Ok(value as f64),
            Value::Negative(value) => Ok(value as f64),
            Value::Float(value) => Ok(value),
            other => Err(Error::unexpected("a number", &other)),
        }
    }
}

impl Json for String {
    fn to_json(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(self))
    }

    fn from_json(value: Value<'_>) -> Result<String, Error> {
        match value {
            Value::Text(text) => Ok(text.into_owned()),
            other => Err(Error::unexpected("a string", &other)),
        }
    }
}

impl<T: Json> Json for Option<T> {
    fn to_json(&self) -> Value<'_> {
        match self {
            Some(value) => value.to_json(),
            None => Value::Null,
        }
    }

    fn from_json(value: Value<'_>) -> Result<Option<T>, Error> {
        match value {
            Value::Null => Ok(None),
            value => T::from_json(value).map(Some),
        }
    }
}

impl<T: Json> Json for Vec<T> {
    fn to_json(&self) -> Value<'_> {
        array(self.len(), &|index| self[index].to_json())
    }

    fn from_json(value: Value<'_>) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        for_each_element(value, &mut |value| {
            items.push(T::from_json(value)?);
            Ok(())
        })?;
        Ok(items)
    }
}

/// Returns an array of `length` elements.
fn array<'a>(length: usize, element: &dyn Fn(usize) -> Value<'a>) -> Value<'a> {
    let mut elements = Vec::with_capacity(length);
    for index in 0..length {
        elements.push(element(index));
    }
    Value::Array(elements)
}

/// Calls `handle` with each element of a value that has to be an array.
fn for_each_element(
    value: Value<'_>,
    handle: &mut dyn FnMut(Value<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    match value {
        Value::Array(values) => values.into_iter().try_for_each(handle),
        other => Err(Error::unexpected("an array", &other)),
    }
}
