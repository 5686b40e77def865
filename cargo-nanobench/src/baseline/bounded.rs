//! Limits for the parts of a `baseline.json`, so that a file of strangers can't take much more memory
//! than it has bytes.

use super::record;
use serde::de::{DeserializeOwned, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads a value from a text of at most `MAX_BYTES`.
pub(super) fn value<'de, const MAX_BYTES: usize, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = record::bounded(record::text(deserializer)?, MAX_BYTES).map_err(D::Error::custom)?;
    serde_json::from_str(text).map_err(D::Error::custom)
}

/// Reads a list of at most `MAX` items.
pub(crate) fn list<'de, const MAX: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(ListVisitor::<MAX, T>(PhantomData))
}

struct ListVisitor<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for ListVisitor<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            if items.len() == MAX {
                return Err(A::Error::custom(format!("a list has more than {MAX} items")));
            }
            items.push(item);
        }
        Ok(items)
    }
}
