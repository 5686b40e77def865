//! Comparison with `serde_json` on generated texts.

use crate::json::{self, Value, from_str, to_string};
use crate::rng::Rng;
use std::borrow::Cow;

/// Returns a random value with at most `levels` levels.
fn value(rng: &mut Rng, levels: u32) -> Value<'static> {
    let deeper = |rng: &mut Rng| value(rng, levels - 1);
    match rng.bounded(if levels > 0 { 8 } else { 6 }) {
        0 => Value::Null,
        1 => Value::Bool(rng.bounded(2) == 0),
        2 => Value::Unsigned(rng.next_u64() >> rng.bounded(64)),
        3 => Value::Negative(-1 - i64::try_from(rng.next_u64() >> (1 + rng.bounded(63))).unwrap()),
        4 => Value::Float(float(rng)),
        5 => Value::Text(Cow::Owned(text(rng))),
        6 => Value::Array((0..rng.bounded(5)).map(|_| deeper(rng)).collect()),
        // Names differ, because serde_json keeps only one member of each name.
        _ => Value::Object(
            (0..rng.bounded(5)).map(|i| (Cow::Owned(format!("{}{i}", text(rng))), deeper(rng))).collect(),
        ),
    }
}

/// Returns a random finite number, with any exponent or with a few digits.
fn float(rng: &mut Rng) -> f64 {
    let any = f64::from_bits(rng.next_u64());
    let few = f64::from(rng.bounded(100_000)) / 1e3;
    if any.is_finite() && rng.bounded(2) == 0 { any } else { few }
}

fn text(rng: &mut Rng) -> String {
    let ranges = [0x80, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000];
    let range = ranges[rng.bounded(ranges.len() as u32) as usize];
    (0..rng.bounded(8)).filter_map(|_| char::from_u32(rng.bounded(range))).collect()
}

/// Returns whether the values are equal. Floats may differ a little, because `serde_json` doesn't
/// read each exactly.
fn is_equal(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(ours), serde_json::Value::Bool(theirs)) => ours == theirs,
        (Value::Unsigned(ours), serde_json::Value::Number(theirs)) => theirs.as_u64() == Some(*ours),
        (Value::Negative(ours), serde_json::Value::Number(theirs)) => theirs.as_i64() == Some(*ours),
        (Value::Float(ours), serde_json::Value::Number(theirs)) => {
            let parsed = theirs.as_f64().filter(|_| theirs.is_f64());
            parsed.is_some_and(|theirs| (theirs - ours).abs() <= ours.abs() * 1e-15)
        }
        (Value::Text(ours), serde_json::Value::String(theirs)) => ours == theirs,
        (Value::Array(ours), serde_json::Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_equal(ours, theirs))
        }
        (Value::Object(ours), serde_json::Value::Object(theirs)) => {
            let has_member =
                |name: &str, value| theirs.get(name).is_some_and(|theirs| is_equal(value, theirs));
            ours.len() == theirs.len() && ours.iter().all(|(name, value)| has_member(name, value))
        }
        _ => false,
    }
}

#[test]
fn serde_json_reads_our_texts() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..20_000 {
        let value = value(&mut rng, 4);
        let text = value.to_string();
        let theirs = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(is_equal(&value, &theirs), "{text}");
        assert_eq!(json::parse(&text), Ok(value), "{text}");
    }
}

#[test]
fn texts_of_serde_json_are_read() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..5_000 {
        let value = value(&mut rng, 4);
        let theirs: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
        for text in [serde_json::to_string(&theirs).unwrap(), serde_json::to_string_pretty(&theirs).unwrap()]
        {
            let ours = json::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(is_equal(&ours, &theirs), "{text}");
        }
    }
}

#[test]
fn floats_of_serde_json_are_read_exactly() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..100_000 {
        let number = float(&mut rng);
        let text = serde_json::to_string(&number).unwrap();
        assert_eq!(from_str::<f64>(&text).map(f64::to_bits), Ok(number.to_bits()), "{text}");
        let text = to_string(&number);
        assert_eq!(from_str::<f64>(&text).map(f64::to_bits), Ok(number.to_bits()), "{text}");
    }
}

/// Bytes to put into a text.
const REPLACEMENTS: &[u8] = b"\"\\{}[],:0-.e u\n";

/// A change of one character may or may not make a text invalid.
#[test]
fn damaged_texts_are_errors_like_those_of_serde_json() {
    let mut rng = Rng::with_seed(4);
    let mut errors = 0;
    for _ in 0..30_000 {
        let mut text: Vec<char> = value(&mut rng, 3).to_string().chars().collect();
        let position = rng.bounded(text.len() as u32) as usize;
        let replacement = REPLACEMENTS[rng.bounded(REPLACEMENTS.len() as u32) as usize];
        match rng.bounded(3) {
            0 => drop(text.remove(position)),
            1 => text.insert(position, char::from(replacement)),
            _ => text[position] = char::from(replacement),
        }
        let text: String = text.into_iter().collect();
        let (ours, theirs) = (json::parse(&text), serde_json::from_str::<serde_json::Value>(&text));
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{text}: {ours:?}, {theirs:?}");
        errors += usize::from(ours.is_err());
    }
    assert!((1_000..29_000).contains(&errors), "the texts are not mixed: {errors} errors");
}
