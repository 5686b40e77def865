//! The clock of this process, and its costs.

use super::preparation::Preparation;
use super::reference;
use super::{Bencher, TimedCode, Timing};
use crate::counters::{self, Waits};
use crate::model::{ClockCalibration, ClockInfo, Overhead, Overheads};
use crate::rng::Rng;
use crate::stats;
use crate::time::{self, Clock, FrequencyMeasurement, Ticks, Timer};
use std::cell::RefCell;

/// Number of empty segments, or batches of them, that are timed to find their cost.
const SEGMENT_BATCHES: usize = 51;
/// Number of segments of a `TimeControl` in such a batch.
const CONTROLLED_SEGMENTS: u64 = 25;
/// Largest number of readings, at random, between two of them: otherwise, all could begin at the same
/// distance from the next step of the clock.
const MAX_READINGS_BETWEEN: u32 = 8;
/// Number and length of the batches that are timed to find the cost of an empty loop.
const LOOP_BATCHES: usize = 101;
const LOOP_ITERATIONS: u64 = 10_000;
/// The cost of an empty loop among them. A program on the other hardware thread of the core can
/// double the time, for some microseconds or milliseconds.
const EMPTY_LOOP_QUANTILE: f64 = 0.1;
/// Number of batches that are timed to find the cost of a loop over the count.
const COUNT_BATCHES: usize = 21;
/// Largest time of an iteration, in multiples of the empty loop, beside which the empty loop is
/// timed again.
const MAX_EMPTY_LOOPS: f64 = 4.0;

/// The clock of this process, calibrated: the resolution of the clock, and the cost of a segment
/// and of an empty loop.
#[derive(Debug)]
pub(crate) struct Engine {
    clock: Clock,
    calibration: ClockCalibration,
    prepared_segments: RefCell<Vec<PreparedSegment>>,
    /// False if the compiler didn't optimise the reference chain, which then takes more cycles, or if
    /// the clock is too coarse to time it.
    has_reference: bool,
}

/// The cost of a segment after other work, such as emptying the caches.
#[derive(Debug, Clone, Copy)]
struct PreparedSegment {
    preparation: Preparation,
    /// True if a `TimeControl` times the segment.
    is_controlled: bool,
    /// In ns.
    cost: f64,
}

impl Engine {
    /// Creates an engine with the best clock of this machine, and calibrates it in a few
    /// milliseconds.
    pub(crate) fn new() -> Engine {
        Engine::with_clock(Clock::best())
    }

    /// Creates an engine with the clock that the user selects, by default the best one. The error says
    /// why it can't be used.
    pub(crate) fn with_timer(
        timer: Option<Timer>,
        measurement: &FrequencyMeasurement,
    ) -> Result<Engine, String> {
        Clock::with_timer(timer, measurement).map(Engine::with_clock)
    }

    fn with_calibration(clock: Clock, calibration: ClockCalibration) -> Engine {
        let is_timed = calibration.clock.resolution <= reference::MAX_RESOLUTION;
        let has_reference = is_timed && !(TimedCode::get().is_unoptimized)();
        Engine { clock, calibration, prepared_segments: RefCell::default(), has_reference }
    }

    pub(crate) fn with_clock(clock: Clock) -> Engine {
        let described = ClockInfo { cycles_per_link: reference::cycles_per_link(), ..time::describe(&clock) };
        let calibration = ClockCalibration { clock: described, ..ClockCalibration::default() };
        let mut engine = Engine::with_calibration(clock, calibration);
        let plain = engine.segments(&mut |bencher| call_nothing(bencher, Timing::Plain), 1, SEGMENT_BATCHES);
        engine.calibration.plain_segment = engine.middle(&plain);
        let mut call_controlled = |bencher: &mut Bencher| call_nothing(bencher, Timing::Controlled);
        let controlled = engine.segments(&mut call_controlled, CONTROLLED_SEGMENTS, SEGMENT_BATCHES);
        engine.calibration.controlled_segment = engine.middle(&controlled);
        let empty_loops = repeat(LOOP_BATCHES, &mut || engine.time_empty_loop());
        engine.calibration.empty_loop = stats::quantile(&empty_loops, EMPTY_LOOP_QUANTILE);
        let count_loops = repeat(COUNT_BATCHES, &mut || engine.time_count_loop());
        engine.calibration.overheads = Some(Overheads {
            empty_loop: overhead(&empty_loops),
            count_loop: overhead(&count_loops),
            time_control: overhead(&controlled),
        });
        engine
    }

