//! A clock for tests: it advances by explicit calls, and by a fixed cost with each reading. Each
//! thread has its own, and a scripted time in which it waits.

use super::Ticks;
use crate::counters::Waits;
use std::cell::Cell;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1_000) };
    static READ_COST: Cell<u64> = const { Cell::new(0) };
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

pub(crate) fn now() -> Ticks {
    advance(READ_COST.get());
    Ticks(NOW.get())
}
