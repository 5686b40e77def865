//! Exact counts of one warm call: instructions, branches and allocations, in total and by function.
//!
//! The harness executes marks around the segments of four samples: of an empty benchmark with one
//! iteration and with more, and of the benchmark with some iterations and with twice as many. A
//! [`Step`] counts the executions of each instruction between the marks, and the difference is that
//! of the calls alone (`call`).

mod call;
mod callgrind;
mod executions;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod mappings;
mod objects;
#[cfg_attr(all(target_os = "linux", target_arch = "x86_64"), path = "single_steps.rs")]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), path = "no_single_steps.rs")]
mod single_steps;

use crate::cargo::Executable;
use crate::deadline::TimeLimit;
use crate::session::{self, RequestError, Session, SessionOptions};
use crate::tune::processes::with_fixed_layout;
use executions::Executions;
use nanobench::measure::CountRequest;
use nanobench::model::{CALLGRIND_MARKS, ClockCalibration, ClockInfo, Counts, RowId, STEP_MARKS};
use nanobench::protocol::List;
use objects::Objects;
use std::ffi::OsString;
use std::io;
use std::time::Duration;

/// Time for one benchmark. Instructions take up to a thousand times as long as usual.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Clock of processes that are not timed, so that they don't calibrate one.
const CLOCK: &str = "tsc";

/// A way to count the instructions between marks, in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Valgrind's callgrind, which executes the process on a simulated processor.
    Callgrind,
    /// The processor stops after each instruction.
    SingleSteps,
}

impl Step {
    /// All of them.
    pub(crate) const ALL: [Step; 2] = [Step::Callgrind, Step::SingleSteps];

    /// Returns the name for reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Step::Callgrind => "callgrind",
            Step::SingleSteps => "single steps",
        }
    }
}

/// The counts of one call. A benchmark whose calls differ has their mean.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallCounts {
    pub(crate) step: Step,
    /// Executed instructions outside of the kernel, without the loop around the calls.
    pub(crate) instructions: f64,
    /// Those of them that are jumps, calls or returns.
    pub(crate) branches: f64,
    /// New blocks of memory, by the calls of the C library's functions.
    pub(crate) allocations: f64,
    /// Blocks that grew or shrank.
    pub(crate) reallocations: f64,
    /// The instructions of each function, without those of its callees, most of them first. A
    /// function that is inlined is part of another one. The loop around the calls is one, too: it
    /// contains a benchmark that is inlined.
    pub(crate) functions: Vec<FunctionCount>,
}

/// The instructions of a function in one call of the benchmark.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionCount {
    /// The demangled name without the hash. `None` for code without a symbol.
    pub(crate) name: Option<String>,
    pub(crate) instructions: f64,
}

/// The reason why a call can't be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("valgrind is not installed")]
    NoValgrind,
    #[error("single steps need Linux on x86-64")]
    #[cfg_attr(all(target_os = "linux", target_arch = "x86_64"), expect(dead_code, reason = "other systems"))]
    NoSingleSteps,
    #[error("it executes more than {0} instructions")]
    TooMany(u64),
    #[error("the system refuses to execute it step by step: {0}")]
    Trace(io::Error),
    #[error("cannot read the counts of callgrind: {0}")]
    File(io::Error),
    #[error("the process did not execute its marks as expected")]
    Marks,
    #[error("it no longer exists")]
    RowGone,
    #[error("it has a clock of its own")]
    Manual,
    #[error(transparent)]
    Session(#[from] session::Error),
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// A benchmark whose call is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) executable: &'a Executable,
    pub(crate) row: &'a RowId,
    /// The `count` that the function gets.
    pub(crate) count: u64,
}

