//! What `baseline.json` holds, and how it is read and written.
//!
//! Additions keep the format's number: readers ignore fields that they don't know, and a field that is added
//! is optional. What an older reader would misread raises [`FORMAT`]. `format` and `tool` stay where they are
//! in every format, so that each version can tell who wrote a file that it doesn't understand.
//!
//! The baseline's name isn't in here: it is the folder's, and stored nowhere else.

use super::Fingerprint;
use super::{columns, record, upgrade};
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::environment::Environment;
use jiff::Timestamp;
use nanobench::model::{BenchmarkSpec, Measurement};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::path::{Component, Path};

/// The format that this version writes, and the newest that it reads.
const FORMAT: u64 = 2;

/// A run that was kept. Benchmarks that failed aren't in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a baseline")]
pub(crate) struct Baseline {
    format: u64,
    /// The version of cargo-nanobench that wrote it.
    pub(crate) tool: String,
    /// When the run ended.
    pub(crate) created: Timestamp,
    /// What it was measured on and with.
    pub(crate) environment: Environment,
    /// It was imported from another machine: its executables aren't run here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) from_other_machine: bool,
    /// The runs that some of its benchmarks were kept from, as a last run keeps what a filter left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sittings: Vec<RunInfo>,
    /// What it was measured with, in the order of the build.
    pub(crate) executables: Vec<Executable>,
    /// In the order of the run.
    pub(crate) benchmarks: Vec<StoredBenchmark>,
}

/// An executable that is kept beside `baseline.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Executable {
    /// The package that it was built from.
    pub(crate) package: String,
    /// The target of that package.
    pub(crate) target: String,
    /// `lib`, `bin`, `bench`, `test` or `example`.
    pub(crate) kind: String,
    /// Its name in the baseline's folder of executables.
    pub(crate) file: FileName,
    /// In bytes.
    pub(crate) size: u64,
    /// Of its content: equal to another's exactly where the two are byte for byte the same.
    pub(crate) hash: Fingerprint,
}

/// Another run than the one that wrote a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunInfo {
    /// When it ended.
    pub(crate) created: Timestamp,
    /// What it was measured on and with.
    pub(crate) environment: Environment,
}

/// What was measured of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredBenchmark {
    /// The target that it was measured in.
    pub(crate) target: TargetId,
    /// Which of the baseline's executables it is in. One that is not among them is gone.
    pub(crate) executable: FileName,
    /// Which of the baseline's sittings it was measured in. None for the run that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sitting: Option<usize>,
    /// What the executable itself says of it, with the path that it knows it by.
    #[serde(with = "record")]
    pub(crate) benchmark: BenchmarkSpec,
    /// What each side of the comparison, of which it was the new one, showed beside itself, as a share. Where it was compared side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) noise_floor: Option<f64>,
    /// The raw samples.
    #[serde(with = "columns")]
    pub(crate) measurement: Measurement,
}

impl StoredBenchmark {
    /// Returns its identity in the workspace.
    pub(crate) fn id(&self) -> BenchmarkId {
        BenchmarkId { target: self.target.clone(), row: self.benchmark.id.clone() }
    }
}

/// The name of a file in a known folder: never a path that leads elsewhere, whatever a stored file says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct FileName(String);

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut components = Path::new(&name).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(only)), None)
                if only == name.as_str() && !name.contains(['/', '\\', ':']) =>
            {
                Ok(FileName(name))
            }
            _ => Err(format!("{name:?} is not a file's name")),
        }
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> String {
        name.0
    }
}

