//! A measurement with the text that it was read from.

use super::columns::StoredForm;
use nanobench::model::Measurement;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::ops::Deref;
use std::sync::Arc;

/// The samples of a benchmark. Those that were read are written again as the same text: a run of a
/// single benchmark keeps all others of the last run, which may be a hundred thousand samples.
#[derive(Debug, Clone)]
pub struct StoredMeasurement {
    measurement: Arc<Measurement>,
    /// The text of `measurement`, if it was read.
    text: Option<Arc<RawValue>>,
}

impl From<Measurement> for StoredMeasurement {
    fn from(measurement: Measurement) -> StoredMeasurement {
        StoredMeasurement { measurement: Arc::new(measurement), text: None }
    }
}

impl Deref for StoredMeasurement {
    type Target = Measurement;

    fn deref(&self) -> &Measurement {
        &self.measurement
    }
}

impl PartialEq for StoredMeasurement {
    fn eq(&self, other: &StoredMeasurement) -> bool {
        self.measurement == other.measurement
    }
}

impl Serialize for StoredMeasurement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            Some(text) => text.serialize(serializer),
            None => StoredForm::from(&*self.measurement).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for StoredMeasurement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredMeasurement, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?;
        let mut reader = serde_json::Deserializer::from_slice(text.get().as_bytes());
        let form = StoredForm::deserialize(&mut reader).map_err(D::Error::custom)?;
        let measurement = Measurement::try_from(form).map_err(D::Error::custom)?;
        Ok(StoredMeasurement { measurement: Arc::new(measurement), text: Some(text.to_owned().into()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_written_as_it_was() {
        let measured = StoredMeasurement::from(Measurement::default());
        let text = serde_json::to_string(&measured).unwrap();
        let of_later_version = text.replacen('{', r#"{"later": 1.50, "#, 1);
        for text in [text, of_later_version] {
            let read: StoredMeasurement = serde_json::from_str(&text).unwrap();
            assert_eq!(read, measured, "{text}");
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
        assert!(serde_json::from_str::<StoredMeasurement>("[]").is_err());
    }
}
