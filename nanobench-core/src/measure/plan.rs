//! How many samples of what length a benchmark gets, wherever it runs.

use super::Calibration;
use crate::model::Sample;
use crate::record::record;

record! {
    /// An order for samples.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Take {
        /// How many.
        pub samples: u64,
        /// Calls of the benchmark function in each.
        pub iterations: u64,
        /// What the function gets as `count`.
        pub count: u64,
        /// How many results may be kept at a time.
        pub chunk: u64,
        /// The round of the first one; each further one is a round of its own.
        pub round: u64,
    }
}

record! {
    /// What came of a [`Take`].
    #[derive(Debug, Clone, PartialEq)]
    pub struct Taken {
        /// What starting and stopping the clock once leaves in the samples, in ns.
        pub segment_cost: f64,
        /// In the order in which they were taken.
        pub samples: Vec<Sample>,
    }
}

/// What takes orders for one benchmark: the engine in this process, or a harness process at the other end
/// of a channel.
pub trait Sampler {
    /// What can go wrong on the way.
    type Error;

    /// Finds out how to call the benchmark for samples of `sample_time` ns. A `count` replaces the one that the
    /// harness would look for.
    fn calibrate(&mut self, sample_time: f64, count: Option<u64>) -> Result<Calibration, Self::Error>;

    /// Takes samples.
    fn take(&mut self, take: &Take) -> Result<Taken, Self::Error>;
}

/// What the samples of a benchmark may cost. Times in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Length of a sample; that of one iteration where that is longer.
    pub sample_time: f64,
    /// Number of samples, and never fewer than one.
    pub samples: u64,
    /// All samples together take no longer, except that there are three while [`Plan::patience`] lasts.
    pub time: f64,
    /// No second sample is begun where one takes longer than this.
    pub patience: f64,
}

impl Default for Plan {
    /// 31 samples of 0.5 ms; eleven calls of something that takes 10 ms, three of 1 s, one of 10 s.
    fn default() -> Plan {
        Plan { sample_time: 500_000.0, samples: 31, time: 110_000_000.0, patience: 5_000_000_000.0 }
    }
}

/// Calibrates one benchmark and takes its samples. Returns the count that it was called with, and them.
///
/// # Errors
/// Those of the sampler.
pub fn measure<S: Sampler>(
    sampler: &mut S,
    plan: &Plan,
    count: Option<u64>,
) -> Result<(u64, Taken), S::Error> {
    let calibration = sampler.calibrate(plan.sample_time, count)?;
    let taken = sampler.take(&Take {
        samples: plan.number_of_samples(&calibration),
        iterations: calibration.iterations,
        count: calibration.count,
        chunk: calibration.chunk,
        round: 0,
    })?;
    Ok((calibration.count, taken))
}

impl Plan {
    fn number_of_samples(&self, calibration: &Calibration) -> u64 {
        let sample = calibration.iteration_time * calibration.iterations as f64;
        let least = if sample > self.patience { 1 } else { 3 };
        let affordable = (self.time / sample.max(1.0)) as u64;
        affordable.max(least).min(self.samples).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(iterations: u64, iteration_time: f64) -> u64 {
        Plan::default().number_of_samples(&Calibration { count: 1, iterations, chunk: 1, iteration_time })
    }

    #[test]
    fn slow_things_stay_cheap() {
        assert_eq!(samples(50_000, 10.0), 31, "10 ns");
        assert_eq!(samples(1, 1e6), 31, "1 ms");
        assert_eq!(samples(1, 10e6), 11, "10 ms");
        assert_eq!(samples(1, 1e9), 3, "1 s");
        assert_eq!(samples(1, 10e9), 1, "10 s");
    }
}
