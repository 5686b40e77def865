//! Exact counts of one warm call: instructions, branches and allocations, in total and by function.
//!
//! The harness executes marks around the segments of four samples: of an empty benchmark with one
//! iteration and with more, and of the benchmark with some iterations and with twice as many. A
//! [`Step`] counts the executions of each instruction between the marks, and the difference is that
//! of the calls alone (`call`).

mod call;
mod callgrind;
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
use call::Executions;
use nanobench::measure::CountRequest;
use nanobench::model::{CALLGRIND_MARKS, ClockCalibration, ClockInfo, Counts, RowId, STEP_MARKS};
use nanobench::protocol::List;
use objects::Objects;
use serde::Serialize;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// The counters of the processor that a [`Step`] counts as well.
const INSTRUCTIONS: &str = "instructions";
pub const BRANCHES: &str = "branches";

/// Returns whether a [`Step`] counts the events of this counter of the processor as well.
pub fn is_exact(counter: &str) -> bool {
    matches!(counter, INSTRUCTIONS | BRANCHES)
}

/// Returns the step that is tried first here. `None` if there is none.
pub fn first_step() -> Option<Step> {
    static FIRST: OnceLock<Option<Step>> = OnceLock::new();
    *FIRST.get_or_init(|| {
        let single_steps = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        single_steps.then(|| if callgrind::is_installed() { Step::Callgrind } else { Step::SingleSteps })
    })
}

/// Time for one benchmark. Instructions take up to a thousand times as long as usual.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Clock of processes that are not timed, so that they don't calibrate one.
const CLOCK: &str = "tsc";

/// A way to count the instructions between marks, in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Step {
    /// Valgrind's callgrind, which executes the process on a simulated processor.
    #[serde(rename = "callgrind")]
    Callgrind,
    /// The processor stops after each instruction.
    #[serde(rename = "single steps")]
    SingleSteps,
}

impl Step {
    /// All of them.
    pub const ALL: [Step; 2] = [Step::Callgrind, Step::SingleSteps];

    /// Returns the name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Step::Callgrind => "callgrind",
            Step::SingleSteps => "single steps",
        }
    }
}

/// The counts of one call. A benchmark whose calls differ has their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct CallCounts {
    pub step: Step,
    /// The `count` that the function gets.
    pub count: u64,
    /// Executed instructions outside of the kernel, without the loop around the calls.
    pub instructions: f64,
    /// The number of these that are jumps, calls or returns.
    pub branches: f64,
    /// New blocks of memory, by the calls of the C library's functions.
    pub allocations: f64,
    /// Blocks that grew or shrank.
    pub reallocations: f64,
    /// The C library allocates, resizes or frees blocks.
    pub uses_allocator: bool,
    /// The instructions of each function, without those of its callees, most of them first. A
    /// function that is inlined is part of another one.
    pub functions: Vec<FunctionCount>,
}

/// The instructions of a function in one call of the benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCount {
    pub function: CountedFunction,
    /// The number of times that it is called.
    pub calls: f64,
    pub instructions: f64,
}

/// A function whose instructions are counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedFunction {
    /// The benchmark, with all that is inlined into it: the instructions of the timed loop, less those of
    /// an empty benchmark.
    Benchmark,
    /// The demangled name without the hash.
    Named(String),
    /// Code without a symbol.
    Nameless,
}

/// The reason why a call can't be counted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("valgrind is not installed")]
    NoValgrind,
    #[error("single steps need Linux on x86-64")]
    NoSingleSteps,
    #[error("it executes more than {0} instructions")]
    TooMany(u64),
    #[error("it takes longer than {} s step by step", TIMEOUT.as_secs())]
    TooSlow,
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
pub struct Counted<'a> {
    pub executable: &'a Executable,
    pub row: &'a RowId,
    /// The `count` that the function gets.
    pub count: u64,
    /// The usual time of a call with this count, if it was measured.
    pub time: Option<Duration>,
}

/// Counts a call of each benchmark, by the first step that is able to count them all.
pub fn count_calls<const N: usize>(
    benchmarks: [Counted<'_>; N],
    session_options: &SessionOptions,
) -> Result<[CallCounts; N], NotCounted> {
    Counting::default().count(benchmarks, session_options)
}

/// The reason why each step can't count a call.
#[derive(Debug)]
pub struct NotCounted(Vec<(Step, Error)>);

impl fmt::Display for NotCounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> =
            self.0.iter().map(|(step, error)| format!("by {}: {error}", step.name())).collect();
        f.write_str(&reasons.join("; "))
    }
}

