//! Whole measurements with scripted clocks from fine to coarse ones.

use super::*;
use crate::doubt::Doubt;
use crate::model::{ClockCalibration, Launch, Measurement, Sample};
use crate::summary::Summary;
use crate::time::Clock;
use crate::time::scripted::{self, advance};
use std::convert::Infallible;

/// Costs of a reading in ns. At 21, two readings in a row take exactly one step of a clock of 42 ns.
const READ_COSTS: [u64; 2] = [8, 21];
/// Time of an iteration of an empty benchmark, in ns.
const EMPTY_LOOP: u64 = 1;
/// True times in ns.
const TIMES: [u64; 4] = [8, 80, 1_000, 50_000];
/// Largest relative error of a figure without a doubt, beside its interval and half a step.
const MAX_ERROR: f64 = 0.02;
type Call = fn(&mut Bencher, u64);
/// Ways to call a function that takes a time, each with the number of iterations in a sample if it is
/// fixed.
const CALLS: [(&str, Count, Option<u64>, Call); 6] = [
    ("plain", Count::None, None, |bencher, time| bencher.call(|_| advance(time))),
    ("one call in a sample", Count::None, Some(1), |bencher, time| bencher.call(|_| advance(time))),
    ("count", Count::Auto, None, |bencher, time| bencher.call(|count| advance(count * time))),
    ("pause", Count::None, None, |bencher, time| {
        bencher.call_controlled(|_, tc| {
            tc.exclude(|| advance(13));
            advance(time);
        });
    }),
    ("work before each call", Count::None, None, |bencher, time| {
        bencher.prepare(Preparation { caches: None, between: Some(|| advance(5)) });
        bencher.call(|_| advance(time));
    }),
    ("results that are kept", Count::None, None, |bencher, time| {
        bencher.call(|_| {
            advance(time);
            String::new()
        });
    }),
];

#[derive(Debug, Clone, Copy)]
struct Script {
    resolution: u64,
    has_jitter: bool,
    read_cost: u64,
}

impl Script {
    fn all_with(resolution: u64) -> impl Iterator<Item = Script> {
        let with_cost = READ_COSTS.into_iter().flat_map(|cost| [(cost, false), (cost, true)]);
        with_cost.map(move |(read_cost, has_jitter)| Script { resolution, has_jitter, read_cost })
    }

    fn engine(self) -> Engine {
        scripted::set_resolution(self.resolution, self.has_jitter);
        scripted::set_read_cost(self.read_cost);
        scripted::set_empty_loop(EMPTY_LOOP);
        Engine::with_clock(Clock::Scripted)
    }
}

struct Scripted<'a> {
    engine: &'a Engine,
    benchmark: &'a mut dyn FnMut(&mut Bencher),
    count: Count,
}

impl Sampler for Scripted<'_> {
    type Error = Infallible;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Infallible> {
        Ok(calibrate(self.engine, self.benchmark, self.count, request))
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        Ok(sample(self.engine, self.benchmark, request))
    }
}

