//! Runs a build and collects cargo's JSON messages about its results.

use super::{Error, termination};
use cargo_metadata::{Artifact, BuildScript, Message};
use std::io::BufReader;
use std::process::Command;
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
    let mut child = command.spawn().map_err(Error::start(command))?;
    thread::scope(|scope| {
        let _guard = termination::terminate_on_interrupt(child.id(), scope);
        let mut messages = BuildMessages::default();
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
        if status.success() { Ok(messages) } else { Err(Error::from_status(status)) }
    })
}
