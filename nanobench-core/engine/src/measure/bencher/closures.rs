//! Closures with state of their own.
//!
//! For all that the optimiser knows, `black_box` may change whatever a closure refers to. So the
//! inputs are hidden in each call, but state is stored and loaded again between two calls, which
//! takes longer than an addition. A result that changes from call to call shows that there is state.
//! Then another loop lets the optimiser believe that memory is read between the calls, but not
//! changed: no store and no result is left out, and state stays in registers. But work on inputs that
//! stay the same may leave this loop. So both are timed in turn, and if it is shorter by more than
//! storing state takes, it isn't used.

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
/// The number of times that a run times each loop to compare them, and the fewest calls of each time.
const ROUNDS: u64 = 3;
const MIN_CALLS: u64 = 100;

/// Findings about the state of a closure.
#[derive(Debug)]
pub(crate) struct State {
    last_result: Option<u64>,
    has_changed: bool,
    /// It stays in registers. `None` until both loops were timed.
    is_kept: Option<bool>,
}

impl State {
    /// Creates the state of a closure that no run was made of. `may_be_kept`: it may stay in registers.
    #[inline]
    pub(crate) fn new(may_be_kept: bool) -> State {
        State { last_result: None, has_changed: false, is_kept: if may_be_kept { None } else { Some(false) } }
    }
}

impl Bencher {
    /// Calls `function`, like [`Bencher::call`].
    #[inline(always)]
    pub(crate) fn call_closure<T>(&mut self, function: &mut impl FnMut() -> T, state: &mut State) {
        let is_number = size_of::<T>() == align_of::<T>() && size_of::<T>() <= size_of::<u64>();
        // Larger closures are not seen as a whole.
        state.has_changed &= size_of_val(function) <= size_of::<Words>();
        if !is_number || needs_drop::<T>() {
            return self.call(|_| function());
        }
        self.returns_value = Some(true);
        let part = self.iterations / (2 * ROUNDS);
        match state.is_kept {
            Some(true) => self.call_with_kept_state(function),
            None if state.has_changed && part >= MIN_CALLS => {
                let all = self.iterations;
                let mut shortest = [f64::INFINITY; 2];
                let mut time =
                    |bencher: &mut Bencher, function: &mut dyn FnMut(&mut Bencher), place: usize| {
                        let start = Instant::now();
                        function(bencher);
                        let time = start.elapsed().as_secs_f64() * 1e9 / bencher.iterations as f64;
                        shortest[place] = time.min(shortest[place]);
                    };
                for round in 0..ROUNDS {
                    self.iterations = part;
                    time(self, &mut |bencher| bencher.call_with_kept_state(function), 0);
                    self.iterations = if round == 0 { all - (2 * ROUNDS - 1) * part } else { part };
                    time(self, &mut |bencher| bencher.call_hidden(function, &mut State::new(false)), 1);
                }
                self.iterations = all;
                let [kept, hidden] = shortest;
                state.is_kept = Some(is_state(hidden - kept));
            }
            _ => self.call_hidden(function, state),
        }
    }

    /// Calls `function` with its inputs hidden in each call. Notes whether results change.
    #[inline(always)]
    fn call_hidden<T>(&mut self, mut function: &mut impl FnMut() -> T, state: &mut State) {
        // Through another reference, so that what it has captured by value is hidden, too: what an argument
        // refers to is only changed by way of the argument.
        let function = black_box(&mut function);
        let mut hidden = || {
            let result = function();
            let number = in_register(&result);
            black_box(result);
            number
        };
        let before = state.last_result.unwrap_or_default();
        let (before, last) = self.fold(&mut hidden, (0, before), |(_, before), number, _| (before, number));
        state.has_changed |= before != last && (self.iterations > 1 || state.last_result.is_some());
        state.last_result = Some(last);
    }

    /// Calls `function` in the loop that leaves its state in registers.
    #[inline(always)]
    fn call_with_kept_state<T>(&mut self, function: &mut impl FnMut() -> T) {
        self.fold(function, 0, |before, result, function| {
            observe(before, in_register(&result), words(function))
        });
    }

