//! Closures with state of their own.
//!
//! For all that the optimiser knows, `black_box` may change whatever a closure refers to. So the
//! inputs are hidden in each call, but state is stored and loaded again between two calls, which
//! takes longer than an addition. A result that changes from call to call shows that there is state.
//! Then the loop lets the optimiser believe that memory is read between the calls, but not changed:
//! no result is left out, and state stays in registers. But work on inputs that stay the same may
//! leave the loop. It takes longer than storing state, so both loops are timed, and if that shows,
//! the inputs are hidden for good.

use super::Bencher;
use super::alignment::align_following_code;
use std::arch::asm;
use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop};
use std::ptr;
use std::time::Instant;

/// The longest time for storing and loading state between two calls, in ns: that of several chains of
/// stores and loads, of five cycles each, on a slow core.
const MAX_STATE_TIME: f64 = 10.0;
/// The number of runs in which a loop is timed, and of calls that such a run makes at least.
const TIMED_RUNS: u32 = 2;
const MIN_CALLS: u64 = 100;

/// The results of a closure so far, and the times of its calls.
#[derive(Debug, Default)]
pub(crate) struct SeenResults {
    last: Option<u64>,
    has_changed: bool,
    hidden: ShortestTime,
    in_registers: ShortestTime,
}

/// The shortest time of a call in some runs, in ns.
#[derive(Debug, Default)]
struct ShortestTime {
    time: f64,
    runs: u32,
}

impl ShortestTime {
    fn note(&mut self, start: Instant, calls: u64) {
        if calls >= MIN_CALLS {
            let time = start.elapsed().as_secs_f64() * 1e9 / calls as f64;
            self.time = if self.runs == 0 { time } else { time.min(self.time) };
            self.runs += 1;
        }
    }
}

impl SeenResults {
    /// Returns whether the state may stay in registers.
    fn may_keep_state(&self) -> bool {
        let loses_work = self.in_registers.runs >= TIMED_RUNS
            && self.hidden.time > self.in_registers.time + MAX_STATE_TIME;
        self.has_changed && self.hidden.runs >= TIMED_RUNS && !loses_work
    }
}

impl Bencher {
    /// Calls `function`, like [`Bencher::call`].
    #[inline(always)]
    pub(crate) fn call_closure<T>(&mut self, mut function: impl FnMut() -> T, seen: &mut SeenResults) {
        let is_number = size_of::<T>() == align_of::<T>() && size_of::<T>() <= size_of::<u64>();
        if !is_number || needs_drop::<T>() {
            return self.call(|_| function());
        }
        self.returns_value = Some(true);
        let start = Instant::now();
        if seen.may_keep_state() {
            self.fold(function, |before, result| observe(before, in_register(&result)));
            seen.in_registers.note(start, self.iterations);
        } else {
            // Through a reference, so that what it has captured by value is hidden, too.
            let function = black_box(&mut function);
            let hidden = || {
                let result = function();
                let number = in_register(&result);
                black_box(result);
                number
            };
            let last = self.fold(hidden, |_, number| number);
            seen.hidden.note(start, self.iterations);
            let before = if self.iterations > 0 { seen.last.replace(last) } else { None };
            seen.has_changed |= before.is_some_and(|before| before != last);
        }
    }

    /// Calls `function`, and `after` with each result. Returns the value that `after` makes of the last
    /// result and of its value before.
    #[inline(never)]
    fn fold<T>(&mut self, mut function: impl FnMut() -> T, after: impl Fn(u64, T) -> u64) -> u64 {
        let mut value = 0;
        let mut iterations = self.begin_first_segment();
        while iterations > 0 {
            let start = self.clock.start();
            align_following_code();
            for _ in 0..iterations {
                value = after(value, function());
            }
            iterations = self.begin_next_segment(start, self.clock.end());
        }
        black_box(value)
    }
}

/// Returns the bytes of a value of up to eight bytes.
#[inline(always)]
fn in_register<T>(value: &T) -> u64 {
    let mut bytes = MaybeUninit::<u64>::zeroed();
    let number: u64;
    // SAFETY: the value is neither longer than the number, nor needs a larger alignment. The
    // assembler gets no instruction. It makes a number even of bytes that nothing has written.
    #[expect(unsafe_code, reason = "the type is not known to be a number")]
    unsafe {
        ptr::copy_nonoverlapping(value, bytes.as_mut_ptr().cast(), 1);
        asm!("/* {0} */", inout(reg) bytes => number, options(pure, nomem, nostack, preserves_flags));
    }
    number
}

/// Uses `number` and all memory, for all that the optimiser knows. It returns a number that depends
/// on them and on `before`, so that no use can be left out as long as the last one isn't.
#[inline(always)]
fn observe(mut before: u64, number: u64) -> u64 {
    // SAFETY: the assembler gets no instruction.
    #[expect(unsafe_code, reason = "`black_box` may change memory")]
    unsafe {
        asm!("/* {0} {1} */", inout(reg) before, in(reg) number, options(pure, readonly, nostack, preserves_flags));
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;

    /// Calls a closure often in each of five runs. Returns whether its state is kept in registers.
    fn has_state<T>(mut function: impl FnMut() -> T) -> bool {
        const CALLS: u64 = MIN_CALLS + 1;
        let (mut seen, mut calls) = (SeenResults::default(), 0);
        for _ in 0..5 {
            let mut bencher = Bencher::new(Clock::Scripted, CALLS, 1, 1);
            let mut counted = || {
                calls += 1;
                function()
            };
            bencher.call_closure(&mut counted, &mut seen);
            assert_eq!(bencher.returns_value, Some(size_of::<T>() > 0));
        }
        assert_eq!(calls, 5 * CALLS);
        seen.in_registers.runs > 0
    }

    #[test]
    fn a_number_that_changes_from_call_to_call_shows_state() {
        let (mut sum, mut is_odd, mut text) = (1.0_f64, false, String::new());
        assert!(has_state(|| {
            sum *= 1.0001;
            sum
        }));
        assert!(has_state(|| {
            is_odd = !is_odd;
            is_odd
        }));
        assert!(!has_state(|| sum.sin()), "the same input in each call");
        assert!(!has_state(|| sum *= 1.0001), "nothing is known of a closure without result");
        assert!(!has_state(|| {
            text.push('a');
            text.clone()
        }));
    }

    #[test]
    fn work_that_takes_longer_than_state_is_hidden_for_good() {
        let seen = |hidden: f64, in_registers: f64, runs: u32| SeenResults {
            last: None,
            has_changed: true,
            hidden: ShortestTime { time: hidden, runs: TIMED_RUNS },
            in_registers: ShortestTime { time: in_registers, runs },
        };
        assert!(seen(3.1, 0.7, TIMED_RUNS).may_keep_state());
        assert!(!seen(30.0, 0.7, TIMED_RUNS).may_keep_state());
        assert!(seen(30.0, 0.7, 1).may_keep_state(), "the other loop was hardly timed");
        assert!(!SeenResults { has_changed: false, ..seen(3.1, 0.7, 2) }.may_keep_state());
    }

    #[test]
    fn the_bytes_of_a_value_are_those_of_a_number() {
        assert_eq!((in_register(&7_u8), in_register(&-1_i64)), (7, u64::MAX));
        assert_eq!(in_register(&1.5_f64), 1.5_f64.to_bits());
        assert_eq!(observe(3, 4), 3);
    }
}
