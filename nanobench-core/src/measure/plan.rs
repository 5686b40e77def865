//! How many samples of what length a benchmark gets, wherever it runs.

use super::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};
use crate::model::BenchmarkSpec;
use crate::stats;

/// What the samples of a benchmark may cost, and how much they have to say. Times in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Length of a sample; that of one iteration where that is longer.
    pub sample_time: f64,
    /// Exactly so many iterations in a sample, whatever time they take.
    pub iterations: Option<u64>,
    /// Exactly so many samples, whatever they say.
    pub samples: Option<u64>,
    /// Samples are taken until the interval of their median is this narrow: half its width, as a share of the median.
    pub precision: f64,
    /// But for no less than this, all samples together.
    pub min_time: f64,
    /// And for no longer than this, all samples together. A few samples are taken whatever they cost.
    pub max_time: f64,
    /// Calls before the first one that is looked at. With 0, the first call of something slow is its first sample.
    pub warmup: u64,
}

impl Plan {
    /// The plan with what the benchmark itself asks for.
    pub fn for_benchmark(self, benchmark: &BenchmarkSpec) -> Plan {
        let sample_time = benchmark.sample_time.map(|time| time as f64);
        Plan {
            samples: benchmark.samples.or(self.samples),
            warmup: benchmark.warmup.unwrap_or(self.warmup),
            ..self.with_sample_length(benchmark.iterations, sample_time)
        }
    }

    /// The plan with samples of another length, where one is asked for: each of the two takes the place of the other, too.
    pub fn with_sample_length(self, iterations: Option<u64>, sample_time: Option<f64>) -> Plan {
        if iterations.is_none() && sample_time.is_none() {
            return self;
        }
        Plan { iterations, sample_time: sample_time.unwrap_or(Plan::default().sample_time), ..self }
    }
}

impl Default for Plan {
    /// Samples of 0.25 ms, for 10 ms at least and 25 ms at most; eleven calls of something that takes 10 ms, four of
    /// 1 s, one of 10 s.
    fn default() -> Plan {
        Plan {
            sample_time: 250_000.0,
            iterations: None,
            samples: None,
            precision: 0.005,
            min_time: 10_000_000.0,
            max_time: 25_000_000.0,
            warmup: 1,
        }
    }
}

/// Of the interval whose width decides.
const CONFIDENCE: f64 = 0.95;
/// Samples that are taken in one go. A benchmark's samples come in several goes, between which the others of the run
/// have theirs: what disturbs a machine for some ms spoils a part of many benchmarks, and not all of one.
const AT_A_TIME: u64 = 8;
/// So many samples are worth this time, in ns, where an iteration is long.
const FEW: u64 = 10;
const FEW_TIME: f64 = 130_000_000.0;
/// And so many, where it is longer than that.
const FEWEST: u64 = 3;
/// What takes longer than this, in ns, is called once, and that call is the sample; where more calls are asked for, there is one such
/// sample.
const PATIENCE: f64 = 5_000_000_000.0;

/// A calibration is repeated where the first samples are so many times as fast.
const MISLED: f64 = 4.0;

/// One benchmark on its way through a plan.
#[derive(Debug, Clone)]
pub struct SamplingLoop {
    plan: Plan,
    count: Option<u64>,
    calibration: Option<Calibration>,
    /// Time of one iteration in each sample, in ticks.
    times: Vec<f64>,
    /// The calibration was believed a second time.
    calibrated_again: bool,
}

impl SamplingLoop {
    /// A benchmark at its beginning. A `count` replaces the one that the harness would look for.
    pub fn new(plan: Plan, count: Option<u64>) -> SamplingLoop {
        SamplingLoop { plan, count, calibration: None, times: Vec::new(), calibrated_again: false }
    }

    /// What the function gets as `count`. `None` before the calibration.
    pub fn count(&self) -> Option<u64> {
        self.calibration.as_ref().map(|calibration| calibration.count)
    }

    /// Whether it takes a number of samples that somebody asked for.
    pub fn has_fixed_samples(&self) -> bool {
        self.plan.samples.is_some()
    }

