//! Why a benchmark that was stopped could not have ended in time: so many calls were asked for.

use nanobench::measure::{Calibration, Plan};
use nanobench::model::BenchmarkSpec;
use nanobench::report;
use std::time::Duration;

/// What makes it too long for `timeout`; `None` where it is not the plan.
pub(super) fn why(
    benchmark: &BenchmarkSpec,
    plan: &Plan,
    calibration: &Calibration,
    timeout: Duration,
) -> Option<String> {
    if plan.samples.is_none() && plan.iterations.is_none() {
        return None;
    }
    let sample = calibration.sample_wall_time();
    let all = sample * plan.samples.unwrap_or(1) as f64;
    // What takes half as long by the first look may well take all of it.
    if all < timeout.as_nanos() as f64 / 2.0 {
        return None;
    }
    let samples = plan.samples.map_or("a sample".to_owned(), |samples| counted(samples, "sample"));
    let takes = if plan.samples.is_some_and(|samples| samples > 1) { "take" } else { "takes" };
    let iterations = counted(calibration.iterations, "iteration");
    let cold =
        if benchmark.cache.as_deref() == Some("cold") { ", as it empties the caches first" } else { "" };
    Some(format!(
        "{samples} of {iterations} {takes} some {}, {} an iteration{cold}; ask for fewer, or for a longer --timeout",
        report::time(all),
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

    fn why_of(cache: &str, samples: Option<u64>, iterations: Option<u64>) -> Option<String> {
        let benchmark = BenchmarkSpec { cache: Some(cache.to_owned()), ..BenchmarkSpec::default() };
        let calibration = Calibration {
            count: 1,
            iterations: iterations.unwrap_or(1),
            max_kept_results: 1,
            iteration_ticks: 100.0,
            iteration_wall_time: 50e6,
            segment_cost: 0.0,
            first_call: Sample { iterations: 1, elapsed: 100, segments: 1, reference: 0, round: 0 },
            throughput: None,
        };
        why(
            &benchmark,
            &Plan { samples, iterations, ..Plan::default() },
            &calibration,
            Duration::from_secs(60),
        )
    }

    #[test]
    fn what_was_asked_for_is_said_where_it_takes_too_long() {
        let fewer = "ask for fewer, or for a longer --timeout";
        let cold = "23 samples of 77 iterations take some 88.5 s, 50.0 ms an iteration, as it empties the caches first";
        assert_eq!(why_of("cold", Some(23), Some(77)), Some(format!("{cold}; {fewer}")));
        let warm = "a sample of 1000 iterations takes some 50.0 s, 50.0 ms an iteration";
        assert_eq!(why_of("warm", None, Some(1_000)), Some(format!("{warm}; {fewer}")));
        assert_eq!(why_of("warm", None, None), None);
        assert_eq!(why_of("cold", Some(5), Some(77)), None, "that is 20 s: something else took so long");
    }
}
