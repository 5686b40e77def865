//! The calibration of a paired benchmark, for the samples of all its blocks.

use super::benchmark::{PROCESSES, PairedBenchmark, Side, in_process};
use super::block_plan::BlockPlan;
use super::error::BlockError;
use super::processes::list;
use crate::affinity::{self, CpuTime};
use crate::deadline::TimeLimit;
use crate::session::{RemoteBenchmark, Session};
use nanobench::measure::{Calibration, Sampler as _};
use nanobench::model::{ClockCalibration, ClockInfo, Sample};
use std::time::Duration;

/// The processes that calibrate benchmarks.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one")]
pub(crate) enum Calibrators<'c> {
    /// One of each side, both at the same time: their preparations may take long, and the number of
    /// iterations need not be exact.
    SideBySide { baseline: Session, candidate: Session, clock: ClockCalibration },
    /// A new process for each side, one after the other. The first one calibrates the clock.
    OneAtATime { known_clock: &'c mut Option<ClockCalibration> },
}

impl Calibrators<'_> {
    /// Starts the processes for these benchmarks of the same executables. The clock's calibration has to be
    /// exact, so the first process does it alone, unless it is known.
    pub(crate) fn start<'c>(
        benchmarks: &[&PairedBenchmark],
        known_clock: &'c mut Option<ClockCalibration>,
    ) -> Result<Calibrators<'c>, BlockError> {
        let benchmark = benchmarks[0];
        let options = &benchmark.session_options;
        if options.one_at_a_time {
            return Ok(Calibrators::OneAtATime { known_clock });
        }
        // As process 0 of a block, it runs the baseline.
        let baseline = Session::spawn(&benchmark.baseline.executable, options);
        let baseline = baseline.map_err(in_process(0))?;
        let spawn = || Session::spawn(&benchmark.candidate.executable, options);
        let candidate = known_clock.is_some().then(spawn).transpose()?;
        let baseline = baseline.connect(list(benchmarks, 0, known_clock.as_ref())).map_err(in_process(0))?;
        let clock = known_clock.insert(baseline.listing().clock_calibration.clone()).clone();
        let candidate = candidate.map_or_else(spawn, Ok)?;
        let candidate_clock = clock_of_candidate(benchmarks, &clock);
        let candidate = candidate.connect(list(benchmarks, PROCESSES - 1, Some(&candidate_clock)))?;
        Ok(Calibrators::SideBySide { baseline, candidate, clock })
    }

    /// Calibrates a benchmark.
    pub(super) fn calibrate(&mut self, benchmark: &PairedBenchmark) -> Result<BlockPlan, BlockError> {
        match self {
            Calibrators::SideBySide { baseline, candidate, clock } => {
                let baseline = Calibrating::start(benchmark, &benchmark.baseline, baseline);
                let baseline = baseline.map_err(in_process(0))?;
                let candidate = Calibrating::start(benchmark, &benchmark.candidate, candidate)?;
                let baseline = baseline.finish(benchmark).map_err(in_process(0))?;
                plan(benchmark, [baseline, candidate.finish(benchmark)?], clock)
            }
            Calibrators::OneAtATime { known_clock } => {
                let calibrated = calibrate_alone(benchmark, 0, known_clock.as_ref());
                let (baseline, clock) = calibrated.map_err(in_process(0))?;
                let clock = known_clock.insert(clock);
                let candidate_clock = clock_of_candidate(&[benchmark], clock);
                let (candidate, _) = calibrate_alone(benchmark, PROCESSES - 1, Some(&candidate_clock))?;
                plan(benchmark, [baseline, candidate], clock)
            }
        }
    }
}

/// Returns the clock for the candidate's process. The benchmark's own samples were taken by the same
/// executable.
fn clock_of_candidate(benchmarks: &[&PairedBenchmark], clock: &ClockCalibration) -> ClockCalibration {
    let own = if let [only] = benchmarks { only.own.as_ref() } else { None };
    let own_cost = own.and_then(|own| own.segment_cost);
    ClockCalibration { prepared_segment: own_cost, ..clock.clone() }
}

/// Calibrates one side in a process that ends before the next one starts. Returns its clock, too.
fn calibrate_alone(
    benchmark: &PairedBenchmark,
    process: usize,
    known_clock: Option<&ClockCalibration>,
) -> Result<(Calibrated, ClockCalibration), BlockError> {
    let side = benchmark.side(process);
    let session = Session::spawn(&side.executable, &benchmark.session_options)?;
    let mut session = session.connect(list(&[benchmark], process, known_clock))?;
    let calibrated = Calibrating::start(benchmark, side, &mut session)?.finish(benchmark)?;
    Ok((calibrated, session.listing().clock_calibration.clone()))
}

