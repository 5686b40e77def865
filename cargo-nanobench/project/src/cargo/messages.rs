//! Runs a build and collects cargo's JSON messages about its results.

use super::{Error, termination};
use crate::output;
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Artifact, BuildFinished, BuildScript, CompilerMessage, Message, MessageIter};
use std::io::BufReader;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

/// The messages of one build that matter here.
#[derive(Debug, Default)]
pub(super) struct BuildMessages {
    pub(super) artifacts: Vec<Artifact>,
    pub(super) build_scripts: Vec<BuildScript>,
    /// Cargo, if it may not have ended yet.
    pub(super) cargo: Option<EndingCargo>,
}

impl BuildMessages {
    /// Returns the test and benchmark executables, without the binaries that cargo builds for them
    /// to call.
    pub(super) fn harnesses(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().filter(|artifact| artifact.profile.test && artifact.executable.is_some())
    }
}

/// Runs the command until its build has succeeded, to its end, or to an interrupt. Its stdout must be
/// piped. Calls `meanwhile` when it has started.
pub(super) fn run(command: &mut Command, meanwhile: &mut dyn FnMut()) -> Result<BuildMessages, Error> {
    match run_once(command, meanwhile) {
        // Cargo fails if it can't print its progress, even if it could build.
        Err(Error::Cargo(_)) if output::stderr_is_lost() => {
            run_once(command.stderr(Stdio::null()), meanwhile)
        }
        result => result,
    }
}

fn run_once(command: &mut Command, meanwhile: &mut dyn FnMut()) -> Result<BuildMessages, Error> {
    let mut messages = BuildMessages::default();
    let mut cargo = RunningCargo::start(command)?;
    meanwhile();
    while let Some(message) = cargo.next_message()? {
        match message {
            Message::CompilerArtifact(artifact) => messages.artifacts.push(artifact),
            Message::BuildScriptExecuted(script) => messages.build_scripts.push(script),
            // In messages for people, cargo prints them itself.
            Message::CompilerMessage(CompilerMessage { message, .. })
                if matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
            {
                output::print_message(message.rendered.as_deref().unwrap_or(&message.message).trim_end());
            }
            Message::BuildFinished(BuildFinished { success: true, .. }) => {
                messages.cargo = Some(EndingCargo::new(cargo));
                return Ok(messages);
            }
            _ => {}
        }
    }
    let status = cargo.wait()?;
    if status.success() { Ok(messages) } else { Err(Error::from_status(status)) }
}

/// Runs the command, which may fail, and returns the compiler's messages.
pub(super) fn compiler_errors(command: &mut Command) -> Result<Vec<CompilerMessage>, Error> {
    let mut errors = Vec::new();
    let mut cargo = RunningCargo::start(command)?;
    while let Some(message) = cargo.next_message()? {
        if let Message::CompilerMessage(message) = message {
            errors.push(message);
        }
    }
    cargo.wait()?;
    Ok(errors)
}

/// A cargo that is building. An interrupt ends it.
struct RunningCargo {
    child: Child,
    messages: Option<MessageIter<BufReader<ChildStdout>>>,
    /// Held until cargo has ended.
    _watch: Sender<()>,
}

impl RunningCargo {
    fn start(command: &mut Command) -> Result<RunningCargo, Error> {
        let mut child = command.spawn().map_err(Error::start(command))?;
        let messages = child.stdout.take().map(|stdout| Message::parse_stream(BufReader::new(stdout)));
        let _watch = termination::terminate_on_interrupt(child.id());
        Ok(RunningCargo { child, messages, _watch })
    }

    /// Returns the next message. `None` at the end.
    fn next_message(&mut self) -> Result<Option<Message>, Error> {
        self.messages.as_mut().and_then(Iterator::next).transpose().map_err(Error::Messages)
    }

    fn wait(mut self) -> Result<ExitStatus, Error> {
        self.child.wait().map_err(Error::Messages)
    }
}

/// A cargo that has built everything, but still prints the last lines for people and frees its
/// memory, for about a millisecond. Waits for its end when it is dropped.
#[derive(Debug)]
pub(crate) struct EndingCargo(Option<JoinHandle<()>>);

impl EndingCargo {
    fn new(mut cargo: RunningCargo) -> EndingCargo {
        EndingCargo(Some(thread::spawn(move || {
            // The build has succeeded, whatever follows.
            while let Ok(Some(_)) = cargo.next_message() {}
            let _ = cargo.wait();
        })))
    }
}

impl Drop for EndingCargo {
    fn drop(&mut self) {
        // A panic was printed already.
        let _ = self.0.take().map(JoinHandle::join);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }

    #[test]
    fn a_successful_build_is_not_waited_for_to_its_end() {
        // It ends when its input does.
        let (input, end) = std::io::pipe().unwrap();
        let mut command = shell(r#"echo '{"reason":"build-finished","success":true}'; read line; exit 1"#);
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(run(command.stdin(input), &mut || ())));
        let messages = receiver.recv_timeout(Duration::from_secs(60));
        drop(end);
        assert!(messages.is_ok_and(|messages| messages.is_ok_and(|messages| messages.cargo.is_some())));
    }

    #[test]
    fn a_failed_build_is_an_error() {
        let run_shell = |script: &str| run(&mut shell(script), &mut || ());
        let finished = r#"echo '{"reason":"build-finished","success":false}'"#;
        assert!(matches!(run_shell(&format!("{finished}; exit 101")), Err(Error::Cargo(_))));
        assert!(run_shell("exit 101").is_err(), "without a message");
        assert!(run_shell("exit 0").is_ok_and(|messages| messages.cargo.is_none()));
    }
}
