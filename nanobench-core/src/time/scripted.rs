//! A clock for tests: time passes when a test says so, and by a fixed cost at each reading. One per thread.

use super::Ticks;
use std::cell::Cell;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1_000) };
    static READ_COST: Cell<u64> = const { Cell::new(0) };
}

/// Lets `ticks` (ns) pass.
pub(crate) fn advance(ticks: u64) {
    NOW.set(NOW.get() + ticks);
}

/// What each reading takes from now on, in ticks.
pub(crate) fn set_read_cost(ticks: u64) {
    READ_COST.set(ticks);
}

pub(crate) fn now() -> Ticks {
    advance(READ_COST.get());
    Ticks(NOW.get())
}
