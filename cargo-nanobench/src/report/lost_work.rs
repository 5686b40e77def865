//! Remarks on benchmarks whose work the optimiser may have removed.

use crate::code::TimedLoop;
use crate::experiment::{Outcome, Row};
use nanobench::report::{self, time};
use nanobench::summary::is_limited_by_clock;

/// Returns the remark on a row that can't be told from an empty benchmark.
pub(crate) fn below_resolution(row: &Row) -> Option<String> {
    let Outcome::Measured { measurement, summary } = &row.outcome else { return None };
    let allocations = measurement.counts.as_ref().and_then(|counts| counts.allocations);
    let under = || format!("under {}", time(summary.resolution));
    let generic = || report::below_resolution(&row.benchmark.spec, measurement, summary);
    let timed_loop = row.benchmark.timed_loop;
    let is_lost = matches!(timed_loop, Some(TimedLoop::Unused | TimedLoop::Constant));
    Some(match timed_loop {
        _ if report::is_by_its_own_clock(summary) => generic(),
        _ if is_limited_by_clock(measurement) && !is_lost => generic(),
        // The compiler keeps what it can't remove.
        _ if allocations.is_some_and(|of| of.allocations > 0) => report::no_longer_than_empty(summary),
        Some(TimedLoop::Work) => report::no_longer_than_empty(summary),
        Some(TimedLoop::Unused) => {
            format!("{}: none of its work is left; return the result, or black_box it", under())
        }
        Some(TimedLoop::Constant) => format!("{}: its result is a constant; black_box the input", under()),
        None => generic(),
    })
}
