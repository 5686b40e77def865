use super::*;
use crate::model::Sample;
use std::convert::Infallible;

/// The iterations to request for samples of 2,500 on average.
const FEWEST_OF_2_500: u64 = 2_273;

/// A benchmark whose calls take `cost` ns, multiplied by `noise` of the round.
struct FakeSampler<N: FnMut(u64) -> f64> {
    cost: f64,
    calls: u64,
    noise: N,
}

impl<N: FnMut(u64) -> f64> Sampler for FakeSampler<N> {
    type Error = Infallible;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Infallible> {
        self.calls += request.warmup;
        let iterations = request.iterations.unwrap_or(((request.sample_time / self.cost) as u64).max(1));
        let elapsed = self.cost as u64;
        Ok(Calibration {
            count: 1,
            iterations,
            max_kept_results: 1,
            iteration_ticks: self.cost,
            iteration_wall_time: self.cost,
            segment_cost: 0.0,
            first_call: Sample { iterations: 1, elapsed, segments: 1, reference: 0, round: 0 },
            throughput: None,
            returns_value: None,
        })
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        let iterations = request.iterations;
        let samples = (request.round..request.round + request.samples).map(|round| {
            self.calls += iterations;
            let elapsed = (iterations as f64 * self.cost * (self.noise)(round)) as u64;
            Sample { iterations, elapsed, segments: 1, reference: 0, round }
        });
        Ok(SampleBatch { samples: samples.collect(), ..SampleBatch::default() })
    }
}

/// A benchmark of 100 ns whose first calibration finds another cost.
struct MisleadingSampler {
    first_cost: f64,
    calibrations: u64,
}

impl MisleadingSampler {
    fn new(first_cost: f64) -> MisleadingSampler {
        MisleadingSampler { first_cost, calibrations: 0 }
    }
}

impl Sampler for MisleadingSampler {
    type Error = Infallible;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Infallible> {
        self.calibrations += 1;
        let cost = if self.calibrations == 1 { self.first_cost } else { 100.0 };
        FakeSampler { cost, calls: 0, noise: |_| 1.0 }.calibrate(request)
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        FakeSampler { cost: 100.0, calls: 0, noise: |_| 1.0 }.sample(request)
    }
}

/// Runs a plan until it is done.
fn run<S: Sampler<Error = Infallible>>(plan: Plan, sampler: &mut S) -> Vec<Sample> {
    let mut sampling_loop = SamplingLoop::new(plan, None);
    let mut batch = SampleBatch::default();
    while !sampling_loop.is_done() {
        let Ok(samples) = sampling_loop.step(sampler, 0);
        batch.append(samples);
    }
    batch.samples
}

/// Returns the number of samples and calls of a benchmark with this cost.
fn samples_and_calls(plan: Plan, cost: f64, noise: impl FnMut(u64) -> f64) -> (usize, u64) {
    let mut sampler = FakeSampler { cost, calls: 0, noise };
    let samples = run(plan, &mut sampler);
    assert!(samples.iter().map(|sample| sample.round).eq(0..samples.len() as u64));
    (samples.len(), sampler.calls)
}

#[test]
fn a_steady_benchmark_is_done_after_the_shortest_time() {
    assert_eq!(samples_and_calls(Plan::default(), 100.0, |_| 1.0).0, 12);
}

#[test]
fn a_noisy_benchmark_is_sampled_until_the_time_is_over() {
    let noise = |round| 1.0 + (round % 7) as f64 / 10.0;
    assert_eq!(samples_and_calls(Plan::default(), 100.0, noise).0, 32);
}

#[test]
fn a_benchmark_below_resolution_is_not_sampled_until_it_is_precise() {
    let mut sampler = FakeSampler { cost: 100.0, calls: 0, noise: |round| 1.0 + (round % 7) as f64 / 10.0 };
    let mut samples = |plan| {
        let mut sampling_loop = SamplingLoop::new(plan, None);
        let mut samples = 0;
        while !sampling_loop.is_done() {
            let Ok(batch) = sampling_loop.step(&mut sampler, 0);
            samples += batch.samples.len();
            sampling_loop.note_below_resolution();
        }
        samples
    };
    assert_eq!(samples(Plan::default()), 12);
    assert_eq!(samples(Plan { samples: Some(30), ..Plan::default() }), 30);
}

