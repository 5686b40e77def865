//! Remarks on benchmarks whose work the optimiser may have removed.

use crate::code::TimedLoop;
use crate::experiment::{Comparison, Row};
use nanobench::doubt::Doubt;
use nanobench::model::Measurement;
use nanobench::report::{self, time};
use nanobench::summary::is_limited_by_clock;
use verdicts::{Question, Verdict};

/// A way in which the optimiser removes work, or does it in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostWork {
    /// Nothing uses the result.
    Unused,
    /// The benchmark returns a constant.
    ConstantResult,
    /// The benchmark takes and returns nothing, and hides only a constant: its input, or a result that
    /// the compiler has computed.
    OnlyConstant,
}

impl LostWork {
    /// Returns the loss that the machine code of a measured row shows.
    pub(super) fn of(row: &Row) -> Option<LostWork> {
        let (measurement, _) = row.measured()?;
        let returns_nothing = measurement.returns_value == Some(false);
        match row.benchmark.timed_loop? {
            TimedLoop::Work => None,
            TimedLoop::Unused => Some(LostWork::Unused),
            // The hidden input is the constant.
            TimedLoop::Constant if returns_nothing && row.benchmark.spec.takes_input == Some(true) => {
                Some(LostWork::Unused)
            }
            TimedLoop::Constant if returns_nothing => Some(LostWork::OnlyConstant),
            TimedLoop::Constant => Some(LostWork::ConstantResult),
        }
    }

    /// Returns the doubt about the time of the work that is left.
    pub(super) fn doubt(self) -> Doubt {
        match self {
            LostWork::Unused => Doubt::ResultUnused,
            LostWork::ConstantResult => Doubt::ResultConstant,
            LostWork::OnlyConstant => Doubt::OnlyConstant,
        }
    }

    /// Returns the remark on a row below resolution.
    fn remark(self) -> &'static str {
        match self {
            LostWork::Unused => "none of its work is left; return the result, or black_box it",
            LostWork::ConstantResult => "its result is a constant; black_box the input",
            LostWork::OnlyConstant => "only a constant is left; return the result, and black_box the input",
        }
    }
}

/// Returns the remark on a row that can't be told from an empty benchmark.
pub(crate) fn below_resolution(row: &Row) -> Option<String> {
    let (measurement, summary) = row.measured()?;
    let generic = || report::below_resolution(&row.benchmark.spec, measurement, summary);
    let is_lost = LostWork::of(row).is_some();
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
    let is_below = row.measured().is_some_and(|(_, summary)| summary.below_resolution);
    let is_faster = |comparison: &Comparison| {
        comparison.verdict == Verdict::Faster && comparison.question() == Question::Typical
    };
    (is_below && row.comparison.as_ref().is_some_and(is_faster))
        .then(|| loss(row).unwrap_or("like an empty benchmark"))
}

/// Returns how the work of a row below resolution was lost, with advice. `None` if it may be left.
fn loss(row: &Row) -> Option<&'static str> {
    let (measurement, summary) = row.measured()?;
    let is_certain = !report::is_by_its_own_clock(summary) && !allocates(measurement);
    LostWork::of(row).filter(|_| is_certain).map(LostWork::remark)
}

/// Returns whether it allocates memory: the compiler keeps what it can't remove.
fn allocates(measurement: &Measurement) -> bool {
    let allocations = measurement.counts.as_ref().and_then(|counts| counts.allocations);
    allocations.is_some_and(|of| of.allocations > 0)
}
