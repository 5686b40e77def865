//! The record of a run, which the store never changes, with its parser and writer.
//!
//! Additions keep the format's number: readers ignore unknown fields, and a new field is optional.
//! A change that older readers would misread increments [`FORMAT`]. `format` and `tool` stay the
//! same in all formats, so that each version can report who wrote a file that it can't read.
//!
//! A record has no name: names point to records ([`pointer`](super::pointer)).

use super::executable::Executable;
use super::outside_files::OutsideFile;
use super::record;
use super::stored_measurement::StoredMeasurement;
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::earlier_comparison::EarlierComparison;
use crate::environment::{Difference, Environment, bounded};
use crate::limits::{FREQUENCIES, MAX_TICKS, MAX_TIME};
use jiff::Timestamp;
use machine_code::code::TimedLoop;
use memchr::memchr_iter;
use nanobench::model::{BenchmarkSpec, Measurement, Sample};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::io;

/// The format that this version writes, and the only one that it reads.
const FORMAT: u64 = 3;

/// The limit for a record, far above that of any suite. A larger one is not read.
pub(super) const MAX_JSON_BYTES: u64 = 128 << 20;
/// The limit for the number of commas in it, and so for its values: a value takes at least two
/// bytes there, but dozens in memory.
const MAX_COMMAS: usize = 16 << 20;
/// The limit for the number of benchmarks, each of which takes much more memory than text. Parsing
/// that many would take a test several seconds.
const MAX_BENCHMARKS: usize = if cfg!(test) { 1000 } else { 100_000 };
/// The limit for the list of executables and their libraries.
const MAX_EXECUTABLES_BYTES: usize = 8 << 20;
/// The limit for the number of runs that the results of a last run came from.
const MAX_RUNS: usize = 1 << 16;

/// A stored run, without failed benchmarks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a baseline")]
pub struct RunRecord {
    pub(super) format: u64,
    /// The version of cargo-nanobench that wrote it.
    pub tool: String,
    /// The time at which the run ended.
    pub created: Timestamp,
    /// The machine, the tools and the code that it was measured with.
    #[serde(deserialize_with = "bounded::value::<{ bounded::MAX_RECORD_BYTES }, _, _>")]
    pub environment: Environment,
    /// Set by this store, never by an imported file.
    #[serde(default)]
    pub origin: Origin,
    /// It was imported, and not certainly from the same kind of machine.
    #[serde(default)]
    pub from_other_machine: bool,
    /// It has only the benchmarks that flags selected, so others are not new.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
    /// Earlier runs whose results a last run keeps, for benchmarks that a filter left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(deserialize_with = "bounded::list::<MAX_RUNS, _, _>")]
    pub earlier_runs: Vec<RunInfo>,
    /// The executables that were measured, in the order of the build.
    #[serde(deserialize_with = "bounded::value::<MAX_EXECUTABLES_BYTES, _, _>")]
    pub executables: Vec<Executable>,
    /// The results, in the order in which a run of all targets lists them.
    #[serde(deserialize_with = "bounded::list::<MAX_BENCHMARKS, _, _>")]
    pub benchmarks: Vec<StoredBenchmark>,
}

/// The origin of a baseline, which decides if its executables may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A run in this target directory.
    #[default]
    Run,
    /// A file, whose executables the user wants to run.
    TrustedImport,
    /// A file. Nobody knows who wrote it, so its executables don't run. The same goes for an origin
    /// that only later versions know.
    #[serde(other)]
    Import,
}

/// A run in which stored results were measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The time at which it ended.
    pub created: Timestamp,
    /// The machine, the tools and the code that it was measured with.
    #[serde(deserialize_with = "bounded::value::<{ bounded::MAX_RECORD_BYTES }, _, _>")]
    pub environment: Environment,
}

