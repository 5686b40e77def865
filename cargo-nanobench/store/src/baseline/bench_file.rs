//! The file that `Bench::save` of nanobench-core writes, as a baseline without executables.
//!
//! Anyone may have written it, so it is converted to a record, whose parser checks it.

use super::archive::ArchiveFlaw;
use super::format::{FormatError, RunRecord, StoredBenchmark};
use crate::benchmark_id::TargetId;
use crate::cargo::Kind;
use crate::environment::Environment;
use jiff::Timestamp;
use nanobench::json;
use nanobench::stored::{FORMAT, SavedBench, SavedResult};
use std::fs::File;
use std::io::{Read as _, Seek as _};

/// The limit for a file, which holds thousands of results. Its values take many times its size.
const MAX_BYTES: u64 = 16 << 20;

/// Reads the file of a `Bench`, and returns the name of its program. `None` for any other file,
/// which is then at its start.
pub(super) fn read(file: &mut File) -> Result<Option<(String, RunRecord)>, ArchiveFlaw> {
    let mut start = [0];
    let is_empty = file.read(&mut start)? == 0;
    file.rewind()?;
    // An archive starts with another byte.
    if is_empty || start != *b"{" {
        return Ok(None);
    }
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(ArchiveFlaw::LargeBenchFile(MAX_BYTES));
    }
    parse(&text).map(Some)
}

/// Parses the content of a file.
pub(super) fn parse(text: &str) -> Result<(String, RunRecord), ArchiveFlaw> {
    let saved: SavedBench =
        json::from_str(text).map_err(|error| ArchiveFlaw::BenchFile(error.to_string()))?;
    if saved.bench_format != FORMAT {
        return Err(ArchiveFlaw::NewerFormat);
    }
    let environment = environment(&saved);
    let SavedBench { program, created, results, .. } = saved;
    let benchmarks = results.into_iter().map(|result| stored(&program, result)).collect();
    let mut baseline = RunRecord::new(environment, Vec::new(), benchmarks);
    let created = i64::try_from(created).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    baseline.created = created.unwrap_or(baseline.created);
    let text = baseline.to_json().map_err(|error| ArchiveFlaw::BenchFile(error.to_string()))?;
    match RunRecord::parse(&text) {
        Ok(baseline) => Ok((program, baseline)),
        Err(FormatError::Damaged(reason)) => Err(ArchiveFlaw::Damaged(reason)),
        Err(FormatError::Newer { .. } | FormatError::Older) => Err(ArchiveFlaw::NewerFormat),
    }
}

/// Returns the properties that the file has. It doesn't name the system, which is this one if the
/// processor is.
fn environment(saved: &SavedBench) -> Environment {
    let here = Environment::this_machine();
    let cores = saved.cores.and_then(|cores| usize::try_from(cores).ok());
    let (cpu, arch) = (saved.cpu.clone(), Some(saved.arch.clone()));
    let os = here.os.filter(|_| cpu.is_some() && (&cpu, &arch) == (&here.cpu, &here.arch));
    let nanobench_core = Some(saved.nanobench_core.clone());
    Environment { cpu, cores, os, arch, nanobench_core, ..Environment::default() }
}

/// Returns a result as that of a benchmark: the program is its package, and the title its target.
fn stored(program: &str, result: SavedResult) -> StoredBenchmark {
    let SavedResult { title, benchmark, measurement } = result;
    StoredBenchmark {
        target: TargetId { package: program.to_owned(), kind: Kind::Bench, name: title },
        executable: None,
        earlier_run: None,
        benchmark,
        timed_loop: None,
        comparison: None,
        measurement: measurement.into(),
    }
}
