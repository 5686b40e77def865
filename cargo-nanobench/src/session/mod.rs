//! One harness process: started, greeted, asked, and ended, whatever its benchmarks do.

pub(crate) mod affinity;
mod connection;
mod listener;
mod process;

use crate::benchmark_id::TargetId;
use crate::cargo::Executable;
use connection::Connection;
pub(crate) use connection::Starting;
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};
use nanobench::model::RowId;
use nanobench::model::{ClockCalibration, Counts};
use nanobench::protocol::{
    self, CalibrateBenchmark, Conditions, CountBenchmark, Hello, List, Listing, Reply, Request,
    SampleBenchmark,
};
use std::io;
use std::time::{Duration, Instant};

/// A clock to measure with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timer {
    /// The operating system's monotonic clock.
    Os,
    /// The processor's counter: the time stamp counter or its counterpart.
    Tsc,
}

impl Timer {
    /// Returns the name for flags and the harness.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Timer::Os => "os",
            Timer::Tsc => "tsc",
        }
    }
}

/// How harness processes are treated.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionOptions {
    /// Longest time for one benchmark, and for a process to start.
    pub(crate) timeout: Duration,
    /// What benchmarks print goes to stderr instead of nowhere.
    pub(crate) nocapture: bool,
    /// The clock to measure with; without it the best there is.
    pub(crate) timer: Option<Timer>,
    /// Caches and threads for all benchmarks, whatever they say themselves.
    pub(crate) conditions: Conditions,
    /// The same for those that say nothing themselves.
    pub(crate) usual: Conditions,
    /// Names of the counters that are read.
    pub(crate) counters: Vec<String>,
}

impl SessionOptions {
    /// The order for a listing.
    fn list(&self) -> List {
        List {
            timer: self.timer.map(|timer| timer.name().to_owned()),
            conditions: Some(self.conditions.clone()),
            usual: Some(self.usual.clone()),
            counters: (!self.counters.is_empty()).then(|| self.counters.clone()),
            ..List::default()
        }
    }
}

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// The benchmark panicked. The process is as it was.
    #[error("failed: {0}")]
    Panicked(String),
    /// The process ended by itself.
    #[error("died: {0}")]
    Died(String),
    /// It took too long and was ended.
    #[error("stopped after {} s (--timeout)", .0.as_secs_f64())]
    TimedOut(Duration),
    /// Ctrl-C; the process was ended.
    #[error("interrupted")]
    Interrupted,
    /// Parent and child do not understand each other.
    #[error("failed: {0}")]
    Misunderstood(String),
}

impl RequestError {
    /// Whether the process is there for further requests.
    pub(crate) fn leaves_process(&self) -> bool {
        matches!(self, RequestError::Panicked(_))
    }

    /// Whether it was Ctrl-C.
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(self, RequestError::Interrupted)
    }
}

/// Why there is no session with an executable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The operating system would not start it.
    #[error("cannot start {path}: {error}")]
    Start { path: String, error: io::Error },
    /// The library in it is of another time than this tool.
    #[error(
        "{package} was built with nanobench-core {version}, which speaks protocol {protocol}; this is \
         cargo-nanobench {} with protocol {}\n{}",
        env!("CARGO_PKG_VERSION"), protocol::VERSION, remedy(*.protocol, .version)
    )]
    Protocol { package: String, protocol: u64, version: String },
    /// It can't do what it is asked for.
    #[error("{id}: {why}")]
    Unable { id: TargetId, why: String },
    /// It started and did not get as far as answering.
    #[error("{id} {reason}")]
    NoAnswer { id: TargetId, reason: RequestError },
}

/// Which of the two to update, and how.
fn remedy(protocol: u64, version: &str) -> String {
    if protocol > protocol::VERSION {
        format!("the tool is older: cargo install cargo-nanobench@{version}")
    } else {
        let here = env!("CARGO_PKG_VERSION");
        format!(
            "the library is older: cargo update -p nanobench-core, with nanobench-core = \"{here}\" in Cargo.toml"
        )
    }
}

impl Error {
    /// Whether it was Ctrl-C.
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(self, Error::NoAnswer { reason, .. } if reason.is_interruption())
    }
}

/// A harness process that answers.
#[derive(Debug)]
pub(crate) struct Session {
    connection: Connection,
    listing: Listing,
    version: String,
}

impl Session {
    /// Starts `executable` and asks what it holds.
    pub(crate) fn start(executable: &Executable, session_options: &SessionOptions) -> Result<Session, Error> {
        Session::begin(executable, session_options)?.finish(executable, session_options, None)
    }

    /// Starts `executable` and doesn't wait for it, so that several can start at once.
    pub(crate) fn begin(
        executable: &Executable,
        session_options: &SessionOptions,
    ) -> Result<Starting, Error> {
        Starting::begin(executable, session_options.timeout, session_options.nocapture)
            .map_err(|error| Error::Start { path: executable.path.display().to_string(), error })
    }

    /// What the process holds.
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Lets the process run on this core only. Whether that was possible.
    pub(crate) fn pin(&self, core: usize) -> bool {
        affinity::pin(self.connection.process(), core)
    }