/// Counts a call of each benchmark, by the first step that is able to count them all. The error has
/// the reason why each step is not.
pub(crate) fn count_calls<const N: usize>(
    benchmarks: [Counted<'_>; N],
    session_options: &SessionOptions,
) -> Result<[CallCounts; N], Vec<(Step, Error)>> {
    let mut reasons = Vec::new();
    for step in Step::ALL {
        match count_by(step, &benchmarks, session_options) {
            Ok(counts) => return Ok(counts),
            Err(error) => reasons.push((step, error)),
        }
    }
    Err(reasons)
}

fn count_by<const N: usize>(
    step: Step,
    benchmarks: &[Counted<'_>; N],
    session_options: &SessionOptions,
) -> Result<[CallCounts; N], Error> {
    let mut counts = Vec::new();
    for Counted { executable, row, count } in benchmarks {
        counts.push(InstructionCounter::start(step, executable, session_options)?.count(row, *count)?);
    }
    counts.try_into().map_err(|_| Error::Marks)
}

/// A process whose benchmarks are counted.
#[derive(Debug)]
pub(crate) struct InstructionCounter {
    step: Step,
    session: Session,
    /// The folder to which callgrind writes.
    folder: tempfile::TempDir,
    objects: Objects,
}

impl InstructionCounter {
    /// Starts an executable for counting.
    pub(crate) fn start(
        step: Step,
        executable: &Executable,
        session_options: &SessionOptions,
    ) -> Result<InstructionCounter, Error> {
        let folder = tempfile::tempdir().map_err(Error::File)?;
        let wrapper = match step {
            Step::Callgrind => callgrind::command(folder.path())?,
            Step::SingleSteps => Vec::new(),
        };
        let mut executable = executable.clone();
        executable.environment.push((OsString::from("GLIBC_TUNABLES"), TUNABLES.into()));
        let options = SessionOptions { wrapper, ..session_options.clone() };
        let starting = with_fixed_layout(|| Session::spawn(&executable, &options))?;
        let clock = ClockInfo { name: CLOCK.into(), frequency: 1e9, resolution: 1.0, read_cost: 0.0 };
        let clock_calibration = Some(ClockCalibration { clock, ..ClockCalibration::default() });
        let session = starting.connect(List { clock_calibration, ..options.list() })?;
        Ok(InstructionCounter { step, session, folder, objects: Objects::default() })
    }

    /// Counts a call of a benchmark that gets this `count`.
    pub(crate) fn count(&mut self, row: &RowId, count: u64) -> Result<CallCounts, Error> {
        let index = self.session.index_of(row).ok_or(Error::RowGone)?;
        let iterations = 1;
        let request = CountRequest {
            iterations,
            count,
            samples: 1,
            sample_iterations: iterations,
            max_kept_results: 1,
            counters: vec![self.marks().to_owned()],
        };
        let (counts, segments) = self.segments(index, request)?;
        let executions = call::of_call(&segments, &counts, iterations)?;
        Ok(self.objects.summarize(self.step, &executions))
    }

    fn marks(&self) -> &'static str {
        match self.step {
            Step::Callgrind => CALLGRIND_MARKS,
            Step::SingleSteps => STEP_MARKS,
        }
    }

    /// Returns the executions between each pair of marks.
    fn segments(&mut self, index: u64, request: CountRequest) -> Result<(Counts, Vec<Executions>), Error> {
        let process = self.session.process_id();
        let limit = TimeLimit::new(TIMEOUT, Duration::ZERO);
        let mut remote = self.session.benchmark(index, limit);
        match self.step {
            Step::Callgrind => {
                let counts = remote.count(request)?;
                Ok((counts, callgrind::segments(self.folder.path())?))
            }
            Step::SingleSteps => {
                let send = || remote.request_counts(request);
                let segments = single_steps::trace(process, limit.deadline, send)?;
                Ok((remote.receive_counts()?, segments))
            }
        }
    }
}

/// Settings of the C library for processes that are counted. It chooses functions by the processor,
/// of which valgrind simulates less than there is. Repeated instructions count once or for each
/// repetition, depending on who counts.
const TUNABLES: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM,-RTM:\
     glibc.cpu.x86_rep_movsb_threshold=0x7fffffffffff:glibc.cpu.x86_rep_stosb_threshold=0x7fffffffffff";
