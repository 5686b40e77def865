//! Answers the requests of a `cargo nanobench` run for benchmarks that the program passes.

use super::program::Passed;
use crate::alloc;
use crate::counters::Counters;
use crate::debugger;
use crate::harness::guarded::{guarded, remember_places};
use crate::harness::lifeline;
use crate::harness::rows::RequestedConditions;
use crate::harness::runnable::Runnable as _;
use crate::measure::Engine;
use crate::model::{BenchmarkSpec, RowId};
use crate::protocol::{self, Channel, Hello, List, Listing, Reply, Request};
use crate::time::FrequencyMeasurement;
use std::hint::black_box;
use std::io;
use std::process;
use std::time::Instant;

/// The tool's end of a process.
pub(super) struct Served {
    channel: Channel,
    engine: Engine,
    conditions: RequestedConditions,
    task: Task,
    /// The time at which the code before the first benchmark goes on.
    begin: Instant,
}

/// The task of the process.
enum Task {
    /// To list all benchmarks at the end of the program, without a call of any.
    List(Vec<BenchmarkSpec>),
    /// To serve one benchmark.
    Only(RowId),
    /// To serve benchmarks that the parent knows by their ids.
    InOrder(InOrder),
}

struct InOrder {
    known: Vec<RowId>,
    /// The request of the next benchmark. `None` if there are no more.
    pending: Option<Box<Request>>,
    /// The benchmarks that were passed, if the parent wants to know.
    passed: Option<Vec<BenchmarkSpec>>,
}

impl Served {
    /// Connects to the parent, and returns once it has requested something. Ends the process if the
    /// parent does, or if the connection is lost.
    pub(super) fn begin(address: &str) -> Served {
        lifeline::die_with_parent();
        remember_places();
        let frequency = FrequencyMeasurement::begin();
        let mut channel = ended_by_error(Channel::connect(address));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        send(&mut channel, &Reply::Hello(Hello { protocol: protocol::VERSION, version }));
        loop {
            match receive(&mut channel) {
                Request::Hello(hello) if hello.protocol == protocol::VERSION => {}
                Request::List(list) => match Served::prepare(&list, &frequency) {
                    Ok((engine, conditions)) => return Served::serve(channel, engine, conditions, list),
                    Err(reason) => send(&mut channel, &Reply::Refused(reason)),
                },
                _ => send(&mut channel, &Reply::Refused("request the listing first".to_owned())),
            }
        }
    }

    fn prepare(
        list: &List,
        frequency: &FrequencyMeasurement,
    ) -> Result<(Engine, RequestedConditions), String> {
        if let Some(padding) = list.padding.and_then(|padding| usize::try_from(padding).ok()) {
            std::mem::forget(black_box(Vec::<u8>::with_capacity(padding)));
        }
        let conditions = RequestedConditions::from_request(list)?;
        let known = list.clock_calibration.clone().and_then(Engine::from_calibration);
        Ok((known.map_or_else(|| Engine::with_timer(list.timer, frequency), Ok)?, conditions))
    }

    fn serve(channel: Channel, engine: Engine, conditions: RequestedConditions, list: List) -> Served {
        let begin = Instant::now();
        let mut served = Served { channel, engine, conditions, task: Task::List(Vec::new()), begin };
        if let Some(id) = list.only {
            served.task = Task::Only(id);
        } else if let Some(known) = list.known {
            served.list(Vec::new());
            let passed = list.lists_again.unwrap_or(false).then(Vec::new);
            let pending = next_request(&mut served.channel, passed.is_some());
            served.task = Task::InOrder(InOrder { known, pending, passed });
        }
        served
    }

    pub(super) fn conditions(&self) -> &RequestedConditions {
        &self.conditions
    }

    /// Takes a benchmark, and returns once the parent is done with it.
    pub(super) fn pass(&mut self, passed: &Passed<'_>) {
        match &mut self.task {
            Task::List(benchmarks) => benchmarks.push(passed.benchmark.clone()),
            Task::Only(id) if *id == passed.benchmark.id => {
                self.list(vec![passed.benchmark.clone()]);
                loop {
                    let request = receive(&mut self.channel);
                    let reply = match index(&request) {
                        Some(0) => self.answer(request, passed),
                        _ => refused_index(),
                    };
                    send(&mut self.channel, &reply);
                }
            }
            Task::Only(_) => {}
            Task::InOrder(in_order) => {
                in_order.passed.iter_mut().for_each(|all| all.push(passed.benchmark.clone()));
                let goes_on = in_order.passed.is_some();
                let this = in_order.known.iter().position(|id| *id == passed.benchmark.id);
                let Some(this) = this else { return };
                let mut next = in_order.pending.take();
                while let Some(request) = next {
                    let reply = match index(&request) {
                        Some(index) if index == this as u64 => self.answer(*request, passed),
                        // The program has not passed it yet.
                        Some(_) => {
                            next = Some(request);
                            break;
                        }
                        None => refused_index(),
                    };
                    send(&mut self.channel, &reply);
                    next = next_request(&mut self.channel, goes_on);
                }
                if let Task::InOrder(in_order) = &mut self.task {
                    in_order.pending = next;
                }
            }
        }
    }

