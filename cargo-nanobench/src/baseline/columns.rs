//! The stored form of a measurement. The samples of a launch are an object of columns instead of a
//! list of objects, which would repeat the field names for each sample.
//!
//! Everything but the samples is read and written as the model does it. So new fields of the model
//! are stored, and fields of later versions are ignored, without a change here. There may be a
//! million samples, so they never exist as a tree of JSON values: each is converted by itself.

use super::{bounded, record};
use nanobench::json::{self, Json as _, Object, Value};
use nanobench::model::{Launch, Measurement, Sample};
use serde::de::Error as _;
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const LAUNCHES: &str = "launches";
const SAMPLES: &str = "samples";

/// The largest number of samples of a launch, far above that of any run.
const MAX_SAMPLES: usize = 4 << 20;

pub(super) fn serialize<S: Serializer>(measurement: &Measurement, serializer: S) -> Result<S::Ok, S::Error> {
    let Measurement {
        count,
        unroll,
        batch,
        throughput,
        counts,
        returns_value,
        first_calls,
        timed_out,
        launches,
    } = measurement;
    let bare = Measurement {
        count: *count,
        unroll: *unroll,
        batch: *batch,
        throughput: throughput.clone(),
        counts: counts.clone(),
        returns_value: *returns_value,
        first_calls: first_calls.clone(),
        timed_out: *timed_out,
        launches: Vec::new(),
    };
    let launches: Vec<StoredLaunch<'_>> = launches.iter().map(StoredLaunch).collect();
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
            map.serialize_entry(&field, &raw(content.to_string()).map_err(S::Error::custom)?)?;
        }
    }
    map.end()
}

fn raw(text: String) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(text)
}

/// A launch that writes its samples as columns.
struct StoredLaunch<'a>(&'a Launch);

impl Serialize for StoredLaunch<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Launch { clock, segment_cost, empty_loop, samples } = self.0;
        let bare = Launch {
            clock: clock.clone(),
            segment_cost: *segment_cost,
            empty_loop: *empty_loop,
            samples: Vec::new(),
        };
        let columns = to_columns(samples).map_err(S::Error::custom)?;
        write_record(bare.to_json(), SAMPLES, &columns, serializer)
    }
}

/// Samples as JSON arrays, one for each field.
struct Columns(Vec<(String, Box<RawValue>)>);

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, column)| (name, column)))
    }
}

fn to_columns(samples: &[Sample]) -> Result<Columns, String> {
    let mut columns: Vec<(String, String)> = Vec::new();
    for sample in samples {
        let Value::Object(fields) = sample.to_json() else { return Err("a sample is not an object".into()) };
        if columns.is_empty() {
            columns = fields.iter().map(|(name, _)| (name.clone().into_owned(), String::new())).collect();
        }
        for ((_, column), (_, value)) in columns.iter_mut().zip(fields) {
            let separator = if column.is_empty() { '[' } else { ',' };
            write!(column, "{separator}{value}").map_err(|error| error.to_string())?;
        }
    }
    let column =
        |(name, text): (String, String)| Ok((name, raw(text + "]").map_err(|error| error.to_string())?));
    Ok(Columns(columns.into_iter().map(column).collect::<Result<_, String>>()?))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
    read(record::text(deserializer)?).map_err(D::Error::custom)
}

/// The fields of an object, each as its text.
type Fields<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

fn fields(text: &str) -> Result<Fields<'_>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn read(text: &str) -> Result<Measurement, String> {
    let mut measurement = fields(text)?;
    let launches = measurement.remove(LAUNCHES).ok_or("`launches` is missing")?;
    let launches: Vec<&RawValue> = serde_json::from_str(launches.get()).map_err(|error| error.to_string())?;
    let mut read = read_record::<Measurement>(measurement, LAUNCHES)?;
    read.launches = launches.into_iter().map(read_launch).collect::<Result<_, _>>()?;
    Ok(read)
}

fn read_launch(text: &RawValue) -> Result<Launch, String> {
    let mut launch = fields(text.get())?;
    let samples = launch.remove(SAMPLES).ok_or("`samples` is missing")?;
    let mut launch = read_record::<Launch>(launch, SAMPLES)?;
    launch.samples = read_samples(samples.get())?;
    Ok(launch)
}

/// Reads a record, with an empty list in place of its field `name`.
fn read_record<T: nanobench::json::Json>(fields: Fields<'_>, name: &'static str) -> Result<T, String> {
    let mut object: Object<'_> = vec![(Cow::Borrowed(name), Value::Array(Vec::new()))];
    for (field, text) in fields {
        object.push((
            field,
            json::parse(record::bounded(text.get(), record::MAX_BYTES)?)
                .map_err(|error| error.to_string())?,
        ));
    }
    T::from_json(Value::Object(object)).map_err(|error| error.to_string())
}

/// `{"a": [1, 3], "b": [2, 4]}` -> `[{"a": 1, "b": 2}, {"a": 3, "b": 4}]`
fn read_samples(text: &str) -> Result<Vec<Sample>, String> {
    let mut columns: Vec<(Cow<'_, str>, Vec<u64>)> = Vec::new();
    let sample = Sample::default();
    let Value::Object(known) = sample.to_json() else { return Err("no fields".to_owned()) };
    for (name, column) in fields(text)? {
        // Nothing is kept of the columns of later versions.
        if known.iter().any(|(field, _)| *field == name) {
            let Numbers(column) =
                serde_json::from_str(column.get()).map_err(|error| format!("`{name}`: {error}"))?;
            columns.push((name, column));
        }
    }
    let number = columns.first().map_or(0, |(_, column)| column.len());
    if let Some((name, column)) = columns.iter().find(|(_, column)| column.len() != number) {
        return Err(format!("`{name}` has {} samples, another column {number}", column.len()));
    }
    let sample = |i: usize| {
        let fields =
            columns.iter().map(|(name, column)| (Cow::Borrowed(&**name), Value::Unsigned(column[i])));
        Sample::from_json(Value::Object(fields.collect())).map_err(|error| error.to_string())
    };
    (0..number).map(sample).collect()
}

/// A column of at most [`MAX_SAMPLES`] numbers.
#[derive(Deserialize)]
#[serde(transparent)]
struct Numbers(#[serde(deserialize_with = "bounded::list::<MAX_SAMPLES, _, _>")] Vec<u64>);

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: u64) -> Sample {
        Sample { iterations: i + 1, elapsed: u64::MAX - i, segments: 1, reference: i, round: i }
    }

    #[test]
    fn samples_round_trip_as_columns() {
        for number in [0, 1, 3] {
            let samples: Vec<Sample> = (0..number).map(sample).collect();
            let text = serde_json::to_string(&to_columns(&samples).unwrap()).unwrap();
            assert_eq!(read_samples(&text).unwrap(), samples, "{text}");
        }
        let text = serde_json::to_string(&to_columns(&[sample(0), sample(1)]).unwrap()).unwrap();
        assert!(text.contains(r#""elapsed":[18446744073709551615,18446744073709551614]"#), "{text}");
    }

    #[test]
    fn columns_of_later_versions_are_ignored() {
        let text = serde_json::to_string(&to_columns(&[sample(0)]).unwrap()).unwrap();
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