/// The results of one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredBenchmark {
    /// The target that it was measured in.
    pub target: TargetId,
    /// The index of its executable. `None` if nobody has it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executable: Option<usize>,
    /// The index of the earlier run in which it was measured. `None` for the run that wrote the
    /// baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_run: Option<usize>,
    /// The executable's own description of it.
    #[serde(with = "record")]
    pub benchmark: BenchmarkSpec,
    /// The code in its timed loop, if it was so short that this was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed_loop: Option<TimedLoop>,
    /// The paired run in which it was the candidate.
    #[serde(
        rename = "paired_run",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "bounded::value::<{ bounded::MAX_RECORD_BYTES }, _, _>"
    )]
    pub comparison: Option<EarlierComparison>,
    /// The raw samples.
    pub measurement: StoredMeasurement,
}

impl StoredBenchmark {
    /// Returns its identity in the workspace.
    pub fn id(&self) -> BenchmarkId {
        BenchmarkId { target: self.target.clone(), row: self.benchmark.id.clone() }
    }
}

/// Returns whether figures can be computed: all divisors are valid.
fn is_sound(measurement: &Measurement) -> bool {
    let is_time = |value: f64| (-MAX_TIME..=MAX_TIME).contains(&value);
    let operations = measurement.count.checked_mul(measurement.unroll);
    let operations = operations.and_then(|operations| operations.checked_mul(measurement.batch.unwrap_or(1)));
    operations.is_some_and(|operations| operations > 0)
        && measurement.counts.as_ref().is_none_or(|counts| counts.iterations > 0)
        && measurement.launches.iter().all(|launch| {
            let clock = &launch.clock;
            // Costs are differences of two measurements, which may be negative.
            let times = [clock.read_cost, launch.segment_cost, launch.empty_loop];
            FREQUENCIES.contains(&clock.frequency)
                && (0.0..=MAX_TIME).contains(&clock.resolution)
                && times.into_iter().all(is_time)
                && launch.samples.iter().all(is_sound_sample)
        })
}

fn is_sound_sample(sample: &Sample) -> bool {
    let ticks = [sample.elapsed, sample.segments, sample.reference];
    sample.iterations > 0 && ticks.into_iter().all(|ticks| ticks <= MAX_TICKS)
}

/// The reason why a text can't be read as a baseline.
#[derive(Debug)]
pub enum FormatError {
    /// A later version of the tool wrote it in a newer format.
    Newer { tool: Option<String> },
    /// An earlier version of the tool wrote it in an older format.
    Older,
    /// No version writes such a text. The reason has line and column.
    Damaged(serde_json::Error),
}

/// The beginning of all formats.
#[derive(Deserialize)]
#[serde(expecting = "a baseline")]
struct Header {
    format: u64,
    tool: Option<String>,
}

/// Fails if a text isn't in the format of this version.
pub(super) fn check_format(text: &[u8]) -> Result<(), FormatError> {
    let Header { format, tool } = serde_json::from_slice(text).map_err(FormatError::Damaged)?;
    match format.cmp(&FORMAT) {
        Ordering::Less => Err(FormatError::Older),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(FormatError::Newer { tool }),
    }
}

/// Fails if a record is larger than any suite needs.
fn check_size(text: &[u8]) -> Result<(), String> {
    if text.len() as u64 > MAX_JSON_BYTES {
        return Err(format!("it has more than {MAX_JSON_BYTES} bytes; take fewer samples"));
    }
    let commas = memchr_iter(b',', text).count();
    if commas <= MAX_COMMAS {
        Ok(())
    } else {
        Err(format!("it has more than {MAX_COMMAS} values; take fewer samples"))
    }
}

impl RunRecord {
    /// Creates a run that ends now.
    pub(super) fn new(
        environment: Environment,
        executables: Vec<Executable>,
        benchmarks: Vec<StoredBenchmark>,
    ) -> Self {
        RunRecord {
            format: FORMAT,
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            created: Timestamp::now(),
            environment,
            origin: Origin::Run,
            from_other_machine: false,
            is_partial: false,
            earlier_runs: Vec::new(),
            executables,
            benchmarks,
        }
    }

