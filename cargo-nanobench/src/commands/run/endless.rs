//! One benchmark, called until Ctrl-C or the end of its profiler: `profile ID`, `--endless NAME`.

use super::build::build;
use super::options::SuiteOptions;
use super::profiler::{Profiler, RunningProfiler};
use crate::cargo::Project;
use crate::commands::error::Error;
use crate::deadline::TimeLimit;
use crate::exit::Exit;
use crate::experiment::{Sampling, Suite, SuiteError, find_by_name};
use crate::session::{RequestError, Session};
use crate::{interrupt, output};
use nanobench::measure::{CalibrationRequest, Plan, SampleRequest, Sampler as _};
use nanobench::report::escape;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::time::Duration;

/// The length of a sample, in ns. Little time of the process passes between samples this long.
const SAMPLE_TIME: f64 = 100e6;

/// Runs the benchmark until Ctrl-C or the end of the profiler, and neither prints nor saves results.
pub(in crate::commands) fn run(
    name: &str,
    options: &SuiteOptions,
    sampling: &Sampling,
    project: &Project,
    profiler: &Profiler,
) -> Result<Exit, Error> {
    let mut suite = build(options, project)?;
    let benchmark = find_by_name(&suite.benchmarks, &options.filter, name)?.clone();
    let id = escape(&benchmark.id.to_string());
    let plan = sampling.plan(&benchmark.spec);
    let timeout = options.session.timeout_of(&benchmark.spec);
    let row = benchmark.id.row.clone();
    suite.narrow(vec![benchmark]);
    // Only its harness is left.
    let index = 0;
    if let Profiler::Around(command) = profiler {
        let harness = &mut suite.harnesses[index];
        harness.end_session();
        harness.session_options.wrapper = command.clone();
        harness.session_options.nocapture = true;
    }
    let session = start(&mut suite, index).map_err(|error| match (profiler, &error) {
        (Profiler::Around(command), SuiteError::Session(session)) if session.is_missing_program() => {
            Error::Profiler(not_found(command))
        }
        (Profiler::Around(_), _) => Error::Profiler(format!(
            "the profiler didn't run the benchmark's process ({error}); if it attaches to a running \
             process, its arguments need {{pid}}"
        )),
        (Profiler::None | Profiler::Attached(_), _) => error.into(),
    })?;
    let row = session.index_of(&row).ok_or_else(|| Error::EndlessRowGone { id: id.clone() })?;
    output::note(&format!("process {} runs {id} until Ctrl-C", session.process_id()));
    let mut running = None;
    let mut failure = None;
    let mut is_over = |process| {
        if let (Profiler::Attached(command), None) = (profiler, &running) {
            match RunningProfiler::start(command, process) {
                Ok(started) => running = Some(started),
                Err(error) if error.kind() == ErrorKind::NotFound => failure = Some(not_found(command)),
                Err(error) => failure = Some(format!("cannot start the profiler: {error}")),
            }
        }
        failure.is_some()
            || interrupt::requested()
            || running.as_mut().is_some_and(RunningProfiler::has_ended)
    };
    let sampled = sample_endlessly(session, row, &plan, timeout, &mut is_over);
    // A profiler ends with the process.
    suite.end_sessions();
    let has_succeeded = running.is_none_or(RunningProfiler::finish);
    match (sampled, failure) {
        (Err(error), _) if !error.is_interruption() => Err(Error::Endless { id, error }),
        (_, Some(error)) => Err(Error::Profiler(error)),
        _ if !has_succeeded => Err(Error::Profiler("the profiler failed".to_owned())),
        _ => Ok(Exit::Success),
    }
}

/// Returns the error of a profiler whose program doesn't exist.
fn not_found(command: &[OsString]) -> String {
    let program = command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
    format!("the profiler `{}` is not installed, or not in PATH", escape(&program))
}

fn start(suite: &mut Suite, harness: usize) -> Result<&mut Session, SuiteError> {
    suite.harnesses[harness].session().map_err(|error| SuiteError::Session(Box::new(error)))
}

fn sample_endlessly(
    session: &mut Session,
    row: u64,
    plan: &Plan,
    timeout: Duration,
    is_over: &mut dyn FnMut(u32) -> bool,
) -> Result<(), RequestError> {
    let Plan { sample_time, iterations, warmup, .. } = *plan;
    let request =
        CalibrationRequest { sample_time: sample_time.max(SAMPLE_TIME), iterations, count: None, warmup };
    let found = session.benchmark(row, TimeLimit::new(timeout, Duration::ZERO)).calibrate(&request)?;
    for round in 0.. {
        if is_over(session.process_id()) {
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
