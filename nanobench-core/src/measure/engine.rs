//! One calibration or one sample of one benchmark, in this process.

use super::{
    Bencher, Caches, Calibration, CalibrationRequest, Count, SampleBatch, SampleRequest, calibrate, reference,
};
use crate::model::{ClockCalibration, ClockInfo, Sample};
use crate::rng::Rng;
use crate::stats;
use crate::time::{self, Clock, Ticks};
use std::cell::RefCell;

/// Before the samples of an order runs this part of one.
const WARM_SHARE: u64 = 10;
/// So many batches of empty segments are looked at.
const BATCHES: usize = 51;
/// Of those with emptied caches so many at least, and for no more than so many bytes written: some 0.1 s.
const FEW_BATCHES: u64 = 7;
const COLD_BYTES: u64 = 1 << 29;
/// A sample has up to this part of iterations more than ordered (as in ankerl::nanobench).
const JITTER_SHARE: u64 = 5;

/// The clock of this process and what using it costs.
#[derive(Debug)]
pub(crate) struct Engine {
    clock: Clock,
    info: ClockInfo,
    plain_segment: f64,
    controlled_segment: f64,
    empty_loop: f64,
    /// Segment costs with caches that are emptied before each: of how many bytes, whether by a `TimeControl`, in ns.
    cold_segments: RefCell<Vec<(u64, bool, f64)>>,
}

impl Engine {
    /// An engine with the best clock there is, calibrated in a few ms.
    pub(crate) fn new() -> Engine {
        Engine::with_clock(Clock::best())
    }

    /// An engine with the clock that a user names: `os` or `tsc`. The error says why there is none.
    pub(crate) fn with_timer(name: &str) -> Result<Engine, String> {
        Clock::named(name).map(Engine::with_clock)
    }

    pub(crate) fn with_clock(clock: Clock) -> Engine {
        let mut engine = Engine {
            clock,
            info: time::describe(&clock),
            plain_segment: 0.0,
            controlled_segment: 0.0,
            empty_loop: 0.0,
            cold_segments: RefCell::default(),
        };
        engine.plain_segment = engine.empty_segment(&mut |run| run.call(|_| ()), 1, BATCHES);
        engine.controlled_segment =
            engine.empty_segment(&mut |run| run.call_controlled(|_, _| ()), 100, BATCHES);
        engine.empty_loop = engine.empty_iteration();
        engine
    }

    /// An engine that takes over what another process of this machine has found out: nothing is measured. `None` where
    /// there is no such clock here.
    pub(crate) fn from_calibration(tuning: &ClockCalibration) -> Option<Engine> {
        let ClockCalibration { clock: info, plain_segment, controlled_segment, empty_loop } = tuning.clone();
        let clock = Clock::known(&info.name, info.frequency)?;
        let cold_segments = RefCell::default();
        Some(Engine { clock, info, plain_segment, controlled_segment, empty_loop, cold_segments })
    }

    /// What is known of the clock.
    pub(crate) fn clock_calibration(&self) -> ClockCalibration {
        let Engine { info, plain_segment, controlled_segment, empty_loop, .. } = self;
        let (plain_segment, controlled_segment, empty_loop) =
            (*plain_segment, *controlled_segment, *empty_loop);
        ClockCalibration { clock: info.clone(), plain_segment, controlled_segment, empty_loop }
    }

    pub(crate) fn clock(&self) -> &ClockInfo {
        &self.info
    }

    /// What an iteration of an empty benchmark takes, in ns.
    pub(crate) fn empty_loop(&self) -> f64 {
        self.empty_loop
    }

    /// The median over batches of what an empty benchmark measures per segment, with the very loops that
    /// benchmarks are timed with.
    fn empty_segment(&self, empty: &mut dyn FnMut(&mut Bencher), iterations: u64, batches: usize) -> f64 {
        let costs: Vec<f64> = (0..batches)
            .map(|_| {
                let mut run = Bencher::new(self.clock, iterations, 1, 1);
                empty(&mut run);
                self.clock.nanoseconds(run.elapsed()) / run.segments() as f64
            })
            .collect();
        // The clock may be coarse beside its cost, so the mean of the middle half rather than one of its steps.
        let middle =
            stats::Interval { low: stats::quantile(&costs, 0.25), high: stats::quantile(&costs, 0.75) };
        let kept: Vec<f64> = costs.into_iter().filter(|c| (middle.low..=middle.high).contains(c)).collect();
        stats::mean(&kept)
    }

    /// The median over batches long enough for the clock.
    fn empty_iteration(&self) -> f64 {
        let iterations = 20_000;
        let times: Vec<f64> = (0..21)
            .map(|_| {
                let elapsed = self.run(&mut |run| run.call(|_| ()), iterations, 1, 1).elapsed();
                (self.clock.nanoseconds(elapsed) - self.plain_segment) / iterations as f64
            })
            .collect();
        stats::median(&times)
    }

    /// Calls a benchmark `iterations` times.
    pub(super) fn run(
        &self,
        run: &mut dyn FnMut(&mut Bencher),
        iterations: u64,
        count: u64,
        chunk: u64,
    ) -> Bencher {
        let mut order = self.order(iterations, count, chunk);
        order.carry_out(run);
        order
    }

    /// An order that is timed with the clock of this process.
    pub(super) fn order(&self, iterations: u64, count: u64, chunk: u64) -> Bencher {
        Bencher::new(self.clock, iterations, count, chunk)
    }

