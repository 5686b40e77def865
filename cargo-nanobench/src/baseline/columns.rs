//! The stored form of a measurement. The samples of a launch are an object of columns instead of a
//! list of objects, which would repeat the field names for each sample.
//!
//! Everything but the samples is read and written as the model does it. So new fields of the model
//! are stored, and fields of later versions are ignored, without a change here. There may be a
//! million samples, so they never exist as a tree of JSON values.

use super::{bounded, record};
use nanobench::json::{self, Json as _, Object, Value};
use nanobench::model::{Launch, Measurement, Sample};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

const LAUNCHES: &str = "launches";
const SAMPLES: &str = "samples";

/// The largest number of samples of a launch, far above that of any run.
const MAX_SAMPLES: usize = 4 << 20;

pub(super) fn serialize<S: Serializer>(measurement: &Measurement, serializer: S) -> Result<S::Ok, S::Error> {
    let launches: Vec<WrittenLaunch<'_>> = measurement.launches.iter().map(WrittenLaunch).collect();
    let bare = Measurement { launches: Vec::new(), ..measurement.clone() };
    write_record(bare.to_json(), LAUNCHES, &launches, serializer)
}

/// Writes an object, with `value` in place of its field `name`.
fn write_record<S: Serializer>(
    record: Value<'_>,
    name: &str,
    value: &impl Serialize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let Value::Object(fields) = record else { return Err(S::Error::custom("a record is not an object")) };
    let mut map = serializer.serialize_map(Some(fields.len()))?;
    for (field, content) in fields {
        if field == name {
            map.serialize_entry(name, value)?;
        } else {
            let content = RawValue::from_string(content.to_string()).map_err(S::Error::custom)?;
            map.serialize_entry(&field, &content)?;
        }
    }
    map.end()
}

/// A launch that writes its samples as columns.
struct WrittenLaunch<'a>(&'a Launch);

impl Serialize for WrittenLaunch<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bare = Launch { samples: Vec::new(), ..self.0.clone() };
        write_record(bare.to_json(), SAMPLES, &Columns::from(&self.0.samples[..]), serializer)
    }
}

/// The fields of all samples of a launch: `{"iterations": [1, 3], "elapsed": [2, 4], ..}`.
#[derive(Debug, Serialize, Deserialize)]
struct Columns {
    iterations: Numbers,
    elapsed: Numbers,
    segments: Numbers,
    reference: Numbers,
    round: Numbers,
}

/// A column of at most [`MAX_SAMPLES`] numbers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Numbers(#[serde(deserialize_with = "bounded::list::<MAX_SAMPLES, _, _>")] Vec<u64>);

impl From<&[Sample]> for Columns {
    fn from(samples: &[Sample]) -> Columns {
        let column = |field: fn(&Sample) -> u64| Numbers(samples.iter().map(field).collect());
        Columns {
            iterations: column(|sample| sample.iterations),
            elapsed: column(|sample| sample.elapsed),
            segments: column(|sample| sample.segments),
            reference: column(|sample| sample.reference),
            round: column(|sample| sample.round),
        }
    }
}

impl TryFrom<Columns> for Vec<Sample> {
    type Error = String;

    fn try_from(columns: Columns) -> Result<Self, String> {
        let Columns { iterations, elapsed, segments, reference, round } = columns;
        let number = iterations.0.len();
        let others =
            [("elapsed", &elapsed), ("segments", &segments), ("reference", &reference), ("round", &round)];
        if let Some((name, column)) = others.iter().find(|(_, column)| column.0.len() != number) {
            return Err(format!("`{name}` has {} samples, `iterations` {number}", column.0.len()));
        }
        let sample = |i: usize| Sample {
            iterations: iterations.0[i],
            elapsed: elapsed.0[i],
            segments: segments.0[i],
            reference: reference.0[i],
            round: round.0[i],
        };
        Ok((0..number).map(sample).collect())
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
    let (fields, launches) = read_record::<Vec<ReadLaunch>, D>(LAUNCHES, deserializer)?;
    let mut measurement: Measurement = from_fields(fields, LAUNCHES).map_err(D::Error::custom)?;
    measurement.launches = launches.into_iter().map(|ReadLaunch(launch)| launch).collect();
    Ok(measurement)
}

/// A launch whose samples are columns.
struct ReadLaunch(Launch);

impl<'de> Deserialize<'de> for ReadLaunch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (fields, columns) = read_record::<Columns, D>(SAMPLES, deserializer)?;
        let mut launch: Launch = from_fields(fields, SAMPLES).map_err(D::Error::custom)?;
        launch.samples = columns.try_into().map_err(D::Error::custom)?;
        Ok(ReadLaunch(launch))
    }
}