    /// Sends the listing of these benchmarks.
    fn list(&mut self, benchmarks: Vec<BenchmarkSpec>) {
        let mut names = Vec::new();
        for name in benchmarks.iter().flat_map(|benchmark| benchmark.counters.iter().flatten()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let listing = Reply::Listing(Listing {
            clock_calibration: self.engine.clock_calibration().clone(),
            benchmarks,
            debug_build: cfg!(debug_assertions),
            traced: debugger::is_attached(),
            counts_allocations: alloc::is_installed(),
            no_counters: Counters::open(&names).1,
            time_before: Some(u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX)),
        });
        send(&mut self.channel, &listing);
    }

    /// Returns the reply to a request for a benchmark, which may panic.
    fn answer(&self, request: Request, passed: &Passed<'_>) -> Reply {
        if let Some(problem) = &passed.benchmark.problem {
            return Reply::Failed(problem.clone());
        }
        let engine = &self.engine;
        let answered = guarded(|| match request {
            Request::Calibrate(calibrate) => Reply::Calibrated(passed.calibrate(engine, &calibrate.request)),
            Request::Sample(sample) => Reply::Samples(passed.sample(engine, &sample.request)),
            Request::Count(count) => {
                let (counters, refused) = Counters::open(&count.request.counters);
                match refused.first() {
                    Some(pair) => {
                        Reply::Refused(format!("the counter `{}` can't be read: {}", pair.key, pair.value))
                    }
                    None => Reply::Counts(passed.count(engine, &count.request, counters)),
                }
            }
            Request::Hello(_) | Request::List(_) => refused_index(),
        });
        answered.unwrap_or_else(Reply::Failed)
    }

    /// Tells the parent what is left at the end of the program, which may have panicked: then the parent
    /// sees that the process fails.
    pub(super) fn end(&mut self) {
        match &mut self.task {
            Task::List(benchmarks) => {
                let benchmarks = std::mem::take(benchmarks);
                self.list(benchmarks);
            }
            Task::Only(_) => self.list(Vec::new()),
            Task::InOrder(InOrder { pending: None, passed, .. }) => {
                if let Some(passed) = passed.take() {
                    self.list(passed);
                }
            }
            Task::InOrder(_) => {
                let reason = "the program ended, or panicked, before it passed a benchmark of this id, which may be \
                              another one in each process";
                // A parent that no longer listens has reported its own error.
                _ = self.channel.send(&Reply::Refused(reason.to_owned()));
            }
        }
    }
}

/// Returns the benchmark that a request is for.
fn index(request: &Request) -> Option<u64> {
    match request {
        Request::Calibrate(calibrate) => Some(calibrate.benchmark),
        Request::Sample(sample) => Some(sample.benchmark),
        Request::Count(count) => Some(count.benchmark),
        Request::Hello(_) | Request::List(_) => None,
    }
}

fn refused_index() -> Reply {
    Reply::Refused("this process serves its benchmarks in their order, each once".to_owned())
}

fn send(channel: &mut Channel, reply: &Reply) {
    ended_by_error(channel.send(reply));
}

/// Receives the next request. Ends the process if there are no more.
fn receive(channel: &mut Channel) -> Request {
    receive_unless_finished(channel).unwrap_or_else(|| process::exit(0))
}

/// Receives the next request of a process that may go on without one.
fn next_request(channel: &mut Channel, goes_on: bool) -> Option<Box<Request>> {
    let request = if goes_on { receive_unless_finished(channel) } else { Some(receive(channel)) };
    request.map(Box::new)
}

/// Receives the next request. `None` if there are no more.
fn receive_unless_finished(channel: &mut Channel) -> Option<Request> {
    loop {
        match channel.receive() {
            Ok(request @ Some(_)) => return request,
            Ok(None) => return None,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                send(channel, &Reply::Refused(error.to_string()));
            }
            Err(error) => ended_by_error(Err(error)),
        }
    }
}

/// Returns the value, or ends the process.
fn ended_by_error<T>(result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("nanobench: lost the connection to cargo nanobench: {error}");
        process::exit(1)
    })
}
