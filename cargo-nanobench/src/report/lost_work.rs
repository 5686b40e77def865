//! Remarks on benchmarks that can't be told from an empty one.

use crate::experiment::{Comparison, LostWork, Row};
use nanobench::doubt::Doubt;
use nanobench::report;
use nanobench::summary::is_limited_by_clock;
use verdicts::{Question, Verdict};

/// The remark in place of a time.
const OPTIMISED_AWAY: &str = "optimised away: not timed";

/// Returns the doubt about the time of the work that is left, with advice.
pub(super) fn doubt(row: &Row) -> Option<Doubt> {
    let is_timed = row.resolved().is_some();
    row.lost_work().filter(|_| is_timed || row.has_lost_all_work()).map(|lost| match lost {
        LostWork::Unused => Doubt::ResultUnused,
        LostWork::ConstantResult => Doubt::ResultConstant,
        LostWork::OnlyConstant => Doubt::OnlyConstant,
    })
}

/// Returns the remark on a row that can't be told from an empty benchmark.
pub(crate) fn below_resolution(row: &Row) -> Option<String> {
    let (measurement, summary) = row.measured()?;
    if row.has_lost_all_work() {
        return Some(OPTIMISED_AWAY.to_owned());
    }
    let may_be_limited = is_limited_by_clock(measurement) && row.lost_work().is_none();
    let is_known = row.benchmark.timed_loop.is_some() || row.allocates();
    let is_known = is_known && !row.may_ignore_count() && !may_be_limited;
    Some(match is_known && !report::is_by_its_own_clock(summary) {
        true => report::no_longer_than_empty(summary),
        false => report::below_resolution(&row.benchmark.spec, measurement, summary),
    })
}

/// Returns the remark on a benchmark whose typical time is `faster`, because it can no longer be told
/// from that of an empty one.
pub(super) fn of_change(row: &Row) -> Option<&'static str> {
    let is_below = row.measured().is_some_and(|(_, summary)| summary.below_resolution);
    let is_faster = |comparison: &Comparison| {
        comparison.verdict == Verdict::Faster && comparison.question() == Question::Typical
    };
    (is_below && row.comparison.as_ref().is_some_and(is_faster)).then_some("like an empty benchmark")
}
