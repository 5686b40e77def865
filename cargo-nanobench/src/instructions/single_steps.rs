//! Execution step by step: the processor stops after each instruction between marks.

use super::Error;
use super::executions::Executions;
use super::mappings::Mappings;
use crate::interrupt;
use crate::session::RequestError;
use nanobench::model::StepMark;
use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

/// Largest number of instructions that are executed step by step.
const MAX_STEPS: u64 = 4_000_000;
/// The breakpoint that marks the beginning and the end of a segment.
const INT3: u8 = 0xcc;
/// Interval at which a wait for a mark checks for it.
const CHECK_INTERVAL: Duration = Duration::from_micros(100);
/// Number of checks without a pause in between, which are enough for a single instruction.
const QUICK_CHECKS: u32 = 1_000;

/// Lets a process answer a request with step marks, and returns the executions of each of its
/// segments. `send` sends the request.
pub(super) fn trace(
    process: u32,
    deadline: Instant,
    send: impl FnOnce() -> Result<(), RequestError> + Send,
) -> Result<Vec<Executions>, Error> {
    // When a thread ends, the kernel lets all go on that the thread has stopped.
    thread::scope(|scope| {
        let tracer = scope.spawn(|| {
            let tracer = Tracer::attach(process, deadline).map_err(traced)?;
            send()?;
            tracer.segments()
        });
        tracer.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn traced(error: impl Into<io::Error>) -> Error {
    Error::Trace(error.into())
}

/// A process whose threads stop at marks.
struct Tracer {
    process: u32,
    threads: Vec<Pid>,
    /// The memory of the process.
    memory: File,
    deadline: Instant,
}

/// The instructions that were executed, by their address in memory.
type Steps = HashMap<u64, Instruction>;

/// An instruction, and the number of its executions.
struct Instruction {
    is_mark: bool,
    executions: u64,
}

impl Tracer {
    fn attach(process: u32, deadline: Instant) -> io::Result<Tracer> {
        let mut threads = Vec::new();
        for thread in fs::read_dir(format!("/proc/{process}/task"))? {
            let thread = thread?.file_name().to_str().and_then(|name| name.parse().ok()).map(Pid::from_raw);
            threads.extend(thread);
        }
        for &thread in &threads {
            ptrace::seize(thread, ptrace::Options::empty())?;
        }
        Ok(Tracer { process, threads, memory: File::open(format!("/proc/{process}/mem"))?, deadline })
    }

    /// Lets the process go on to its last mark.
    fn segments(&self) -> Result<Vec<Executions>, Error> {
        let mut segments = Vec::new();
        let mut left = MAX_STEPS;
        loop {
            let (thread, mark) = self.next_mark()?;
            if mark == Some(StepMark::Begin) {
                segments.push(self.segment(thread, &mut left)?);
            }
            if mark == Some(StepMark::Done) {
                let mappings = Mappings::read(self.process).map_err(traced)?;
                ptrace::cont(thread, None).map_err(traced)?;
                return Ok(segments.iter().map(|steps| executions(steps, &mappings)).collect());
            }
            ptrace::cont(thread, None).map_err(traced)?;
        }
    }

    /// Waits for a mark. Returns the stopped thread.
    fn next_mark(&self) -> Result<(Pid, Option<StepMark>), Error> {
        loop {
            for &thread in &self.threads {
                let Some(signal) = self.stopped(thread)? else { continue };
                if signal == Some(Signal::SIGTRAP) {
                    let registers = ptrace::getregs(thread).map_err(traced)?;
                    if self.is_mark(registers.rip.wrapping_sub(1)) {
                        return Ok((thread, StepMark::from_number(registers.rax)));
                    }
                }
                ptrace::cont(thread, signal).map_err(traced)?;
            }
            self.check()?;
            thread::sleep(CHECK_INTERVAL);
        }
    }

    /// Executes the instructions up to the next mark.
    fn segment(&self, thread: Pid, left: &mut u64) -> Result<Steps, Error> {
        let mut steps = Steps::new();
        let mut signal = None;
        loop {
            let address = ptrace::getregs(thread).map_err(traced)?.rip;
            let instruction = steps
                .entry(address)
                .or_insert_with(|| Instruction { is_mark: self.is_mark(address), executions: 0 });
            if instruction.is_mark {
                steps.remove(&address);
                return Ok(steps);
            }
            instruction.executions += 1;
            *left = left.checked_sub(1).ok_or(Error::TooMany(MAX_STEPS))?;
            ptrace::step(thread, signal).map_err(traced)?;
            signal = self.wait(thread)?.filter(|signal| *signal != Signal::SIGTRAP);
        }
    }

    /// Waits until a thread stops. Returns the signal that it got.
    fn wait(&self, thread: Pid) -> Result<Option<Signal>, Error> {
        for check in 0.. {
            if let Some(signal) = self.stopped(thread)? {
                return Ok(signal);
            }
            if check < QUICK_CHECKS {
                thread::yield_now();
            } else {
                self.check()?;
                thread::sleep(CHECK_INTERVAL);
            }
        }
        Err(Error::Marks)
    }

    /// Returns the signal at which a thread has stopped. The outer `None` is a thread that runs.
    fn stopped(&self, thread: Pid) -> Result<Option<Option<Signal>>, Error> {
        match waitpid(thread, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
            Ok(WaitStatus::StillAlive) => Ok(None),
            Ok(WaitStatus::Stopped(_, signal)) => Ok(Some(Some(signal))),
            Ok(WaitStatus::PtraceEvent(..)) => Ok(Some(None)),
            // Another thread may end, but not the one with the marks.
            Ok(_) | Err(Errno::ECHILD) if self.threads.len() > 1 => Ok(None),
            Ok(_) => Err(Error::Marks),
            Err(error) => Err(traced(error)),
        }
    }

    fn is_mark(&self, address: u64) -> bool {
        let mut byte = [0];
        self.memory.read_exact_at(&mut byte, address).is_ok() && byte == [INT3]
    }

    /// Fails after Ctrl-C, the deadline, or the end of the process.
    fn check(&self) -> Result<(), Error> {
        if interrupt::requested() {
            return Err(Error::Request(RequestError::Interrupted));
        }
        let is_over = Instant::now() >= self.deadline;
        let is_alive = fs::exists(format!("/proc/{}/task", self.process)).unwrap_or(false);
        if is_over || !is_alive { Err(Error::Marks) } else { Ok(()) }
    }
}

/// Returns the executions by the places in their files.
fn executions(steps: &Steps, mappings: &Mappings) -> Executions {
    let mut executions = Executions::new();
    for (address, instruction) in steps {
        *executions.entry(mappings.place(*address)).or_insert(0) += instruction.executions;
    }
    executions
}
