//! Samples that are made by hand.

use super::*;
use nanobench::measure::{CalibrationRequest, SampleRequest, Sampler};
use nanobench::model::Sample;
use std::convert::Infallible;

/// A benchmark whose iterations take exactly this many ns.
struct Steady(u64);

impl Steady {
    fn sample_of(&self, iterations: u64, round: u64) -> Sample {
        Sample { iterations, elapsed: self.0 * iterations, segments: 1, reference: 0, round }
    }
}

impl Sampler for Steady {
    type Error = Infallible;

    fn calibrate(&mut self, _: &CalibrationRequest) -> Result<Calibration, Infallible> {
        Ok(Calibration {
            count: 1,
            iterations: 1_000,
            max_kept_results: 1,
            iteration_ticks: self.0 as f64,
            iteration_wall_time: self.0 as f64,
            segment_cost: 0.0,
            first_call: self.sample_of(1, 0),
            throughput: None,
            returns_value: None,
        })
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        let rounds = request.round..request.round + request.samples;
        let samples = rounds.map(|round| self.sample_of(request.iterations, round)).collect();
        Ok(SampleBatch { samples, ..SampleBatch::default() })
    }
}

impl OwnSamples {
    /// Takes the samples of a benchmark whose iterations take exactly this many ns.
    pub(in crate::experiment) fn sample_steady(&mut self, nanoseconds: u64) {
        let Ok(SampleBatch { samples, segment_cost, .. }) =
            self.sampling_loop.step(&mut Steady(nanoseconds), 0);
        let clock = project::fixtures::clock();
        self.launches.push(Launch { clock, segment_cost, empty_loop: 0.5, samples });
    }
}
