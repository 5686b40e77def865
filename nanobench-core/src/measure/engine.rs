//! One calibration or one sample of one benchmark, in this process.

use super::{Calibrate, Calibration, Count, Run, Take, Taken, calibrate, reference};
use crate::model::{ClockInfo, Sample};
use crate::rng::Rng;
use crate::stats;
use crate::time::{self, Clock, Ticks};

/// Before the samples of an order runs this part of one.
const WARM_SHARE: u64 = 10;
/// A sample has up to this part of iterations more than ordered (as in ankerl::nanobench).
const JITTER_SHARE: u64 = 5;

/// The clock of this process and what using it costs.
#[derive(Debug)]
pub(crate) struct Engine {
    clock: Clock,
    info: ClockInfo,
    plain_segment: f64,
    controlled_segment: f64,
    nothing: f64,
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
            nothing: 0.0,
        };
        engine.plain_segment = engine.empty_segment(&mut |run| run.call(|_| ()), 1);
        engine.controlled_segment = engine.empty_segment(&mut |run| run.call_controlled(|_, _| ()), 100);
        engine.nothing = engine.empty_iteration();
        engine
    }

    pub(crate) fn clock(&self) -> &ClockInfo {
        &self.info
    }

    /// What an iteration of an empty benchmark takes, in ns.
    pub(crate) fn nothing(&self) -> f64 {
        self.nothing
    }

    /// The median over batches of what an empty benchmark measures per segment, with the very loops that
    /// benchmarks are timed with.
    fn empty_segment(&self, empty: &mut dyn FnMut(&mut Run), iterations: u64) -> f64 {
        let costs: Vec<f64> = (0..51)
            .map(|_| {
                let mut run = Run::new(self.clock, iterations, 1, 1);
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
    pub(super) fn run(&self, run: &mut dyn FnMut(&mut Run), iterations: u64, count: u64, chunk: u64) -> Run {
        let mut order = Run::new(self.clock, iterations, count, chunk);
        order.carry_out(run);
        order
    }

    /// What starting and stopping the clock once leaves in the time of such a run, in ns.
    pub(super) fn segment_cost(&self, run: &Run) -> f64 {
        if run.controlled() { self.controlled_segment } else { self.plain_segment }
    }

    /// `ticks` of the clock in ns.
    pub(super) fn nanoseconds(&self, ticks: Ticks) -> f64 {
        self.clock.nanoseconds(ticks)
    }

    pub(crate) fn calibrate(
        &self,
        run: &mut dyn FnMut(&mut Run),
        count: Count,
        order: &Calibrate,
    ) -> Calibration {
        calibrate::calibrate(self, run, count, order)
    }

    pub(crate) fn take(&self, run: &mut dyn FnMut(&mut Run), take: &Take) -> Taken {
        // Other benchmarks may have run since the last time: their caches are not this one's.
        self.run(run, take.iterations / WARM_SHARE, take.count, take.chunk);
        let mut taken = Taken::default();
        for round in take.round..take.round + take.samples {
            let mut rng = Rng::with_seed(take.seed ^ round);
            let jitter =
                u64::from(rng.bounded(u32::try_from(take.iterations / JITTER_SHARE + 1).unwrap_or(u32::MAX)));
            let before = self.reference();
            let order = self.run(run, take.iterations + jitter, take.count, take.chunk);
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
