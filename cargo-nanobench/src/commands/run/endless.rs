//! `--endless NAME`: one benchmark, called until Ctrl-C, for a profiler.

use super::build::build;
use super::options::RunOptions;
use crate::cargo::Project;
use crate::commands::error::Error;
use crate::deadline::TimeLimit;
use crate::exit::Exit;
use crate::experiment::{Suite, SuiteError, find_by_name};
use crate::session::{RequestError, Session};
use crate::{interrupt, output};
use nanobench::measure::{CalibrationRequest, Plan, SampleRequest, Sampler as _};
use nanobench::report::escape;
use std::time::Duration;

/// The length of a sample, in ns. Little time of the process passes between samples this long.
const SAMPLE_TIME: f64 = 100e6;

/// Runs the benchmark until Ctrl-C, and neither prints nor saves results.
pub(super) fn run(name: &str, options: &RunOptions, project: &Project) -> Result<Exit, Error> {
    let mut suite = build(options, project)?;
    let benchmark = find_by_name(&suite.benchmarks, &options.filter, name)?.clone();
    let (id, index) = (escape(&benchmark.id.to_string()), benchmark.harness);
    let plan = options.sampling.plan(&benchmark.spec);
    let timeout = options.session.timeout_of(&benchmark.spec);
    let row = benchmark.id.row.clone();
    suite.narrow(vec![benchmark]);
    let session = start(&mut suite, index)?;
    let row = session.index_of(&row).ok_or_else(|| Error::EndlessRowGone { id: id.clone() })?;
    output::note(&format!("running {id} endlessly in process {}: Ctrl-C ends it", session.process_id()));
    match sample_endlessly(session, row, &plan, timeout) {
        Err(error) if !error.is_interruption() => Err(Error::Endless { id, error }),
        _ => Ok(Exit::Success),
    }
}

fn start(suite: &mut Suite, harness: usize) -> Result<&mut Session, SuiteError> {
    suite.harnesses[harness].session().map_err(|error| SuiteError::Session(Box::new(error)))
}

fn sample_endlessly(
    session: &mut Session,
    row: u64,
    plan: &Plan,
    timeout: Duration,
) -> Result<(), RequestError> {
    let Plan { sample_time, iterations, warmup, .. } = *plan;
    let request =
        CalibrationRequest { sample_time: sample_time.max(SAMPLE_TIME), iterations, count: None, warmup };
    let found = session.benchmark(row, TimeLimit::new(timeout, Duration::ZERO)).calibrate(&request)?;
    for round in 0.. {
        if interrupt::requested() {
            break;
        }
        let request = SampleRequest {
            samples: 1,
            iterations: found.iterations,
            exact_iterations: iterations.is_some(),
            count: found.count,
            max_kept_results: found.max_kept_results,
            round,
            seed: 0,
            measure_waiting: false,
        };
        session.benchmark(row, TimeLimit::new(timeout, Duration::ZERO)).sample(&request)?;
    }
    Ok(())
}
