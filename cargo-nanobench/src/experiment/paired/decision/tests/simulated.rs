//! Simulated benchmarks: the noise between launches and between samples, and hidden slowness.

mod confirmation;

pub(super) use confirmation::Confirmation;

use super::*;
use crate::experiment::paired::average_pairs::{MIN_EXPENSIVE_SHARE, MIN_SLOWDOWN};
use nanobench::Rng;
use std::f64::consts::TAU;

/// The time of a block, and the time in ms for which each of its four launches is sampled.
type BlockTimes = (Duration, f64);
const USUAL_BLOCK: BlockTimes = (Duration::from_millis(35), 6.0);
/// A block of a screening that needs more launches anyway.
const FIRST_BLOCK: BlockTimes = (Duration::from_millis(22), 3.0);
/// Any block of a brief run.
const BRIEF_BLOCK: BlockTimes = (Duration::from_millis(9), 0.75);
/// A block that only adds launches.
const SHORT_BLOCK: BlockTimes = (Duration::from_millis(14), 1.0);
/// Time for which a long launch is sampled, in ms.
const LONG_LAUNCH: f64 = 55.0;
/// Time to which the disturbances of a launch refer, in ms.
const LAUNCH: f64 = 6.0;
/// Time for which another program runs before the system lets the benchmark run again, in ms.
const TIME_SLICE: f64 = 3.0;
/// Bursts of other programs that no counter tells.
const BURSTS_PER_MS: f64 = 0.000_5;
/// Share of the long launches whose clock is unsteady.
const UNSTEADY_SHARE: f64 = 1.0 / 3.0;
/// The most that this adds to such a launch, in many samples. It adds at least a third of that.
const MAX_UNSTEADINESS: f64 = 0.15;

/// The noise between launches of one benchmark.
#[derive(Debug, Clone, Copy)]
pub(super) enum Noise {
    Normal,
    /// Long to one side.
    Skewed,
    /// Now and then half as long again.
    Bimodal,
    /// Far out, now and then (Student's t with two degrees of freedom).
    Heavy,
    /// Later blocks are slower.
    Drifting,
    /// Blocks resemble the ones before them.
    Autocorrelated,
}

pub(super) const NOISES: [Noise; 6] =
    [Noise::Normal, Noise::Skewed, Noise::Bimodal, Noise::Heavy, Noise::Drifting, Noise::Autocorrelated];

/// Slowness that the typical time doesn't show.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hidden {
    Nothing,
    /// A call takes `cost` ms, after each `every` ms of a process.
    Calls {
        every: f64,
        cost: f64,
    },
    /// Likewise, at random times.
    RandomCalls {
        every: f64,
        cost: f64,
    },
    /// Calls after the first `after` ms of a process are slower by a share.
    Later {
        after: f64,
        slowdown: f64,
    },
    /// One launch in so many is slower by a share.
    Launches {
        one_in: f64,
        slowdown: f64,
    },
}

/// Time for which launches wait while their core runs other programs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Waiting {
    /// Share of the time that other programs use of the core.
    pub(super) load: f64,
    /// Time that the candidate waits for a process that works for it, as a share of its typical time.
    pub(super) of_candidate: f64,
}

/// The shares by which disturbances of samples increase the average of a launch.
struct Tail {
    /// As measured, 1 to 4 % in most launches.
    usual: f64,
    /// Now and then, 5 to 50 ms.
    burst: f64,
    /// The clock slows down after the usual time.
    gets_slower: bool,
}

/// A benchmark whose candidate is slower by `effect`.
pub(super) struct Simulated {
    rng: Rng,
    noise: Noise,
    scale: f64,
    effect: f64,
    /// Slow calls and launches of the candidate.
    hidden: Hidden,
    waiting: Waiting,
    is_clock_unsteady: bool,
    /// All blocks are those of a brief run.
    is_brief: bool,
    /// The change that its own figures show, if it is tested.
    recurrence: Option<Recurrence>,
    pub(super) blocks: f64,
    mood: f64,
    pub(super) spent: Duration,
}

impl Simulated {
    pub(super) fn new(noise: Noise, scale: f64, effect: f64, seed: u64) -> Simulated {
        let (rng, hidden, spent) = (Rng::with_seed(seed), Hidden::Nothing, Duration::ZERO);
        let (waiting, is_clock_unsteady, is_brief) = (Waiting::default(), false, false);
        let (recurrence, blocks, mood) = (None, 0.0, 0.0);
        Simulated {
            rng,
            noise,
            scale,
            effect,
            hidden,
            waiting,
            is_clock_unsteady,
            is_brief,
            recurrence,
            blocks,
            mood,
            spent,
        }
    }

    pub(super) fn hiding(self, hidden: Hidden) -> Simulated {
        Simulated { hidden, ..self }
    }