impl AsRef<Path> for FileName {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Whether figures can be computed: nothing is divided by what can't be.
fn is_sound(measurement: &Measurement) -> bool {
    let is_positive = |value: f64| value.is_finite() && value > 0.0;
    measurement.count > 0
        && measurement.unroll > 0
        && measurement.batch != Some(0)
        && measurement.counted.as_ref().is_none_or(|counted| counted.iterations > 0)
        && measurement.launches.iter().all(|launch| {
            is_positive(launch.clock.frequency)
                && launch.segment_cost.is_finite()
                && launch.empty_loop.is_finite()
                && launch.samples.iter().all(|sample| sample.iterations > 0)
        })
}

/// Why a text is no baseline of this version.
#[derive(Debug)]
pub(super) enum Fault {
    /// A later version of the tool wrote it, in a format that this one doesn't know.
    Newer { tool: Option<String> },
    /// It isn't what any version writes. Says line and column.
    Damaged(serde_json::Error),
}

/// What every format begins with.
#[derive(Deserialize)]
#[serde(expecting = "a baseline")]
struct Header {
    format: u64,
    tool: Option<String>,
}

impl Fault {
    /// Whether a text is of a format that this version doesn't know.
    pub(super) fn of_newer(text: &[u8]) -> Option<Fault> {
        let header = serde_json::from_slice::<Header>(text).ok();
        header.filter(|header| header.format > FORMAT).map(|header| Fault::Newer { tool: header.tool })
    }
}

impl Baseline {
    /// A run that ends now, by this version of the tool.
    pub(super) fn new(
        environment: Environment,
        executables: Vec<Executable>,
        benchmarks: Vec<StoredBenchmark>,
    ) -> Self {
        Baseline {
            format: FORMAT,
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            created: Timestamp::now(),
            environment,
            from_other_machine: false,
            sittings: Vec::new(),
            executables,
            benchmarks,
        }
    }

    /// Reads the content of a `baseline.json`.
    pub(super) fn parse(text: &[u8]) -> Result<Self, Fault> {
        let baseline: Self = serde_json::from_slice(text).or_else(|error| Self::parse_other(text, error))?;
        if baseline.format > FORMAT {
            return Err(Fault::Newer { tool: Some(baseline.tool) });
        }
        let sittings = baseline.sittings.len();
        let is_of_none =
            |benchmark: &StoredBenchmark| benchmark.sitting.is_some_and(|index| index >= sittings);
        let reason = baseline.benchmarks.iter().find_map(|benchmark| {
            let id = || benchmark.id().to_string();
            if !is_sound(&benchmark.measurement) {
                return Some(format!("the samples of {:?} can't have been measured", id()));
            }
            is_of_none(benchmark).then(|| format!("nobody measured {:?}", id()))
        });
        reason.map_or(Ok(baseline), |reason| Err(Fault::Damaged(serde::de::Error::custom(reason))))
    }

    /// Reads a text that `error` says is not of this format: it may be of an older one.
    fn parse_other(text: &[u8], error: serde_json::Error) -> Result<Self, Fault> {
        match serde_json::from_slice::<Header>(text) {
            Ok(Header { format, tool }) if format > FORMAT => Err(Fault::Newer { tool }),
            Ok(Header { format: 1, .. }) => match upgrade::from_format_1(text) {
                Some(upgraded) => serde_json::from_str(&upgraded).map_err(Fault::Damaged),
                None => Err(Fault::Damaged(error)),
            },
            _ => Err(Fault::Damaged(error)),
        }
    }

    /// The content of its `baseline.json`.
    pub(super) fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// The run that this benchmark of it was measured in.
    pub(crate) fn run_info(&self, benchmark: &StoredBenchmark) -> RunInfo {
        let other = benchmark.sitting.and_then(|index| self.sittings.get(index));
        let own = || RunInfo { created: self.created, environment: self.environment.clone() };
        other.cloned().unwrap_or_else(own)
    }

    /// When this benchmark of it was measured.
    pub(crate) fn measured_at(&self, benchmark: &StoredBenchmark) -> Timestamp {
        benchmark
            .sitting
            .and_then(|index| self.sittings.get(index))
            .map_or(self.created, |sitting| sitting.created)
    }

    /// What was measured of the benchmark with this id.
    pub(crate) fn benchmark(&self, id: &BenchmarkId) -> Option<&StoredBenchmark> {
        self.benchmarks.iter().find(|benchmark| benchmark.id() == *id)
    }
}
