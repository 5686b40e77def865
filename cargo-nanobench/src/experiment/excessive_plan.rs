//! An explanation for a timeout: the plan needed more calls than the time allowed.

use nanobench::measure::{Calibration, Plan};
use nanobench::model::{BenchmarkSpec, CacheState};
use nanobench::report;
use std::time::Duration;

/// Returns the explanation; `None` if the plan did not cause the timeout.
pub(super) fn explain_excessive_plan(
    benchmark: &BenchmarkSpec,
    plan: &Plan,
    calibration: &Calibration,
    timeout: Duration,
) -> Option<String> {
    if plan.samples.is_none() && plan.iterations.is_none() {
        return None;
    }
    let total_time = calibration.sample_wall_time() * plan.samples.unwrap_or(1) as f64;
    // A plan that needs half of the timeout according to its calibration may really need all of it.
    if total_time < timeout.as_nanos() as f64 / 2.0 {
        return None;
    }
    let samples = plan.samples.map_or("a sample".to_owned(), |samples| counted(samples, "sample"));
    let take = if plan.samples.is_some_and(|samples| samples > 1) { "take" } else { "takes" };
    let is_cold = benchmark.id.conditions.cache == CacheState::Cold;
    let cold = if is_cold { " including emptying the caches" } else { "" };
    Some(format!(
        "{samples} of {} {take} about {} ({} per iteration{cold}); reduce them, or raise --timeout",
        counted(calibration.iterations, "iteration"),
        report::time(total_time),
        report::time(calibration.iteration_wall_time),
    ))
}

fn counted(number: u64, thing: &str) -> String {
    report::counted(usize::try_from(number).unwrap_or(usize::MAX), thing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::Sample;

    fn explain(cache: CacheState, samples: Option<u64>, iterations: Option<u64>) -> Option<String> {
        let mut benchmark = BenchmarkSpec::default();
        benchmark.id.conditions.cache = cache;
        let calibration = Calibration {
            count: 1,
            iterations: iterations.unwrap_or(1),
            max_kept_results: 1,
            iteration_ticks: 100.0,
            iteration_wall_time: 50e6,
            segment_cost: 0.0,
            first_call: Sample { iterations: 1, elapsed: 100, segments: 1, reference: 0, round: 0 },
            throughput: None,
            returns_value: None,
        };
        let plan = Plan { samples, iterations, ..Plan::default() };
        explain_excessive_plan(&benchmark, &plan, &calibration, Duration::from_secs(60))
    }

    #[test]
    fn a_plan_that_takes_too_long_is_explained() {
        let advice = "reduce them, or raise --timeout";
        let cold = "23 samples of 77 iterations take about 88.5 s (50.0 ms per iteration including \
                    emptying the caches)";
        assert_eq!(explain(CacheState::Cold, Some(23), Some(77)), Some(format!("{cold}; {advice}")));
        let warm = "a sample of 1000 iterations takes about 50.0 s (50.0 ms per iteration)";
        assert_eq!(explain(CacheState::Warm, None, Some(1_000)), Some(format!("{warm}; {advice}")));
        assert_eq!(explain(CacheState::Warm, None, None), None);
        assert_eq!(explain(CacheState::Cold, Some(5), Some(77)), None, "20 s don't explain the timeout");
    }
}
