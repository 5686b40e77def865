//! One calibration or one sample of one benchmark, in this process.

use super::{Calibration, Count, Run, Take, Taken, calibrate};
use crate::model::{ClockInfo, Sample};
use crate::stats;
use crate::time::{self, Clock};

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
        engine.plain_segment = engine.segment_cost(&mut |run| run.call(|_| ()), 1);
        engine.controlled_segment = engine.segment_cost(&mut |run| run.call_controlled(|_, _| ()), 100);
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
    fn segment_cost(&self, empty: &mut dyn FnMut(&mut Run), iterations: u64) -> f64 {
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
                let time = self.time(&mut |run| run.call(|_| ()), iterations, 1, 1) - self.plain_segment;
                time / iterations as f64
            })
            .collect();
        stats::median(&times)
    }

    /// How long `iterations` calls take, in ns, clock included.
    pub(super) fn time(&self, run: &mut dyn FnMut(&mut Run), iterations: u64, count: u64, chunk: u64) -> f64 {
        let mut order = Run::new(self.clock, iterations, count, chunk);
        run(&mut order);
        self.clock.nanoseconds(order.elapsed())
    }

    pub(crate) fn calibrate(
        &self,
        run: &mut dyn FnMut(&mut Run),
        count: Count,
        sample_time: f64,
    ) -> Calibration {
        calibrate::calibrate(self, run, count, sample_time)
    }

    pub(crate) fn take(&self, run: &mut dyn FnMut(&mut Run), take: &Take) -> Taken {
        let mut segment_cost = self.plain_segment;
        let samples = (take.round..take.round + take.samples)
            .map(|round| {
                let mut order = Run::new(self.clock, take.iterations, take.count, take.chunk);
                run(&mut order);
                if order.controlled() {
                    segment_cost = self.controlled_segment;
                }
                Sample {
                    iterations: take.iterations,
                    elapsed: order.elapsed().0,
                    segments: order.segments(),
                    round,
                }
            })
            .collect();
        Taken { segment_cost, samples }
    }
}
