//! The stored form of a measurement. The samples of a launch are an object of columns instead of a
//! list of objects, which would repeat the field names for each sample.
//!
//! Everything but the samples is read and written as the model does it. So new fields of the model
//! are stored, and fields of later versions are ignored, without a change here. There may be a
//! million samples, so they never exist as a tree of JSON values.

use super::record;
use crate::environment::bounded;
use nanobench::model::{Launch, Measurement, Sample};
use serde::{Deserialize, Serialize};

/// The largest number of samples of a launch, far above that of any run.
const MAX_SAMPLES: usize = 4 << 20;

/// A measurement whose launches are apart.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredForm {
    #[serde(with = "record")]
    figures: Measurement,
    launches: Vec<StoredLaunch>,
}

/// A launch whose samples are apart.
#[derive(Serialize, Deserialize)]
struct StoredLaunch {
    #[serde(with = "record")]
    launch: Launch,
    samples: Columns,
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

impl From<&Measurement> for StoredForm {
    fn from(measurement: &Measurement) -> StoredForm {
        let launch = |launch: &Launch| StoredLaunch {
            samples: launch.samples.as_slice().into(),
            launch: Launch { samples: Vec::new(), ..launch.clone() },
        };
        let launches = measurement.launches.iter().map(launch).collect();
        StoredForm { figures: Measurement { launches: Vec::new(), ..measurement.clone() }, launches }
    }
}

impl TryFrom<StoredForm> for Measurement {
    type Error = String;

    fn try_from(StoredForm { figures, launches }: StoredForm) -> Result<Self, String> {
        let launch =
            |StoredLaunch { launch, samples }| Ok(Launch { samples: Vec::try_from(samples)?, ..launch });
        let launches = launches.into_iter().map(launch).collect::<Result<_, String>>()?;
        Ok(Measurement { launches, ..figures })
    }
}

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
