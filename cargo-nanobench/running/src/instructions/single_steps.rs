//! Execution step by step: the processor stops after each instruction between marks.

use super::Error;
use super::call::Executions;
use super::mappings::Mappings;
use crate::affinity;
use crate::interrupt;
use crate::session::RequestError;
use nanobench::model::StepMark;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Largest number of instructions that are executed step by step. A step takes 3 to 25 us, so in
/// virtual machines, the deadline comes first.
const MAX_STEPS: u64 = 10_000_000;
/// Number of steps after which it is estimated if a call fits into the time.
const STEPS_TO_ESTIMATE: u64 = 10_000;
/// Instructions of a call in a nanosecond of its usual time: few, so that the estimate is low.
const INSTRUCTIONS_PER_NS: f64 = 1.0;
/// Number of calls that are executed step by step.
const CALLS: f64 = 3.0;
/// The breakpoint that marks the beginning and the end of a segment.
const INT3: u8 = 0xcc;
/// Interval of checks for Ctrl-C.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Lets a process answer a request with step marks, and returns the executions of each of its
/// segments. `call`: the usual time of a call. `send` sends the request.
pub(super) fn trace(
    process: u32,
    deadline: Instant,
    call: Option<Duration>,
    send: impl FnOnce() -> Result<(), RequestError> + Send,
) -> Result<Vec<Executions>, Error> {
    thread::scope(|scope| {
        let (has_ended, ends) = channel::<()>();
        // When a thread ends, the kernel lets all go on that the thread has stopped.
        let tracer = scope.spawn(move || {
            let _has_ended = has_ended;
            let tracer = Tracer::attach(process).map_err(traced)?;
            send()?;
            tracer.segments(&mut Allowance { steps: 0, start: Instant::now(), deadline, call })
        });
        let is_cut_short = cut_short(deadline, || ends.recv_timeout(CHECK_INTERVAL));
        if is_cut_short {
            // The tracer waits for the process, and nothing else ends a wait.
            kill(Pid::from_raw(process.cast_signed()), Signal::SIGKILL).map_err(traced)?;
        }
        let segments = tracer.join().unwrap_or_else(|panic| resume_unwind(panic));
        match is_cut_short {
            true if interrupt::requested() => Err(Error::Request(RequestError::Interrupted)),
            true => Err(Error::TooSlow),
            false => segments,
        }
    })
}

/// Waits for the end of a tracer. Returns whether Ctrl-C or the deadline came first.
fn cut_short(deadline: Instant, wait: impl Fn() -> Result<(), RecvTimeoutError>) -> bool {
    while wait() == Err(RecvTimeoutError::Timeout) {
        if interrupt::requested() || Instant::now() >= deadline {
            return true;
        }
    }
    false
}

fn traced(error: impl Into<io::Error>) -> Error {
    Error::Trace(error.into())
}

/// A process whose threads stop at marks.
struct Tracer {
    process: u32,
    /// The memory of the process.
    memory: File,
}

/// The instructions that were executed, by their address in memory.
type Steps = HashMap<u64, Instruction>;

/// An instruction, and the number of its executions.
struct Instruction {
    is_mark: bool,
    executions: u64,
}

/// Limits the steps of a process.
struct Allowance {
    /// Number of steps so far.
    steps: u64,
    start: Instant,
    deadline: Instant,
    /// The usual time of a call.
    call: Option<Duration>,
}

