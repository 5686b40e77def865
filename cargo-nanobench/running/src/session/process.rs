//! A harness process with all its descendants: the tool drains its stderr and ends it with its
//! session.

use super::error::RequestError;
use crate::affinity;
use crate::cargo::Executable;
use crate::deadline::TimeLimit;
#[cfg(target_os = "linux")]
use crate::descendants;
use crate::interrupt;
use nanobench::protocol::CHANNEL_VARIABLE;
#[cfg(target_os = "linux")]
use nix::sys::signal::Signal;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read};
#[cfg(target_os = "linux")]
use std::ops::Add;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of bytes kept of a process's output.
const MAX_KEPT_OUTPUT: usize = 4096;
/// Length in characters of the longest line of output in an error.
const MAX_LINE: usize = 200;
/// Time that a process gets to end after it closed its connection.
const GRACE_PERIOD: Duration = Duration::from_secs(2);
/// Time for a program around it, such as a profiler, to end after that.
const WRAPPERS_GRACE_PERIOD: Duration = Duration::from_secs(60);
/// Time that the last output of a process gets to arrive through its pipe.
const PIPE_DELAY: Duration = Duration::from_millis(20);

/// A running process.
#[derive(Debug)]
pub(crate) struct Process {
    child: Box<dyn ChildWrapper>,
    /// The address in its environment, which its descendants inherit.
    #[cfg(target_os = "linux")]
    address: String,
    /// The end of the output to stderr.
    stderr: Arc<Mutex<VecDeque<u8>>>,
    #[cfg(target_os = "linux")]
    is_suspended: bool,
    /// The processes that it had started when they were last looked for, with theirs.
    #[cfg(target_os = "linux")]
    descendants: Vec<i32>,
    /// It runs under another program, which needs its time to end and to write its results.
    has_wrapper: bool,
}

impl Process {
    /// Starts the harness in `executable`, which connects to `address`. `wrapper`: the program that
    /// runs it, with its arguments, if any.
    pub(super) fn spawn(
        executable: &Executable,
        wrapper: &[OsString],
        address: &str,
        nocapture: bool,
    ) -> io::Result<Process> {
        let mut words = wrapper.iter().map(OsString::as_os_str).chain([executable.path.as_os_str()]);
        let program = words.next().unwrap_or_default();
        let mut command = CommandWrap::with_new(program, |command| {
            command
                .args(words)
                .args(executable.arguments())
                .current_dir(&executable.manifest_dir)
                .envs(executable.environment.iter().map(|(name, value)| (name, value)))
                .env(CHANNEL_VARIABLE, address)
                .stdin(Stdio::null())
                .stdout(if nocapture { Stdio::from(io::stderr()) } else { Stdio::null() })
                .stderr(if nocapture { Stdio::from(io::stderr()) } else { Stdio::piped() });
        });
        // In a separate group, the process gets Ctrl-C from the tool only, and ends together with
        // its descendants.
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        #[cfg(target_os = "linux")]
        descendants::adopt();
        let mut child = command.spawn()?;
        let stderr = Arc::default();
        if let Some(pipe) = child.stderr().take() {
            drain(pipe, Arc::clone(&stderr));
        }
        #[cfg(target_os = "linux")]
        descendants::add_child(child.id());
        Ok(Process {
            child,
            #[cfg(target_os = "linux")]
            address: address.to_owned(),
            stderr,
            #[cfg(target_os = "linux")]
            is_suspended: false,
            #[cfg(target_os = "linux")]
            descendants: Vec::new(),
            has_wrapper: !wrapper.is_empty(),
        })
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns an error if the process has ended, but not after Ctrl-C, which may have ended it.
    pub(super) fn check_alive(&mut self) -> Result<(), RequestError> {
        if self.is_interrupted() || matches!(self.try_wait(), Ok(None)) { Ok(()) } else { Err(self.death()) }
    }

    /// Ends the process, and returns an error, after Ctrl-C or the deadline.
    pub(super) fn check_limits(&mut self, limit: TimeLimit) -> Result<(), RequestError> {
        if self.is_interrupted() {
            self.end();
            return Err(RequestError::Interrupted);
        }
        if Instant::now() >= limit.deadline {
            self.end();
            return Err(RequestError::TimedOut(limit.timeout));
        }
        Ok(())
    }

    /// Returns whether Ctrl-C ends the process. One under another program ends by itself then.
    pub(super) fn is_interrupted(&self) -> bool {
        interrupt::requested() && !self.has_wrapper
    }

    /// Returns the time that the process gets to end after its connection is closed.
    pub(super) fn grace_period(&self) -> Duration {
        if self.has_wrapper { WRAPPERS_GRACE_PERIOD } else { GRACE_PERIOD }
    }

    /// Discards the output so far, so that it is not attributed to the next request.
    pub(super) fn clear_output(&self) {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the error for a process that ended by itself or closed its connection. Ends the
    /// process if it still runs.
    pub(super) fn death(&mut self) -> RequestError {
        let status = self.wait_for_end();
        let status = status.map_or_else(|| "it closed its connection".to_owned(), describe);
        std::thread::sleep(PIPE_DELAY);
        let output: Vec<u8> =
            self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        RequestError::Died(match last_line(&output) {
            Some(line) => format!("{status}: {line}"),
            None => status,
        })
    }

    /// Returns an error if the process, which is about to end, ends with a failure.
    pub(super) fn check_success(&mut self) -> Result<(), RequestError> {
        match self.wait_for_end() {
            Some(status) if !status.success() => Err(self.death()),
            _ => Ok(()),
        }
    }

    /// Looks for the descendants of the process, with theirs. Does nothing on other systems than Linux, where
    /// it takes tens of microseconds.
    pub(crate) fn find_descendants(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.descendants = descendants::of(self.id().cast_signed(), &self.address);
        }
    }

    /// Returns the CPU time so far of the process, and of the descendants that it had when they were
    /// last looked for. `None` if it is not known.
    pub(crate) fn total_cpu_time(&self) -> Option<Duration> {
        let own = affinity::total_cpu_time(self.id().cast_signed())?;
        #[cfg(target_os = "linux")]
        let own = self.descendants.iter().filter_map(|&id| affinity::total_cpu_time(id)).fold(own, Add::add);
        Some(own)
    }

    /// Stops all threads of the process and its descendants, until [`Process::resume`]. Does
    /// nothing on other systems than Linux.
    pub(crate) fn suspend(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.is_suspended = true;
            // Fails only if the process has ended.
            let _ = self.child.signal(Signal::SIGSTOP as i32);
            // Some may have left the group.
            self.find_descendants();
            self.descendants.iter().for_each(|&id| descendants::signal(id, Signal::SIGSTOP));
        }
    }

