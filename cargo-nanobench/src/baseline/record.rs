//! Serialisation of nanobench-core's types, which have their own JSON, within documents of `serde`.

use nanobench::json::{self, Json, Value};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::value::RawValue;

/// The limit for the text of a record.
pub(super) const MAX_BYTES: usize = 1 << 20;

pub(super) fn serialize<S: Serializer>(record: &impl Json, serializer: S) -> Result<S::Ok, S::Error> {
    write(&record.to_json(), serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Json>(deserializer: D) -> Result<T, D::Error> {
    let text = bounded(text(deserializer)?, MAX_BYTES).map_err(D::Error::custom)?;
    json::from_str(text).map_err(D::Error::custom)
}

/// Returns the text of a record, unless it is too long: its values take many times its size.
pub(super) fn bounded(text: &str, max_bytes: usize) -> Result<&str, String> {
    if text.len() <= max_bytes { Ok(text) } else { Err(format!("a record has more than {max_bytes} bytes")) }
}

fn write<S: Serializer>(value: &Value<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(value.to_string()).map_err(S::Error::custom)?.serialize(serializer)
}

/// Returns the text of any JSON value.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'de str, D::Error> {
    raw(deserializer).map(RawValue::get)
}

/// Returns any JSON value as it is written.
pub(super) fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'de RawValue, D::Error> {
    <&RawValue>::deserialize(deserializer)
}
