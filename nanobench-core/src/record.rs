//! `record!`: a struct that is a JSON object, by hand-written `serde` implementations.
//!
//! `serde_derive` would be two more crates for every user to compile, so this macro writes the two
//! implementations for plain structs. Unknown fields are ignored and a missing `Option` is `None`, so that
//! a reader takes what a later version adds.

use serde_core::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

/// Declares a public struct with public fields, and reads and writes it as a JSON object.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde_core::ser::SerializeStruct as _;
                let fields = [$(stringify!($field)),*].len();
                let mut object = serializer.serialize_struct(stringify!($name), fields)?;
                $(object.serialize_field(stringify!($field), &self.$field)?;)*
                object.end()
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut object = $crate::record::object(deserializer)?;
                Ok($name { $($field: $crate::record::take(&mut object, stringify!($field))?,)* })
            }
        }
    };
}
pub(crate) use record;

/// Reads a JSON object with all its fields.
pub(crate) fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
    Map::deserialize(deserializer)
}

/// Takes the field `name` out of an object. A missing field reads as `null`, which an `Option` takes.
pub(crate) fn take<T: DeserializeOwned, E: Error>(
    object: &mut Map<String, Value>,
    name: &str,
) -> Result<T, E> {
    let value = object.remove(name).unwrap_or(Value::Null);
    T::deserialize(value).map_err(|error| E::custom(format_args!("field `{name}`: {error}")))
}