/// The calibration of a process of one side.
struct Calibrated {
    calibration: Calibration,
    is_single_threaded: bool,
    /// Calls are made before the first sample of a process.
    needs_warmup: bool,
}

/// Returns the plan for the blocks of a benchmark.
fn plan(
    benchmark: &PairedBenchmark,
    sides: [Calibrated; 2],
    clock: &ClockCalibration,
) -> Result<BlockPlan, BlockError> {
    let is_single_threaded = sides.iter().all(|side| side.is_single_threaded);
    let needs_warmup = sides.iter().any(|side| side.needs_warmup);
    let [baseline, candidate] = sides.map(|side| side.calibration);
    if baseline.count != benchmark.count || candidate.count != benchmark.count {
        return Err(BlockError::OtherCount);
    }
    let iterations = match benchmark.plan.iterations {
        Some(iterations) => iterations,
        // If the baseline is more than four times as slow, the samples of both sides get longer in time, but
        // not in number of iterations.
        None => baseline.iterations.min(candidate.iterations.saturating_mul(4)).max(1),
    };
    let iteration_time = baseline.iteration_wall_time.min(candidate.iteration_wall_time);
    let sample_time = iteration_time * iterations as f64;
    let longest_iteration_time = baseline.iteration_wall_time.max(candidate.iteration_wall_time);
    let iteration_times = [&baseline, &candidate].map(|side| timed_per_iteration(side, &clock.clock));
    let requested = benchmark.calibration_request().sample_time;
    Ok(BlockPlan {
        // The first sample finds caches and predictors as the other processes left them, which makes a tree
        // search or a sort up to twice as slow, by a different amount each time. The faster of two counts. In
        // long samples, the beginning matters little.
        samples_per_turn: if sample_time > 2e6 { 1 } else { 2 },
        iterations,
        count: benchmark.count,
        max_kept_results: baseline.max_kept_results.min(candidate.max_kept_results),
        warmup: if needs_warmup { benchmark.plan.warmup } else { 0 },
        is_single_threaded: is_single_threaded && !benchmark.uses_several_threads(),
        suspends_waiting: false,
        sample_time,
        longest_sample_time: longest_iteration_time * iterations as f64,
        intended_sample_time: benchmark
            .plan
            .iterations
            .is_none()
            .then(|| intended_sample_time(iteration_times, iterations, requested)),
        // To measure it takes as long as several samples, in each process of each block.
        clock: ClockCalibration {
            prepared_segment: common_cost([baseline.segment_cost, candidate.segment_cost]),
            ..clock.clone()
        },
    })
}

/// Returns the segment cost that is subtracted on both sides; `None` if theirs differ by more than half, so
/// that each process measures its own: only one of them may have a `TimeControl`.
fn common_cost([baseline, candidate]: [f64; 2]) -> Option<f64> {
    let is_common = baseline.max(candidate) <= 1.5 * baseline.min(candidate);
    is_common.then(|| (baseline + candidate) / 2.0)
}

/// A process that calibrates the benchmark.
struct Calibrating<'s> {
    session: &'s mut Session,
    index: u64,
    /// CPU time of the process before the calibration.
    before: Option<CpuTime>,
}

impl<'s> Calibrating<'s> {
    /// Requests the calibration of one side without waiting for it.
    fn start(benchmark: &PairedBenchmark, side: &Side, session: &'s mut Session) -> Result<Self, BlockError> {
        let index = side.index_in(session)?;
        let before = affinity::cpu_time(session.process_id());
        let mut calibrating = Calibrating { session, index, before };
        calibrating.remote(benchmark).request_calibration(&benchmark.calibration_request())?;
        Ok(calibrating)
    }

    fn remote(&mut self, benchmark: &PairedBenchmark) -> RemoteBenchmark<'_> {
        self.session.benchmark(self.index, TimeLimit::new(benchmark.timeout(), Duration::ZERO))
    }

    /// Waits for the requested calibration.
    fn finish(mut self, benchmark: &PairedBenchmark) -> Result<Calibrated, BlockError> {
        let request = benchmark.calibration_request();
        let mut calibration = self.remote(benchmark).receive_calibration()?;
        let first_call = calibration.first_call;
        let clock = &self.session.listing().clock_calibration.clock;
        if may_be_of_first_call(&calibration, clock, request.sample_time) {
            calibration = self.remote(benchmark).calibrate(&request)?;
        }
        let cpu_times = self.before.zip(affinity::cpu_time(self.session.process_id()));
        let is_single_threaded =
            cpu_times.is_some_and(|(before, after)| after.is_of_one_thread_since(&before));
        let needs_warmup =
            benchmark.plan.warmup > 1 || needs_warmup(benchmark.expected_change(), &first_call, &calibration);
        Ok(Calibrated { calibration, is_single_threaded, needs_warmup })
    }
}

