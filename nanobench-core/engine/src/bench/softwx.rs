//! A result as SoftWx's Bench has it: its `TimeResult` and its text.

use super::result::{BenchResult, Measure};
use super::{Column, markdown};
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
    let number = markdown::grouped;
    let (unit, seconds) = match result.milliseconds_per_operation() {
        milliseconds if milliseconds > 1.0 => ("Millisecs", 1e-3),
        milliseconds if milliseconds > 1e-3 => ("Microsecs", 1e-6),
        _ => ("Nanosecs", 1e-9),
    };
    let mut times = match result.limit {
        Some(limit) => format!("under {}", number(limit / result.batch() / seconds, 3)),
        None => number(result.time_per_operation() / seconds, 3),
    };
    let mut add = |column, name: &str, time: f64| {
        if result.settings.shows(column) && !result.is_below_resolution() {
            times += &format!(", {name}= {}", number(time / seconds, 3));
        }
    };
    add(Column::WithoutLoop, "Net", result.net_time_per_operation());
    let sd = result.standard_deviation(Measure::Elapsed) / result.batch();
    add(Column::StandardDeviation, "StdDev", sd);
    format!(
        "Name= {}{}{}\n{unit}/Op= {times}, Ops= {}, ElapsedMillisecs= {}",
        crate::report::escape(result.name()),
        if is_debugger_attached { " (Debugger Attached)" } else { "" },
        result.remark().map(|remark| format!(" ({remark})")).unwrap_or_default(),
        number(result.operations(), 0),
        number(result.elapsed_milliseconds(), 2)
    )
}
