//! A benchmark that this process can run.

use crate::counters::Counters;
use crate::measure::{
    self, Bencher, Calibration, CalibrationRequest, Count, CountRequest, Engine, SampleBatch, SampleRequest,
};
use crate::model::{BenchmarkSpec, Counts};

/// A benchmark that this process can run.
pub(super) trait Runnable {
    /// Returns its description.
    fn benchmark(&self) -> &BenchmarkSpec;

    /// Runs a sample.
    fn run(&self, bencher: &mut Bencher);

    fn calibrate(&self, engine: &Engine, request: &CalibrationRequest) -> Calibration {
        measure::calibrate(engine, &mut |bencher| self.run(bencher), Count::None, request)
    }

    fn sample(&self, engine: &Engine, request: &SampleRequest) -> SampleBatch {
        measure::sample(engine, &mut |bencher| self.run(bencher), request)
    }

    /// Counts allocations and `counters` in iterations that are not timed.
    fn count(&self, engine: &Engine, request: &CountRequest, counters: Counters) -> Counts {
        measure::count(engine, &mut |bencher| self.run(bencher), request, counters)
    }
}
