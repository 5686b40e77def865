//! Sessions with harness processes: start, greeting, requests and end, whatever the benchmarks do.

mod confirmation;
mod connection;
mod early;
mod error;
mod listener;
mod loaded_files;
mod process;
mod remote;
mod validation;

pub use early::EarlySessions;
pub use error::{Error, RequestError};
pub(crate) use process::Process;
pub use remote::RemoteBenchmark;
#[doc(hidden)]
pub use validation::check as check_reply;

use crate::benchmark_id::TargetId;
use crate::cargo::Executable;
use crate::deadline::TimeLimit;
use crate::tune::processes::with_fixed_layout;
use connection::{Connection, PendingConnection};
use nanobench::model::{BenchmarkSpec, ClockCalibration, ClockInfo, RowId};
use nanobench::protocol::{self, Conditions, Hello, List, Listing, Reply, Request, Timer};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The options of all sessions of a run.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// Maximum time of the start of a process, and of one benchmark.
    pub timeout: Duration,
    /// `timeout` overrides those of attributes.
    pub overrides_timeouts: bool,
    /// The output of benchmarks goes to stderr instead of being discarded.
    pub nocapture: bool,
    /// The clock to measure with, instead of the best one.
    pub timer: Option<Timer>,
    /// Caches, threads and counters for all benchmarks, overriding their attributes.
    pub conditions: Conditions,
    /// Caches, threads and counters for benchmarks whose attributes set none.
    pub default_conditions: Conditions,
    /// Allocations are not counted, even if the process is able to.
    pub ignores_allocations: bool,
    /// Processes that nothing is compared with have the same memory layout.
    pub fixed_layout: bool,
    /// The cores for processes that are bound to one. Empty for all that this process may use, in
    /// paired runs only.
    pub isolated_cores: Vec<usize>,
    /// The processes of a paired run live one at a time.
    pub one_at_a_time: bool,
    /// The program that runs the executables, with its arguments. Empty for none.
    pub wrapper: Vec<OsString>,
}

impl SessionOptions {
    /// Returns the maximum time of a benchmark.
    pub fn timeout_of(&self, benchmark: &BenchmarkSpec) -> Duration {
        let own = benchmark.timeout.filter(|_| !self.overrides_timeouts);
        own.map_or(self.timeout, Duration::from_nanos)
    }

    /// Returns the request for the listing of all benchmarks.
    pub fn list(&self) -> List {
        List {
            timer: self.timer,
            conditions: self.conditions.clone(),
            default_conditions: self.default_conditions.clone(),
            ..List::default()
        }
    }

    /// Returns the request for the listing of a process whose figures nobody needs: it doesn't
    /// calibrate its clock, unless that is the way to find out if there is the requested timer.
    pub fn unmeasured_list(&self) -> List {
        let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, ..ClockInfo::default() };
        let clock_calibration = ClockCalibration { clock, ..ClockCalibration::default() };
        List { clock_calibration: self.timer.is_none().then_some(clock_calibration), ..self.list() }
    }
}

/// A session with a harness process.
#[derive(Debug)]
pub struct Session {
    connection: Connection,
    /// Shared with the suite: that of 10,000 benchmarks takes megabytes.
    listing: Arc<Listing>,
    version: String,
    /// The files whose code the process had loaded before the first benchmark, if anybody asks for
    /// those that benchmarks open.
    loaded_first: BTreeSet<PathBuf>,
    /// The indices of the rows in the listing, once one is looked up.
    indices: OnceCell<HashMap<RowId, u64>>,
    order: Order,
    /// The listing was kept by an earlier command.
    is_kept: bool,
}

/// The order in which a process serves benchmarks.
#[derive(Debug, Clone, Copy)]
enum Order {
    Any,
    /// The program passes them in order, and this one is the first that it can still run. `None` if none was
    /// requested yet.
    From(Option<u64>),
    /// The program has passed all of them, to list them.
    Over,
}

/// A session whose process has started, but may not have connected.
#[derive(Debug)]
pub struct StartingSession<'a> {
    executable: &'a Executable,
    connection: PendingConnection,
    timeout: Duration,
    ignores_allocations: bool,
}

impl Session {
    /// Starts `executable` and requests the listing of its benchmarks. `meanwhile` is called between
    /// the two, while the process starts and times nothing, and may return the listing of a program that
    /// passes its benchmarks.
    pub fn start(
        executable: &Executable,
        session_options: &SessionOptions,
        meanwhile: impl FnOnce() -> Option<Arc<Listing>>,
    ) -> Result<Session, Error> {
        let starting = Session::spawn_in_layout(executable, session_options);
        let known = meanwhile();
        if !executable.passes_in_order() {
            return starting?.open(session_options);
        }
        if let Some(known) = known {
            return starting?.open_known(session_options, &known, true);
        }
        let listed = starting?.connect(session_options.unmeasured_list())?;
        Session::start_known(executable, session_options, &listed.listing)
    }