/// Measures a benchmark as a run does, in shorter samples.
fn measured(
    engine: &Engine,
    count: Count,
    iterations: Option<u64>,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> Measurement {
    let ClockCalibration { clock, empty_loop, .. } = engine.clock_calibration().clone();
    let sample_time = Plan::default().for_clock(clock.resolution).sample_time / 10.0;
    let plan =
        Plan { sample_time, iterations, min_time: 0.0, max_time: 12.0 * sample_time, ..Plan::default() };
    let mut sampling = SamplingLoop::new(plan, None);
    let mut samples = SampleBatch::default();
    while !sampling.is_done() {
        let Ok(batch) = sampling.step(&mut Scripted { engine, benchmark, count }, 0);
        samples.append(batch);
    }
    let launch = Launch {
        clock,
        segment_cost: samples.segment_cost,
        empty_loop: samples.empty_loop.unwrap_or(empty_loop),
        samples: samples.samples,
    };
    let count = sampling.count().unwrap_or(1);
    Measurement { count, unroll: 1, launches: vec![launch], ..Measurement::default() }
}

/// Says what is wrong with the figure of a benchmark whose operation takes `truth` ns.
fn fault(script: Script, truth: u64, measurement: &Measurement) -> Option<String> {
    let summary = Summary::from_measurement(measurement)?;
    let truth = truth as f64;
    let Launch { segment_cost, samples, .. } = &measurement.launches[0];
    let Sample { iterations, segments, .. } = samples[0];
    // The cost of a segment is that of one with an empty iteration.
    let step = ((script.resolution + EMPTY_LOOP) * segments) as f64 / (iterations * measurement.count) as f64;
    let half_width = (summary.interval.high - summary.interval.low) / 2.0;
    let error = (summary.median - truth).abs() - half_width;
    let doubts = Doubt::find(measurement, &summary);
    let fault = if summary.below_resolution {
        (truth > summary.resolution + step + half_width).then_some("isn't below resolution")
    } else if error > step {
        Some("differs by more than a step")
    } else if doubts.is_empty() && error > MAX_ERROR * truth + step / 2.0 {
        Some("differs without a doubt")
    } else {
        (doubts.is_empty() && truth < step).then_some("can't be told")
    };
    fault.map(|fault| {
        format!(
            "{truth} ns {fault}: {:.3} ns ± {half_width:.3}, below resolution {} ({:.3} ns), doubts {doubts:?}, \
             {segments} segments of {segment_cost} ns in {iterations} iterations",
            summary.median, summary.below_resolution, summary.resolution,
        )
    })
}

/// Fails if a figure with a clock of this resolution in ns is wrong.
fn check(resolution: u64) {
    let mut faults = Vec::new();
    for script in Script::all_with(resolution) {
        let engine = script.engine();
        check_calibration(script, &engine);
        for (name, count, iterations, call) in CALLS {
            for time in TIMES {
                let measurement = measured(&engine, count, iterations, &mut |bencher| call(bencher, time));
                let fault = fault(script, time, &measurement);
                faults.extend(fault.map(|fault| format!("{script:?}, {name}: {fault}")));
            }
        }
        let mut empty = |bencher: &mut Bencher| bencher.call(|_| advance(EMPTY_LOOP));
        let summary = Summary::from_measurement(&measured(&engine, Count::None, None, &mut empty)).unwrap();
        assert!(summary.below_resolution && summary.resolution < 2.0, "{script:?}: {summary:?}");
    }
    // Other tests may run on the same thread.
    scripted::set_resolution(1, false);
    scripted::set_empty_loop(0);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check_calibration(script: Script, engine: &Engine) {
    let ClockCalibration { clock, plain_segment, controlled_segment, empty_loop, .. } =
        engine.clock_calibration();
    let (step, read_cost) = (script.resolution as f64, script.read_cost as f64);
    let is_near = |cost: f64, share: f64| (cost - read_cost).abs() <= 1.0 + share * step;
    assert!(is_near(clock.read_cost, 0.01), "{script:?}: {clock:?}");
    assert!(is_near(*plain_segment, 0.2), "{script:?}: {plain_segment}");
    assert!(is_near(*controlled_segment, 0.1), "{script:?}: {controlled_segment}");
    assert!((empty_loop - EMPTY_LOOP as f64).abs() <= 0.1, "{script:?}: {empty_loop}");
    if script.resolution > 2 * script.read_cost {
        assert_eq!(clock.resolution, step, "{script:?}");
    }
}

#[test]
fn figures_of_a_clock_of_1_ns() {
    check(1);
}

#[test]
fn figures_of_a_clock_of_10_ns() {
    check(10);
}

/// That of Apple silicon and some ARM servers.
#[test]
fn figures_of_a_clock_of_42_ns() {
    check(42);
}

/// That of Windows.
#[test]
fn figures_of_a_clock_of_100_ns() {
    check(100);
}

#[test]
fn figures_of_a_clock_of_1_us() {
    check(1_000);
}