    /// Creates an engine from the calibration of another process of this machine, without measuring
    /// anything. `None` if this process doesn't have that clock.
    pub(crate) fn from_calibration(calibration: ClockCalibration) -> Option<Engine> {
        let clock = Clock::known(&calibration.clock.name, calibration.clock.frequency)?;
        Some(Engine::with_calibration(clock, calibration))
    }

    /// Returns the calibration of the clock.
    pub(crate) fn clock_calibration(&self) -> &ClockCalibration {
        &self.calibration
    }

    /// Measures the time per segment of an empty benchmark in several batches, in ns, with the
    /// loops that time benchmarks.
    fn segments(&self, empty: &mut dyn FnMut(&mut Bencher), iterations: u64, batches: usize) -> Vec<f64> {
        let mut rng = Rng::with_seed(0);
        repeat(batches, &mut || {
            for _ in 0..rng.bounded(MAX_READINGS_BETWEEN) {
                self.now();
            }
            let mut bencher = self.bencher(iterations, 1, 1);
            empty(&mut bencher);
            self.nanoseconds(bencher.elapsed()) / bencher.segments as f64
        })
    }

    /// Times a batch of iterations of an empty benchmark. Returns the time of an iteration, in ns.
    fn time_empty_loop(&self) -> f64 {
        let bencher = self.run(&mut |bencher| call_nothing(bencher, Timing::Plain), LOOP_ITERATIONS, 1, 1);
        (self.nanoseconds(bencher.elapsed()) - self.calibration.plain_segment) / LOOP_ITERATIONS as f64
    }

    /// Times an empty loop over the count. Returns the time of a step, in ns.
    fn time_count_loop(&self) -> f64 {
        let mut empty = TimedCode::get().call_count_loop;
        let bencher = self.run(&mut empty, 1, LOOP_ITERATIONS, 1);
        (self.nanoseconds(bencher.elapsed()) - self.calibration.plain_segment) / LOOP_ITERATIONS as f64
    }

    /// Times an empty benchmark again, if the iterations of `bencher` didn't take much longer than
    /// one. Returns the time of an iteration, in ns.
    pub(super) fn empty_loop_beside(&self, bencher: &Bencher) -> Option<f64> {
        let cost = self.segment_cost(bencher) * bencher.segments as f64;
        let iteration = (self.nanoseconds(bencher.elapsed()) - cost) / bencher.iterations as f64;
        let is_short = bencher.segments > 0 && iteration <= MAX_EMPTY_LOOPS * self.calibration.empty_loop;
        is_short.then(|| self.time_empty_loop())
    }

    /// Calls a benchmark `iterations` times.
    pub(super) fn run(
        &self,
        benchmark: &mut dyn FnMut(&mut Bencher),
        iterations: u64,
        count: u64,
        max_kept_results: u64,
    ) -> Bencher {
        let mut bencher = self.bencher(iterations, count, max_kept_results);
        bencher.run(benchmark);
        bencher
    }

    /// Creates a bencher with the clock of this process.
    pub(super) fn bencher(&self, iterations: u64, count: u64, max_kept_results: u64) -> Bencher {
        Bencher::new(self.clock, iterations, count, max_kept_results)
    }

    /// Returns the time that starting and stopping the clock once adds to the time of `bencher`, in
    /// ns.
    pub(super) fn segment_cost(&self, bencher: &Bencher) -> f64 {
        let preparation = bencher.preparation();
        match bencher.timing {
            Timing::Manual => 0.0,
            timing if preparation.is_some() => {
                self.prepared_segment(preparation, timing == Timing::Controlled)
            }
            Timing::Controlled => self.calibration.controlled_segment,
            Timing::Plain => self.calibration.plain_segment,
        }
    }

