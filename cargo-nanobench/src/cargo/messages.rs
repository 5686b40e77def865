//! Runs a build and collects cargo's JSON messages about its results.

use super::{Error, termination};
use crate::output;
use cargo_metadata::{Artifact, BuildScript, CompilerMessage, Message};
use std::io::BufReader;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// The messages of one build that matter here.
#[derive(Debug, Default)]
pub(super) struct BuildMessages {
    pub(super) artifacts: Vec<Artifact>,
    pub(super) build_scripts: Vec<BuildScript>,
}

impl BuildMessages {
    /// Returns the test and benchmark executables, without the binaries that cargo builds for them
    /// to call.
    pub(super) fn harnesses(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().filter(|artifact| artifact.profile.test && artifact.executable.is_some())
    }
}

/// Runs the command to its end or to an interrupt. Its stdout must be piped.
pub(super) fn run(command: &mut Command) -> Result<BuildMessages, Error> {
    match run_once(command) {
        // Cargo fails if it can't print its progress, even if it could build.
        Err(Error::Cargo(_)) if output::stderr_is_lost() => run_once(command.stderr(Stdio::null())),
        result => result,
    }
}

fn run_once(command: &mut Command) -> Result<BuildMessages, Error> {
    let mut messages = BuildMessages::default();
    let status = read(command, |message| match message {
        Message::CompilerArtifact(artifact) => messages.artifacts.push(artifact),
        Message::BuildScriptExecuted(script) => messages.build_scripts.push(script),
        _ => {}
    })?;
    if status.success() { Ok(messages) } else { Err(Error::from_status(status)) }
}

/// Runs the command, which may fail, and returns the compiler's messages.
pub(super) fn compiler_errors(command: &mut Command) -> Result<Vec<CompilerMessage>, Error> {
    let mut errors = Vec::new();
    read(command, |message| {
        if let Message::CompilerMessage(message) = message {
            errors.push(message);
        }
    })?;
    Ok(errors)
}

fn read(command: &mut Command, mut take: impl FnMut(Message)) -> Result<ExitStatus, Error> {
    let mut child = command.spawn().map_err(Error::start(command))?;
    thread::scope(|scope| {
        let _guard = termination::terminate_on_interrupt(child.id(), scope);
        if let Some(stdout) = child.stdout.take() {
            for message in Message::parse_stream(BufReader::new(stdout)) {
                take(message.map_err(Error::Messages)?);
            }
        }
        child.wait().map_err(Error::Messages)
    })
}
