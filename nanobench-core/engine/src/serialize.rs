//! The forms of figures in the documents of cargo-nanobench, for `#[serde(serialize_with = "..")]`.

use crate::stats::{Change, Interval};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::time::Duration;

impl From<Interval> for [f64; 2] {
    fn from(Interval { low, high }: Interval) -> [f64; 2] {
        [low, high]
    }
}

/// Writes a share, if it is known, in percent.
pub fn percent<S: Serializer>(
    share: &(impl Copy + Into<Option<f64>>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let share: Option<f64> = (*share).into();
    share.map(|share| share * 100.0).serialize(serializer)
}

/// Writes an interval of shares in percent.
pub fn percents<S: Serializer>(&Interval { low, high }: &Interval, serializer: S) -> Result<S::Ok, S::Error> {
    [low * 100.0, high * 100.0].serialize(serializer)
}

/// Writes the fields `change` and `interval`, in percent.
pub fn change<S: Serializer>(change: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    let known = change.known_interval().map(|known| [known.low * 100.0, known.high * 100.0]);
    let mut fields = serializer.serialize_struct("Change", 2)?;
    fields.serialize_field("change", &(change.estimate * 100.0))?;
    fields.serialize_field("interval", &known)?;
    fields.end()
}

/// Writes a time in seconds.
pub fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Writes the values of both sides of a comparison as `baseline` and `now`.
pub fn sides<T: Serialize, S: Serializer>(
    [baseline, now]: &[T; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut sides = serializer.serialize_struct("Sides", 2)?;
    sides.serialize_field("baseline", baseline)?;
    sides.serialize_field("now", now)?;
    sides.end()
}

/// Writes times of both sides in seconds.
pub fn sides_in_seconds<S: Serializer>(times: &[Duration; 2], serializer: S) -> Result<S::Ok, S::Error> {
    sides(&times.map(|time| time.as_secs_f64()), serializer)
}