    /// How it is called. `None` before that was found out.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// Goes one step further: takes some samples, which are returned, after the calibration where it is the first.
    ///
    /// # Errors
    /// Those of the sampler.
    pub fn step<S: Sampler>(&mut self, sampler: &mut S, seed: u64) -> Result<SampleBatch, S::Error> {
        let is_first = self.times.is_empty();
        let mut taken = match &self.calibration {
            Some(_) => SampleBatch::default(),
            None => self.calibrate(sampler)?,
        };
        self.note(&taken);
        // What was taken of something slow may be enough. Else it is not given away before there is more to judge it by.
        let first = taken.samples.len();
        if let Some(calibration) = self.calibration.as_ref().filter(|_| first == 0 || !self.is_done()) {
            let more = sampler.sample(&self.next(calibration, seed))?;
            self.note(&more);
            taken.append(more);
        }
        if is_first && self.was_misled(first) {
            // What was taken is no sample of the wanted length.
            (self.calibration, self.calibrated_again) = (None, true);
            self.times.clear();
            return Ok(SampleBatch::default());
        }
        Ok(taken)
    }

    fn note(&mut self, taken: &SampleBatch) {
        self.times.extend(taken.samples.iter().map(|s| s.elapsed as f64 / s.iterations as f64));
    }

    /// Whether the samples show that what was calibrated with was disturbed: the first call, which was so slow that it was believed,
    /// or some ms in which other programs had the cores. Their number of calls is far too small then, or, where that is given, there
    /// are far too few of them. So many of them are that first call.
    fn was_misled(&self, first: usize) -> bool {
        let Some(Calibration { iteration_ticks, .. }) = &self.calibration else { return false };
        // The first call as a sample of one call is what was asked for.
        let is_open = !self.calibrated_again && (first == 0 || self.plan.iterations.is_none());
        is_open && stats::median(&self.times[first..]) < iteration_ticks / MISLED
    }

    fn calibrate<S: Sampler>(&mut self, sampler: &mut S) -> Result<SampleBatch, S::Error> {
        let Plan { sample_time, iterations, warmup, samples, .. } = self.plan;
        let calibration =
            sampler.calibrate(&CalibrationRequest { sample_time, iterations, count: self.count, warmup })?;
        // Something that slow is not called again: its first call says enough.
        let says_enough =
            calibration.iteration_wall_time > PATIENCE && samples.is_none() && calibration.iterations == 1;
        let is_sample = warmup == 0 && calibration.iterations == 1;
        let taken = if says_enough || is_sample { calibration.first() } else { SampleBatch::default() };
        self.calibration = Some(calibration);
        Ok(taken)
    }

    fn next(&self, calibration: &Calibration, seed: u64) -> SampleRequest {
        let done = self.times.len() as u64;
        let left = self.plan.samples.unwrap_or_else(|| self.least(calibration)).saturating_sub(done);
        SampleRequest {
            // Beyond the least, a few at a time, as each few may have been enough.
            samples: if left == 0 { self.a_few(calibration) } else { left.min(AT_A_TIME) },
            iterations: calibration.iterations,
            exact_iterations: self.plan.iterations.is_some(),
            count: calibration.count,
            max_kept_results: calibration.max_kept_results,
            round: done,
            seed,
        }
    }

    /// Whether the samples say enough, or have cost enough.
    pub fn is_done(&self) -> bool {
        let Some(calibration) = &self.calibration else { return false };
        let done = self.times.len() as u64;
        if let Some(samples) = self.plan.samples {
            return done >= samples;
        }
        done >= self.least(calibration)
            && (self.time(calibration) >= self.plan.max_time || self.imprecision() <= self.plan.precision)
    }

    /// The number of samples that are taken whatever they say.
    fn least(&self, calibration: &Calibration) -> u64 {
        let sample = calibration.sample_wall_time();
        if sample > PATIENCE {
            1
        } else if sample * FEW as f64 > FEW_TIME {
            FEWEST.max((FEW_TIME / sample) as u64)
        } else {
            FEW.max((self.plan.min_time / sample).ceil() as u64)
        }
    }

    fn a_few(&self, calibration: &Calibration) -> u64 {
        let affordable = (self.plan.max_time - self.time(calibration)) / calibration.sample_wall_time();
        (affordable as u64).clamp(1, AT_A_TIME)
    }

