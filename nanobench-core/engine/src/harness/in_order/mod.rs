//! Benchmarks that a program passes one after another, such as the closures of criterion's groups.
//!
//! A process goes through the program's code once. Where the program passes a benchmark, it is
//! measured, served to the tool, listed or skipped. So benchmarks are requested in their order, and
//! all code before a benchmark has run, apart from other benchmarks.
//!
//! The code of a benchmark is what `main` leads to, and the tool leaves out the harness by the names of
//! its functions. So none of it may be inlined into code of the user, which link-time optimisation
//! could do.

mod alone;
mod at_exit;
mod program;
mod served;

use crate::measure::{Bencher, TimedCode};
use crate::model::ThroughputUnit;
use program::Program;
use std::cell::RefCell;
use std::hint::black_box;
use std::panic::Location;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};

/// The run of this process, from the first call of [`begin`] on.
static PROGRAM: OnceLock<Mutex<Program>> = OnceLock::new();

/// A benchmark that the program passes.
#[derive(Debug, Clone, Copy)]
pub struct PassedRow<'a> {
    /// Its id within the executable, as one text.
    pub id: &'a str,
    /// The group that it is shown in.
    pub group: Option<&'a str>,
    /// The place of the call that passes it.
    pub location: &'static Location<'static>,
    /// The amounts that an iteration works on.
    pub throughput: &'a [(ThroughputUnit, u64)],
}

/// Begins the run of this process, unless it has begun. `cargo nanobench` looks for `marker` in the
/// executable; the function doesn't use it. Without the tool, `arguments` returns those of the process,
/// as the standard test harness takes them. Ends the process if they are wrong.
#[inline(never)]
pub fn begin(
    marker: &'static str,
    timed_code: &'static TimedCode,
    is_unoptimized: bool,
    arguments: fn() -> Result<Vec<String>, String>,
) {
    PROGRAM.get_or_init(|| {
        black_box(marker);
        super::own_main_runs();
        timed_code.install();
        at_exit::register();
        Mutex::new(Program::begin(is_unoptimized, arguments))
    });
}

/// Passes a benchmark, after [`begin`]. `run` is called once for each sample.
///
/// # Panics
/// Panics within the call of another benchmark, and with what the benchmark panics with if the tool
/// doesn't run the process.
pub fn row<F: FnMut(&mut Bencher)>(row: &PassedRow<'_>, mut run: F) {
    // The optimiser must not call a copy of the function: the tool looks for this one.
    let call: fn(&mut F, &mut Bencher) = black_box(call_row::<F>);
    pass(row, call as usize, &RefCell::new(|bencher: &mut Bencher| call(&mut run, bencher)));
}

/// Calls a benchmark. The tool knows the code of each benchmark by this function.
#[inline(never)]
fn call_row<F: FnMut(&mut Bencher)>(run: &mut F, bencher: &mut Bencher) {
    run(bencher);
}

/// Calls a function that passes benchmarks, after [`begin`], so that its code is not taken for that
/// of benchmarks that other such functions pass.
pub fn target<F: FnOnce()>(function: F) {
    let call: fn(F) = black_box(call_target::<F>);
    let outer = enter_target(Some(distance(call as usize)));
    call(function);
    enter_target(outer);
}

/// Makes this the target whose code runs. Returns the one before.
#[inline(never)]
fn enter_target(target: Option<u64>) -> Option<u64> {
    program().enter_target(target)
}

/// Calls a function that passes benchmarks. The tool knows its code by this function.
#[inline(never)]
fn call_target<F: FnOnce()>(function: F) {
    function();
}

/// Passes a benchmark. The address of this function is the one from which the tool measures.
#[inline(never)]
fn pass<'a>(row: &PassedRow<'a>, code: usize, run: &'a RefCell<dyn FnMut(&mut Bencher) + 'a>) {
    program().pass(row, distance(code), run);
}

/// Returns the distance of code from [`pass`].
#[inline(never)]
fn distance(code: usize) -> u64 {
    (code as u64).wrapping_sub(pass as *const () as u64)
}

/// Returns the run of this process.
fn program() -> MutexGuard<'static, Program> {
    let program = PROGRAM.get().expect("`begin` is called first");
    match program.try_lock() {
        Ok(program) => program,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => panic!(
            "a benchmark was started while another one runs: start it outside of the other's closure, on one \
             thread"
        ),
    }
}

/// Ends the run of this process, at its exit.
fn end() {
    // Whoever exits within a benchmark has ended its run.
    if let Some(Ok(mut program)) = PROGRAM.get().map(Mutex::try_lock) {
        program.end();
    }
}
