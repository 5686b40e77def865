//! A measurement as it is stored: the samples of a launch as an object of columns rather than a list of
//! objects, which would say the name of each field again for each sample.
//!
//! Turns JSON values and names no field but `launches` and `samples`, so that what the model gains is stored,
//! and what a later version stored is passed over, without a change here.

use nanobench::model::Measurement;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) fn serialize<S: Serializer>(measurement: &Measurement, serializer: S) -> Result<S::Ok, S::Error> {
    let mut value = serde_json::to_value(measurement).map_err(S::Error::custom)?;
    turn_samples(&mut value, rows_to_columns).map_err(S::Error::custom)?;
    value.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
    let mut value = Value::deserialize(deserializer)?;
    turn_samples(&mut value, columns_to_rows).map_err(D::Error::custom)?;
    Measurement::deserialize(value).map_err(D::Error::custom)
}

/// Turns the samples of each launch. What isn't shaped like a measurement stays as it is, for serde to refuse.
fn turn_samples(measurement: &mut Value, turn: fn(Value) -> Result<Value, String>) -> Result<(), String> {
    let launches = measurement.get_mut("launches").and_then(Value::as_array_mut);
    for samples in launches.into_iter().flatten().filter_map(|launch| launch.get_mut("samples")) {
        *samples = turn(samples.take())?;
    }
    Ok(())
}

/// `[{"a": 1, "b": 2}, {"a": 3, "b": 4}]` -> `{"a": [1, 3], "b": [2, 4]}`
fn rows_to_columns(rows: Value) -> Result<Value, String> {
    let Value::Array(rows) = rows else { return Ok(rows) };
    let mut columns: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in rows {
        let Value::Object(row) = row else { return Err("a sample is not an object".to_owned()) };
        for (name, value) in row {
            columns.entry(name).or_default().push(value);
        }
    }
    Ok(columns.into_iter().map(|(name, column)| (name, Value::Array(column))).collect())
}

/// `{"a": [1, 3], "b": [2, 4]}` -> `[{"a": 1, "b": 2}, {"a": 3, "b": 4}]`
fn columns_to_rows(columns: Value) -> Result<Value, String> {
    let Value::Object(columns) = columns else {
        return Err("samples are not an object of columns".to_owned());
    };
    let mut rows: Option<Vec<Map<String, Value>>> = None;
    for (name, column) in columns {
        let Value::Array(column) = column else { return Err(format!("`{name}` is not a column of samples")) };
        let rows = rows.get_or_insert_with(|| vec![Map::new(); column.len()]);
        if rows.len() != column.len() {
            return Err(format!("`{name}` has {} samples, another column {}", column.len(), rows.len()));
        }
        for (row, value) in rows.iter_mut().zip(column) {
            row.insert(name.clone(), value);
        }
    }
    Ok(rows.unwrap_or_default().into_iter().map(Value::Object).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn turning_there_and_back_changes_nothing() {
        let rows = json!([{"a": 1, "b": 2}, {"a": 3, "b": u64::MAX}]);
        let columns = json!({"a": [1, 3], "b": [2, u64::MAX]});
        assert_eq!(rows_to_columns(rows.clone()), Ok(columns.clone()));
        assert_eq!(columns_to_rows(columns), Ok(rows));
        assert_eq!(rows_to_columns(json!([])), Ok(json!({})));
        assert_eq!(columns_to_rows(json!({})), Ok(json!([])));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for damaged in [json!({"a": [1], "b": []}), json!({"a": 1}), json!([{"a": 1}]), json!(null)] {
            assert!(columns_to_rows(damaged.clone()).is_err(), "{damaged}");
        }
    }
}