    /// Calls `function`, and `after` with each result and with `function`. Returns the value that `after`
    /// makes of the last result and of its value before.
    #[inline(never)]
    fn fold<F: FnMut() -> T, T, V: Copy>(
        &mut self,
        function: &mut F,
        first: V,
        after: impl Fn(V, T, &F) -> V,
    ) -> V {
        let mut value = first;
        let mut iterations = self.first_segment();
        while iterations > 0 {
            let start = self.clock.start();
            align_following_code();
            for _ in 0..iterations {
                value = after(value, function(), function);
            }
            iterations = self.begin_next_segment(start, self.clock.end());
        }
        black_box(value)
    }
}

/// Returns whether storing and loading state explains that calls are longer by this time, in ns.
#[inline]
fn is_state(difference: f64) -> bool {
    difference <= MAX_STATE_TIME
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

/// The bytes of a closure, behind which there are zeros.
type Words = [MaybeUninit<u64>; 4];

/// Returns the bytes of a closure that isn't larger: its references, and the state that it holds itself.
#[inline(always)]
fn words<F>(function: &F) -> Words {
    let mut words = [MaybeUninit::zeroed(); 4];
    let size = size_of::<F>().min(size_of::<Words>());
    // SAFETY: neither the closure nor the words are shorter.
    #[expect(unsafe_code, reason = "a closure has no other form")]
    unsafe {
        ptr::copy_nonoverlapping(ptr::from_ref(function).cast::<u8>(), words.as_mut_ptr().cast(), size);
    }
    words
}

/// Uses `number`, a closure's `words` and all memory, for all that the optimiser knows. (With the
/// closure's address, state would be loaded in each call: it could be at that address.) It returns a
/// number that depends on them and on `before`, so that no use can be left out as long as the last one
/// isn't.
#[inline(always)]
fn observe(mut before: u64, number: u64, words: Words) -> u64 {
    let [a, b, c, d] = words;
    // SAFETY: the assembler gets no instruction.
    #[expect(unsafe_code, reason = "`black_box` may change memory")]
    unsafe {
        asm!(
            "/* {0} {1} {2} {3} {4} {5} */",
            inout(reg) before,
            in(reg) number,
            in(reg) a,
            in(reg) b,
            in(reg) c,
            in(reg) d,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;

    /// Calls a closure often in each of three runs. Returns whether it has state.
    fn has_state<T>(mut function: impl FnMut() -> T) -> bool {
        const CALLS: u64 = 2 * ROUNDS * MIN_CALLS + 4;
        let (mut state, mut calls) = (State::new(true), 0);
        for _ in 0..3 {
            let mut bencher = Bencher::new(Clock::Scripted, CALLS, 1, 1);
            let mut counted = || {
                calls += 1;
                function()
            };
            bencher.call_closure(&mut counted, &mut state);
            assert_eq!((bencher.iterations, bencher.returns_value), (CALLS, Some(size_of::<T>() > 0)));
        }
        assert_eq!(calls, 3 * CALLS);
        assert_eq!(state.is_kept.is_some(), state.has_changed);
        state.has_changed
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
    fn state_does_not_explain_that_work_is_gone() {
        assert!(is_state(2.4) && is_state(-1.0) && !is_state(24.0));
    }

    #[test]
    fn an_exact_number_of_calls_is_made_in_one_loop() {
        let (mut state, mut sum) = (State::new(false), 0_u64);
        for _ in 0..3 {
            let mut add = || {
                sum += 1;
                sum
            };
            Bencher::new(Clock::Scripted, 10_000, 1, 1).call_closure(&mut add, &mut state);
        }
        assert_eq!((state.has_changed, state.is_kept, sum), (true, Some(false), 30_000));
    }

    #[test]
    fn the_bytes_of_a_value_are_those_of_a_number() {
        assert_eq!((in_register(&7_u8), in_register(&-1_i64)), (7, u64::MAX));
        assert_eq!(in_register(&1.5_f64), 1.5_f64.to_bits());
        assert_eq!(observe(3, 4, words(&|| 5)), 3);
    }
}
