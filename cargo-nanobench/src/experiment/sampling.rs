//! The number and length of samples. Options come from four levels: the defaults, the workspace's
//! file, the attribute and the command line. Each level overrides those before it.
//!
//! Two groups of options exclude each other: those for the length of a sample, and those for the
//! number of samples. An option of one level also overrides the excluded options of the levels
//! before it.

use nanobench::measure::{Plan, SampleLimits};
use nanobench::model::BenchmarkSpec;
use std::time::Duration;

/// Options for the number and length of samples, from one place: the command line, or the
/// workspace's file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SamplingOptions {
    /// A share of the median.
    pub(crate) precision: Option<f64>,
    pub(crate) min_time: Option<Duration>,
    pub(crate) max_time: Option<Duration>,
    /// The time for all benchmarks together.
    pub(crate) budget: Option<Duration>,
    pub(crate) samples: Option<u64>,
    pub(crate) sample_time: Option<Duration>,
    pub(crate) iterations: Option<u64>,
    pub(crate) warmup: Option<u64>,
}

/// The sampling options of a run. Benchmarks have attributes, which take their place between the
/// two.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sampling {
    pub(crate) flags: SamplingOptions,
    pub(crate) file: SamplingOptions,
}

impl Sampling {
    /// Returns the plan of one benchmark. Flags override its attribute, the attribute overrides its
    /// groups, and groups override the file.
    pub(crate) fn plan(&self, benchmark: &BenchmarkSpec) -> Plan {
        with(&self.flags, with(&self.file, Plan::default()).for_benchmark(benchmark))
    }

    /// Returns the time for all benchmarks together. A number of samples on the command line
    /// overrides the file's budget.
    pub(crate) fn budget(&self) -> Option<Duration> {
        self.flags.budget.or(self.file.budget.filter(|_| self.flags.samples.is_none()))
    }
}

