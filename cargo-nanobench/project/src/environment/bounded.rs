//! Limits for the parts of a JSON document, so that a file of strangers can't take much more memory
//! than it has bytes.

use serde::de::{DeserializeOwned, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;

/// The limit for the text of a record of nanobench-core.
pub const MAX_RECORD_BYTES: usize = 1 << 20;

/// Returns a text, unless it is too long: its values take many times its size.
pub fn text(text: &str, max_bytes: usize) -> Result<&str, String> {
    if text.len() <= max_bytes { Ok(text) } else { Err(format!("a record has more than {max_bytes} bytes")) }
}

/// Reads a value from a text of at most `MAX_BYTES`.
pub fn value<'de, const MAX_BYTES: usize, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = text(<&RawValue>::deserialize(deserializer)?.get(), MAX_BYTES).map_err(D::Error::custom)?;
    serde_json::from_str(text).map_err(D::Error::custom)
}

/// Reads a list of at most `MAX` items.
pub fn list<'de, const MAX: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
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
