//! Remarks on benchmarks whose work the optimiser may have removed.

use crate::code::TimedLoop;
use crate::experiment::{Comparison, Outcome, Question, Row, Verdict};
use nanobench::model::Measurement;
use nanobench::report::{self, time};
use nanobench::summary::is_limited_by_clock;

/// Returns the remark on a row that can't be told from an empty benchmark.
pub(crate) fn below_resolution(row: &Row) -> Option<String> {
    let Outcome::Measured { measurement, summary } = &row.outcome else { return None };
    let generic = || report::below_resolution(&row.benchmark.spec, measurement, summary);
    let is_lost = loss_by_code(row).is_some();
    let is_not_repeated = row.benchmark.spec.takes_count
        && row.benchmark.timed_loop.is_some_and(|timed_loop| timed_loop != TimedLoop::Unused);
    Some(match loss(row) {
        _ if is_not_repeated => generic(),
        Some(loss) => format!("under {}: {loss}", time(summary.resolution)),
        _ if report::is_by_its_own_clock(summary) => generic(),
        _ if is_limited_by_clock(measurement) && !is_lost => generic(),
        _ if allocates(measurement) => report::no_longer_than_empty(summary),
        _ if row.benchmark.timed_loop.is_some() => report::no_longer_than_empty(summary),
        _ => generic(),
    })
}

/// Returns the remark on a benchmark whose typical time is `faster`, because it can no longer be told
/// from that of an empty one.
pub(super) fn of_change(row: &Row) -> Option<&'static str> {
    let is_below = matches!(&row.outcome, Outcome::Measured { summary, .. } if summary.below_resolution);
    let is_faster = |comparison: &Comparison| {
        comparison.verdict == Verdict::Faster && comparison.question() == Question::Typical
    };
    (is_below && row.comparison.as_ref().is_some_and(is_faster))
        .then(|| loss(row).unwrap_or("like an empty benchmark"))
}

/// Returns how the work of a row below resolution was lost, with advice. `None` if it may be left.
fn loss(row: &Row) -> Option<&'static str> {
    let Outcome::Measured { measurement, summary } = &row.outcome else { return None };
    loss_by_code(row).filter(|_| !report::is_by_its_own_clock(summary) && !allocates(measurement))
}

/// Returns whether it allocates memory: the compiler keeps what it can't remove.
fn allocates(measurement: &Measurement) -> bool {
    let allocations = measurement.counts.as_ref().and_then(|counts| counts.allocations);
    allocations.is_some_and(|of| of.allocations > 0)
}

fn loss_by_code(row: &Row) -> Option<&'static str> {
    match row.benchmark.timed_loop? {
        TimedLoop::Work => None,
        TimedLoop::Unused => Some("none of its work is left; return the result, or black_box it"),
        TimedLoop::Constant => Some("its result is a constant; black_box the input"),
    }
}