    /// Calls it as [`Engine::run`] does, and also asks for the throughput.
    pub(super) fn first_run(
        &self,
        run: &mut dyn FnMut(&mut Bencher),
        iterations: u64,
        count: u64,
    ) -> Bencher {
        let mut order = self.order(iterations, count, 1).with_throughput();
        order.carry_out(run);
        order
    }

    /// What starting and stopping the clock once leaves in the time of such a run, in ns.
    pub(super) fn segment_cost(&self, run: &Bencher) -> f64 {
        match (run.caches(), run.controlled()) {
            (Some(caches), controlled) => self.cold_segment(caches, controlled),
            (None, true) => self.controlled_segment,
            (None, false) => self.plain_segment,
        }
    }

    /// The same where the clock is read with caches that have just been emptied: the code that reads it is among what has to
    /// be fetched again. Found out when it is first asked for, as it takes as long as some samples.
    fn cold_segment(&self, caches: &'static Caches, controlled: bool) -> f64 {
        let is_this = |known: &&(u64, bool, f64)| (known.0, known.1) == (caches.size(), controlled);
        if let Some(&(_, _, cost)) = self.cold_segments.borrow().iter().find(is_this) {
            return cost;
        }
        let mut empty = |run: &mut Bencher| {
            run.empty_caches(caches);
            if controlled { run.call_controlled(|_, _| ()) } else { run.call(|_| ()) }
        };
        let batches = (COLD_BYTES / caches.size().max(1)).clamp(FEW_BATCHES, BATCHES as u64);
        let cost = self.empty_segment(&mut empty, 1, batches as usize);
        self.cold_segments.borrow_mut().push((caches.size(), controlled, cost));
        cost
    }

    /// `ticks` of the clock in ns.
    pub(super) fn nanoseconds(&self, ticks: Ticks) -> f64 {
        self.clock.nanoseconds(ticks)
    }

    /// So many ns in ticks of the clock.
    pub(super) fn ticks(&self, nanoseconds: f64) -> f64 {
        nanoseconds * self.clock.frequency() / 1e9
    }

    pub(crate) fn calibrate(
        &self,
        run: &mut dyn FnMut(&mut Bencher),
        count: Count,
        order: &CalibrationRequest,
    ) -> Calibration {
        calibrate::calibrate(self, run, count, order)
    }

    pub(crate) fn sample(&self, run: &mut dyn FnMut(&mut Bencher), take: &SampleRequest) -> SampleBatch {
        // Other benchmarks may have run since the last time: their caches are not this one's.
        // An order of no calls would reach what is set up around them.
        let warm = take.iterations / WARM_SHARE;
        if warm > 0 {
            self.run(run, warm, take.count, take.max_kept_results);
        }
        let mut taken = SampleBatch::default();
        for round in take.round..take.round + take.samples {
            let jitter = if take.exact_iterations { 0 } else { jitter(take, round) };
            let before = self.reference();
            let order = self.run(run, take.iterations + jitter, take.count, take.max_kept_results);
            let reference = before + self.reference();
            taken.segment_cost = self.segment_cost(&order);
            taken.samples.push(Sample { reference, round, ..order.sample() });
        }
        taken
    }

    /// How long the reference chain takes now, in ticks.
    fn reference(&self) -> u64 {
        let start = self.clock.start();
        reference::run();
        self.clock.end().since(start).0
    }
}

/// So many calls more has the sample of this round.
fn jitter(take: &SampleRequest, round: u64) -> u64 {
    let range = u32::try_from(take.iterations / JITTER_SHARE + 1).unwrap_or(u32::MAX);
    u64::from(Rng::with_seed(take.seed ^ round).bounded(range))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted;

    #[test]
    fn no_order_is_without_calls() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut orders = Vec::new();
        let mut run = |run: &mut Bencher| orders.push(run.iterations());
        let take = SampleRequest {
            samples: 2,
            iterations: 3,
            count: 1,
            max_kept_results: 1,
            ..SampleRequest::default()
        };
        engine.sample(&mut run, &take);
        assert_eq!(orders, [3, 3]);
    }

    #[test]
    fn samples_have_some_calls_more_unless_their_number_is_asked_for() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let iterations = |exact_iterations| {
            let take = SampleRequest {
                samples: 8,
                iterations: 100,
                exact_iterations,
                count: 1,
                max_kept_results: 1,
                ..SampleRequest::default()
            };
            let taken = engine.sample(&mut |run| run.call(|_| ()), &take);
            taken.samples.iter().map(|sample| sample.iterations).collect::<Vec<_>>()
        };
        assert_eq!(iterations(true), [100; 8]);
        let some_more = iterations(false);
        assert!(some_more.iter().all(|number| (100..=120).contains(number)), "{some_more:?}");
        assert!(some_more.iter().any(|number| *number != some_more[0]), "{some_more:?}");
    }

    #[test]
    fn the_cost_of_a_segment_is_told_for_cold_caches_too() {
        // Those of a scripted clock are the same.
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let caches = Caches::with_size(Some(1 << 12));
        let mut cold = |run: &mut Bencher| {
            run.empty_caches(caches);
            run.call(|_| scripted::advance(100));
        };
        let take = SampleRequest {
            samples: 1,
            iterations: 4,
            count: 1,
            max_kept_results: 1,
            ..SampleRequest::default()
        };
        let taken = engine.sample(&mut cold, &take);
        let Sample { iterations, elapsed, segments, .. } = taken.samples[0];
        assert_eq!((iterations, elapsed, segments), (4, 4 * 120, 4));
        assert_eq!(taken.segment_cost, 20.0);
    }
}
