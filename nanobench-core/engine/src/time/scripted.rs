//! A clock for tests: it advances by explicit calls, and by a cost with each reading. Each thread has
//! its own, and a scripted time in which it waits.

use super::Ticks;
use crate::counters::Waits;
use crate::rng::Rng;
use std::cell::{Cell, RefCell};

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1_000) };
    static READ_COST: Cell<u64> = const { Cell::new(0) };
    static RESOLUTION: Cell<u64> = const { Cell::new(1) };
    /// Source of the costs of readings that vary.
    static JITTER: RefCell<Option<Rng>> = const { RefCell::new(None) };
    static EMPTY_LOOP: Cell<u64> = const { Cell::new(0) };
    static WAITS: Cell<Option<Waits>> = const { Cell::new(None) };
}

/// Advances the clock by `ticks` (ns).
pub(crate) fn advance(ticks: u64) {
    NOW.set(NOW.get() + ticks);
}

/// Advances the clock by `ticks` in which this thread waits for other programs. Others of the same
/// process, or its children, run for `own` of that.
pub(crate) fn wait(ticks: u64, own: u64) {
    advance(ticks);
    let Waits { waited, other_cpu_time } = WAITS.get().unwrap_or(Waits { waited: 0, other_cpu_time: 0 });
    WAITS.set(Some(Waits { waited: waited + ticks, other_cpu_time: other_cpu_time + own }));
}

/// Returns for how long this thread waited. `None` before [`wait`] was first called.
pub(crate) fn waits() -> Option<Waits> {
    WAITS.get()
}

/// Sets the cost of each further reading, in ticks.
pub(crate) fn set_read_cost(ticks: u64) {
    READ_COST.set(ticks);
}

/// Makes each further reading a multiple of `resolution`. With `has_jitter`, its cost varies at
/// random, by a quarter.
pub(crate) fn set_resolution(resolution: u64, has_jitter: bool) {
    RESOLUTION.set(resolution);
    JITTER.set(has_jitter.then(|| Rng::with_seed(1)));
}

/// Sets the time of an iteration of an empty benchmark.
pub(crate) fn set_empty_loop(ticks: u64) {
    EMPTY_LOOP.set(ticks);
}

/// Advances the clock by an iteration of an empty benchmark.
pub(crate) fn advance_empty_loop() {
    advance(EMPTY_LOOP.get());
}

pub(crate) fn now() -> Ticks {
    let cost = READ_COST.get();
    advance(JITTER.with_borrow_mut(|jitter| match jitter {
        Some(rng) => cost - cost / 4 + u64::from(rng.bounded(cost as u32 / 4 * 2 + 1)),
        None => cost,
    }));
    Ticks(NOW.get() / RESOLUTION.get() * RESOLUTION.get())
}
