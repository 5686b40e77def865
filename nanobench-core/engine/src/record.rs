//! `record!`: structs that are JSON objects.
//!
//! Unknown fields are ignored and a missing `Option` is `None`, so that a reader accepts the
//! additions of later versions.

use crate::json::{Error, Json, Object, Value};
use crate::text::join;
use std::borrow::Cow;

/// Declares a public struct with public fields that is read and written as a JSON object.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::json::Json for $name {
            #[inline]
            fn to_json(&self) -> $crate::json::Value<'_> {
                $crate::record::to_object(&[$((stringify!($field), &self.$field)),*])
            }

            #[inline]
            fn from_json(value: $crate::json::Value<'_>) -> Result<Self, $crate::json::Error> {
                let mut new = $name { $($field: Default::default(),)* };
                $crate::record::read_fields(value, &mut [$((stringify!($field), &mut new.$field)),*])?;
                Ok(new)
            }
        }
    };
}
pub(crate) use record;

/// Declares a public enum of words, and reads and writes it as a JSON string.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            /// Returns the word for it that JSON has.
            #[inline]
            pub fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl $crate::json::Json for $name {
            #[inline]
            fn to_json(&self) -> $crate::json::Value<'_> {
                $crate::json::Value::Text(self.word().into())
            }

            #[inline]
            fn from_json(value: $crate::json::Value<'_>) -> Result<Self, $crate::json::Error> {
                Ok([$($name::$variant),*][$crate::record::word_index(value, Self::WORDS)?])
            }
        }
    };
}
pub(crate) use words;

/// Returns the index among `words` of the word that a value has to be.
pub(crate) fn word_index(value: Value<'_>, words: &[&str]) -> Result<usize, Error> {
    let word = String::from_json(value)?;
    for (index, known) in words.iter().enumerate() {
        if *known == word {
            return Ok(index);
        }
    }
    let (last, others) = words.split_last().unwrap_or((&"", &[]));
    let others = join(&mut others.iter().copied(), "`, `");
    Err(Error::new(format!("expected `{others}` or `{last}`, found `{word}`")))
}

/// A field of any type. Records are read and written through lists of fields, so that all records
/// share one loop. That takes less time to compile than code for each field.
pub(crate) trait Field {
    fn read(&mut self, value: Value<'_>) -> Result<(), Error>;
}

impl<T: Json> Field for T {
    fn read(&mut self, value: Value<'_>) -> Result<(), Error> {
        *self = T::from_json(value)?;
        Ok(())
    }
}

/// Reads fields from an object.
pub(crate) fn read_fields(
    value: Value<'_>,
    fields: &mut [(&'static str, &mut dyn Field)],
) -> Result<(), Error> {
    let mut object = into_members(value)?;
    for (name, field) in fields {
        field.read(take_member(&mut object, name)).map_err(|error| error_in_field(name, &error))?;
    }
    Ok(())
}

/// Returns an object with these fields, without those that are `None`: many are, and the other process
/// would have to read them.
pub(crate) fn to_object<'a>(fields: &[(&'static str, &'a dyn Json)]) -> Value<'a> {
    let mut members = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        let value = value.to_json();
        if !matches!(value, Value::Null) {
            members.push((Cow::Borrowed(*name), value));
        }
    }
    Value::Object(members)
}

/// Returns the members of a value that has to be an object.
pub(crate) fn into_members(value: Value<'_>) -> Result<Object<'_>, Error> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(Error::unexpected("an object", &other)),
    }
}

/// Takes the member `name` out of an object: the last one if there are several, as most parsers do.
/// A missing member is `null`, which is a valid `Option`.
pub(crate) fn take_member<'a>(object: &mut Object<'a>, name: &str) -> Value<'a> {
    let mut member = Value::Null;
    for (key, value) in object {
        if key == name {
            member = value.take();
        }
    }
    member
}

/// Adds the name of the field to an error.
pub(crate) fn error_in_field(name: &str, error: &Error) -> Error {
    Error::new(format!("field `{name}`: {error}"))
}
