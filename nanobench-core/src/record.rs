//! `record!`: a struct that is a JSON object.
//!
//! Unknown fields are ignored and a missing `Option` is `None`, so that a reader takes what a later version adds.

use crate::json::{Json, Value};
use std::borrow::Cow;

/// Declares a public struct with public fields, and reads and writes it as a JSON object.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::json::Json for $name {
            fn to_json(&self) -> $crate::json::Value<'_> {
                $crate::record::written(&[$((stringify!($field), &self.$field)),*])
            }

            fn from_json(value: $crate::json::Value<'_>) -> Result<Self, $crate::json::Error> {
                let mut object = $crate::json::object(value)?;
                Ok($name { $($field: $crate::json::member(&mut object, stringify!($field))?,)* })
            }
        }
    };
}
pub(crate) use record;

/// The object that has these fields.
pub(crate) fn written<'a>(fields: &[(&'static str, &'a dyn Json)]) -> Value<'a> {
    Value::Object(fields.iter().map(|&(name, value)| (Cow::Borrowed(name), value.to_json())).collect())
}
