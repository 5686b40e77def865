//! The plan of a benchmark: the number and length of its samples.

use crate::model::BenchmarkSpec;

/// Length of a sample in steps of the clock: a tenth of a per cent is a step.
const MIN_RESOLUTIONS: f64 = 1_000.0;

/// The samples to take of a benchmark. Times are in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan {
    /// Length of a sample, unless one iteration takes longer.
    pub sample_time: f64,
    /// Exact number of iterations in a sample, however long they take.
    pub iterations: Option<u64>,
    /// Exact number of samples. The three limits below are ignored then.
    pub samples: Option<u64>,
    /// Relative precision at which sampling stops: half the width of the confidence interval of the
    /// median, divided by the median.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::percent"))]
    pub precision: f64,
    /// Shortest time for all samples together.
    pub min_time: f64,
    /// Longest time for all samples together. A few samples are taken even if they take longer.
    pub max_time: f64,
    /// Number of calls before the first one that is timed. With 0, the first call of a slow
    /// benchmark is its first sample.
    pub warmup: u64,
}

/// Options for the end of sampling, from one place. An exact number of samples excludes the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SampleLimits {
    /// Exact number of samples.
    pub samples: Option<u64>,
    /// Relative precision at which sampling stops.
    pub precision: Option<f64>,
    /// Shortest time for all samples together, in ns.
    pub min_time: Option<f64>,
    /// Longest time for all samples together, in ns.
    pub max_time: Option<f64>,
}

impl SampleLimits {
    /// Returns these limits, and those of `outer` that they neither replace nor exclude. If only
    /// one of the two times is set here, it adjusts the outer one to avoid a contradiction.
    pub fn or(self, outer: SampleLimits) -> SampleLimits {
        if self.samples.is_some() {
            return self;
        }
        let SampleLimits { samples, precision, min_time, max_time } = self;
        let is_empty = precision.is_none() && min_time.is_none() && max_time.is_none();
        let adjusted = |own: Option<f64>, outer: Option<f64>, adjust: fn(f64, f64) -> f64| match own {
            Some(own) => outer.map(|outer| adjust(outer, own)),
            None => outer,
        };
        SampleLimits {
            samples: samples.or(outer.samples.filter(|_| is_empty)),
            precision: precision.or(outer.precision),
            min_time: min_time.or(adjusted(max_time, outer.min_time, f64::min)),
            max_time: max_time.or(adjusted(min_time, outer.max_time, f64::max)),
        }
    }
}

impl Plan {
    /// Returns the plan for a clock of this resolution, in ns: if that is coarse, the default length
    /// of samples is too short for it.
    #[inline]
    pub fn for_clock(self, resolution: f64) -> Plan {
        let default = Plan::default().sample_time;
        let is_default = self.sample_time.to_bits() == default.to_bits();
        let shortest = resolution * MIN_RESOLUTIONS;
        if is_default && shortest > default { Plan { sample_time: shortest, ..self } } else { self }
    }

    /// Returns the plan with the settings of the benchmark itself.
    #[inline]
    pub fn for_benchmark(self, benchmark: &BenchmarkSpec) -> Plan {
        let nanoseconds = |time: u64| time as f64;
        let limits = SampleLimits {
            samples: benchmark.samples,
            precision: benchmark.precision.map(|percent| percent / 100.0),
            min_time: benchmark.min_time.map(nanoseconds),
            max_time: benchmark.max_time.map(nanoseconds),
        };
        let plan = self.with_limits(limits);
        Plan { warmup: benchmark.warmup.unwrap_or(plan.warmup), ..plan }
            .with_sample_length(benchmark.iterations, benchmark.sample_time.map(nanoseconds))
    }

    /// Returns the plan with these limits, if any are set.
    #[inline]
    pub fn with_limits(self, limits: SampleLimits) -> Plan {
        let Plan { samples, precision, min_time, max_time, .. } = self;
        let own = SampleLimits {
            samples,
            precision: Some(precision),
            min_time: Some(min_time),
            max_time: Some(max_time),
        };
        let limits = limits.or(own);
        Plan {
            samples: limits.samples,
            precision: limits.precision.unwrap_or(precision),
            min_time: limits.min_time.unwrap_or(min_time),
            max_time: limits.max_time.unwrap_or(max_time),
            ..self
        }
    }

    /// Returns the plan with another length of samples, if one is given. A number of iterations
    /// also replaces a sample time set earlier, and vice versa.
    #[inline]
    pub fn with_sample_length(self, iterations: Option<u64>, sample_time: Option<f64>) -> Plan {
        if iterations.is_none() && sample_time.is_none() {
            return self;
        }
        Plan { iterations, sample_time: sample_time.unwrap_or(Plan::default().sample_time), ..self }
    }
}

impl Default for Plan {
    /// Returns a plan for samples of 0.25 ms, which take 3 ms to 8 ms together. A slow benchmark
    /// is called 11 times if a call takes 10 ms, 4 times if it takes 1 s, and once if it takes 10
    /// s.
    #[inline]
    fn default() -> Plan {
        Plan {
            sample_time: 250_000.0,
            iterations: None,
            samples: None,
            precision: 0.005,
            min_time: 3_000_000.0,
            max_time: 8_000_000.0,
            warmup: 1,
        }
    }
}
