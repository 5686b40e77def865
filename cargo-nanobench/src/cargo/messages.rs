//! Runs a call of cargo and keeps what its JSON messages say was built.

use std::io::BufReader;
use std::process::{Command, ExitStatus};
use std::thread;

use cargo_metadata::{Artifact, BuildScript, Message};

use super::{Error, ending};
use crate::interrupt;

/// What a call built.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub(super) artifacts: Vec<Artifact>,
    pub(super) build_scripts: Vec<BuildScript>,
}

impl Messages {
    /// Executables that were built to be tested or benchmarked, unlike the binaries that cargo builds for them to call.
    pub(super) fn harnesses(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().filter(|artifact| artifact.profile.test && artifact.executable.is_some())
    }
}

/// Runs the call to its end, or until somebody asks us to end. Its stdout must be piped.
pub(super) fn read(command: &mut Command) -> Result<Messages, Error> {
    let mut child = command.spawn().map_err(Error::start(command))?;
    thread::scope(|scope| {
        let _running = ending::on_request(child.id(), scope);
        let mut messages = Messages::default();
        if let Some(stdout) = child.stdout.take() {
            for message in Message::parse_stream(BufReader::new(stdout)) {
                match message.map_err(Error::Messages)? {
                    Message::CompilerArtifact(artifact) => messages.artifacts.push(artifact),
                    Message::BuildScriptExecuted(script) => messages.build_scripts.push(script),
                    _ => {}
                }
            }
        }
        let status = child.wait().map_err(Error::Messages)?;
        if status.success() { Ok(messages) } else { Err(failure(status)) }
    })
}

/// Cargo's own exit code, or how it died.
fn failure(status: ExitStatus) -> Error {
    const CARGO_FAILED: u8 = 101;
    if is_interrupted(status) || interrupt::requested() {
        return Error::Interrupted;
    }
    match status.code() {
        Some(code) => Error::Cargo(u8::try_from(code).unwrap_or(CARGO_FAILED)),
        None => Error::Died(status),
    }
}

/// Ctrl-C reaches cargo too, and it dies of the signal.
#[cfg(unix)]
fn is_interrupted(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

/// Ctrl-C reaches cargo too, and it ends with this code.
#[cfg(not(unix))]
fn is_interrupted(status: ExitStatus) -> bool {
    const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;
    status.code().map(i32::cast_unsigned) == Some(STATUS_CONTROL_C_EXIT)
}
