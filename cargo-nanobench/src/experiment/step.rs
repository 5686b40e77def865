//! The amount of sampling in one step of a benchmark.

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

/// A sampler that limits each request of the sampling loop to the amount of a step.
#[derive(Debug)]
pub(super) struct StepSampler<'a> {
    pub(super) remote: RemoteBenchmark<'a>,
    pub(super) step: Step,
}

impl Sampler for StepSampler<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, RequestError> {
        self.remote.calibrate(request)
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        match self.step {
            Step::Batch { .. } => self.remote.sample(request),
            Step::Single { round, .. } => {
                self.remote.sample(&SampleRequest { samples: 1, round, ..*request })
            }
            Step::Calibration => Ok(SampleBatch::default()),
        }
    }
}