/// Returns whether a call is made before the samples of a process: not if it takes half a second, and the
/// difference between the first and the next one is far smaller than the `expected` change. `calibration`:
/// that of later calls.
fn needs_warmup(expected: Option<f64>, first_call: &Sample, calibration: &Calibration) -> bool {
    let first = first_call.elapsed as f64 / first_call.iterations as f64;
    let difference = (first / calibration.iteration_ticks).ln().abs();
    calibration.iteration_wall_time < 500e6
        || expected.is_none_or(|expected| difference > expected.abs() / 8.0)
}

/// Returns the intended time of a sample in ns: the requested one, but samples of iterations that take
/// most of their time outside the timing are calibrated to be shorter. `iteration_times`: those of both
/// sides with the clock running, in ns.
fn intended_sample_time(iteration_times: [f64; 2], iterations: u64, requested: f64) -> f64 {
    let [baseline, candidate] = iteration_times;
    requested.min(baseline.max(candidate) * iterations as f64)
}

/// Returns whether nothing but the first call may have been timed: if it takes as long as 10 samples. That
/// call may initialise something or wait for a lock. With samples of one short iteration, the clock would be
/// most of what is measured.
fn may_be_of_first_call(calibration: &Calibration, clock: &ClockInfo, sample_time: f64) -> bool {
    timed_per_iteration(calibration, clock) > 10.0 * sample_time
}

/// Returns the time of an iteration in ns with the clock running.
fn timed_per_iteration(calibration: &Calibration, clock: &ClockInfo) -> f64 {
    calibration.iteration_ticks * 1e9 / clock.frequency
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the calibration of iterations that take so many ns, of which the clock runs for `timed`.
    fn calibration(timed: f64, wall: f64) -> Calibration {
        Calibration {
            count: 1,
            iterations: 1,
            max_kept_results: 1,
            iteration_ticks: timed,
            iteration_wall_time: wall,
            segment_cost: 0.0,
            first_call: Sample::default(),
            throughput: None,
            returns_value: None,
        }
    }

    #[test]
    fn samples_are_not_meant_to_be_longer_than_calibrated() {
        let intended = |times, iterations| intended_sample_time(times, iterations, 200_000.0);
        assert_eq!(intended([1.0, 1.0], 20_000), 20_000.0, "most of the time is set-up");
        assert_eq!(intended([1.0, 2.0], 20_000), 40_000.0, "of the side that takes longer");
        assert_eq!(intended([10e6, 9e6], 1), 200_000.0, "the first call took long");
    }

    #[test]
    fn one_segment_cost_serves_both_sides_unless_theirs_differ() {
        assert_eq!(common_cost([300.0, 400.0]), Some(350.0));
        assert_eq!(common_cost([400.0, 300.0]), Some(350.0));
        assert_eq!(common_cost([300.0, 500.0]), None, "only one has a `TimeControl`");
        assert_eq!(common_cost([-1.0, 400.0]), None);
        assert_eq!(common_cost([0.0, 0.0]), Some(0.0), "a clock of its own");
    }

    #[test]
    fn a_call_of_many_samples_may_be_a_slow_first_one() {
        let clock = project::fixtures::clock();
        let may_be_first =
            |timed: f64| may_be_of_first_call(&calibration(timed * 1e6, 100e6), &clock, 200_000.0);
        assert_eq!([0.01, 1.9, 2.1, 40.0].map(may_be_first), [false, false, true, true]);
    }

    #[test]
    fn long_calls_need_no_warmup_if_the_first_one_can_not_pass_for_the_change() {
        let needs = |expected: Option<f64>, first: u64, next: f64, wall: f64| {
            let first_call = Sample { iterations: 1, elapsed: first, ..Sample::default() };
            needs_warmup(expected, &first_call, &calibration(next, wall))
        };
        let clear = Some(0.3);
        assert!(!needs(clear, 4_100_000_000, 4e9, 4e9));
        assert!(needs(None, 4_000_000_000, 4e9, 4e9), "no change is expected");
        assert!(needs(clear, 4_300_000_000, 4e9, 4e9));
        assert!(needs(Some(-0.7), 600_000_000, 1.2e9, 1.2e9), "calls get slower");
        assert!(needs(clear, 3_000_000, 1e6, 4e9), "most of an iteration is set-up");
        assert!(needs(clear, 400_000_000, 4e8, 4e8));
    }
}
