//! The requests for one benchmark in a harness process.

use super::connection::Connection;
use super::error::RequestError;
use super::unexpected;
use crate::deadline::TimeLimit;
use nanobench::measure::{
    Calibration, CalibrationRequest, CountRequest, SampleBatch, SampleRequest, Sampler,
};
use nanobench::model::Counts;
use nanobench::protocol::{CalibrateBenchmark, CountBenchmark, Reply, Request, SampleBenchmark};

/// One benchmark in a harness process.
#[derive(Debug)]
pub struct RemoteBenchmark<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) index: u64,
    pub(super) limit: TimeLimit,
}

/// Receives the content of a reply of this kind.
macro_rules! receive {
    ($benchmark:ident, $kind:ident) => {
        match $benchmark.connection.receive($benchmark.limit)? {
            Reply::$kind(content) => Ok(content),
            other => Err(unexpected(&other)),
        }
    };
}

impl RemoteBenchmark<'_> {
    /// Returns the id of the process.
    pub fn process_id(&self) -> u32 {
        self.connection.process.id()
    }

    /// Requests samples without waiting for them, so that other processes can work meanwhile.
    pub fn request_samples(&mut self, request: &SampleRequest) -> Result<(), RequestError> {
        let request = SampleBenchmark { benchmark: self.index, request: *request };
        self.connection.send(Request::Sample(request))
    }

    /// Waits for the requested samples.
    pub fn receive_samples(&mut self) -> Result<SampleBatch, RequestError> {
        receive!(self, Samples)
    }

    /// Requests a calibration without waiting for it.
    pub fn request_calibration(&mut self, request: &CalibrationRequest) -> Result<(), RequestError> {
        let request = CalibrateBenchmark { benchmark: self.index, request: *request };
        self.connection.send(Request::Calibrate(request))
    }

    /// Waits for the requested calibration.
    pub fn receive_calibration(&mut self) -> Result<Calibration, RequestError> {
        receive!(self, Calibrated)
    }

    /// Counts allocations and other events in untimed calls.
    pub fn count(&mut self, request: CountRequest) -> Result<Counts, RequestError> {
        self.request_counts(request)?;
        self.receive_counts()
    }

    /// Requests counts without waiting for them.
    pub fn request_counts(&mut self, request: CountRequest) -> Result<(), RequestError> {
        let request = CountBenchmark { benchmark: self.index, request };
        self.connection.send(Request::Count(request))
    }

    /// Waits for the requested counts.
    pub fn receive_counts(&mut self) -> Result<Counts, RequestError> {
        receive!(self, Counts)
    }
}

impl Sampler for RemoteBenchmark<'_> {
    type Error = RequestError;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, RequestError> {
        self.request_calibration(request)?;
        self.receive_calibration()
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, RequestError> {
        self.request_samples(request)?;
        self.receive_samples()
    }
}
