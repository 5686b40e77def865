//! The connection to a harness process: requests out and replies in, with an end to every wait.

use super::error::RequestError;
use super::listener::{Listener, Trace};
use super::process::Process;
use super::validation;
use crate::benchmark_id::TargetId;
use crate::cargo::Executable;
use crate::deadline::TimeLimit;
use crate::warnings::warn_once;
use nanobench::model::BenchmarkSpec;
use nanobench::protocol::{Channel, Received, Reply, Request};
use nanobench::report::escape;
use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

/// Interval at which a wait for a reply checks the process, the timeout and Ctrl-C. It is long
/// relative to the cost of a check, since checks take place while the harness measures.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A started process that has connected.
#[derive(Debug)]
pub(super) struct Connection {
    channel: Channel,
    pub(super) process: Process,
    pub(super) target: TargetId,
    /// The last request.
    request: Option<Request>,
    is_closed: bool,
    /// The benchmarks that the program has passed, once it told them at its end.
    pub(super) listed_again: Option<Vec<BenchmarkSpec>>,
    _trace: Trace,
}

/// A started process that has not connected yet.
#[derive(Debug)]
pub(super) struct PendingConnection {
    process: Process,
    listener: Listener,
    target: TargetId,
}

impl PendingConnection {
    /// Starts the harness in `executable`, by `wrapper` if that isn't empty.
    pub(super) fn spawn(
        executable: &Executable,
        wrapper: &[OsString],
        nocapture: bool,
    ) -> io::Result<PendingConnection> {
        let listener = Listener::open()?;
        let process = Process::spawn(executable, wrapper, listener.address(), nocapture)?;
        Ok(PendingConnection { process, listener, target: TargetId::from(executable) })
    }

    /// Waits for the connection until the timeout. The outer error is one of the operating system.
    pub(super) fn accept(mut self, timeout: Duration) -> io::Result<Result<Connection, RequestError>> {
        let limit = TimeLimit::new(timeout, Duration::ZERO);
        loop {
            if let Some(channel) = self.listener.try_accept()? {
                let PendingConnection { process, listener, target } = self;
                let _trace = listener.trace();
                return Ok(Ok(Connection {
                    channel,
                    process,
                    target,
                    request: None,
                    is_closed: false,
                    listed_again: None,
                    _trace,
                }));
            }
            let checked = self.process.check_alive().and_then(|()| self.process.check_limits(limit));
            if let Err(error) = checked {
                return Ok(Err(error));
            }
            self.listener.wait();
        }
    }

    /// Ends the process.
    pub(super) fn discard(mut self) {
        self.process.end();
    }
}

impl Connection {
    /// Sends a request, without waiting for its reply. After an error, the process is of no further use,
    /// unless [`RequestError::leaves_process`] returns true.
    pub(super) fn send(&mut self, request: Request) -> Result<(), RequestError> {
        self.process.clear_output();
        self.channel.send(&request).map_err(|_| self.process.death())?;
        self.request = Some(request);
        Ok(())
    }

    /// Waits for the reply to the last request, and checks that it fits.
    pub(super) fn receive(&mut self, limit: TimeLimit) -> Result<Reply, RequestError> {
        match self.wait_for_reply(limit)? {
            Reply::Failed(panic) => Err(RequestError::Panicked(panic)),
            Reply::Refused(reason) => Err(RequestError::Refused(reason)),
            reply => match validation::check(self.request.take().as_ref(), &reply) {
                Ok(()) => Ok(reply),
                Err(reason) => Err(self.misunderstood(&format!("an {reason}"))),
            },
        }
    }

    /// Tells the process that there are no more requests.
    pub(super) fn finish(&mut self) {
        // A suspended process would neither tear down nor end.
        self.process.resume();
        // Fails only if the process has closed its connection.
        let _ = self.channel.stream().finish_sending();
    }

    fn wait_for_reply(&mut self, limit: TimeLimit) -> Result<Reply, RequestError> {
        loop {
            let remaining =
                limit.deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            // A connection whose timeout can't be set would block for ever, so it counts as lost.
            let received = self
                .channel
                .stream()
                .set_read_timeout(Some(remaining.min(CHECK_INTERVAL)))
                .and_then(|()| self.channel.receive_part::<Reply>());
            match received {
                Ok(Received::Message(reply)) => return Ok(reply),
                Ok(Received::Part) => {}
                Err(error) if is_timeout(&error) => self.process.check_alive()?,
                Err(error) if is_invalid(&error) => {
                    return Err(self.misunderstood(&format!("an invalid reply: {error}")));
                }
                Ok(Received::End) | Err(_) => return Err(self.process.death()),
            }
            // After every read: a process that sends a few bytes at a time must not outlast its
            // timeout.
            self.process.check_limits(limit)?;
        }
    }

    /// Ends a process that doesn't keep to the protocol. Returns the error for `sent`.
    fn misunderstood(&mut self, sent: &str) -> RequestError {
        self.process.end();
        RequestError::Misunderstood(format!("the harness sent {sent}"))
    }

    /// Lets the harness tear down its benchmarks, and warns of teardowns that failed. Ends a
    /// process that takes too long.
    pub(super) fn close(&mut self) {
        if std::mem::replace(&mut self.is_closed, true) {
            return;
        }
        self.finish();
        let deadline = Instant::now() + self.process.grace_period();
        while !self.process.is_interrupted() && Instant::now() < deadline {
            if self.channel.stream().set_read_timeout(Some(CHECK_INTERVAL)).is_err() {
                break;
            }
            match self.channel.receive_part() {
                Ok(Received::Message(Reply::TeardownFailed(failure))) => {
                    let subject = format!("teardown of {}::{}", self.target, failure.row);
                    warn_once(subject, escape(&failure.to_string()));
                }
                Ok(Received::Message(Reply::Listing(listing))) => {
                    self.listed_again = Some(listing.benchmarks);
                }
                // A late reply to a request that nobody waits for any longer.
                Ok(Received::Message(_) | Received::Part) => {}
                Err(error) if is_timeout(&error) => {}
                Ok(Received::End) | Err(_) => break,
            }
        }
        if Instant::now() >= deadline {
            self.process.end();
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

fn is_invalid(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge)
}
