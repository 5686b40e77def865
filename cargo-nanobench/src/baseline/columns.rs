//! The stored form of a measurement. The samples of a launch are an object of columns instead of a
//! list of objects, which would repeat the field names for each sample.
//!
//! The code transposes JSON values and knows no fields but `launches` and `samples`. So new fields
//! of the model are stored, and fields of later versions are ignored, without a change here.

use super::record;
use nanobench::json::{self, Json as _, Object, Value};
use nanobench::model::Measurement;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserializer, Serializer};
use std::borrow::Cow;

pub(super) fn serialize<S: Serializer>(measurement: &Measurement, serializer: S) -> Result<S::Ok, S::Error> {
    let mut value = measurement.to_json();
    transpose_samples(&mut value, rows_to_columns).map_err(S::Error::custom)?;
    record::write(&value, serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
    let mut value = json::parse(record::text(deserializer)?).map_err(D::Error::custom)?;
    transpose_samples(&mut value, columns_to_rows).map_err(D::Error::custom)?;
    Measurement::from_json(value).map_err(D::Error::custom)
}

/// Transposes the samples of each launch. A value of another shape is left as it is: the model
/// reports it.
fn transpose_samples<'a>(
    measurement: &mut Value<'a>,
    transpose: fn(Value<'a>) -> Result<Value<'a>, String>,
) -> Result<(), String> {
    let Some(Value::Array(launches)) = measurement.get_mut("launches") else { return Ok(()) };
    for samples in launches.iter_mut().filter_map(|launch| launch.get_mut("samples")) {
        *samples = transpose(samples.take())?;
    }
    Ok(())
}

/// `[{"a": 1, "b": 2}, {"a": 3, "b": 4}]` -> `{"a": [1, 3], "b": [2, 4]}`
fn rows_to_columns(rows: Value<'_>) -> Result<Value<'_>, String> {
    let Value::Array(rows) = rows else { return Ok(rows) };
    let mut columns: Vec<(Cow<'_, str>, Vec<Value<'_>>)> = Vec::new();
    for row in rows {
        let Value::Object(row) = row else { return Err("a sample is not an object".to_owned()) };
        for (name, value) in row {
            match columns.iter_mut().find(|(column, _)| *column == name) {
                Some((_, column)) => column.push(value),
                None => columns.push((name, vec![value])),
            }
        }
    }
    Ok(Value::Object(columns.into_iter().map(|(name, column)| (name, Value::Array(column))).collect()))
}

/// `{"a": [1, 3], "b": [2, 4]}` -> `[{"a": 1, "b": 2}, {"a": 3, "b": 4}]`
fn columns_to_rows(columns: Value<'_>) -> Result<Value<'_>, String> {
    let Value::Object(columns) = columns else {
        return Err("samples are not an object of columns".to_owned());
    };
    let mut rows: Option<Vec<Object<'_>>> = None;
    for (name, column) in columns {
        let Value::Array(column) = column else { return Err(format!("`{name}` is not a column of samples")) };
        let rows = rows.get_or_insert_with(|| vec![Object::new(); column.len()]);
        if rows.len() != column.len() {
            return Err(format!("`{name}` has {} samples, another column {}", column.len(), rows.len()));
        }
        for (row, value) in rows.iter_mut().zip(column) {
            row.push((name.clone(), value));
        }
    }
    Ok(Value::Array(rows.unwrap_or_default().into_iter().map(Value::Object).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value<'_> {
        json::parse(text).unwrap()
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let rows = json(r#"[{"a": 1, "b": 2}, {"a": 3, "b": 18446744073709551615}]"#);
        let columns = json(r#"{"a": [1, 3], "b": [2, 18446744073709551615]}"#);
        assert_eq!(rows_to_columns(rows.clone()), Ok(columns.clone()));
        assert_eq!(columns_to_rows(columns), Ok(rows));
        assert_eq!(rows_to_columns(json("[]")), Ok(json("{}")));
        assert_eq!(columns_to_rows(json("{}")), Ok(json("[]")));
    }

    #[test]
    fn other_shapes_are_errors() {
        for damaged in [r#"{"a": [1], "b": []}"#, r#"{"a": 1}"#, r#"[{"a": 1}]"#, "null"] {
            assert!(columns_to_rows(json(damaged)).is_err(), "{damaged}");
        }
    }
}
