//! A child process with all that it starts: what it prints is drained, and it goes when its session goes.

use crate::cargo::Executable;
use crate::interrupt;
use nanobench::protocol::CHANNEL_VARIABLE;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of what a child prints is kept.
const KEPT: usize = 4096;
/// How long a child that has hung up may take to end.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
}

impl Process {
    /// Starts the harness in `executable`, which is to connect to `address`.
    pub(super) fn start(executable: &Executable, address: &str, nocapture: bool) -> io::Result<Process> {
        let output = || if nocapture { Stdio::from(io::stderr()) } else { Stdio::piped() };
        let mut command = CommandWrap::with_new(&executable.path, |command| {
            command
                .args(executable.arguments())
                .current_dir(&executable.manifest_dir)
                .envs(executable.environment.iter().map(|(name, value)| (name, value)))
                .env(CHANNEL_VARIABLE, address)
                .stdin(Stdio::null())
                .stdout(output())
                .stderr(output());
        });
        // A group of its own: Ctrl-C reaches it through us only, and it is ended with all that it started.
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut child = command.spawn()?;
        let stderr = Arc::default();
        if let Some(pipe) = child.stderr().take() {
            drain(pipe, Arc::clone(&stderr));
        }
        if let Some(pipe) = child.stdout().take() {
            drain(pipe, Arc::default());
        }
        Ok(Process { child, stderr })
    }

    /// Its number.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it and what it started.
    pub(super) fn end(&mut self) {
        // It may have ended by itself in the meantime: then there is nothing to do.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }

    /// From now on its last words are about something else.
    pub(super) fn forget_output(&self) {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How it ended, and the last line that it printed to stderr. Ends it where it has hung up and lives on.
    pub(super) fn last_words(&mut self) -> String {
        let status =
            self.status().map_or_else(|| "it closed its connection".to_owned(), |status| status.to_string());
        // What it printed last may still be in the pipe.
        std::thread::sleep(Duration::from_millis(20));
        let kept =
            self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect::<Vec<u8>>();
        match last_line(&kept) {
            Some(line) => format!("{status}: {line}"),
            None => status,
        }
    }

    fn status(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => {
                    self.end();
                    return None;
                }
            }
        }
    }
}

impl Drop for Process {
    /// Lets it come to its end, as benchmarks may have something to tear down then, and ends what is left.
    fn drop(&mut self) {
        let deadline = Instant::now() + GRACE;
        while !self.has_ended() && !interrupt::requested() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(200));
        }
        self.end();
    }
}

/// Reads `pipe` to its end in a thread of its own and keeps the end of it. The thread is not waited for: something
/// that the child started may hold the pipe open for ever.
fn drain(mut pipe: impl Read + Send + 'static, kept: Arc<Mutex<VecDeque<u8>>>) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[read.saturating_sub(KEPT)..read]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    });
}

/// The last line that is text and not empty.
fn last_line(bytes: &[u8]) -> Option<String> {
    // Neither blank, nor advice, nor of a backtrace, whose frames are indented.
    let is_noise = |line: &[u8]| line.starts_with(b"note: ") || line == b"stack backtrace:";
    let says_something =
        |line: &&[u8]| !is_noise(line) && line.first().is_some_and(|first| !first.is_ascii_whitespace());
    let line = bytes.split(|&byte| byte == b'\n').rev().find(says_something)?;
    let line = std::str::from_utf8(line).ok()?.trim_end();
    (!line.chars().any(char::is_control)).then(|| line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::last_line;

    #[test]
    fn the_last_line_is_text() {
        assert_eq!(last_line(b"one\ntwo \n\n").as_deref(), Some("two"));
        assert_eq!(last_line(b"one\nstack backtrace:\n   0: a\n      at b\n").as_deref(), Some("one"));
        assert_eq!(last_line(b"one\nnote: run with `RUST_BACKTRACE=1`\n").as_deref(), Some("one"));
        assert_eq!(last_line(b"one\n\xff\xfe\n"), None);
        assert_eq!(last_line(b"one\n\x1b[31mred\n"), None);
        assert_eq!(last_line(b""), None);
    }
}