    /// Starts `executable`, whose benchmarks another process has listed if its program passes them in
    /// order.
    pub fn start_known(
        executable: &Executable,
        session_options: &SessionOptions,
        listing: &Arc<Listing>,
    ) -> Result<Session, Error> {
        if !executable.passes_in_order() {
            return Session::start(executable, session_options, || None);
        }
        Session::spawn_in_layout(executable, session_options)?.open_known(session_options, listing, false)
    }

    /// Starts `executable` without waiting for it, in the layout that the options demand.
    fn spawn_in_layout<'a>(
        executable: &'a Executable,
        session_options: &SessionOptions,
    ) -> Result<StartingSession<'a>, Error> {
        let spawn = || Session::spawn(executable, session_options);
        if session_options.fixed_layout { with_fixed_layout(spawn) } else { spawn() }
    }

    /// Starts `executable` without waiting for it, so that several processes can start at once.
    pub fn spawn<'a>(
        executable: &'a Executable,
        session_options: &SessionOptions,
    ) -> Result<StartingSession<'a>, Error> {
        let SessionOptions { timeout, nocapture, ignores_allocations, ref wrapper, .. } = *session_options;
        PendingConnection::spawn(executable, wrapper, nocapture)
            .map(|connection| StartingSession { executable, connection, timeout, ignores_allocations })
            .map_err(|error| {
                let program = wrapper.first().map_or(executable.path.as_os_str(), OsString::as_os_str);
                Error::Start { path: program.display().to_string(), error }
            })
    }

    /// Notes the files that the process has loaded so far.
    fn with_loaded_files(self) -> Session {
        Session { loaded_first: loaded_files::loaded_files(self.process_id()), ..self }
    }

    /// Returns the listing of the benchmarks.
    pub fn listing(&self) -> &Arc<Listing> {
        &self.listing
    }

    /// Returns the time of the code before the only benchmark of the process, if the program passes it.
    pub fn time_before(&self) -> Duration {
        Duration::from_nanos(self.listing.time_before.unwrap_or(0))
    }

    /// Returns whether an earlier command kept the listing.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Returns the process.
    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.connection.process
    }

    /// Returns the libraries that benchmarks have opened so far, if the system reports them and this
    /// process was started by [`Session::start`].
    pub fn opened_libraries(&self) -> BTreeSet<PathBuf> {
        if self.loaded_first.is_empty() {
            return BTreeSet::new();
        }
        &loaded_files::loaded_files(self.process_id()) - &self.loaded_first
    }

    /// Returns the id of the process.
    pub fn process_id(&self) -> u32 {
        self.connection.process.id()
    }

    /// Tells the process that there are no more requests, without waiting for its end, so that
    /// several processes can end at once.
    pub fn finish(&mut self) {
        self.connection.finish();
    }

    /// Waits until the process has torn down its benchmarks. It may still be exiting then, which
    /// dropping the session waits for.
    pub fn close(&mut self) {
        self.connection.close();
    }

    /// Returns the version of `nanobench-core` in the executable.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the index of a row in the listing.
    pub fn index_of(&self, row: &RowId) -> Option<u64> {
        let rows = || self.listing.benchmarks.iter().map(|benchmark| benchmark.id.clone());
        self.indices.get_or_init(|| rows().zip(0..).collect()).get(row).copied()
    }

    /// Returns whether the process can still run this row. Its program may have passed it.
    pub fn serves(&self, row: &RowId) -> bool {
        match self.order {
            Order::Any => true,
            Order::From(first) => {
                self.index_of(row).is_none_or(|index| first.is_none_or(|first| index >= first))
            }
            Order::Over => false,
        }
    }

    /// Returns whether the program passes benchmarks in order, and has served one.
    pub fn may_have_passed(&self) -> bool {
        matches!(self.order, Order::From(Some(_)))
    }

    /// Returns whether the process can run benchmarks, and not only list them.
    pub fn serves_benchmarks(&self) -> bool {
        !matches!(self.order, Order::Over)
    }

    /// Returns the benchmark at `index` of the listing. Its requests have to end within the limit.
    pub fn benchmark(&mut self, index: u64, limit: TimeLimit) -> RemoteBenchmark<'_> {
        if let Order::From(first) = &mut self.order {
            *first = Some(index);
        }
        RemoteBenchmark { connection: &mut self.connection, index, limit }
    }
}

/// A session whose process has connected, and was asked for the listing of its benchmarks.
#[derive(Debug)]
pub struct ListingSession<'a> {
    executable: &'a Executable,
    connection: Connection,
    version: String,
    limit: TimeLimit,
    ignores_allocations: bool,
    request: Requested,
}

