//! The errors of sessions and of their requests.

use crate::benchmark_id::TargetId;
use nanobench::protocol;
use std::io;
use std::time::Duration;

/// An error in place of the reply to a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The benchmark panicked. The process is unaffected.
    #[error("failed: {0}")]
    Panicked(String),
    /// The process ended by itself.
    #[error("died: {0}")]
    Died(String),
    /// The request took too long, so the tool ended the process.
    #[error("stopped after its timeout of {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// Ctrl-C was pressed, so the tool ended the process.
    #[error("interrupted")]
    Interrupted,
    /// The harness can't do what was requested.
    #[error("failed: {0}")]
    Refused(String),
    /// Tool and harness don't understand each other, so the tool ended the process.
    #[error("failed: {0}")]
    Misunderstood(String),
}

impl RequestError {
    /// Returns whether the process can handle further requests.
    pub fn leaves_process(&self) -> bool {
        matches!(self, RequestError::Panicked(_))
    }

    /// Returns whether Ctrl-C caused the error.
    pub fn is_interruption(&self) -> bool {
        matches!(self, RequestError::Interrupted)
    }

    /// Returns advice to append to the message about a benchmark. Empty if there is none.
    pub fn advice(&self) -> &'static str {
        match self {
            RequestError::TimedOut(_) => ": raise --timeout, or set `timeout` in its attribute",
            _ => "",
        }
    }
}

/// An error that prevents a session with an executable.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system failed to start the executable.
    #[error("cannot start {path}: {error}")]
    Start { path: String, error: io::Error },
    /// The library in the executable speaks another version of the protocol.
    #[error(
        "{package} was built with nanobench-core {version}, which uses protocol {protocol}; this is \
         cargo-nanobench {} with protocol {}\n{}",
        env!("CARGO_PKG_VERSION"), protocol::VERSION, remedy(*.protocol, .version)
    )]
    Protocol { package: String, protocol: u64, version: String },
    /// The executable can't provide the requested clock, conditions or counters.
    #[error("{id}: {reason}")]
    Unable { id: Box<TargetId>, reason: String },
    /// The executable started, but failed before it listed its benchmarks.
    #[error("{id} {reason}")]
    NoAnswer { id: Box<TargetId>, reason: RequestError },
}

/// Returns the command that updates the older of tool and library.
fn remedy(protocol: u64, version: &str) -> String {
    if protocol > protocol::VERSION {
        format!("the tool is older: run `cargo install cargo-nanobench@{version}`")
    } else {
        let tool = env!("CARGO_PKG_VERSION");
        format!(
            "the library is older: require nanobench-core = \"{tool}\" in Cargo.toml, and run \
             `cargo update -p nanobench-core`\n\
             a revision or a baseline keeps its library: name a later one, or compare with the tool and the \
             library of its version, by `cargo install cargo-nanobench@{version}` and nanobench-core = \
             \"={version}\" in Cargo.toml"
        )
    }
}

impl Error {
    /// Returns whether there is no such program.
    pub fn is_missing_program(&self) -> bool {
        matches!(self, Error::Start { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    /// Returns whether Ctrl-C caused the error.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Error::NoAnswer { reason, .. } if reason.is_interruption())
    }
}
