//! The JSON of nanobench-core, beside `serde_json`.

use nanobench::json::{self, Value};
use serde_json::Value as Other;

/// Both accept the same texts, with the same values, and writing a value loses nothing.
pub fn json(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let (ours, theirs) = (json::parse(text), serde_json::from_str::<Other>(text));
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert!(is_same(ours, theirs), "{ours:?} is not {theirs:?}");
            let written = ours.to_string();
            let again = json::parse(&written).expect("what was written can be read");
            // A number that is not finite is written as null.
            assert!(again == *ours || written.contains("null"), "{written} is not {text}");
            assert!(serde_json::from_str::<Other>(&written).is_ok(), "{written}");
        }
        (Err(_), Err(_)) => {}
        // Ours also has a limit of levels, which is not quite at the same level, and reads numbers
        // that are too large as infinite.
        (Ok(_), Err(reason)) if reason.to_string().contains("number out of range") => {}
        (Ok(_), Err(reason)) if reason.to_string().contains("recursion limit") => {}
        (Err(reason), Ok(_)) if reason.to_string().contains("too many levels") => {}
        _ => panic!("{ours:?}, but serde_json: {theirs:?}"),
    }
}

fn is_same(ours: &Value<'_>, theirs: &Other) -> bool {
    match (ours, theirs) {
        (Value::Null, Other::Null) => true,
        (Value::Bool(a), Other::Bool(b)) => a == b,
        (Value::Unsigned(a), Other::Number(b)) => b.as_u64() == Some(*a),
        (Value::Negative(a), Other::Number(b)) => b.as_i64() == Some(*a),
        // Without the feature `float_roundtrip`, serde_json may miss the nearest number.
        (Value::Float(a), Other::Number(b)) => {
            b.as_f64().is_some_and(|b| *a == b || ((a - b) / b).abs() < 1e-14 || b.abs() < 1e-290)
        }
        (Value::Text(a), Other::String(b)) => a == b,
        (Value::Array(a), Other::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        // The last of several members of one name counts for serde_json.
        (Value::Object(a), Other::Object(b)) => b.iter().all(|(name, value)| {
            a.iter().rev().find(|(key, _)| key == name).is_some_and(|(_, a)| is_same(a, value))
        }),
        _ => false,
    }
}