    /// Lets a suspended process go on.
    pub(crate) fn resume(&mut self) {
        #[cfg(target_os = "linux")]
        if std::mem::take(&mut self.is_suspended) {
            // Fails only if the process has ended.
            let _ = self.child.signal(Signal::SIGCONT as i32);
            self.descendants.iter().for_each(|&id| descendants::signal(id, Signal::SIGCONT));
        }
    }

    /// Waits for the process to end by itself, up to the grace period or Ctrl-C. Then ends it with
    /// its descendants. Returns the status if it ended by itself.
    fn wait_for_end(&mut self) -> Option<ExitStatus> {
        self.resume();
        let deadline = Instant::now() + self.grace_period();
        let status = loop {
            match self.try_wait() {
                Ok(None) if !self.is_interrupted() && Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_micros(200));
                }
                ended => break ended.ok().flatten(),
            }
        };
        self.end();
        status
    }

    /// Returns the status of the process alone. With its group, it would be lost while descendants
    /// that the tool has adopted still run.
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.inner_mut().try_wait()
    }

    /// Ends the process and its descendants.
    pub(super) fn end(&mut self) {
        // A descendant that can't be recognised must not stay stopped.
        self.resume();
        // Both fail if it has ended by itself in the meantime.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        {
            descendants::remove_child(self.child.id());
            descendants::end_adopted(&self.address);
        }
    }
}

impl Drop for Process {
    /// Lets the process end by itself, since benchmarks may have a teardown, and kills it after the
    /// grace period.
    fn drop(&mut self) {
        self.wait_for_end();
    }
}

/// Reads `pipe` to its end in a thread, and keeps the last bytes. Nothing waits for the thread,
/// since a descendant of the process may hold the pipe open for ever.
fn drain(mut pipe: impl Read + Send + 'static, kept: Arc<Mutex<VecDeque<u8>>>) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[read.saturating_sub(MAX_KEPT_OUTPUT)..read]);
            let surplus = kept.len().saturating_sub(MAX_KEPT_OUTPUT);
            kept.drain(..surplus);
        }
    });
}

/// Returns a text about how a process has ended.
fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        const SIGILL: i32 = 4;
        if std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGILL) {
            return format!("{status}: was it built for another processor (target-cpu)?");
        }
    }
    status.to_string()
}

/// Returns the last line of an error message: neither empty, nor advice, nor part of a backtrace,
/// whose frames are indented. Returns `None` if the line is not plain text.
fn last_line(bytes: &[u8]) -> Option<String> {
    let is_advice = |line: &[u8]| line.starts_with(b"note: ") || line == b"stack backtrace:";
    let is_message =
        |line: &&[u8]| !is_advice(line) && line.first().is_some_and(|first| !first.is_ascii_whitespace());
    let line = bytes.split(|&byte| byte == b'\n').rev().find(is_message)?;
    let line = std::str::from_utf8(line).ok()?.trim_end();
    (!line.chars().any(char::is_control)).then(|| line.chars().take(MAX_LINE).collect())
}

#[cfg(test)]
mod tests {
    use super::last_line;

    #[cfg(unix)]
    #[test]
    fn an_unknown_instruction_is_one_of_another_processor() {
        use std::os::unix::process::ExitStatusExt as _;
        let described = |signal| super::describe(super::ExitStatus::from_raw(signal));
        assert!(described(4).ends_with("(SIGILL): was it built for another processor (target-cpu)?"));
        assert!(!described(11).contains("processor"));
    }

    #[test]
    fn the_last_line_is_that_of_the_message() {
        assert_eq!(last_line(b"one\ntwo \n\n").as_deref(), Some("two"));
        assert_eq!(last_line(b"one\nstack backtrace:\n   0: a\n      at b\n").as_deref(), Some("one"));
        assert_eq!(last_line(b"one\nnote: run with `RUST_BACKTRACE=1`\n").as_deref(), Some("one"));
        assert_eq!(last_line(b"one\n\xff\xfe\n"), None);
        assert_eq!(last_line(b"one\n\x1b[31mred\n"), None);
        assert_eq!(last_line(b""), None);
    }
}
