//! How long and how often benchmarks are measured: the default, then what a benchmark asks for, then what the
//! command line asks for.

use crate::cli::SamplingArgs;
use nanobench::measure::Plan;
use nanobench::model::Benchmark;
use std::time::Duration;

/// The plan of one benchmark. Flags win over its attribute.
pub(crate) fn plan(flags: &SamplingArgs, benchmark: &Benchmark) -> Plan {
    let nanoseconds = |duration: Duration| duration.as_secs_f64() * 1e9;
    let own = Plan::default().of(benchmark);
    let plan = Plan {
        sample_time: flags.sample_time.map_or(own.sample_time, nanoseconds),
        iterations: flags.iterations.or(own.iterations),
        samples: flags.samples.or(own.samples),
        precision: flags.precision.unwrap_or(own.precision),
        min_time: flags.min_time.map_or(own.min_time, nanoseconds),
        max_time: flags.max_time.map_or(own.max_time, nanoseconds),
        warmup: flags.warmup.unwrap_or(own.warmup),
    };
    if flags.budget.is_some() && flags.max_time.is_none() {
        return Plan { max_time: f64::INFINITY, ..plan };
    }
    // One of the two given alone moves the other where they would contradict each other.
    match (flags.min_time, flags.max_time) {
        (None, Some(_)) => Plan { min_time: plan.min_time.min(plan.max_time), ..plan },
        (Some(_), None) => Plan { max_time: plan.max_time.max(plan.min_time), ..plan },
        _ => plan,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
