//! Runs short programs with a time limit.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit. A remote file system may be slow, but the environment is not worth a longer
/// wait.
const TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Returns the standard output of a command, unless it is missing, fails or takes too long. It may hold
/// names of files, which can be any bytes.
pub(super) fn output(command: &mut Command) -> Option<String> {
    output_within(command, TIMEOUT)
}

fn output_within(command: &mut Command, timeout: Duration) -> Option<String> {
    let deadline = Instant::now() + timeout;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    // A thread reads, because a child of the program may keep the pipe open after the program is
    // killed.
    thread::spawn(move || {
        let mut text = Vec::new();
        let read = stdout.read_to_end(&mut text);
        // After the timeout, there is no receiver.
        let _ = send.send(read.map(|_| text));
    });
    let status = wait(&mut child, deadline)?;
    let text = receive.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?.ok()?;
    status.success().then(|| String::from_utf8_lossy(&text).into_owned())
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
        assert_eq!(output(&mut shell("echo yes")).as_deref(), Some("yes\n"));
        let long = output(&mut shell("head -c 300000 /dev/zero")).unwrap();
        assert_eq!(long.len(), 300_000);
        assert_eq!(output(&mut shell(r"printf 'a\377'")).as_deref(), Some("a\u{fffd}"));
    }

    #[test]
    fn programs_that_fail_or_are_missing_have_no_output() {
        assert_eq!(output(&mut shell("echo no; exit 3")), None);
        assert_eq!(output(&mut Command::new("/no/such/program")), None);
    }

    #[test]
    fn programs_that_never_end_are_killed() {
        let timeout = Duration::from_millis(50);
        assert_eq!(output_within(&mut shell("exec sleep 1000"), timeout), None);
        // The shell ends, but its child keeps the pipe open.
        assert_eq!(output_within(&mut shell("sleep 3 & echo no"), timeout), None);
    }
}
