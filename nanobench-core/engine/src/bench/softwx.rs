//! A result as SoftWx's Bench has it: its `TimeResult` and its text.

use super::markdown;
use super::result::{BenchResult, Measure};
use crate::debugger;
use std::fmt;
use std::time::Duration;

/// # Names of SoftWx's Bench
impl BenchResult {
    /// Returns the number of iterations in all epochs.
    #[inline]
    pub fn iterations(&self) -> u64 {
        self.sum(Measure::Iterations) as u64
    }

    /// Returns the time of all epochs.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.elapsed_milliseconds() / 1e3).unwrap_or_default()
    }

    /// Returns the time of all epochs, in ms.
    #[inline]
    pub fn elapsed_milliseconds(&self) -> f64 {
        self.sum_product(Measure::Iterations, Measure::Elapsed) * 1e3
    }

    /// Returns the median time of an operation, in ns.
    #[inline]
    pub fn nanoseconds_per_operation(&self) -> f64 {
        self.time_per_operation() * 1e9
    }

    /// Returns the median time of an operation, in us.
    #[inline]
    pub fn microseconds_per_operation(&self) -> f64 {
        self.time_per_operation() * 1e6
    }

    /// Returns the median time of an operation, in ms.
    #[inline]
    pub fn milliseconds_per_operation(&self) -> f64 {
        self.time_per_operation() * 1e3
    }

    /// Returns the median time of an iteration, in ns.
    #[inline]
    pub fn nanoseconds_per_iteration(&self) -> f64 {
        self.median(Measure::Elapsed) * 1e9
    }

    /// Returns the median time of an iteration, in us.
    #[inline]
    pub fn microseconds_per_iteration(&self) -> f64 {
        self.median(Measure::Elapsed) * 1e6
    }

    /// Returns the median time of an iteration, in ms.
    #[inline]
    pub fn milliseconds_per_iteration(&self) -> f64 {
        self.median(Measure::Elapsed) * 1e3
    }
}

/// Displays the result in the form of SoftWx's Bench:
///
/// ```text
/// Name= String Concat
/// Nanosecs/Op= 67.871, Ops= 73,200,000, ElapsedMillisecs= 4,968.17
/// ```
impl fmt::Display for BenchResult {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, debugger::is_attached()))
    }
}

/// Returns the two lines of a result.
#[inline]
pub(super) fn text(result: &BenchResult, is_debugger_attached: bool) -> String {
    let (unit, time) = match result.milliseconds_per_operation() {
        milliseconds if milliseconds > 1.0 => ("Millisecs", milliseconds),
        milliseconds if milliseconds > 1e-3 => ("Microsecs", result.microseconds_per_operation()),
        _ => ("Nanosecs", result.nanoseconds_per_operation()),
    };
    let debugger = if is_debugger_attached { " (Debugger Attached)" } else { "" };
    let number = markdown::grouped;
    format!(
        "Name= {}{debugger}\n{unit}/Op= {}, Ops= {}, ElapsedMillisecs= {}",
        crate::report::escape(result.name()),
        number(time, 3),
        number(result.operations(), 0),
        number(result.elapsed_milliseconds(), 2)
    )
}