    /// Returns the segment cost after this preparation. With caches that have just been emptied, it
    /// is larger, because the code that reads the clock is no longer in the caches either. It is
    /// measured only when it is first needed, because that takes as long as several samples, unless
    /// another process has done so.
    fn prepared_segment(&self, preparation: Preparation, is_controlled: bool) -> f64 {
        if let Some(cost) = self.calibration.prepared_segment {
            return cost;
        }
        let is_same = |known: &&PreparedSegment| {
            known.preparation.is_same(&preparation) && known.is_controlled == is_controlled
        };
        if let Some(known) = self.prepared_segments.borrow().iter().find(is_same) {
            return known.cost;
        }
        let mut empty = |bencher: &mut Bencher| {
            bencher.prepare(preparation);
            call_nothing(bencher, if is_controlled { Timing::Controlled } else { Timing::Plain });
        };
        let cost = self.middle(&self.segments(&mut empty, 1, preparation.batches()));
        self.prepared_segments.borrow_mut().push(PreparedSegment { preparation, is_controlled, cost });
        cost
    }

    /// Returns the mean of the middle half of some costs, and of all that are within a step of the
    /// clock from it. The step may be large compared with a cost: then each cost is read as one of two
    /// multiples of the step, and only the share of each tells their mean.
    fn middle(&self, costs: &[f64]) -> f64 {
        let step = self.calibration.clock.resolution;
        let (low, high) = (stats::quantile(costs, 0.25) - step, stats::quantile(costs, 0.75) + step);
        let mut middle = Vec::new();
        for cost in costs {
            if (low..=high).contains(cost) {
                middle.push(*cost);
            }
        }
        stats::mean(&middle)
    }

    /// Converts ticks of the clock to ns.
    pub(super) fn nanoseconds(&self, ticks: Ticks) -> f64 {
        self.clock.nanoseconds(ticks)
    }

    /// Converts ns to ticks of the clock.
    pub(super) fn ticks(&self, nanoseconds: f64) -> f64 {
        nanoseconds * self.clock.frequency() / 1e9
    }

    /// Reads the clock.
    pub(super) fn now(&self) -> Ticks {
        self.clock.start()
    }

    /// Returns for how long this thread waited so far. `None` if the system doesn't tell.
    pub(super) fn waits(&self) -> Option<Waits> {
        match self.clock {
            #[cfg(test)]
            Clock::Scripted => time::scripted::waits(),
            _ => counters::waits(),
        }
    }

    /// Measures how long [`reference::STORED_LINKS`] take now, in ticks: several times a chain, with the
    /// cost of one reading. Returns 0 if that says nothing about the core's speed.
    pub(super) fn reference(&self) -> u64 {
        if !self.has_reference {
            return 0;
        }
        let chain = (TimedCode::get().time_reference_chain)(&self.clock).0;
        let reading = self.ticks(self.calibration.clock.read_cost) as u64;
        let without_reading = chain.saturating_sub(reading);
        without_reading * u64::from(reference::CHAINS) + reading
    }
}

/// Calls an empty benchmark, with the same loops for all costs.
pub(super) fn call_nothing(bencher: &mut Bencher, timing: Timing) {
    (TimedCode::get().call_nothing)(bencher, timing);
}

/// Measures something several times.
fn repeat(times: usize, measure: &mut dyn FnMut() -> f64) -> Vec<f64> {
    let mut values = Vec::with_capacity(times);
    for _ in 0..times {
        values.push(measure());
    }
    values
}

/// Returns the median of some costs, and their spread.
fn overhead(costs: &[f64]) -> Overhead {
    let quantile = |part| stats::quantile(costs, part);
    Overhead { median: stats::median(costs), low: quantile(0.05), high: quantile(0.95) }
}
