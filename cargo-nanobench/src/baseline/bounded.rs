//! Limits for the parts of a `baseline.json`, so that a file of strangers can't take much more memory
//! than it has bytes.

use super::record;
pub(super) use crate::bounded_list::list;
use serde::Deserializer;
use serde::de::{DeserializeOwned, Error as _};

/// Reads a value from a text of at most `MAX_BYTES`.
pub(super) fn value<'de, const MAX_BYTES: usize, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = record::bounded(record::text(deserializer)?, MAX_BYTES).map_err(D::Error::custom)?;
    serde_json::from_str(text).map_err(D::Error::custom)
}
