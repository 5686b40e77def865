//! The plan of a benchmark: the number and length of its samples.

use super::{CalibrationRequest, SampleRequest, Sampler};
use crate::model::SamplingOptions;

/// Length of a sample in steps of the clock: a tenth of a per cent is a step.
const MIN_RESOLUTIONS: f64 = 1_000.0;

/// Length of a sample for a profiler, in ns. Little time of the process passes between samples this long.
const ENDLESS_SAMPLE_TIME: f64 = 100e6;

/// The default of the shortest time for all samples together, in ns.
const MIN_TIME: u64 = 3_000_000;
/// The default of the longest one.
const MAX_TIME: u64 = 8_000_000;

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

impl Plan {
    /// Calls a benchmark in long samples until `is_over`, for a profiler.
    pub fn sample_until<S: Sampler>(
        &self,
        sampler: &mut S,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<(), S::Error> {
        let (sample_time, iterations) = (self.sample_time.max(ENDLESS_SAMPLE_TIME), self.iterations);
        let request = CalibrationRequest { sample_time, iterations, count: None, warmup: self.warmup };
        let found = sampler.calibrate(&request)?;
        for round in 0.. {
            if is_over() {
                break;
            }
            sampler.sample(&SampleRequest {
                samples: 1,
                iterations: found.iterations,
                exact_iterations: iterations.is_some(),
                count: found.count,
                max_kept_results: found.max_kept_results,
                round,
                ..SampleRequest::default()
            })?;
        }
        Ok(())
    }

    /// Returns the plan for a clock of this resolution, in ns: if that is coarse, the default length
    /// of samples is too short for it.
    #[inline]
    pub fn for_clock(self, resolution: f64) -> Plan {
        let default = Plan::default().sample_time;
        let is_default = self.sample_time.to_bits() == default.to_bits();
        let shortest = resolution * MIN_RESOLUTIONS;
        if is_default && shortest > default { Plan { sample_time: shortest, ..self } } else { self }
    }
}

impl From<SamplingOptions> for Plan {
    /// Returns the plan with these options, and the defaults of the others.
    #[inline]
    fn from(options: SamplingOptions) -> Plan {
        let default = Plan::default();
        let times = SamplingOptions {
            min_time: Some(MIN_TIME),
            max_time: Some(MAX_TIME),
            ..SamplingOptions::default()
        };
        let SamplingOptions { samples, precision, min_time, max_time, sample_time, iterations, warmup } =
            options.or(times);
        Plan {
            sample_time: sample_time.map_or(default.sample_time, |time| time as f64),
            iterations,
            samples,
            precision: precision.unwrap_or(default.precision),
            min_time: min_time.unwrap_or(MIN_TIME) as f64,
            max_time: match max_time.unwrap_or(MAX_TIME) {
                SamplingOptions::UNLIMITED => f64::INFINITY,
                time => time as f64,
            },
            warmup: warmup.unwrap_or(default.warmup),
        }
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
            min_time: MIN_TIME as f64,
            max_time: MAX_TIME as f64,
            warmup: 1,
        }
    }
}
