//! Answers the requests of a `cargo nanobench` run.

use super::guarded::{guarded, remember_places};
use super::lifeline;
use super::rows::{self, RequestedConditions, Row};
use super::runnable::Runnable as _;
use crate::alloc;
use crate::counters::Counters;
use crate::debugger;
use crate::measure::Engine;
use crate::model::KeyValue;
use crate::protocol::{
    self, CalibrateBenchmark, Channel, CountBenchmark, Hello, List, Listing, Reply, Request, SampleBenchmark,
};
use crate::time::FrequencyMeasurement;
use std::hint::black_box;
use std::io;

/// Answers the requests of the parent at `address`. Returns the exit code of the process.
pub(super) fn serve(address: &str) -> i32 {
    lifeline::die_with_parent();
    remember_places();
    // The first process of an executable may wait for the build until it is needed.
    let frequency = FrequencyMeasurement::begin();
    let mut server = Server { frequency, engine: None, rows: Vec::new() };
    match Channel::connect(address).and_then(|mut channel| server.serve(&mut channel)) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("nanobench: lost the connection to cargo nanobench: {error}");
            1
        }
    }
}

struct Server {
    frequency: FrequencyMeasurement,
    /// `None` until the parent requests the listing, with the clock to use.
    engine: Option<Engine>,
    rows: Vec<Row>,
}

impl Server {
    /// Answers until the parent has finished sending, then tears all benchmarks down.
    fn serve(&mut self, channel: &mut Channel) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        channel.send(&Reply::Hello(Hello { protocol: protocol::VERSION, version }))?;
        loop {
            let reply = match channel.receive::<Request>() {
                Ok(Some(request)) => self.answer(request),
                Ok(None) => break,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    Some(Reply::Refused(error.to_string()))
                }
                Err(error) => return Err(error),
            };
            if let Some(reply) = reply {
                channel.send(&reply)?;
            }
        }
        for failure in rows::tear_down(&self.rows) {
            // A parent that no longer listens has reported its own error.
            _ = channel.send(&Reply::TeardownFailed(failure));
        }
        Ok(())
    }

    /// Returns the reply to a request. A greeting has none.
    fn answer(&mut self, request: Request) -> Option<Reply> {
        match request {
            Request::Hello(hello) if hello.protocol == protocol::VERSION => None,
            Request::Hello(hello) => Some(Reply::Refused(format!(
                "this harness speaks protocol {}, not {}",
                protocol::VERSION,
                hello.protocol
            ))),
            Request::List(request) => Some(self.list(request).unwrap_or_else(Reply::Refused)),
            Request::Calibrate(CalibrateBenchmark { benchmark, request }) => {
                Some(self.with(benchmark, |engine, row| Reply::Calibrated(row.calibrate(engine, &request))))
            }
            Request::Sample(SampleBenchmark { benchmark, request }) => {
                Some(self.with(benchmark, |engine, row| Reply::Samples(row.sample(engine, &request))))
            }
            Request::Count(request) => Some(self.count(&request)),
        }
    }

    /// Lists the benchmarks. The error describes an option that can't be met.
    fn list(&mut self, request: List) -> Result<Reply, String> {
        if self.engine.is_some() {
            return Err("a harness lists its benchmarks once".to_owned());
        }
        if let Some(padding) = request.padding.and_then(|padding| usize::try_from(padding).ok()) {
            std::mem::forget(black_box(Vec::<u8>::with_capacity(padding)));
        }
        let requested = RequestedConditions::from_request(&request)?;
        let new_engine = || Engine::with_timer(request.timer, &self.frequency);
        let engine =
            request.clock_calibration.and_then(Engine::from_calibration).map_or_else(new_engine, Ok)?;
        let engine = self.engine.insert(engine);
        self.rows =
            request.only.as_ref().map_or_else(|| rows::all(&requested), |id| rows::only(id, &requested));
        let no_counters = rows::unreadable_counters(&self.rows);
        let mut benchmarks = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            benchmarks.push(row.benchmark.clone());
        }
        Ok(Reply::Listing(Listing {
            clock_calibration: engine.clock_calibration().clone(),
            benchmarks,
            debug_build: cfg!(debug_assertions),
            traced: debugger::is_attached(),
            counts_allocations: alloc::is_installed(),
            no_counters,
            time_before: None,
        }))
    }

    fn count(&self, CountBenchmark { benchmark, request }: &CountBenchmark) -> Reply {
        let (counters, refused) = Counters::open(&request.counters);
        if let Some(KeyValue { key, value }) = refused.first() {
            return Reply::Refused(format!("the counter `{key}` can't be read: {value}"));
        }
        self.with(*benchmark, |engine, row| Reply::Counts(row.count(engine, request, counters)))
    }

    /// Answers a request for the benchmark at `index`, which may panic.
    fn with(&self, index: u64, answer: impl FnOnce(&Engine, &Row) -> Reply) -> Reply {
        match self.row(index) {
            Ok((engine, row)) => guarded(|| answer(engine, row)).unwrap_or_else(Reply::Failed),
            Err(reply) => *reply,
        }
    }

    /// Returns the benchmark at `index`, or the reply if it can't run.
    fn row(&self, index: u64) -> Result<(&Engine, &Row), Box<Reply>> {
        let Some(engine) = &self.engine else {
            return Err(Box::new(Reply::Refused("request the listing first".to_owned())));
        };
        let Some(row) = usize::try_from(index).ok().and_then(|index| self.rows.get(index)) else {
            return Err(Box::new(Reply::Refused(format!("there is no benchmark {index}"))));
        };
        match &row.benchmark.problem {
            Some(problem) => Err(Box::new(Reply::Failed(problem.clone()))),
            None => Ok((engine, row)),
        }
    }
}