/// The fields of an object, each as its text.
type Fields<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// Reads an object whose field `name` is a `T`, with the texts of its other fields. So no text is
/// read twice but those.
fn read_record<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> Result<(Fields<'de>, T), D::Error> {
    deserializer.deserialize_map(RecordVisitor { name, value: PhantomData })
}

struct RecordVisitor<T> {
    name: &'static str,
    value: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for RecordVisitor<T> {
    type Value = (Fields<'de>, T);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with `{}`", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut fields, mut value) = (Fields::new(), None);
        while let Some(field) = map.next_key::<Cow<'de, str>>()? {
            if field == self.name {
                value = Some(map.next_value()?);
            } else {
                fields.insert(field, map.next_value()?);
            }
        }
        let value = value.ok_or_else(|| A::Error::missing_field(self.name))?;
        Ok((fields, value))
    }
}

/// Returns the record with these fields, and an empty list as its field `name`.
fn from_fields<T: nanobench::json::Json>(fields: Fields<'_>, name: &'static str) -> Result<T, String> {
    let mut object: Object<'_> = vec![(Cow::Borrowed(name), Value::Array(Vec::new()))];
    for (field, text) in fields {
        let text = record::bounded(text.get(), record::MAX_BYTES)?;
        object.push((field, json::parse(text).map_err(|error| error.to_string())?));
    }
    T::from_json(Value::Object(object)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: u64) -> Sample {
        Sample { iterations: i + 1, elapsed: u64::MAX - i, segments: 1, reference: i, round: i }
    }

    fn written(samples: &[Sample]) -> String {
        serde_json::to_string(&Columns::from(samples)).unwrap()
    }

    fn read_samples(text: &str) -> Result<Vec<Sample>, String> {
        serde_json::from_str::<Columns>(text).map_err(|error| error.to_string())?.try_into()
    }

    #[test]
    fn samples_round_trip_as_columns() {
        for number in [0, 1, 3] {
            let samples: Vec<Sample> = (0..number).map(sample).collect();
            let text = written(&samples);
            assert_eq!(read_samples(&text).unwrap(), samples, "{text}");
        }
        let text = written(&[sample(0), sample(1)]);
        assert!(text.contains(r#""elapsed":[18446744073709551615,18446744073709551614]"#), "{text}");
    }

    #[test]
    fn columns_of_later_versions_are_ignored() {
        let text = written(&[sample(0)]);
        let later = text.replacen('{', r#"{"later": [{"any": "thing"}, 2], "#, 1);
        assert_eq!(read_samples(&later).unwrap(), [sample(0)]);
    }

    #[test]
    fn other_shapes_are_errors() {
        let missing = r#"{"iterations": [1], "elapsed": [2]}"#;
        let uneven = r#"{"iterations": [1], "elapsed": [], "segments": [1], "reference": [1], "round": [1]}"#;
        let no_number = uneven.replace("[]", "[-1]");
        for damaged in [missing, uneven, &no_number, r#"{"round": 1}"#, r#"[{"round": 1}]"#, "null"] {
            assert!(read_samples(damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn column_has_a_limit() {
        let column = format!("[0{}]", ",0".repeat(MAX_SAMPLES));
        let error = read_samples(&format!(r#"{{"round": {column}}}"#)).unwrap_err();
        assert!(error.contains("more than 4194304 items"), "{error}");
    }
}