#[test]
fn a_slow_benchmark_is_called_a_few_times() {
    assert_eq!(samples_and_calls(Plan::default(), 10e6, |_| 1.0), (10, 11), "10 ms");
    assert_eq!(samples_and_calls(Plan::default(), 1e9, |_| 1.0), (3, 4), "1 s");
    assert_eq!(samples_and_calls(Plan::default(), 10e9, |_| 1.0), (1, 1), "10 s");
}

#[test]
fn many_slow_iterations_are_one_sample() {
    let plan = |iterations| Plan { iterations: Some(iterations), ..Plan::default() };
    assert_eq!(samples_and_calls(plan(77), 50e6, |_| 1.0), (3, 1 + 3 * 77), "3.9 s each");
    assert_eq!(samples_and_calls(plan(770), 50e6, |_| 1.0), (1, 1 + 770), "39 s");
    assert_eq!(samples_and_calls(plan(2), 10e9, |_| 1.0), (1, 1 + 2), "the first call is not two");
}

#[test]
fn without_warmup_the_first_call_of_a_slow_benchmark_is_a_sample() {
    let plan = Plan { warmup: 0, ..Plan::default() };
    assert_eq!(samples_and_calls(plan, 1e9, |_| 1.0), (3, 2), "and the first call");
}

#[test]
fn samples_of_a_few_fast_calls_are_hundreds() {
    let plan = Plan { iterations: Some(1), ..Plan::default() };
    assert_eq!(samples_and_calls(plan, 50.0, |_| 1.0).0, 150);
}

#[test]
fn a_slow_first_call_repeats_the_calibration() {
    let mut sampler = MisleadingSampler::new(1e9);
    let samples = run(Plan::default(), &mut sampler);
    assert!(samples.iter().all(|sample| sample.iterations == FEWEST_OF_2_500), "{samples:?}");
    assert_eq!((samples.len(), sampler.calibrations), (12, 2));
}

#[test]
fn a_slow_first_call_is_no_sample_of_a_fast_benchmark() {
    let samples = |plan| {
        let samples = run(plan, &mut MisleadingSampler::new(5e6));
        samples.iter().map(|sample| (sample.iterations, sample.elapsed)).collect::<Vec<_>>()
    };
    let without_warmup = |samples| Plan { warmup: 0, samples: Some(samples), ..Plan::default() };
    assert_eq!(samples(without_warmup(5)), [(FEWEST_OF_2_500, FEWEST_OF_2_500 * 100); 5]);
    assert_eq!(samples(without_warmup(2)), [(FEWEST_OF_2_500, FEWEST_OF_2_500 * 100); 2]);
    assert_eq!(samples(without_warmup(1)), [(1, 5_000_000)], "there is no second call");
    let single_calls = Plan { iterations: Some(1), ..without_warmup(3) };
    assert_eq!(samples(single_calls), [(1, 5_000_000), (1, 100), (1, 100)], "as requested");
}

#[test]
fn a_slow_first_call_does_not_decide_the_number_of_samples_of_a_fixed_length() {
    // Judging by the first call, a sample of these would take more than an hour. It takes 0.1 s.
    let plan = Plan { iterations: Some(1_000_000), ..Plan::default() };
    let mut sampler = MisleadingSampler::new(5e6);
    assert_eq!((run(plan, &mut sampler).len(), sampler.calibrations), (3, 2));
}

#[test]
fn a_disturbed_calibration_does_not_decide_the_length_of_all_samples() {
    // 20 calls, as they seemed to take 12.5 us.
    let iterations = |plan| {
        let mut sampling_loop = SamplingLoop::new(plan, None);
        let mut sampler = MisleadingSampler::new(12_500.0);
        let mut iterations = Vec::new();
        for _ in 0..2 {
            let Ok(batch) = sampling_loop.step(&mut sampler, 0);
            iterations.extend(batch.samples.iter().map(|sample| sample.iterations));
        }
        iterations
    };
    assert_eq!(iterations(Plan::default()), [FEWEST_OF_2_500; 8]);
    assert_eq!(iterations(Plan { iterations: Some(20), ..Plan::default() }), [20; 8], "as requested");
}

#[test]
fn fixed_numbers_are_kept() {
    let plan = Plan { samples: Some(5), iterations: Some(7), warmup: 0, ..Plan::default() };
    assert_eq!(samples_and_calls(plan, 100.0, |round| 1.0 + round as f64), (5, 35));
    assert_eq!(samples_and_calls(plan, 10e9, |_| 1.0), (5, 35));
}