    pub(super) fn with(self, effort: Effort) -> Simulated {
        Simulated { is_brief: effort == Effort::Brief, ..self }
    }

    /// Compares its own figures of one launch on each side, as `tests` benchmarks do.
    pub(super) fn with_own_figures(mut self, rules: &Rules, tests: usize) -> Simulated {
        let [baseline, candidate] = [(); 2].map(|()| self.launch());
        let change = candidate - baseline + self.effect;
        let is_tested = change.abs() > rules.threshold.ln_1p();
        Simulated { recurrence: is_tested.then(|| Recurrence::new(change, rules, tests)), ..self }
    }

    pub(super) fn waiting(self, waiting: Waiting) -> Simulated {
        Simulated { waiting, ..self }
    }

    /// Runs with a clock that slows down single long launches.
    pub(super) fn with_unsteady_clock(self) -> Simulated {
        Simulated { is_clock_unsteady: true, ..self }
    }

    fn uniform(&mut self) -> f64 {
        (f64::from(self.rng.bounded(u32::MAX)) + 0.5) / f64::from(u32::MAX)
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// The logarithm of a launch's time.
    fn launch(&mut self) -> f64 {
        let normal = self.normal();
        let noise = match self.noise {
            Noise::Normal => normal,
            Noise::Skewed => (normal * 0.8).exp(),
            Noise::Bimodal => normal * 0.2 + if self.uniform() < 0.15 { 40.0 } else { 0.0 },
            Noise::Heavy => normal / self.uniform().ln().abs().sqrt(),
            Noise::Drifting => normal + self.blocks / 5.0,
            Noise::Autocorrelated => {
                self.mood = 0.9 * self.mood + 0.4 * normal;
                self.mood
            }
        };
        noise * self.scale
    }

    /// Adds a block to the evidence.
    pub(super) fn block(&mut self, evidence: &mut Evidence) {
        self.block_with(evidence, USUAL_BLOCK, 0);
    }

    fn block_with(&mut self, evidence: &mut Evidence, (elapsed, sampled): BlockTimes, long_pairs: usize) {
        let mut launches = [(); 4].map(|()| self.launch());
        self.rng.shuffle(&mut launches);
        launches[2] += self.effect + self.slow_launch();
        launches[3] += self.effect + self.slow_launch();
        let [a, b, c, d] = launches;
        evidence.add(&[c - a, d - b], &[b - a, d - c]);
        let fastest = launches.into_iter().fold(f64::INFINITY, f64::min);
        evidence.launches.add(&[[a - fastest, c - fastest], [b - fastest, d - fastest]]);
        for (place, [baseline, candidate]) in [[a, c], [b, d]].into_iter().enumerate() {
            let is_long = place < long_pairs;
            let time = if is_long { LONG_LAUNCH } else { sampled };
            let typical = [baseline, candidate].map(f64::exp);
            let tails = [(); 2].map(|()| self.tail(time, is_long));
            let slow_calls = [0.0, self.slow_calls(time) / time];
            let with_calls = |side: usize, tail: f64| typical[side] * tail + slow_calls[side];
            let excess = [0, 1].map(|side| with_calls(side, tails[side].usual + tails[side].burst));
            let (are_calls_expensive, gets_slower) = match self.hidden {
                Hidden::Calls { cost, .. } | Hidden::RandomCalls { cost, .. } => {
                    (cost > MIN_EXPENSIVE_SHARE * LONG_LAUNCH, false)
                }
                Hidden::Later { slowdown, .. } => (false, slowdown > MIN_SLOWDOWN),
                Hidden::Launches { .. } | Hidden::Nothing => (false, false),
            };
            let expensive = [0, 1].map(|side| {
                if tails[side].gets_slower || side == 1 && gets_slower {
                    excess[side]
                } else if are_calls_expensive {
                    with_calls(side, tails[side].burst)
                } else {
                    typical[side] * tails[side].burst
                }
            });
            let iterations = (1_000.0 * time) as u64;
            evidence.averages.add(&[AveragePair {
                typical,
                excess,
                expensive,
                waiting: [self.waits(time), self.waits(time) + self.waiting.of_candidate],
                iterations,
                is_long,
                ..average_pair([1.0; 2])
            }]);
        }
        self.spent += elapsed;
        self.spent += Duration::from_secs_f64(2.0 * long_pairs as f64 * (LONG_LAUNCH - sampled) / 1e3);
        self.blocks += 1.0;
    }

    /// Adds a block that is too short for the typical time.
    fn short_block(&mut self, evidence: &mut Evidence, long_pairs: usize) {
        let mut block = Evidence::default();
        self.block_with(&mut block, SHORT_BLOCK, long_pairs);
        evidence.averages.add_all(&block.averages);
        evidence.launches.add_all(&block.launches);
    }

    /// The disturbances of the samples of a launch that is sampled for this time, in ms.
    fn tail(&mut self, time: f64, is_long: bool) -> Tail {
        let mut usual = 0.02 * (LAUNCH / time).sqrt() * (0.7 * self.normal()).exp();
        let mut gets_slower = false;
        if is_long && self.is_clock_unsteady && self.uniform() < UNSTEADY_SHARE {
            let slowdown = MAX_UNSTEADINESS * (1.0 + 2.0 * self.uniform()) / 3.0;
            usual += slowdown;
            gets_slower = slowdown > MIN_SLOWDOWN && self.uniform() < 0.5;
        }
        let burst = if self.uniform() < BURSTS_PER_MS * time { 5.0 * self.uniform().powf(-0.6) } else { 0.0 };
        Tail { usual, burst: burst.min(50.0) / time, gets_slower }
    }

    /// The logarithm by which a launch of the candidate is slower.
    fn slow_launch(&mut self) -> f64 {
        let Hidden::Launches { one_in, slowdown } = self.hidden else { return 0.0 };
        if self.uniform() < 1.0 / one_in { slowdown.ln_1p() } else { 0.0 }
    }

    /// The time of the expensive calls of a launch that is sampled for this time, in ms.
    fn slow_calls(&mut self, time: f64) -> f64 {
        match self.hidden {
            // Each process counts its calls from the beginning.
            Hidden::Calls { every, cost } => (time / every).floor() * cost,
            Hidden::RandomCalls { every, cost } => cost * self.random_events(time, every),
            Hidden::Later { after, slowdown } => (time - after).max(0.0) * slowdown,
            Hidden::Nothing | Hidden::Launches { .. } => 0.0,
        }
    }

    /// The share of its time for which a launch waits that is sampled for this time, in ms.
    fn waits(&mut self, time: f64) -> f64 {
        let Waiting { load, .. } = self.waiting;
        if load == 0.0 { 0.0 } else { TIME_SLICE * self.random_events(time, TIME_SLICE / load) / time }
    }

    /// The number of events in this time, in ms, if there is one in `every` ms on average.
    fn random_events(&mut self, time: f64, every: f64) -> f64 {
        let mut number = 0.0;
        let mut at = -self.uniform().ln() * every;
        while at < time {
            number += 1.0;
            at -= self.uniform().ln() * every;
        }
        number
    }

    pub(super) fn screen(&mut self, rules: &Rules, limits: &TimeLimits) -> (Evidence, ScreeningDecision) {
        self.screen_within(Duration::MAX, rules, limits)
    }

    /// Screens the benchmark until it is decided, or for this time, but until the first look.
    pub(super) fn screen_within(
        &mut self,
        time: Duration,
        rules: &Rules,
        limits: &TimeLimits,
    ) -> (Evidence, ScreeningDecision) {
        let mut evidence = Evidence::default();
        let mut next_block = NextBlock::before_looks(&evidence, limits);
        loop {
            let long_pairs = next_block.long_pairs;
            if next_block.only_adds_launches {
                self.short_block(&mut evidence, long_pairs);
            } else {
                let has_launches = evidence.launches.number() >= limits.min_launches;
                let times = match has_launches {
                    _ if self.is_brief => BRIEF_BLOCK,
                    true => USUAL_BLOCK,
                    false => FIRST_BLOCK,
                };
                self.block_with(&mut evidence, times, long_pairs);
            }
            let recurrence = self.recurrence.as_ref();
            match recurrence::decide_screening(recurrence, &evidence, self.spent, rules, limits) {
                ScreeningDecision::Continue(_) if self.spent >= time && evidence.pairs() >= MIN_PAIRS => {
                    let suspicions = suspicions_of_cut_screening(&evidence, rules, limits);
                    return (
                        evidence,
                        suspicions.map_or(ScreeningDecision::Stop, ScreeningDecision::Confirm),
                    );
                }
                ScreeningDecision::Continue(next) => next_block = next,
                next => return (evidence, next),
            }
        }
    }

    pub(super) fn confirm(
        &mut self,
        screening: &Evidence,
        suspicions: &Suspicions,
        tests: usize,
        (rules, limits): (&Rules, &TimeLimits),
    ) -> (Evidence, Verdicts) {
        let mut confirmation = Confirmation::new(self, screening, *suspicions, tests, (rules, limits));
        loop {
            if let Some(verdicts) = confirmation.advance(self, screening, rules) {
                return (confirmation.fresh, verdicts);
            }
        }
    }
}

/// Returns a pair of usual launches with these typical times and no expensive calls.
pub(super) fn average_pair(typical: [f64; 2]) -> AveragePair {
    AveragePair {
        typical,
        excess: [0.0; 2],
        expensive: [0.0; 2],
        waiting: [0.0; 2],
        iterations: 4,
        interrupted: [0; 2],
        waited: [Duration::ZERO; 2],
        samples: 20,
        is_long: false,
        sampled: Duration::from_millis(6),
    }
}
