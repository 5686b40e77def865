//! How long and how often benchmarks are measured: the default, then what a benchmark asks for, then what the
//! command line asks for.

use crate::cli::SamplingArgs;
use nanobench::measure::Plan;
use nanobench::model::Benchmark;
use std::time::Duration;

/// What the command line and the workspace's file ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampling<'a> {
    /// Of the command line.
    pub(crate) flags: &'a SamplingArgs,
    /// Of the file.
    pub(crate) file: &'a SamplingArgs,
}

impl Sampling<'_> {
    /// The plan of one benchmark: flags win over its attribute, that over its groups', those over the file.
    pub(crate) fn plan(self, benchmark: &Benchmark) -> Plan {
        let own = with(self.file, Plan::default()).of(benchmark);
        let plan = with(self.flags, own);
        if self.flags.budget.is_some() && self.flags.max_time.is_none() {
            return Plan { max_time: f64::INFINITY, ..plan };
        }
        plan
    }
}

/// The plan with what is asked for.
fn with(asked: &SamplingArgs, plan: Plan) -> Plan {
    let nanoseconds = |duration: Duration| duration.as_secs_f64() * 1e9;
    let plan = Plan {
        sample_time: asked.sample_time.map_or(plan.sample_time, nanoseconds),
        iterations: asked.iterations.or(plan.iterations),
        samples: asked.samples.or(plan.samples),
        precision: asked.precision.unwrap_or(plan.precision),
        min_time: asked.min_time.map_or(plan.min_time, nanoseconds),
        max_time: asked.max_time.map_or(plan.max_time, nanoseconds),
        warmup: asked.warmup.unwrap_or(plan.warmup),
    };
    // One of the two given alone moves the other where they would contradict each other.
    match (asked.min_time, asked.max_time) {
        (None, Some(_)) => Plan { min_time: plan.min_time.min(plan.max_time), ..plan },
        (Some(_), None) => Plan { max_time: plan.max_time.max(plan.min_time), ..plan },
        _ => plan,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(flags: &SamplingArgs, benchmark: &Benchmark) -> Plan {
        Sampling { flags, file: &SamplingArgs::default() }.plan(benchmark)
    }

    #[test]
    fn attributes_win_over_the_file() {
        let file = SamplingArgs {
            samples: Some(9),
            iterations: Some(2),
            warmup: Some(3),
            ..SamplingArgs::default()
        };
        let flags = SamplingArgs { warmup: Some(4), ..SamplingArgs::default() };
        let benchmark = Benchmark { samples: Some(5), warmup: Some(8), ..Benchmark::default() };
        let plan = Sampling { flags: &flags, file: &file }.plan(&benchmark);
        assert_eq!((plan.samples, plan.iterations, plan.warmup), (Some(5), Some(2), 4));
    }

    #[test]
    fn flags_win_over_attributes_and_those_over_the_default() {
        let benchmark = Benchmark { samples: Some(5), sample_time: Some(1_000_000), ..Benchmark::default() };
        let flags = SamplingArgs { samples: Some(9), ..SamplingArgs::default() };
        let plan = plan(&flags, &benchmark);
        assert_eq!((plan.samples, plan.sample_time), (Some(9), 1e6));
        assert_eq!(plan.precision, Plan::default().precision);
    }

    #[test]
    fn a_budget_lifts_the_limit_of_each() {
        let flags = SamplingArgs { budget: Some(Duration::from_secs(60)), ..SamplingArgs::default() };
        assert_eq!(plan(&flags, &Benchmark::default()).max_time, f64::INFINITY);
    }

    #[test]
    fn one_time_moves_the_other() {
        let second = Some(Duration::from_secs(1));
        let longer =
            plan(&SamplingArgs { min_time: second, ..SamplingArgs::default() }, &Benchmark::default());
        assert_eq!((longer.min_time, longer.max_time), (1e9, 1e9));
        let short = Some(Duration::from_millis(1));
        let shorter =
            plan(&SamplingArgs { max_time: short, ..SamplingArgs::default() }, &Benchmark::default());
        assert_eq!((shorter.min_time, shorter.max_time), (1e6, 1e6));
    }
}