    /// What the process has worked so far. `None` where that is not known.
    pub(crate) fn work(&self) -> Option<affinity::Work> {
        affinity::work(self.connection.process())
    }

    /// Version of `nanobench-core` in it.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns the index of a row in the listing.
    pub(crate) fn index_of(&self, row: &RowId) -> Option<u64> {
        let index = self.listing.benchmarks.iter().position(|benchmark| benchmark.id == *row)?;
        Some(index as u64)
    }

    /// The benchmark at `index` of the listing, as something to take samples of. It has `left` from now on.
    pub(crate) fn benchmark(&mut self, index: u64, left: Duration) -> Remote<'_> {
        Remote { connection: &mut self.connection, index, deadline: Instant::now() + left }
    }
}

/// The one benchmark that a process is started for.
#[derive(Debug, Clone)]
pub(crate) struct Only {
    pub(crate) row: RowId,
    /// What another process has found out about the clock.
    pub(crate) tuning: Option<ClockCalibration>,
}

impl Starting {
    /// Waits until the process of `executable` answers, and asks what it holds.
    pub(crate) fn finish(
        self,
        executable: &Executable,
        session_options: &SessionOptions,
        only: Option<Only>,
    ) -> Result<Session, Error> {
        let no_answer = |reason| Error::NoAnswer { id: executable.target_id(), reason };
        let mut connection = self
            .connect()
            .map_err(|error| Error::Start { path: executable.path.display().to_string(), error })?
            .map_err(no_answer)?;
        let deadline = connection.deadline();
        let greeting = Hello { protocol: protocol::VERSION, version: env!("CARGO_PKG_VERSION").to_owned() };
        let hello = match connection.ask(&Request::Hello(greeting), deadline).map_err(no_answer)? {
            Reply::Hello(hello) => hello,
            other => return Err(no_answer(unexpected(&other))),
        };
        if hello.protocol != protocol::VERSION {
            let package = executable.package.name.clone();
            return Err(Error::Protocol { package, protocol: hello.protocol, version: hello.version });
        }
        let (only, tuning) = only.map(|only| (only.row, only.tuning)).unzip();
        let list = List { only, tuning: tuning.flatten(), ..session_options.list() };
        match connection.ask(&Request::List(list), deadline) {
            Ok(Reply::Listing(listing)) => Ok(Session { connection, listing, version: hello.version }),
            Ok(other) => Err(no_answer(unexpected(&other))),
            Err(RequestError::Misunderstood(why)) => Err(Error::Unable { id: executable.target_id(), why }),
            Err(stopped) => Err(no_answer(stopped)),
        }
    }
}

fn unexpected(reply: &Reply) -> RequestError {
    RequestError::Misunderstood(format!("the harness answered something else: {reply:?}"))
}

/// One benchmark in a harness process.
#[derive(Debug)]
pub(crate) struct Remote<'a> {
    connection: &'a mut Connection,
    index: u64,
    deadline: Instant,
}

impl Remote<'_> {
    /// Orders samples, and doesn't wait for them: others may have orders, too, meanwhile.
    pub(crate) fn order(&mut self, order: &SampleRequest) -> Result<(), RequestError> {
        self.connection.send(&Request::Sample(SampleBenchmark { benchmark: self.index, order: *order }))
    }

    /// The samples that were ordered.
    pub(crate) fn taken(&mut self) -> Result<SampleBatch, RequestError> {
        match self.connection.receive(self.deadline)? {
            Reply::Samples(taken) => Ok(taken),
            other => Err(unexpected(&other)),
        }
    }

    /// Orders a calibration, and doesn't wait for it.
    pub(crate) fn order_calibration(&mut self, order: &CalibrationRequest) -> Result<(), RequestError> {
        let order = CalibrateBenchmark { benchmark: self.index, order: *order };
        self.connection.send(&Request::Calibrate(order))
    }

    /// What was found by the calibration that was ordered.
    pub(crate) fn calibrated(&mut self) -> Result<Calibration, RequestError> {
        match self.connection.receive(self.deadline)? {
            Reply::Calibrated(calibration) => Ok(calibration),
            other => Err(unexpected(&other)),
        }
    }

    /// Counts what so many calls do, which are not timed.
    pub(crate) fn count(
        &mut self,
        iterations: u64,
        count: u64,
        counters: &[String],
    ) -> Result<Counts, RequestError> {
        let order = CountBenchmark { benchmark: self.index, iterations, count, counters: counters.to_vec() };
        match self.connection.ask(&Request::Count(order), self.deadline)? {
            Reply::Counts(counted) => Ok(counted),
            other => Err(unexpected(&other)),
        }
    }
}

impl Sampler for Remote<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, order: &CalibrationRequest) -> Result<Calibration, RequestError> {
        self.order_calibration(order)?;
        self.calibrated()
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        let order = SampleBenchmark { benchmark: self.index, order: *request };
        match self.connection.ask(&Request::Sample(order), self.deadline)? {
            Reply::Samples(taken) => Ok(taken),
            other => Err(unexpected(&other)),
        }
    }
}
