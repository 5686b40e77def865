//! The error that a pause leaves in the figure after its cost is subtracted.

use nanobench::{TimeControl, nanobench};
use work::{chain, fed};

/// Only pauses: the figure is the remainder of one.
#[nanobench(count = 100)]
fn pairs(count: u64, tc: &mut TimeControl) {
    for _ in 0..count {
        tc.pause();
        tc.resume();
    }
}

/// A pause in the middle of 100 multiplications.
#[nanobench]
fn interrupted(tc: &mut TimeControl) -> u64 {
    fed::<50>();
    tc.pause();
    tc.resume();
    fed::<50>()
}

/// The work without the pause.
#[nanobench]
fn uninterrupted(_: &mut TimeControl) -> u64 {
    fed::<50>();
    fed::<50>()
}

/// Most of the measured time is the clock's cost, so the tool must warn.
#[nanobench]
fn mostly_clock(tc: &mut TimeControl) -> u64 {
    tc.pause();
    tc.resume();
    fed::<30>()
}

/// Next to nothing of it is.
#[nanobench]
fn mostly_work(tc: &mut TimeControl) -> u64 {
    tc.pause();
    tc.resume();
    (0..100).fold(1, |x, _| chain::<100>(x))
}
