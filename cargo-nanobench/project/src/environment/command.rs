//! Runs short programs with a time limit.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit. A remote file system may be slow, and git has a low priority beside a build.
const TIMEOUT: Duration = Duration::from_secs(15);
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The reason why a command has no output.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Error {
    #[error("it can't be started")]
    NotStarted,
    #[error("it took more than {} s", TIMEOUT.as_secs())]
    TimedOut,
    /// Its standard error, without blank lines.
    #[error("{0}")]
    Failed(String),
}

/// Returns the standard output of a command. It may hold names of files, which can be any bytes.
pub(super) fn output(command: &mut Command) -> Result<String, Error> {
    output_within(command, TIMEOUT)
}

fn output_within(command: &mut Command, timeout: Duration) -> Result<String, Error> {
    let deadline = Instant::now() + timeout;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|_| Error::NotStarted)?;
    let stdout = child.stdout.take().map(read_beside);
    let stderr = child.stderr.take().map(read_beside);
    let text = |pipe: Option<Receiver<Vec<u8>>>| {
        let bytes = pipe?.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let status = wait(&mut child, deadline).ok_or(Error::TimedOut)?;
    if status.success() {
        return text(stdout).ok_or(Error::TimedOut);
    }
    let stderr = text(stderr).unwrap_or_default();
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Err(Error::Failed(if lines.is_empty() { status.to_string() } else { lines.join("\n") }))
}

/// Reads a pipe in a thread, because a child of the program may keep it open after the program is
/// killed.
fn read_beside(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if pipe.read_to_end(&mut bytes).is_ok() {
            // After the timeout, there is no receiver.
            let _ = send.send(bytes);
        }
    });
    receive
}

/// Waits for a child to end, and kills it at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
            _ => {
                // The child may have ended by now.
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
    fn long_output_is_read_in_full() {
        assert_eq!(output(&mut shell("echo yes")).as_deref(), Ok("yes\n"));
        let long = output(&mut shell("head -c 300000 /dev/zero")).unwrap();
        assert_eq!(long.len(), 300_000);
        let errors = "head -c 300000 /dev/zero >&2; echo yes";
        assert_eq!(output(&mut shell(errors)).as_deref(), Ok("yes\n"), "nobody waits for errors");
        assert_eq!(output(&mut shell(r"printf 'a\377'")).as_deref(), Ok("a\u{fffd}"));
    }

    #[test]
    fn programs_that_fail_or_are_missing_have_no_output() {
        let failure = |script| output(&mut shell(script)).unwrap_err().to_string();
        assert_eq!(failure("echo no; printf 'first\n\n\tsecond\n' >&2; exit 3"), "first\nsecond");
        assert!(failure("exit 3").contains('3'));
        assert_eq!(output(&mut Command::new("/no/such/program")), Err(Error::NotStarted));
    }

    #[test]
    fn programs_that_never_end_are_killed() {
        let timeout = Duration::from_millis(50);
        assert_eq!(output_within(&mut shell("exec sleep 1000"), timeout), Err(Error::TimedOut));
        // The shell ends, but its child keeps the pipe open.
        assert_eq!(output_within(&mut shell("sleep 3 & echo no"), timeout), Err(Error::TimedOut));
    }
}
