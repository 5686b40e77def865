//! The engine's own timed code, compiled in the crate that enters the harness.
//!
//! The samples of a benchmark have the cost of an empty one subtracted, so both must be optimised
//! alike. This crate may be compiled without optimisation, but the crates that call it are not.

use super::caches::{self, Line};
use super::{Bencher, Timing, reference};
use crate::fitness;
use crate::time::{self, Clock, Ticks};
use std::hint::black_box;
use std::sync::OnceLock;

/// The functions of the engine that are timed, or that take most of the time of a sample.
#[derive(Debug)]
pub struct TimedCode {
    /// An empty benchmark, by the loop that times those of this kind.
    pub(super) call_nothing: fn(&mut Bencher, Timing),
    /// An empty benchmark whose results are kept.
    pub(super) call_kept_nothing: fn(&mut Bencher),
    /// An empty loop over the count.
    pub(super) call_count_loop: fn(&mut Bencher),
    pub(super) time_reference_chain: fn(&Clock) -> Ticks,
    /// Returns whether all of this is compiled without optimisation.
    pub(super) is_unoptimized: fn() -> bool,
    pub(super) write_lines: fn(&[Line]),
    pub(crate) time_clock_readings: fn(&Clock) -> Ticks,
}

static INSTALLED: OnceLock<&'static TimedCode> = OnceLock::new();

impl TimedCode {
    /// Returns the timed code, compiled in the crate of the caller.
    #[inline(always)]
    pub fn of_this_crate() -> &'static TimedCode {
        &TimedCode {
            call_nothing,
            call_kept_nothing,
            call_count_loop,
            time_reference_chain: reference::time,
            is_unoptimized: fitness::is_unoptimized,
            write_lines: caches::write_lines,
            time_clock_readings: time::time_readings,
        }
    }

    /// Makes this the timed code of the process. Each way into the engine does it.
    pub(crate) fn install(&'static self) {
        _ = INSTALLED.set(self);
    }

    /// Returns the timed code of the process.
    pub(crate) fn get() -> &'static TimedCode {
        #[cfg(test)]
        return INSTALLED.get_or_init(|| {
            let call_nothing = |bencher: &mut Bencher, timing| match timing {
                Timing::Plain => bencher.call(|_| time::scripted::advance_empty_loop()),
                Timing::Controlled | Timing::Manual => bencher.call_controlled(|_, _| ()),
            };
            Box::leak(Box::new(TimedCode { call_nothing, ..*TimedCode::of_this_crate() }))
        });
        #[cfg(not(test))]
        INSTALLED.get().expect("each way into the engine installs the timed code")
    }
}

#[inline]
fn call_nothing(bencher: &mut Bencher, timing: Timing) {
    match timing {
        Timing::Plain => bencher.call(|_| ()),
        Timing::Controlled | Timing::Manual => bencher.call_controlled(|_, _| ()),
    }
}

#[inline]
fn call_kept_nothing(bencher: &mut Bencher) {
    struct Kept;
    impl Drop for Kept {
        #[inline]
        fn drop(&mut self) {}
    }
    bencher.call(|_| Kept);
}

#[inline]
fn call_count_loop(bencher: &mut Bencher) {
    bencher.call(|count| (0..count).for_each(|_| black_box(())));
}
