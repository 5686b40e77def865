//! `record!`: a struct that is a JSON object.
//!
//! Unknown fields are ignored and a missing `Option` is `None`, so that a reader takes what a later version adds.

use crate::json::{Error, Json, Object, Value};
use std::borrow::Cow;

/// Declares a public struct with public fields, and reads and writes it as a JSON object.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::json::Json for $name {
            fn to_json(&self) -> $crate::json::Value<'_> {
                $crate::record::to_object(&[$((stringify!($field), &self.$field)),*])
            }

            fn from_json(value: $crate::json::Value<'_>) -> Result<Self, $crate::json::Error> {
                let mut new = $name { $($field: Default::default(),)* };
                $crate::record::read_fields(value, &mut [$((stringify!($field), &mut new.$field)),*])?;
                Ok(new)
            }
        }
    };
}
pub(crate) use record;

/// A field of any type. That both ways go by a list of them, and not field by field, is for the sake of compile time: there
/// is one loop for all records.
pub(crate) trait Field {
    fn read(&mut self, value: Value<'_>) -> Result<(), Error>;
}

impl<T: Json> Field for T {
    fn read(&mut self, value: Value<'_>) -> Result<(), Error> {
        *self = T::from_json(value)?;
        Ok(())
    }
}

/// Reads an object into these fields.
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

/// The object that has these fields.
pub(crate) fn to_object<'a>(fields: &[(&'static str, &'a dyn Json)]) -> Value<'a> {
    Value::Object(fields.iter().map(|&(name, value)| (Cow::Borrowed(name), value.to_json())).collect())
}

/// The members of a value that has to be an object.
pub(crate) fn into_members(value: Value<'_>) -> Result<Object<'_>, Error> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(Error::unexpected("an object", &other)),
    }
}

/// The member `name` of an object: the last one, as everybody does where there are several. One that is not there is `null`,
/// which an `Option` takes.
pub(crate) fn take_member<'a>(object: &mut Object<'a>, name: &str) -> Value<'a> {
    let found = object.iter_mut().rev().find(|(key, _)| key == name);
    found.map_or(Value::Null, |(_, value)| value.take())
}

/// What is wrong in the field `name`.
pub(crate) fn error_in_field(name: &str, error: &Error) -> Error {
    Error::new(format!("field `{name}`: {error}"))
}
