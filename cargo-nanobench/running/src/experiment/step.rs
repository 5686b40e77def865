//! The amount of sampling in one step of a benchmark.

use crate::affinity;
use crate::session::{RemoteBenchmark, RequestError};
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};

/// The amount of sampling in one step of a benchmark.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// As many samples as the sampling loop requests.
    Batch { seed: u64 },
    /// The sample of one round.
    Single { round: u64, seed: u64 },
    /// No sample, only the calibration that must precede the first one.
    Calibration,
}

impl Step {
    pub(super) fn seed(self) -> u64 {
        match self {
            Step::Batch { seed } | Step::Single { seed, .. } => seed,
            Step::Calibration => 0,
        }
    }
}

/// A sampler that limits each request of the sampling loop to the amount of a step, and takes the
/// samples of benchmarks with one thread on an isolated core, if there is one.
#[derive(Debug)]
pub(super) struct StepSampler<'a> {
    pub(super) remote: RemoteBenchmark<'a>,
    pub(super) step: Step,
    pub(super) isolated_cores: &'a [usize],
    /// The isolated core to use, once the calibration has shown that one suffices.
    pub(super) core: &'a mut Option<usize>,
}

impl Sampler for StepSampler<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, RequestError> {
        if self.isolated_cores.is_empty() {
            return self.remote.calibrate(request);
        }
        let before = affinity::cpu_time(self.remote.process_id());
        let calibration = self.remote.calibrate(request)?;
        let cpu_times = before.zip(affinity::cpu_time(self.remote.process_id()));
        let is_single_threaded =
            cpu_times.is_some_and(|(before, after)| after.is_of_one_thread_since(&before));
        *self.core = affinity::first_usable(self.isolated_cores).filter(|_| is_single_threaded);
        Ok(calibration)
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        let _bound = self.core.and_then(|core| affinity::bind(self.remote.process_id(), core));
        match self.step {
            Step::Batch { .. } => self.remote.sample(request),
            Step::Single { round, .. } => {
                self.remote.sample(&SampleRequest { samples: 1, round, ..*request })
            }
            Step::Calibration => Ok(SampleBatch::default()),
        }
    }
}
