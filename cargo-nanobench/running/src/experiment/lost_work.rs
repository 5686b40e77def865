//! Benchmarks whose work the optimiser has removed, or done in advance.

use super::comparison::Reason;
use super::row::Row;
use crate::code::TimedLoop;
use nanobench::report::is_by_its_own_clock;
use verdicts::Verdict;

/// A way in which the optimiser removes work, or does it in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostWork {
    /// Nothing uses the result.
    Unused,
    /// The benchmark returns a constant.
    ConstantResult,
    /// The benchmark takes and returns nothing, and hides only a constant: its input, or a result that
    /// the compiler has computed.
    OnlyConstant,
}

impl Row {
    /// Returns the loss that the machine code shows. Other work of the benchmark may be left.
    pub fn lost_work(&self) -> Option<LostWork> {
        let (measurement, _) = self.measured()?;
        let returns_nothing = measurement.returns_value == Some(false);
        match self.benchmark.timed_loop? {
            TimedLoop::Work => None,
            TimedLoop::Unused => Some(LostWork::Unused),
            // The hidden input is the constant.
            TimedLoop::Constant if returns_nothing && self.benchmark.spec.takes_input == Some(true) => {
                Some(LostWork::Unused)
            }
            TimedLoop::Constant if returns_nothing => Some(LostWork::OnlyConstant),
            TimedLoop::Constant => Some(LostWork::ConstantResult),
        }
    }

    /// Returns whether the optimiser left nothing to be timed.
    pub fn has_lost_all_work(&self) -> bool {
        let Some((_, summary)) = self.measured() else { return false };
        let is_empty = summary.below_resolution && !is_by_its_own_clock(summary) && !self.allocates();
        is_empty && !self.may_ignore_count() && self.lost_work().is_some()
    }

    /// Withdraws a `faster` of a benchmark whose work is gone.
    pub fn withdraw_lost_work(&mut self) {
        let is_lost = self.has_lost_all_work();
        let faster = self.comparison.as_mut().filter(|it| is_lost && it.verdict == Verdict::Faster);
        if let Some(comparison) = faster {
            comparison.doubt(Reason::WorkLost);
        }
    }

    /// Returns whether it allocates memory: the compiler keeps what it can't remove.
    pub fn allocates(&self) -> bool {
        let counts = self.measured().and_then(|(measurement, _)| measurement.counts.as_ref());
        counts.and_then(|counts| counts.allocations).is_some_and(|of| of.allocations > 0)
    }

    /// Returns whether it may do work, but not `count` times.
    pub fn may_ignore_count(&self) -> bool {
        let timed_loop = self.benchmark.timed_loop;
        self.benchmark.spec.takes_count && timed_loop.is_some_and(|it| it != TimedLoop::Unused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Benchmark, Comparison, Outcome};
    use nanobench::model::{BenchmarkSpec, ClockInfo, Launch, Measurement, Sample};
    use nanobench::summary::Summary;

    #[test]
    fn lost_work_is_never_faster() {
        let verdict = |elapsed, timed_loop| {
            let clock = ClockInfo { frequency: 1e9, ..ClockInfo::default() };
            let sample = Sample { iterations: 1_000, elapsed, segments: 1, ..Sample::default() };
            let launch = Launch { clock, segment_cost: 0.0, empty_loop: 1.0, samples: vec![sample; 9] };
            let measurement =
                Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() };
            let summary = Summary::from_measurement(&measurement).unwrap();
            let target = project::fixtures::id("a::b::c").target;
            let mut benchmark = Benchmark::new(&target, 0, &BenchmarkSpec::default());
            benchmark.timed_loop = Some(timed_loop);
            let outcome = Outcome::Measured { measurement, summary };
            let comparison = Some(Comparison { verdict: Verdict::Faster, ..Comparison::default() });
            let mut row = Row { benchmark, outcome, comparison, earlier_comparison: None, relation: None };
            row.withdraw_lost_work();
            row.comparison.map(|it| (it.verdict, it.reason))
        };
        let withdrawn = Some((Verdict::Unsure, Some(Reason::WorkLost)));
        let faster = Some((Verdict::Faster, None));
        assert_eq!(verdict(500, TimedLoop::Unused), withdrawn);
        assert_eq!(verdict(500, TimedLoop::Constant), withdrawn);
        assert_eq!(verdict(500, TimedLoop::Work), faster, "it does something");
        assert_eq!(verdict(9_000_000, TimedLoop::Unused), faster, "other work is left");
    }
}
