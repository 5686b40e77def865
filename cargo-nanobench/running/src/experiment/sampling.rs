//! The number and length of samples. Options come from four levels: the defaults, the workspace's
//! file, the attribute and the command line. Each level overrides those before it.
//!
//! Two groups of options exclude each other: those for the length of a sample, and those for the
//! number of samples. An option of one level also overrides the excluded options of the levels
//! before it.

use nanobench::measure::Plan;
use nanobench::model::{BenchmarkSpec, SamplingOptions};
use std::time::Duration;

/// The sampling options from one place: the command line, or the workspace's file.
#[derive(Debug, Clone, Copy, Default)]
pub struct SamplingLevel {
    pub options: SamplingOptions,
    /// The time for all benchmarks together.
    pub budget: Option<Duration>,
}

/// The sampling options of a run. Benchmarks have attributes, which take their place between the
/// two.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sampling {
    pub flags: SamplingLevel,
    pub file: SamplingLevel,
}

impl Sampling {
    /// Returns the plan of one benchmark. Flags override its attribute, the attribute overrides its
    /// groups, and groups override the file.
    pub fn plan(&self, benchmark: &BenchmarkSpec) -> Plan {
        let Sampling { flags, file } = self;
        Plan::from(flags.of_each().or(benchmark.sampling.unwrap_or_default()).or(file.of_each()))
    }

    /// Returns the time for all benchmarks together. A number of samples on the command line
    /// overrides the file's budget.
    pub fn budget(&self) -> Option<Duration> {
        self.flags.budget.or(self.file.budget.filter(|_| self.flags.options.samples.is_none()))
    }
}

