//! `--context` as it is stored: a list of objects.

use nanobench::model::Pair;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Stored {
    key: String,
    value: String,
}

pub(super) fn serialize<S: Serializer>(context: &[Pair], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(context.iter().cloned().map(|Pair { key, value }| Stored { key, value }))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pair>, D::Error> {
    let stored = Vec::<Stored>::deserialize(deserializer)?;
    Ok(stored.into_iter().map(|Stored { key, value }| Pair { key, value }).collect())
}
