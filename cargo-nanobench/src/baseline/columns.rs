//! A measurement as it is stored: the samples of a launch as an object of columns rather than a list of
//! objects, which would say the name of each field again for each sample.
//!
//! Turns JSON values and names no field but `launches` and `samples`, so that what the model gains is stored,
//! and what a later version stored is passed over, without a change here.

use super::record;
use nanobench::json::{Json as _, Object, Value};
use nanobench::model::Measurement;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserializer, Serializer};
use std::borrow::Cow;

pub(super) fn serialize<S: Serializer>(measurement: &Measurement, serializer: S) -> Result<S::Ok, S::Error> {
    let mut value = measurement.to_json();
    turn_samples(&mut value, rows_to_columns).map_err(S::Error::custom)?;
    record::write(&value, serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
    let mut value = Value::parse(record::text(deserializer)?).map_err(D::Error::custom)?;
    turn_samples(&mut value, columns_to_rows).map_err(D::Error::custom)?;
    Measurement::from_json(value).map_err(D::Error::custom)
}

/// Turns the samples of each launch. What isn't shaped like a measurement stays as it is, for the model to refuse.
fn turn_samples<'a>(
    measurement: &mut Value<'a>,
    turn: fn(Value<'a>) -> Result<Value<'a>, String>,
) -> Result<(), String> {
    let Some(Value::Array(launches)) = measurement.get_mut("launches") else { return Ok(()) };
    for samples in launches.iter_mut().filter_map(|launch| launch.get_mut("samples")) {
        *samples = turn(samples.take())?;
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
        Value::parse(text).unwrap()
    }

    #[test]
    fn turning_there_and_back_changes_nothing() {
        let rows = json(r#"[{"a": 1, "b": 2}, {"a": 3, "b": 18446744073709551615}]"#);
        let columns = json(r#"{"a": [1, 3], "b": [2, 18446744073709551615]}"#);
        assert_eq!(rows_to_columns(rows.clone()), Ok(columns.clone()));
        assert_eq!(columns_to_rows(columns), Ok(rows));
        assert_eq!(rows_to_columns(json("[]")), Ok(json("{}")));
        assert_eq!(columns_to_rows(json("{}")), Ok(json("[]")));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for damaged in [r#"{"a": [1], "b": []}"#, r#"{"a": 1}"#, r#"[{"a": 1}]"#, "null"] {
            assert!(columns_to_rows(json(damaged)).is_err(), "{damaged}");
        }
    }
}