/// Counts many benchmarks. The process of an executable serves all of its benchmarks, but each one
/// that allocates gets a new one.
#[derive(Debug, Default)]
pub struct Counting(Vec<InstructionCounter>);

impl Counting {
    /// Counts a call of each benchmark, by the first step that is able to count them all.
    pub fn count<const N: usize>(
        &mut self,
        benchmarks: [Counted<'_>; N],
        session_options: &SessionOptions,
    ) -> Result<[CallCounts; N], NotCounted> {
        let mut reasons = Vec::new();
        for step in Step::ALL {
            let counts: Result<Vec<CallCounts>, Error> =
                benchmarks.iter().map(|benchmark| self.count_by(step, benchmark, session_options)).collect();
            match counts.map(<[CallCounts; N]>::try_from) {
                Ok(Ok(counts)) => return Ok(counts),
                Ok(Err(_)) => reasons.push((step, Error::Marks)),
                Err(error) => reasons.push((step, error)),
            }
        }
        Err(NotCounted(reasons))
    }

    fn count_by(
        &mut self,
        step: Step,
        &Counted { executable, row, count, time }: &Counted<'_>,
        session_options: &SessionOptions,
    ) -> Result<CallCounts, Error> {
        let is_same = |counter: &InstructionCounter| counter.step == step && counter.path == executable.path;
        // After an error, the process may be of no further use. One of a program that passes its benchmarks in
        // order serves one.
        if let Some(place) = self.0.iter().position(is_same) {
            let mut counter = self.0.swap_remove(place);
            let counts = counter.count(row, count, time)?;
            if !counts.uses_allocator {
                self.0.push(counter);
                return Ok(counts);
            }
            // The path through the allocator depends on the blocks that other benchmarks have left.
        }
        let mut counter = InstructionCounter::start(step, executable, row, session_options)?;
        let counts = counter.count(row, count, time)?;
        if !executable.passes_in_order() {
            self.0.push(counter);
        }
        Ok(counts)
    }
}

/// A process whose benchmarks are counted.
#[derive(Debug)]
struct InstructionCounter {
    step: Step,
    /// The path of its executable.
    path: PathBuf,
    session: Session,
    /// The folder to which callgrind writes.
    folder: tempfile::TempDir,
    objects: Objects,
}

impl InstructionCounter {
    /// Starts an executable for counting this row, and others if its program serves them.
    fn start(
        step: Step,
        executable: &Executable,
        row: &RowId,
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
        let clock = ClockInfo { name: CLOCK.into(), frequency: 1e9, resolution: 1.0, ..ClockInfo::default() };
        let clock_calibration = Some(ClockCalibration { clock, ..ClockCalibration::default() });
        let only = executable.passes_in_order().then(|| row.clone());
        let mut list = List { clock_calibration, only, ..options.list() };
        // Marks replace the counters, whose names would change the path through the allocator.
        for conditions in [&mut list.conditions, &mut list.default_conditions] {
            conditions.counters = None;
        }
        let session = starting.connect(list)?;
        Ok(InstructionCounter { step, path: executable.path, session, folder, objects: Objects::default() })
    }

    /// Counts a call of a benchmark that gets this `count`. `time`: its usual time.
    fn count(&mut self, row: &RowId, count: u64, time: Option<Duration>) -> Result<CallCounts, Error> {
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
        let (counts, segments) = self.segments(index, request, time)?;
        let executions = call::of_call(&segments, &counts, iterations)?;
        Ok(self.objects.summarize(self.step, count, &executions))
    }

    fn marks(&self) -> &'static str {
        match self.step {
            Step::Callgrind => CALLGRIND_MARKS,
            Step::SingleSteps => STEP_MARKS,
        }
    }

    /// Returns the executions between each pair of marks.
    fn segments(
        &mut self,
        index: u64,
        request: CountRequest,
        time: Option<Duration>,
    ) -> Result<(Counts, Vec<Executions>), Error> {
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
                let segments = single_steps::trace(process, limit.deadline, time, send)?;
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