    /// What the samples have cost, in ns.
    fn time(&self, calibration: &Calibration) -> f64 {
        self.times.len() as f64 * calibration.sample_wall_time()
    }

    /// How well the median is known: half the width of its interval, as a share of it. Infinite for no samples.
    pub fn imprecision(&self) -> f64 {
        let Some(interval) = stats::median_interval(&self.times, CONFIDENCE) else { return f64::INFINITY };
        (interval.high - interval.low) / 2.0 / stats::median(&self.times).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Sample;
    use std::convert::Infallible;

    /// A benchmark whose calls take `cost` ns, give or take what `wobble` adds to the nth sample.
    struct Steady<W: FnMut(u64) -> f64> {
        cost: f64,
        calls: u64,
        wobble: W,
    }

    impl<W: FnMut(u64) -> f64> Sampler for Steady<W> {
        type Error = Infallible;

        fn calibrate(&mut self, order: &CalibrationRequest) -> Result<Calibration, Infallible> {
            self.calls += order.warmup;
            let iterations = order.iterations.unwrap_or(((order.sample_time / self.cost) as u64).max(1));
            let first =
                Sample { iterations: 1, elapsed: self.cost as u64, segments: 1, reference: 0, round: 0 };
            Ok(Calibration {
                count: 1,
                iterations,
                max_kept_results: 1,
                iteration_ticks: self.cost,
                iteration_wall_time: self.cost,
                segment_cost: 0.0,
                first_call: first,
                throughput: None,
            })
        }

        fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
            let samples = (request.round..request.round + request.samples).map(|round| {
                self.calls += request.iterations;
                let elapsed = (request.iterations as f64 * self.cost * (self.wobble)(round)) as u64;
                Sample { iterations: request.iterations, elapsed, segments: 1, reference: 0, round }
            });
            Ok(SampleBatch { segment_cost: 0.0, samples: samples.collect() })
        }
    }

    /// A benchmark of 100 ns, which seems to take more when it is first looked at.
    struct Lazy {
        seems: f64,
        asked: u64,
    }

    impl Lazy {
        fn of(seems: f64) -> Lazy {
            Lazy { seems, asked: 0 }
        }
    }

    impl Sampler for Lazy {
        type Error = Infallible;

        fn calibrate(&mut self, order: &CalibrationRequest) -> Result<Calibration, Infallible> {
            self.asked += 1;
            let cost = if self.asked == 1 { self.seems } else { 100.0 };
            Steady { cost, calls: 0, wobble: |_| 1.0 }.calibrate(order)
        }

        fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
            Steady { cost: 100.0, calls: 0, wobble: |_| 1.0 }.sample(request)
        }
    }

    /// Samples and calls of a benchmark of this cost.
    fn run(plan: Plan, cost: f64, wobble: impl FnMut(u64) -> f64) -> (usize, u64) {
        let mut sampler = Steady { cost, calls: 0, wobble };
        let mut course = SamplingLoop::new(plan, None);
        let mut taken = SampleBatch::default();
        while !course.is_done() {
            let Ok(more) = course.step(&mut sampler, 0);
            taken.append(more);
        }
        assert!(taken.samples.iter().map(|s| s.round).eq(0..taken.samples.len() as u64));
        (taken.samples.len(), sampler.calls)
    }

    #[test]
    fn what_is_steady_is_done_after_the_least_time() {
        assert_eq!(run(Plan::default(), 100.0, |_| 1.0).0, 40);
    }

    #[test]
    fn what_is_not_steady_gets_more_until_the_time_is_over() {
        let (samples, _) = run(Plan::default(), 100.0, |round| 1.0 + (round % 7) as f64 / 10.0);
        assert_eq!(samples, 100);
    }

    #[test]
    fn slow_things_stay_cheap() {
        assert_eq!(run(Plan::default(), 10e6, |_| 1.0), (10, 11), "10 ms");
        assert_eq!(run(Plan::default(), 1e9, |_| 1.0), (3, 4), "1 s");
        assert_eq!(run(Plan::default(), 10e9, |_| 1.0), (1, 1), "10 s");
    }

    #[test]
    fn many_slow_iterations_that_are_asked_for_are_one_sample() {
        let plan = |iterations| Plan { iterations: Some(iterations), ..Plan::default() };
        assert_eq!(run(plan(77), 50e6, |_| 1.0), (3, 1 + 3 * 77), "3.9 s each");
        assert_eq!(run(plan(770), 50e6, |_| 1.0), (1, 1 + 770), "39 s");
        assert_eq!(run(plan(2), 10e9, |_| 1.0), (1, 1 + 2), "the first call is not two");
    }

    #[test]
    fn without_priming_the_first_call_of_something_slow_counts() {
        assert_eq!(run(Plan { warmup: 0, ..Plan::default() }, 1e9, |_| 1.0), (3, 2), "and the first");
    }

    #[test]
    fn a_slow_first_call_does_not_mislead() {
        let (mut course, mut lazy, mut taken) =
            (SamplingLoop::new(Plan::default(), None), Lazy::of(1e9), SampleBatch::default());
        while !course.is_done() {
            let Ok(more) = course.step(&mut lazy, 0);
            taken.append(more);
        }
        assert!(taken.samples.iter().all(|sample| sample.iterations == 2_500), "{taken:?}");
        assert_eq!((taken.samples.len(), lazy.asked), (40, 2));
    }

    #[test]
    fn a_slow_first_call_is_no_sample_of_what_is_not_slow() {
        let samples = |plan, seems| {
            let (mut course, mut lazy, mut taken) =
                (SamplingLoop::new(plan, None), Lazy::of(seems), SampleBatch::default());
            while !course.is_done() {
                let Ok(more) = course.step(&mut lazy, 0);
                taken.append(more);
            }
            taken.samples.iter().map(|sample| (sample.iterations, sample.elapsed)).collect::<Vec<_>>()
        };
        let unprimed = |samples| Plan { warmup: 0, samples: Some(samples), ..Plan::default() };
        assert_eq!(samples(unprimed(5), 5e6), [(2_500, 250_000); 5]);
        assert_eq!(samples(unprimed(2), 5e6), [(2_500, 250_000); 2]);
        assert_eq!(samples(unprimed(1), 5e6), [(1, 5_000_000)], "it is not called again");
        let one = Plan { iterations: Some(1), ..unprimed(3) };
        assert_eq!(samples(one, 5e6), [(1, 5_000_000), (1, 100), (1, 100)], "asked for");
    }

    #[test]
    fn a_slow_first_call_does_not_decide_how_many_samples_of_a_given_length_there_are() {
        // By that call, a sample of these takes more than an hour; they take 0.1 s.
        let plan = Plan { iterations: Some(1_000_000), ..Plan::default() };
        let (mut course, mut lazy, mut samples) = (SamplingLoop::new(plan, None), Lazy::of(5e6), 0);
        while !course.is_done() {
            let Ok(more) = course.step(&mut lazy, 0);
            samples += more.samples.len();
        }
        assert_eq!((samples, lazy.asked), (3, 2));
    }

    #[test]
    fn a_disturbed_look_does_not_decide_the_length_of_all_samples() {
        // 20 calls, as they seemed to take 12.5 us.
        let iterations = |plan| {
            let (mut course, mut lazy, mut taken) =
                (SamplingLoop::new(plan, None), Lazy::of(12_500.0), Vec::new());
            for _ in 0..2 {
                let Ok(more) = course.step(&mut lazy, 0);
                taken.extend(more.samples.iter().map(|sample| sample.iterations));
            }
            taken
        };
        assert_eq!(iterations(Plan::default()), [2_500; 8]);
        assert_eq!(iterations(Plan { iterations: Some(20), ..Plan::default() }), [20; 8], "asked for");
    }

    #[test]
    fn fixed_numbers_are_kept() {
        let plan = Plan { samples: Some(5), iterations: Some(7), warmup: 0, ..Plan::default() };
        assert_eq!(run(plan, 100.0, |round| 1.0 + round as f64), (5, 35));
        assert_eq!(run(plan, 10e9, |_| 1.0), (5, 35));
    }
}
