//! Serving a `cargo nanobench` run: answers requests until the parent hangs up.

use super::guarded::{guarded, remember_places};
use super::lifeline;
use super::rows::{self, RequestedConditions, Row};
use crate::alloc;
use crate::counters::Counters;
use crate::measure::{self, Bencher, Caches, Engine};
use crate::model::KeyValue;
use crate::protocol::{
    self, CalibrateBenchmark, Channel, CountBenchmark, Hello, List, Listing, Reply, Request, SampleBenchmark,
};
use std::io;

/// Serves the parent at `address`. Returns the exit code of the process.
pub(super) fn serve(address: &str) -> i32 {
    lifeline::die_with_parent();
    remember_places();
    let server = || Server { engine: None, rows: Vec::new() };
    match Channel::connect(address).and_then(|mut channel| server().serve(&mut channel)) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("nanobench: lost the connection to cargo nanobench: {error}");
            1
        }
    }
}

struct Server {
    /// There is one as soon as the parent has asked what there is, and has said which clock it wants.
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
            // A parent that no longer listens has reported an error of its own.
            _ = channel.send(&Reply::TeardownFailed(failure));
        }
        Ok(())
    }

    /// The reply to a request; none to a greeting.
    fn answer(&mut self, request: Request) -> Option<Reply> {
        match request {
            Request::Hello(hello) if hello.protocol == protocol::VERSION => None,
            Request::Hello(hello) => Some(Reply::Refused(format!(
                "this harness speaks protocol {}, not {}",
                protocol::VERSION,
                hello.protocol
            ))),
            Request::List(order) => Some(self.list(&order).unwrap_or_else(Reply::Refused)),
            Request::Calibrate(order) => Some(self.calibrate(&order)),
            Request::Sample(order) => Some(self.take(&order)),
            Request::Count(order) => Some(self.count(&order)),
        }
    }

    /// The error says what can't be had.
    fn list(&mut self, order: &List) -> Result<Reply, String> {
        if self.engine.is_some() {
            return Err("a harness lists its benchmarks once".to_owned());
        }
        let asked = RequestedConditions::from_request(order)?;
        let found = || order.timer.map_or_else(|| Ok(Engine::new()), Engine::with_timer);
        let engine = order.tuning.as_ref().and_then(Engine::from_calibration).map_or_else(found, Ok)?;
        let engine = self.engine.insert(engine);
        let (_, refused) = Counters::open(order.counters.as_deref().unwrap_or_default());
        let no_counters: Vec<KeyValue> =
            refused.into_iter().map(|(key, value)| KeyValue { key, value }).collect();
        self.rows = order.only.as_ref().map_or_else(|| rows::all(&asked), |id| rows::only(id, &asked));
        Ok(Reply::Listing(Listing {
            clock: engine.clock().clone(),
            empty_loop: engine.empty_loop(),
            benchmarks: self.rows.iter().map(|row| row.benchmark.clone()).collect(),
            debug_build: cfg!(debug_assertions),
            traced: is_traced(),
            counts_allocations: alloc::is_installed(),
            no_counters: (!no_counters.is_empty()).then_some(no_counters),
            wipe_size: Some(Caches::default_size()),
            tuning: Some(engine.clock_calibration()),
        }))
    }

    fn calibrate(&self, order: &CalibrateBenchmark) -> Reply {
        self.with(order.benchmark, |engine, row| {
            Reply::Calibrated(measure::calibrate(
                engine,
                &mut |bencher| row.run(bencher),
                row.count(),
                &order.order,
            ))
        })
    }

    fn take(&self, order: &SampleBenchmark) -> Reply {
        self.with(order.benchmark, |engine, row| {
            Reply::Samples(measure::sample(engine, &mut |bencher| row.run(bencher), &order.order))
        })
    }

    fn count(&self, order: &CountBenchmark) -> Reply {
        let (counters, refused) = Counters::open(&order.counters);
        if let Some((name, why)) = refused.first() {
            return Reply::Refused(format!("the counter `{name}` can't be read: {why}"));
        }
        self.with(order.benchmark, |engine, row| {
            let mut run = |bencher: &mut Bencher| row.run(bencher);
            Reply::Counts(measure::count(engine, &mut run, order.iterations, order.count, counters))
        })
    }

    /// Answers for the benchmark at `index`, whatever it does short of ending the process.
    fn with(&self, index: u64, answer: impl FnOnce(&Engine, &Row) -> Reply) -> Reply {
        match self.find(index) {
            Ok((engine, row)) => guarded(|| answer(engine, row)).unwrap_or_else(Reply::Failed),
            Err(reply) => *reply,
        }
    }

    /// The benchmark at `index`, or the reply that there is none that could run.
    fn find(&self, index: u64) -> Result<(&Engine, &Row), Box<Reply>> {
        let Some(engine) = &self.engine else {
            let refused = "a harness is asked what there is before anything else";
            return Err(Box::new(Reply::Refused(refused.to_owned())));
        };
        let Some(row) = usize::try_from(index).ok().and_then(|index| self.rows.get(index)) else {
            return Err(Box::new(Reply::Refused(format!("there is no benchmark {index}"))));
        };
        if let Some(problem) = &row.benchmark.problem {
            return Err(Box::new(Reply::Failed(problem.clone())));
        }
        Ok((engine, row))
    }
}

/// Whether a debugger is attached. Linux tells in `/proc`; elsewhere it is not known.
fn is_traced() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}
