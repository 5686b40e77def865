//! The stored form of `--context`: a list of objects.

use nanobench::model::KeyValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Stored {
    key: String,
    value: String,
}

pub(super) fn serialize<S: Serializer>(context: &[KeyValue], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(context.iter().cloned().map(|KeyValue { key, value }| Stored { key, value }))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<KeyValue>, D::Error> {
    let stored = Vec::<Stored>::deserialize(deserializer)?;
    Ok(stored.into_iter().map(|Stored { key, value }| KeyValue { key, value }).collect())
}
