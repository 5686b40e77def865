//! One benchmark, called until Ctrl-C or the end of its profiler: `profile ID`.

use super::build::build;
use super::options::SuiteOptions;
use super::profiler::{Profiler, RunningProfiler};
use crate::cargo::Project;
use crate::commands::error::Error;
use crate::deadline::TimeLimit;
use crate::exit::Exit;
use crate::experiment::{Sampling, SuiteError, find_by_name};
use crate::session::{RemoteBenchmark, RequestError, Session};
use crate::{interrupt, output};
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};
use nanobench::report::escape;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::time::Duration;

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
    let session = suite.harnesses[index].session().map_err(|error| match profiler {
        Profiler::Around(command) if error.is_missing_program() => Error::Profiler(not_found(command)),
        Profiler::Around(_) => Error::Profiler(format!(
            "the profiler didn't run the benchmark's process ({error}); if it attaches to a running \
             process, its arguments need {{pid}}"
        )),
        Profiler::None | Profiler::Attached(_) => SuiteError::Session(Box::new(error)).into(),
    })?;
    let row = session.index_of(&row).ok_or_else(|| Error::EndlessRowGone { id: id.clone() })?;
    let process = session.process_id();
    output::note(&format!("process {process} runs {id} until Ctrl-C"));
    let mut running = None;
    let mut failure = None;
    let mut is_over = || {
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
    let sampled = plan.sample_until(&mut Unlimited { session, row, timeout }, &mut is_over);
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

/// A benchmark of a session, of which only each request has a time limit.
struct Unlimited<'a> {
    session: &'a mut Session,
    row: u64,
    timeout: Duration,
}

impl Unlimited<'_> {
    fn benchmark(&mut self) -> RemoteBenchmark<'_> {
        self.session.benchmark(self.row, TimeLimit::new(self.timeout, Duration::ZERO))
    }
}

impl Sampler for Unlimited<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, RequestError> {
        self.benchmark().calibrate(request)
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        self.benchmark().sample(request)
    }
}
