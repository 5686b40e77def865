//! What a short program says, if it says it soon.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A file system that is far away may take its time; more than this is not worth a line in an environment.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(1);

/// The standard output of a command that succeeds. None where it isn't there, fails, or takes too long.
pub(super) fn output(command: &mut Command) -> Option<String> {
    output_within(command, PATIENCE)
}

fn output_within(command: &mut Command, patience: Duration) -> Option<String> {
    let deadline = Instant::now() + patience;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    // In a thread of its own, because what was started may hand the pipe on to what is not killed with it.
    thread::spawn(move || {
        let mut text = Vec::new();
        let read = stdout.read_to_end(&mut text);
        // Nobody listens any more where it took too long.
        let _ = send.send(read.map(|_| text));
    });
    let status = wait(&mut child, deadline)?;
    let text = receive.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?.ok()?;
    if status.success() { String::from_utf8(text).ok() } else { None }
}

/// Waits for the end of a child, and brings it about where it doesn't come in time.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(PAUSE),
            _ => {
                // It may have ended in this moment.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn takes_what_a_program_says_however_much() {
        assert_eq!(output(&mut shell("echo yes")).as_deref(), Some("yes\n"));
        let long = output(&mut shell("head -c 300000 /dev/zero")).unwrap();
        assert_eq!(long.len(), 300_000);
    }

    #[test]
    fn a_program_that_fails_or_is_not_there_says_nothing() {
        assert_eq!(output(&mut shell("echo no; exit 3")), None);
        assert_eq!(output(&mut shell(r"printf '\377'")), None);
        assert_eq!(output(&mut Command::new("/no/such/program")), None);
    }

    #[test]
    fn a_program_that_never_ends_is_given_up_with_what_it_started() {
        let patience = Duration::from_millis(50);
        assert_eq!(output_within(&mut shell("exec sleep 1000"), patience), None);
        // The shell ends, and leaves the pipe to a child.
        assert_eq!(output_within(&mut shell("sleep 3 & echo no"), patience), None);
    }
}
