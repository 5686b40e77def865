//! Serialisation of nanobench-core's types, which have their own JSON, within documents of `serde`.

use crate::environment::bounded::{self, MAX_RECORD_BYTES};
use nanobench::json::{self, Json};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::value::RawValue;

pub(super) fn serialize<S: Serializer>(record: &impl Json, serializer: S) -> Result<S::Ok, S::Error> {
    let text = record.to_json().to_string();
    RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Json>(deserializer: D) -> Result<T, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    let text = bounded::text(text, MAX_RECORD_BYTES).map_err(D::Error::custom)?;
    json::from_str(text).map_err(D::Error::custom)
}
