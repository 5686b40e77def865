//! A clock for tests: it advances by explicit calls, and by a fixed cost with each reading. Each
//! thread has its own.

use super::Ticks;
use std::cell::Cell;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1_000) };
    static READ_COST: Cell<u64> = const { Cell::new(0) };
}

/// Advances the clock by `ticks` (ns).
pub(crate) fn advance(ticks: u64) {
    NOW.set(NOW.get() + ticks);
}

/// Sets the cost of each further reading, in ticks.
pub(crate) fn set_read_cost(ticks: u64) {
    READ_COST.set(ticks);
}

pub(crate) fn now() -> Ticks {
    advance(READ_COST.get());
    Ticks(NOW.get())
}