/// The benchmarks that a listing was requested of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Requested {
    All,
    One,
    /// The benchmarks that the tool knows already.
    Known,
}

/// Returns the error for a process that doesn't answer.
fn no_answer(executable: &Executable, reason: RequestError) -> Error {
    Error::NoAnswer { id: Box::new(TargetId::from(executable)), reason }
}

impl<'a> StartingSession<'a> {
    /// Waits until the process connects, and for the listing of its benchmarks. Notes the files that it
    /// has loaded by then.
    pub fn open(self, session_options: &SessionOptions) -> Result<Session, Error> {
        Ok(self.connect(session_options.list())?.with_loaded_files())
    }

    /// Waits until the process connects, and goes on to benchmarks that another one has listed. `is_kept`:
    /// an earlier command kept that listing, so the process lists its benchmarks again at its end.
    fn open_known(
        self,
        session_options: &SessionOptions,
        listing: &Arc<Listing>,
        is_kept: bool,
    ) -> Result<Session, Error> {
        let known = listing.benchmarks.iter().map(|benchmark| benchmark.id.clone()).collect();
        let list = List { known: Some(known), lists_again: Some(is_kept), ..session_options.list() };
        let session = self.connect(list)?;
        let Listing { clock_calibration, traced, .. } = Listing::clone(&session.listing);
        let listing = Arc::new(Listing { clock_calibration, traced, ..Listing::clone(listing) });
        Ok(Session { listing, order: Order::From(None), is_kept, ..session.with_loaded_files() })
    }

    /// Ends the process, which has done nothing yet.
    fn discard(self) {
        self.connection.discard();
    }

    /// Waits until the process connects, and for the listing of its benchmarks.
    pub fn connect(self, list: List) -> Result<Session, Error> {
        self.request_listing(list)?.receive_listing()
    }

    /// Waits until the process connects, and requests the listing of its benchmarks, without waiting
    /// for it, so that several processes can list theirs at once.
    pub fn request_listing(self, list: List) -> Result<ListingSession<'a>, Error> {
        let StartingSession { executable, connection, timeout, ignores_allocations } = self;
        let no_answer = |reason| no_answer(executable, reason);
        let mut connection = connection
            .accept(timeout)
            .map_err(|error| Error::Start { path: executable.path.display().to_string(), error })?
            .map_err(no_answer)?;
        let limit = TimeLimit::new(timeout, Duration::ZERO);
        let hello = match connection.receive(limit).map_err(no_answer)? {
            Reply::Hello(hello) => hello,
            other => return Err(no_answer(unexpected(&other))),
        };
        let Hello { protocol, version } = hello;
        if !(protocol::OLDEST..=protocol::VERSION).contains(&protocol) {
            return Err(Error::Protocol { package: executable.package.name.clone(), protocol, version });
        }
        // A library refuses any other version than its own.
        let greeting = Hello { protocol, version: env!("CARGO_PKG_VERSION").to_owned() };
        connection.send(Request::Hello(greeting)).map_err(no_answer)?;
        let request = match &list {
            List { only: Some(_), .. } => Requested::One,
            List { known: Some(_), .. } => Requested::Known,
            _ => Requested::All,
        };
        connection.send(Request::List(list)).map_err(no_answer)?;
        Ok(ListingSession { executable, connection, version, limit, ignores_allocations, request })
    }
}

impl ListingSession<'_> {
    /// Waits for the listing.
    pub fn receive_listing(self) -> Result<Session, Error> {
        let ListingSession { executable, mut connection, version, limit, ignores_allocations, request } =
            self;
        match connection.receive(limit) {
            Ok(Reply::Listing(mut listing)) => {
                listing.counts_allocations &= !ignores_allocations;
                let listing = Arc::new(listing);
                let (loaded_first, indices) = (BTreeSet::new(), OnceCell::new());
                let is_over = match request {
                    Requested::All => true,
                    Requested::One => listing.benchmarks.is_empty(),
                    Requested::Known => false,
                };
                let order = if executable.passes_in_order() && is_over { Order::Over } else { Order::Any };
                if let Order::Over = order {
                    // A panic would leave benchmarks out.
                    connection.process.check_success().map_err(|error| no_answer(executable, error))?;
                }
                Ok(Session { connection, listing, version, loaded_first, indices, order, is_kept: false })
            }
            Ok(other) => Err(no_answer(executable, unexpected(&other))),
            Err(RequestError::Refused(reason)) => {
                Err(Error::Unable { id: Box::new(TargetId::from(executable)), reason })
            }
            Err(error) => Err(no_answer(executable, error)),
        }
    }
}

/// Returns the error for a reply of another kind. `validation` lets none pass.
fn unexpected(reply: &Reply) -> RequestError {
    RequestError::Misunderstood(format!("the harness sent an {}", validation::unexpected(reply)))
}
