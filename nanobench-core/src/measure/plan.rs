//! The plan of a benchmark: the number and length of its samples.

use crate::model::BenchmarkSpec;

/// Length of a sample in steps of the clock: a tenth of a per cent is a step.
const MIN_RESOLUTIONS: f64 = 1_000.0;

/// The samples to take of a benchmark. Times are in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Length of a sample, unless one iteration takes longer.
    pub sample_time: f64,
    /// Exact number of iterations in a sample, however long they take.
    pub iterations: Option<u64>,
    /// Exact number of samples. The three limits below are ignored then.
    pub samples: Option<u64>,
    /// Relative precision at which sampling stops: half the width of the confidence interval of the
    /// median, divided by the median.
    pub precision: f64,
    /// Shortest time for all samples together.
    pub min_time: f64,
    /// Longest time for all samples together. A few samples are taken even if they take longer.
    pub max_time: f64,
    /// Number of calls before the first one that is timed. With 0, the first call of a slow
    /// benchmark is its first sample.
    pub warmup: u64,
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
        let sample_time = benchmark.sample_time.map(|time| time as f64);
        Plan {
            samples: benchmark.samples.or(self.samples),
            warmup: benchmark.warmup.unwrap_or(self.warmup),
            ..self.with_sample_length(benchmark.iterations, sample_time)
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
    /// Returns a plan for samples of 0.25 ms, which take 5 ms to 12 ms together. A slow benchmark
    /// is called 11 times if a call takes 10 ms, 4 times if it takes 1 s, and once if it takes 10
    /// s.
    #[inline]
    fn default() -> Plan {
        Plan {
            sample_time: 250_000.0,
            iterations: None,
            samples: None,
            precision: 0.005,
            min_time: 5_000_000.0,
            max_time: 12_000_000.0,
            warmup: 1,
        }
    }
}