    /// Parses a record.
    pub fn parse(text: &[u8]) -> Result<Self, FormatError> {
        let parsed = match check_size(text) {
            Ok(()) => serde_json::from_slice(text),
            Err(reason) => Err(serde::de::Error::custom(reason)),
        };
        // Another format may look like this one, or like no JSON that this version reads.
        if !parsed.as_ref().is_ok_and(|run: &RunRecord| run.format == FORMAT) {
            check_format(text)?;
        }
        let baseline = parsed.map_err(FormatError::Damaged)?;
        let lacks = |index: Option<usize>, number: usize| index.is_some_and(|index| index >= number);
        let reason = baseline.benchmarks.iter().find_map(|benchmark| {
            let id = || benchmark.id().to_string();
            if !is_sound(&benchmark.measurement) {
                Some(format!("the samples of {:?} are impossible", id()))
            } else if lacks(benchmark.earlier_run, baseline.earlier_runs.len()) {
                Some(format!("the run that measured {:?} is missing", id()))
            } else if lacks(benchmark.executable, baseline.executables.len()) {
                Some(format!("the executable of {:?} is missing", id()))
            } else {
                None
            }
        });
        reason.map_or(Ok(baseline), |reason| Err(FormatError::Damaged(serde::de::Error::custom(reason))))
    }

    /// Returns the text of the record.
    pub fn to_json(&self) -> io::Result<Vec<u8>> {
        let too_large = |reason| io::Error::new(io::ErrorKind::FileTooLarge, reason);
        if self.benchmarks.len() > MAX_BENCHMARKS {
            return Err(too_large(format!("it has more than {MAX_BENCHMARKS} benchmarks; filter them")));
        }
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        check_size(&text).map_err(too_large)?;
        Ok(text)
    }

    /// Returns whether its executables may run here.
    pub fn may_run(&self) -> bool {
        self.origin != Origin::Import
    }

    /// Returns the differences of an environment from this one.
    pub fn differences_of(&self, now: &Environment) -> Vec<Difference> {
        if self.is_imported() {
            now.differences_from_imported(&self.environment)
        } else {
            now.differences_from(&self.environment)
        }
    }

    /// Returns the files outside of its executables.
    pub(super) fn outside_files_mut(&mut self) -> impl Iterator<Item = &mut OutsideFile> {
        self.executables.iter_mut().flat_map(|executable| &mut executable.outside_files)
    }

    /// Returns the run with those of its benchmarks that pass the filter.
    pub(super) fn with_benchmarks(&self, filter: impl Fn(&StoredBenchmark) -> bool) -> RunRecord {
        let benchmarks = self.benchmarks.iter().filter(|stored| filter(stored)).cloned().collect();
        RunRecord { benchmarks, ..self.clone() }
    }

    /// Returns whether another record is of the same run, wherever each of them came from.
    pub(super) fn has_content_of(&self, other: &RunRecord) -> bool {
        let RunRecord { origin, from_other_machine, is_partial, .. } = *self;
        *self == RunRecord { origin, from_other_machine, is_partial, ..other.clone() }
    }

    /// Returns whether it was imported from a file.
    pub fn is_imported(&self) -> bool {
        self.origin != Origin::Run
    }

    /// Returns the executable of a benchmark, which may be gone.
    pub fn executable_of(&self, benchmark: &StoredBenchmark) -> Option<&Executable> {
        self.executables.get(benchmark.executable?)
    }

    /// Returns the run in which a benchmark was measured.
    pub fn run_info(&self, benchmark: &StoredBenchmark) -> RunInfo {
        let own = || RunInfo { created: self.created, environment: self.environment.clone() };
        self.earlier_run(benchmark).cloned().unwrap_or_else(own)
    }

    /// Returns the environment of the run in which a benchmark was measured.
    pub fn environment_of(&self, benchmark: &StoredBenchmark) -> &Environment {
        self.earlier_run(benchmark).map_or(&self.environment, |run| &run.environment)
    }

    /// Returns the end of the run in which a benchmark was measured.
    pub fn measured_at(&self, benchmark: &StoredBenchmark) -> Timestamp {
        self.earlier_run(benchmark).map_or(self.created, |run| run.created)
    }

    fn earlier_run(&self, benchmark: &StoredBenchmark) -> Option<&RunInfo> {
        self.earlier_runs.get(benchmark.earlier_run?)
    }
}