impl Allowance {
    /// Counts a step. The error says that all steps won't fit.
    fn step(&mut self) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(Error::TooMany(MAX_STEPS));
        }
        match self.call {
            Some(call) if self.steps == STEPS_TO_ESTIMATE && self.is_too_long(call, self.start.elapsed()) => {
                Err(Error::TooSlow)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the steps of calls of this length take too long. `elapsed`: the time of those
    /// so far.
    fn is_too_long(&self, call: Duration, elapsed: Duration) -> bool {
        let steps = CALLS * call.as_nanos() as f64 * INSTRUCTIONS_PER_NS;
        let time = elapsed.as_secs_f64() * steps / self.steps as f64;
        time > (self.deadline - self.start).as_secs_f64()
    }
}

impl Tracer {
    fn attach(process: u32) -> io::Result<Tracer> {
        for thread in fs::read_dir(format!("/proc/{process}/task"))? {
            let number = thread?.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(number) = number {
                ptrace::seize(Pid::from_raw(number), ptrace::Options::empty())?;
            }
        }
        Ok(Tracer { process, memory: File::open(format!("/proc/{process}/mem"))? })
    }

    /// Lets the process go on to its last mark.
    fn segments(&self, allowance: &mut Allowance) -> Result<Vec<Executions>, Error> {
        let mut segments = Vec::new();
        loop {
            let (thread, mark) = self.next_mark()?;
            if mark == Some(StepMark::Begin) {
                segments.push(on_one_core_with(thread, || self.segment(thread, allowance))?);
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
            let Some((thread, signal)) = self.next_stop(None)? else { continue };
            if signal == Some(Signal::SIGTRAP) {
                let registers = ptrace::getregs(thread).map_err(traced)?;
                if self.is_mark(registers.rip.wrapping_sub(1)) {
                    return Ok((thread, StepMark::from_number(registers.rax)));
                }
            }
            ptrace::cont(thread, signal).map_err(traced)?;
        }
    }

    /// Executes the instructions up to the next mark.
    fn segment(&self, thread: Pid, allowance: &mut Allowance) -> Result<Steps, Error> {
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
            allowance.step()?;
            ptrace::step(thread, signal).map_err(traced)?;
            let stop = self.next_stop(Some(thread))?;
            signal = stop.and_then(|(_, signal)| signal).filter(|signal| *signal != Signal::SIGTRAP);
        }
    }

    /// Waits until this thread stops, or any if `None`. Returns the thread and the signal that it
    /// got. The outer `None` is the end of a thread.
    fn next_stop(&self, thread: Option<Pid>) -> Result<Option<(Pid, Option<Signal>)>, Error> {
        // Of all children of the tool, only the threads that this thread traces.
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        match waitpid(thread, Some(flags)) {
            Ok(WaitStatus::Stopped(thread, signal)) => Ok(Some((thread, Some(signal)))),
            Ok(WaitStatus::PtraceEvent(thread, ..)) => Ok(Some((thread, None))),
            // Another thread may end, but not the one with the marks.
            Ok(WaitStatus::Exited(ended, _)) if thread.is_none() && !self.is_main(ended) => Ok(None),
            Ok(_) => Err(Error::Marks),
            Err(Errno::EINTR) => self.next_stop(thread),
            Err(error) => Err(traced(error)),
        }
    }

    fn is_main(&self, thread: Pid) -> bool {
        thread.as_raw().cast_unsigned() == self.process
    }

    fn is_mark(&self, address: u64) -> bool {
        let mut byte = [0];
        self.memory.read_exact_at(&mut byte, address).is_ok() && byte == [INT3]
    }
}

/// Runs `work` while this thread and another one share a core, if the system lets them. One of them
/// waits for the other, and waking a thread on another core takes longer.
fn on_one_core_with<T>(thread: Pid, mut work: impl FnMut() -> T) -> T {
    let Some((core, before)) = sched_getcpu().ok().zip(sched_getaffinity(thread).ok()) else {
        return work();
    };
    let mut set = CpuSet::new();
    if set.set(core).and_then(|()| sched_setaffinity(thread, &set)).is_err() {
        return work();
    }
    let result = affinity::while_on(core, &mut work).unwrap_or_else(work);
    // After an error, the thread may no longer exist.
    sched_setaffinity(thread, &before).ok();
    result
}

/// Returns the executions by the places in their files.
fn executions(steps: &Steps, mappings: &Mappings) -> Executions {
    let mut executions = Executions::new();
    for (address, instruction) in steps {
        *executions.entry(mappings.place(*address)).or_insert(0) += instruction.executions;
    }
    executions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_are_given_up_early() {
        let start = Instant::now();
        let call = Some(Duration::from_millis(1));
        let deadline = start + Duration::from_secs(60);
        let allowance = Allowance { steps: STEPS_TO_ESTIMATE, start, deadline, call };
        let is_too_long = |call, step| {
            let elapsed = Duration::from_micros(step) * STEPS_TO_ESTIMATE as u32;
            allowance.is_too_long(Duration::from_micros(call), elapsed)
        };
        assert!(is_too_long(1_000, 22), "3 million steps in 66 s");
        assert!(!is_too_long(1_000, 19) && !is_too_long(800, 22));
    }
}