impl SamplingLevel {
    /// Returns the options of each benchmark. A budget is the limit if the same level sets no other.
    fn of_each(&self) -> SamplingOptions {
        let max_time = self.options.max_time.or(self.budget.map(|_| SamplingOptions::UNLIMITED));
        SamplingOptions { max_time, ..self.options }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: SamplingLevel = SamplingLevel { options: NONE, budget: None };
    const NONE: SamplingOptions = SamplingOptions {
        samples: None,
        precision: None,
        min_time: None,
        max_time: None,
        sample_time: None,
        iterations: None,
        warmup: None,
    };
    const BUDGET: SamplingLevel = SamplingLevel { options: NONE, budget: Some(Duration::from_secs(1)) };
    const SECOND: Option<u64> = Some(1_000_000_000);
    const MS: Option<u64> = Some(1_000_000);

    fn only(options: SamplingOptions) -> SamplingLevel {
        SamplingLevel { options, budget: None }
    }

    fn attribute(sampling: SamplingOptions) -> BenchmarkSpec {
        BenchmarkSpec { sampling: Some(sampling), ..BenchmarkSpec::default() }
    }

    fn plan(flags: SamplingLevel, benchmark: &BenchmarkSpec) -> Plan {
        Sampling { flags, file: NOTHING }.plan(benchmark)
    }

    #[test]
    fn attributes_win_over_the_file() {
        let file = only(SamplingOptions { samples: Some(9), iterations: Some(2), warmup: Some(3), ..NONE });
        let flags = only(SamplingOptions { warmup: Some(4), ..NONE });
        let benchmark = attribute(SamplingOptions { samples: Some(5), warmup: Some(8), ..NONE });
        let plan = Sampling { flags, file }.plan(&benchmark);
        assert_eq!((plan.samples, plan.iterations, plan.warmup), (Some(5), Some(2), 4));
    }

    #[test]
    fn flags_win_over_attributes_and_those_over_the_default() {
        let benchmark = attribute(SamplingOptions { samples: Some(5), sample_time: MS, ..NONE });
        let plan = plan(only(SamplingOptions { samples: Some(9), ..NONE }), &benchmark);
        assert_eq!((plan.samples, plan.sample_time), (Some(9), 1e6));
        assert_eq!(plan.precision, Plan::default().precision);
    }

    #[test]
    fn a_budget_lifts_the_limit_of_each() {
        assert_eq!(plan(BUDGET, &BenchmarkSpec::default()).max_time, f64::INFINITY);
        let limit = SamplingOptions { max_time: MS, ..NONE };
        let max_time = |flags, file| Sampling { flags, file }.plan(&BenchmarkSpec::default()).max_time;
        assert_eq!(max_time(only(limit), BUDGET), 1e6);
        assert_eq!(max_time(BUDGET, only(limit)), f64::INFINITY);
        assert_eq!(max_time(SamplingLevel { options: limit, ..BUDGET }, NOTHING), 1e6);
    }

    /// Returns the iterations and the length in ms of a sample, by the options of all levels.
    fn length(flags: SamplingOptions, own: SamplingOptions, file: SamplingOptions) -> (Option<u64>, f64) {
        let plan = Sampling { flags: only(flags), file: only(file) }.plan(&attribute(own));
        (plan.iterations, plan.sample_time / 1e6)
    }

    #[test]
    fn the_nearest_place_sets_the_sample_length() {
        let iterations = |number| SamplingOptions { iterations: Some(number), ..NONE };
        let second = SamplingOptions { sample_time: SECOND, ..NONE };
        let ms = SamplingOptions { sample_time: MS, ..NONE };
        assert_eq!(length(second, iterations(7), NONE), (None, 1e3), "flag over attribute");
        assert_eq!(length(iterations(9), ms, NONE).0, Some(9));
        assert_eq!(length(NONE, ms, iterations(9)), (None, 1.0), "over file");
        assert_eq!(length(second, NONE, iterations(9)), (None, 1e3), "flag over file");
        assert_eq!(length(NONE, iterations(7), second), (Some(7), 0.25));
        assert_eq!(length(NONE, NONE, second), (None, 1e3));
        assert_eq!(length(iterations(9), NONE, second), (Some(9), 0.25));
    }

    #[test]
    fn the_nearest_place_sets_the_number_of_samples() {
        let samples = |flags, own, file| {
            let benchmark = attribute(SamplingOptions { samples: own, ..NONE });
            Sampling { flags, file }.plan(&benchmark).samples
        };
        let of_file = only(SamplingOptions { samples: Some(5), ..NONE });
        for until_precise in [
            only(SamplingOptions { precision: Some(0.01), ..NONE }),
            only(SamplingOptions { min_time: MS, ..NONE }),
            only(SamplingOptions { max_time: MS, ..NONE }),
            BUDGET,
        ] {
            assert_eq!(samples(until_precise, Some(7), of_file), None, "{until_precise:?}");
            assert_eq!(samples(NOTHING, Some(7), until_precise), Some(7), "{until_precise:?}");
            assert_eq!(samples(of_file, None, until_precise), Some(5), "{until_precise:?}");
        }
        let other = only(SamplingOptions { sample_time: MS, warmup: Some(3), ..NONE });
        assert_eq!(samples(other, None, of_file), Some(5));
    }

    #[test]
    fn samples_override_a_budget() {
        let samples = only(SamplingOptions { samples: Some(5), ..NONE });
        let of = |flags, file| Sampling { flags, file }.budget();
        assert_eq!(of(BUDGET, samples), BUDGET.budget);
        assert_eq!(of(NOTHING, BUDGET), BUDGET.budget);
        assert_eq!(of(samples, BUDGET), None);
    }

    #[test]
    fn one_time_limit_adjusts_the_other() {
        let of = |options| plan(only(options), &BenchmarkSpec::default());
        let longer = of(SamplingOptions { min_time: SECOND, ..NONE });
        assert_eq!((longer.min_time, longer.max_time), (1e9, 1e9));
        let shorter = of(SamplingOptions { max_time: MS, ..NONE });
        assert_eq!((shorter.min_time, shorter.max_time), (1e6, 1e6));
    }
}
