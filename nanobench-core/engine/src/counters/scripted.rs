//! A counter for tests: it counts by explicit calls, and a fixed number for each start and stop.
//! Each thread has its own.

use super::{Counter, Counters, NamedCounter};
use std::cell::Cell;

/// Events of starting and stopping.
pub(crate) const SEGMENT: u64 = 5;
const START: u64 = 3;

thread_local! {
    static EVENTS: Cell<u64> = const { Cell::new(0) };
    static STARTS: Cell<u64> = const { Cell::new(0) };
}

/// Adds events.
pub(crate) fn add(events: u64) {
    EVENTS.set(EVENTS.get() + events);
}

/// Returns how often a counter was started.
pub(crate) fn starts() -> u64 {
    STARTS.get()
}

/// Returns a set with this counter under the name of another.
pub(crate) fn counters(name: &str) -> Counters {
    Counters(vec![NamedCounter { name: name.to_owned(), counter: Box::new(Scripted(0)), total: 0 }])
}

#[derive(Debug)]
struct Scripted(u64);

impl Counter for Scripted {
    fn start(&mut self) {
        self.0 = EVENTS.get();
        STARTS.set(STARTS.get() + 1);
        add(START);
    }

    fn stop(&mut self) -> u64 {
        add(SEGMENT - START);
        EVENTS.get() - self.0
    }
}
