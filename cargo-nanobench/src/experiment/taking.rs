//! How a step of a benchmark's course takes samples.

use crate::session::{Remote, RequestError};
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};

/// What a step takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Taking {
    /// As many samples as the course asks for.
    Several { seed: u64 },
    /// One, of this round.
    One { round: u64, seed: u64 },
    /// None: the benchmark is calibrated, so that what comes next is a sample.
    None,
}

impl Taking {
    pub(super) fn seed(self) -> u64 {
        match self {
            Taking::Several { seed } | Taking::One { seed, .. } => seed,
            Taking::None => 0,
        }
    }
}

/// A benchmark in its process, of which so much is taken, whatever its course asks for.
#[derive(Debug)]
pub(super) struct Watched<'a> {
    pub(super) remote: Remote<'a>,
    pub(super) taking: Taking,
    /// Where the calibration goes, which tells more than the course needs.
    pub(super) calibration: &'a mut Option<Calibration>,
}

impl Sampler for Watched<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, order: &CalibrationRequest) -> Result<Calibration, RequestError> {
        let calibration = self.remote.calibrate(order)?;
        Ok(self.calibration.insert(calibration).clone())
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        match self.taking {
            Taking::Several { .. } => self.remote.sample(request),
            Taking::One { round, .. } => self.remote.sample(&SampleRequest { samples: 1, round, ..*request }),
            Taking::None => Ok(SampleBatch::default()),
        }
    }
}
