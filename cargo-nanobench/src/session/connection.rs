//! The connection to a harness process: requests out, replies in, and an end to every wait.

use super::RequestError;
use super::listener::Listener;
use super::process::{GRACE, Process};
use crate::cargo::Executable;
use crate::interrupt;
use nanobench::protocol::{Channel, Reply, Request};
use nanobench::report::escape;
use std::io;
use std::time::{Duration, Instant};

/// How often a wait looks up to see whether the child lives, the time is over or Ctrl-C was pressed. Long beside
/// what looking up costs, as it happens while the child measures.
const GLANCE: Duration = Duration::from_millis(100);

/// A started process that has connected.
#[derive(Debug)]
pub(super) struct Connection {
    channel: Channel,
    process: Process,
    timeout: Duration,
}

/// A started process that has not connected yet.
#[derive(Debug)]
pub(crate) struct Starting {
    process: Process,
    listener: Listener,
    deadline: Instant,
    timeout: Duration,
}

impl Starting {
    /// Starts the harness in `executable`.
    pub(super) fn begin(executable: &Executable, timeout: Duration, nocapture: bool) -> io::Result<Starting> {
        let listener = Listener::open()?;
        let process = Process::start(executable, listener.address(), nocapture)?;
        Ok(Starting { process, listener, deadline: Instant::now() + timeout, timeout })
    }

    /// Waits until it connects. The outer error is that of the operating system.
    pub(super) fn connect(mut self) -> io::Result<Result<Connection, RequestError>> {
        loop {
            if let Some(channel) = self.listener.try_accept()? {
                return Ok(Ok(Connection { channel, process: self.process, timeout: self.timeout }));
            }
            if let Err(stopped) = self.process.check(self.deadline, self.timeout) {
                return Ok(Err(stopped));
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

impl Connection {
    /// The number of the process.
    pub(super) fn process(&self) -> u32 {
        self.process.id()
    }

    /// When something that begins now has to be over.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }

    /// Sends a request and waits for its reply. Unless [`RequestError::leaves_process`] says otherwise, the process is of
    /// no further use after an error.
    pub(super) fn ask(&mut self, request: &Request, deadline: Instant) -> Result<Reply, RequestError> {
        self.send(request)?;
        self.receive(deadline)
    }

    /// The first half of [`Connection::ask`].
    pub(super) fn send(&mut self, request: &Request) -> Result<(), RequestError> {
        self.process.forget_output();
        self.channel.send(request).map_err(|_| RequestError::Died(self.process.last_words()))
    }

    /// The second half of it.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Reply, RequestError> {
        match self.wait_for_reply(deadline)? {
            Reply::Failed(panic) => Err(RequestError::Panicked(panic)),
            Reply::Refused(why) => Err(RequestError::Misunderstood(why)),
            reply => Ok(reply),
        }
    }

    fn wait_for_reply(&mut self, deadline: Instant) -> Result<Reply, RequestError> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            // A connection whose timeout can't be set would wait for ever; it is as good as lost.
            let received = self
                .channel
                .stream()
                .set_read_timeout(Some(left.min(GLANCE)))
                .and_then(|()| self.channel.receive::<Reply>());
            match received {
                Ok(Some(reply)) => return Ok(reply),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(RequestError::Misunderstood(format!(
                        "the harness said something else: {error}"
                    )));
                }
                Err(error) if is_timeout(&error) => self.process.check(deadline, self.timeout)?,
                Ok(None) | Err(_) => return Err(RequestError::Died(self.process.last_words())),
            }
        }
    }
}

impl Drop for Connection {
    /// Lets the harness tear its benchmarks down, and warns of teardowns that failed.
    fn drop(&mut self) {
        let deadline = Instant::now() + GRACE;
        let mut stream = self.channel.stream().finish_sending();
        while stream.is_ok() && !interrupt::requested() && Instant::now() < deadline {
            stream = self.channel.stream().set_read_timeout(Some(GLANCE));
            match self.channel.receive() {
                Ok(Some(Reply::TeardownFailed(failure))) => {
                    crate::warnings::warn(escape(&failure.to_string()));
                }
                // The reply to a request that nobody waits for any longer.
                Ok(Some(_)) => {}
                Err(error) if is_timeout(&error) => {}
                Ok(None) | Err(_) => break,
            }
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

impl Process {
    /// Looks up from a wait: ends the process where there is nothing more to wait for.
    fn check(&mut self, deadline: Instant, timeout: Duration) -> Result<(), RequestError> {
        if interrupt::requested() {
            self.end();
            return Err(RequestError::Interrupted);
        }
        if self.has_ended() {
            return Err(RequestError::Died(self.last_words()));
        }
        if Instant::now() >= deadline {
            self.end();
            return Err(RequestError::TimedOut(timeout));
        }
        Ok(())
    }
}
