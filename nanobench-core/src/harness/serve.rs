//! Serving a `cargo nanobench` run: answers requests until the parent hangs up.

use super::guarded::{guarded, remember_places};
use super::lifeline;
use crate::measure::Engine;
use crate::protocol::{self, CalibrateOne, Channel, Hello, Listing, Reply, Request, TakeOne};
use crate::registry::{self, Entry};
use std::io;

/// Serves the parent at `address`. Returns the exit code of the process.
pub(super) fn serve(address: &str) -> i32 {
    lifeline::die_with_parent();
    remember_places();
    let server = || Server { engine: None, entries: registry::entries() };
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
    entries: Vec<&'static Entry>,
}

impl Server {
    fn serve(&mut self, channel: &mut Channel) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        channel.send(&Reply::Hello(Hello { protocol: protocol::VERSION, version }))?;
        loop {
            let reply = match channel.receive::<Request>() {
                Ok(Some(request)) => self.answer(request),
                Ok(None) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    Some(Reply::Refused(error.to_string()))
                }
                Err(error) => return Err(error),
            };
            if let Some(reply) = reply {
                channel.send(&reply)?;
            }
        }
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
            Request::List(order) => Some(self.list(order.timer.as_deref())),
            Request::Calibrate(order) => Some(self.calibrate(&order)),
            Request::Take(order) => Some(self.take(&order)),
        }
    }

    fn list(&mut self, timer: Option<&str>) -> Reply {
        let engine = match timer.map_or_else(|| Ok(Engine::new()), Engine::with_timer) {
            Ok(engine) => self.engine.insert(engine),
            Err(why) => return Reply::Refused(why),
        };
        Reply::Listing(Listing {
            clock: engine.clock().clone(),
            nothing: engine.nothing(),
            benchmarks: self.entries.iter().map(|entry| entry.describe()).collect(),
            debug_build: cfg!(debug_assertions),
            traced: is_traced(),
        })
    }

    fn calibrate(&self, order: &CalibrateOne) -> Reply {
        self.with(order.benchmark, |engine, entry| {
            Reply::Calibrated(engine.calibrate(&mut |run| entry.carry_out(run), entry.count, &order.order))
        })
    }

    fn take(&self, order: &TakeOne) -> Reply {
        self.with(order.benchmark, |engine, entry| {
            Reply::Taken(engine.take(&mut |run| entry.carry_out(run), &order.order))
        })
    }

    /// Answers for the benchmark at `index`, whatever it does short of ending the process.
    fn with(&self, index: u64, answer: impl FnOnce(&Engine, &Entry) -> Reply) -> Reply {
        let Some(engine) = &self.engine else {
            return Reply::Refused("a harness is asked what there is before anything else".to_owned());
        };
        let entry = match usize::try_from(index) {
            Ok(index) if index < self.entries.len() => self.entries[index],
            _ => return Reply::Refused(format!("there is no benchmark {index}")),
        };
        guarded(|| answer(engine, entry)).unwrap_or_else(Reply::Failed)
    }
}

/// Whether a debugger is attached. Linux tells in `/proc`; elsewhere it is not known.
fn is_traced() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}
