//! A benchmark that this process can run.

use crate::counters::Counters;
use crate::measure::{Calibration, CalibrationRequest, CountRequest, Engine, SampleBatch, SampleRequest};
use crate::model::{BenchmarkSpec, Counts};

/// A benchmark that this process can run.
pub(super) trait Runnable {
    /// Returns its description.
    fn benchmark(&self) -> &BenchmarkSpec;

    fn calibrate(&self, engine: &Engine, request: &CalibrationRequest) -> Calibration;

    fn sample(&self, engine: &Engine, request: &SampleRequest) -> SampleBatch;

    /// Counts allocations and `counters` in iterations that are not timed.
    fn count(&self, engine: &Engine, request: &CountRequest, counters: Counters) -> Counts;
}