/// Applies the options to a plan.
fn with(options: &SamplingOptions, plan: Plan) -> Plan {
    let nanoseconds = |duration: Duration| duration.as_secs_f64() * 1e9;
    let plan = plan.with_sample_length(options.iterations, options.sample_time.map(nanoseconds));
    let limits = SampleLimits {
        samples: options.samples,
        precision: options.precision,
        min_time: options.min_time.map(nanoseconds),
        // A budget is the limit if the same level sets no other.
        max_time: options.max_time.map(nanoseconds).or(options.budget.map(|_| f64::INFINITY)),
    };
    Plan { warmup: options.warmup.unwrap_or(plan.warmup), ..plan.with_limits(limits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: SamplingOptions = SamplingOptions {
        precision: None,
        min_time: None,
        max_time: None,
        budget: None,
        samples: None,
        sample_time: None,
        iterations: None,
        warmup: None,
    };
    const SECOND: Option<Duration> = Some(Duration::from_secs(1));
    const MS: Option<Duration> = Some(Duration::from_millis(1));

    fn plan(flags: &SamplingOptions, benchmark: &BenchmarkSpec) -> Plan {
        Sampling { flags: *flags, file: NOTHING }.plan(benchmark)
    }

    #[test]
    fn attributes_win_over_the_file() {
        let file = SamplingOptions { samples: Some(9), iterations: Some(2), warmup: Some(3), ..NOTHING };
        let flags = SamplingOptions { warmup: Some(4), ..NOTHING };
        let benchmark = BenchmarkSpec { samples: Some(5), warmup: Some(8), ..BenchmarkSpec::default() };
        let plan = Sampling { flags, file }.plan(&benchmark);
        assert_eq!((plan.samples, plan.iterations, plan.warmup), (Some(5), Some(2), 4));
    }

    #[test]
    fn flags_win_over_attributes_and_those_over_the_default() {
        let benchmark =
            BenchmarkSpec { samples: Some(5), sample_time: Some(1_000_000), ..BenchmarkSpec::default() };
        let flags = SamplingOptions { samples: Some(9), ..NOTHING };
        let plan = plan(&flags, &benchmark);
        assert_eq!((plan.samples, plan.sample_time), (Some(9), 1e6));
        assert_eq!(plan.precision, Plan::default().precision);
    }

    #[test]
    fn a_budget_lifts_the_limit_of_each() {
        let budget = SamplingOptions { budget: SECOND, ..NOTHING };
        assert_eq!(plan(&budget, &BenchmarkSpec::default()).max_time, f64::INFINITY);
        let limit = SamplingOptions { max_time: MS, ..NOTHING };
        let max_time = |flags: &SamplingOptions, file: &SamplingOptions| {
            Sampling { flags: *flags, file: *file }.plan(&BenchmarkSpec::default()).max_time
        };
        assert_eq!(max_time(&limit, &budget), 1e6);
        assert_eq!(max_time(&budget, &limit), f64::INFINITY);
        assert_eq!(max_time(&SamplingOptions { budget: SECOND, ..limit }, &NOTHING), 1e6);
    }

    /// Returns the iterations and the length in ms of a sample, by the options of all levels.
    fn length(
        flags: SamplingOptions,
        (iterations, sample_time): (Option<u64>, Option<u64>),
        file: SamplingOptions,
    ) -> (Option<u64>, f64) {
        let benchmark = BenchmarkSpec { iterations, sample_time, ..BenchmarkSpec::default() };
        let plan = Sampling { flags, file }.plan(&benchmark);
        (plan.iterations, plan.sample_time / 1e6)
    }

    #[test]
    fn the_nearest_place_sets_the_sample_length() {
        let iterations = |number| SamplingOptions { iterations: Some(number), ..NOTHING };
        let second = SamplingOptions { sample_time: SECOND, ..NOTHING };
        assert_eq!(length(second, (Some(7), None), NOTHING), (None, 1e3), "flag over attribute");
        assert_eq!(length(iterations(9), (None, Some(1_000_000)), NOTHING).0, Some(9));
        assert_eq!(length(NOTHING, (None, Some(1_000_000)), iterations(9)), (None, 1.0), "over file");
        assert_eq!(length(second, (None, None), iterations(9)), (None, 1e3), "flag over file");
        assert_eq!(length(NOTHING, (Some(7), None), second), (Some(7), 0.25));
        assert_eq!(length(NOTHING, (None, None), second), (None, 1e3));
        assert_eq!(length(iterations(9), (None, None), second), (Some(9), 0.25));
    }

    #[test]
    fn the_nearest_place_sets_the_number_of_samples() {
        let samples = |flags: &SamplingOptions, own, file: &SamplingOptions| {
            let benchmark = BenchmarkSpec { samples: own, ..BenchmarkSpec::default() };
            Sampling { flags: *flags, file: *file }.plan(&benchmark).samples
        };
        let of_file = SamplingOptions { samples: Some(5), ..NOTHING };
        for until_precise in [
            SamplingOptions { precision: Some(0.01), ..NOTHING },
            SamplingOptions { min_time: MS, ..NOTHING },
            SamplingOptions { max_time: MS, ..NOTHING },
            SamplingOptions { budget: SECOND, ..NOTHING },
        ] {
            assert_eq!(samples(&until_precise, Some(7), &of_file), None, "{until_precise:?}");
            assert_eq!(samples(&NOTHING, Some(7), &until_precise), Some(7), "{until_precise:?}");
            assert_eq!(samples(&of_file, None, &until_precise), Some(5), "{until_precise:?}");
        }
        let other = SamplingOptions { sample_time: MS, warmup: Some(3), ..NOTHING };
        assert_eq!(samples(&other, None, &of_file), Some(5));
    }

    #[test]
    fn samples_override_a_budget() {
        let (budget, samples) =
            (SamplingOptions { budget: SECOND, ..NOTHING }, SamplingOptions { samples: Some(5), ..NOTHING });
        let of = |flags, file| Sampling { flags, file }.budget();
        assert_eq!(of(budget, samples), SECOND);
        assert_eq!(of(NOTHING, budget), SECOND);
        assert_eq!(of(samples, budget), None);
    }

    #[test]
    fn one_time_limit_adjusts_the_other() {
        let longer = plan(&SamplingOptions { min_time: SECOND, ..NOTHING }, &BenchmarkSpec::default());
        assert_eq!((longer.min_time, longer.max_time), (1e9, 1e9));
        let shorter = plan(&SamplingOptions { max_time: MS, ..NOTHING }, &BenchmarkSpec::default());
        assert_eq!((shorter.min_time, shorter.max_time), (1e6, 1e6));
    }
}
