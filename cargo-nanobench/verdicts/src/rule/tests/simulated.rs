//! A simulated benchmark: what its launches and samples take, and hidden slowness of the candidate.

use crate::average::{AveragePair, MIN_EXPENSIVE_SHARE};

use super::files::{BlockFiles, PROCESSES};
use super::noise::{LaunchNoise, Noise, Random};
use crate::clusters::PAIRS_PER_BLOCK;
use crate::evidence::Pair;
use std::time::Duration;

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
/// Smallest share by which a launch gets slower after the usual time that is no noise.
const MIN_SLOWDOWN: f64 = 0.08;
/// The logarithm of the time of a slow launch, relative to that of the others.
const SLOW_LAUNCH: f64 = 0.4;

/// The length of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockLength {
    /// Time for which each of its four launches is sampled, in ms, unless it is long.
    pub(super) sampled: f64,
    /// Its time in all, without long launches.
    pub(super) elapsed: Duration,
    /// Number of pairs whose launches are long.
    pub(super) long_pairs: usize,
    /// It is too short to tell the typical time.
    pub(super) only_adds_launches: bool,
}

impl BlockLength {
    /// Returns the time of the block.
    pub(super) fn time(&self) -> Duration {
        let long_launches = 2.0 * self.long_pairs as f64 * (LONG_LAUNCH - self.sampled);
        self.elapsed + Duration::from_secs_f64(long_launches / 1e3)
    }
}

/// Slowness of the candidate that the typical time doesn't show.
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
    random: Random,
    noise: LaunchNoise,
    /// The logarithm of the change of the typical time.
    pub(super) effect: f64,
    hidden: Hidden,
    waiting: Waiting,
    is_clock_unsteady: bool,
    /// The place of its files and its slow launches are those of all benchmarks of a launch.
    is_like_others: bool,
    /// What its files add, as long as they have this place.
    files: [f64; PROCESSES],
    are_slow: [bool; PROCESSES],
    place: Option<u64>,
}

impl Simulated {
    pub(super) fn new(noise: Noise, scale: f64, effect: f64, seed: u64) -> Simulated {
        Simulated {
            random: Random::new(seed),
            noise: LaunchNoise::new(noise, scale),
            effect,
            hidden: Hidden::Nothing,
            waiting: Waiting::default(),
            is_clock_unsteady: false,
            is_like_others: seed.is_multiple_of(2),
            files: [0.0; PROCESSES],
            are_slow: [false; PROCESSES],
            place: None,
        }
    }

    pub(super) fn hiding(self, hidden: Hidden) -> Simulated {
        Simulated { hidden, ..self }
    }

    pub(super) fn waiting(self, waiting: Waiting) -> Simulated {
        Simulated { waiting, ..self }
    }

    /// Runs with a clock that slows down single long launches.
    pub(super) fn with_unsteady_clock(self) -> Simulated {
        Simulated { is_clock_unsteady: true, ..self }
    }

    /// Returns the logarithm of the change that its own figures show: those of one launch of each side.
    pub(super) fn own_change(&mut self, files: &BlockFiles) -> f64 {
        let [baseline, _, candidate, _] = self.launches(files);
        candidate - baseline
    }

    /// Returns the difference that the places of the originals make.
    pub(super) fn change_by_files(&self) -> f64 {
        self.files[2] - self.files[0]
    }

    /// Draws the pairs of a block, and the logarithms of the ratios of the two processes of each side.
    pub(super) fn block(&mut self, length: &BlockLength, files: &BlockFiles) -> ([Pair; 2], [f64; 2]) {
        let launches = self.launches(files);
        let [a, b, c, d] = launches;
        let fastest = launches.into_iter().fold(f64::INFINITY, f64::min);
        let mean = launches.iter().sum::<f64>() / 4.0;
        let pairs: [Pair; PAIRS_PER_BLOCK] = std::array::from_fn(|place| {
            let times = [launches[place], launches[place + 2]];
            Pair {
                change: (!length.only_adds_launches).then_some(times[1] - times[0]),
                average: self.average(times.map(|time| (time - mean).exp()), length, place),
                launches: times.map(|time| time - fastest),
            }
        });
        (pairs, [b - a, d - c])
    }

    /// Returns the logarithms of the times of the launches of a block.
    fn launches(&mut self, files: &BlockFiles) -> [f64; PROCESSES] {
        self.place_files(files);
        let mut noise: [f64; PROCESSES] = [(); PROCESSES].map(|()| self.noise.next(&mut self.random));
        self.random.shuffle(&mut noise);
        std::array::from_fn(|process| {
            let mut time = noise[process] + self.files[process] + files.of_processes[process];
            if self.is_slow(process, files) {
                time += SLOW_LAUNCH;
            }
            if process >= PAIRS_PER_BLOCK {
                time += self.effect + self.slow_launch();
            }
            time
        })
    }

    /// Draws what the files add, if they are others or elsewhere.
    fn place_files(&mut self, files: &BlockFiles) {
        if self.place == Some(files.place) {
            return;
        }
        self.place = Some(files.place);
        let own = files.of_files(|| self.random.has(0.5));
        let are_far = if self.is_like_others { files.are_far } else { own };
        let place = are_far.map(|is_far| if is_far { files.effects.place } else { 0.0 });
        self.files = std::array::from_fn(|process| place[process] + files.of_layouts[process]);
        if let Noise::SlowFiles(one_in) = self.noise.noise {
            self.are_slow = files.of_files(|| self.random.has(1.0 / one_in));
        }
    }

    fn is_slow(&mut self, process: usize, files: &BlockFiles) -> bool {
        let own = self.random.uniform();
        match self.noise.noise {
            Noise::SlowLaunches(one_in) => {
                let seed = if self.is_like_others { files.seeds[process] } else { own };
                seed < 1.0 / one_in
            }
            _ => self.are_slow[process],
        }
    }

    /// Returns the logarithm by which a launch of the candidate is slower.
    fn slow_launch(&mut self) -> f64 {
        let Hidden::Launches { one_in, slowdown } = self.hidden else { return 0.0 };
        if self.random.has(1.0 / one_in) { slowdown.ln_1p() } else { 0.0 }
    }

    /// Draws the average times of a pair with these typical ones.
    fn average(&mut self, typical: [f64; 2], length: &BlockLength, place: usize) -> AveragePair {
        let is_long = place < length.long_pairs;
        let time = if is_long { LONG_LAUNCH } else { length.sampled };
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
        AveragePair {
            typical,
            excess,
            expensive,
            waiting: [self.waits(time), self.waits(time) + self.waiting.of_candidate],
            iterations: (1_000.0 * time) as u64,
            interrupted: [0; 2],
            waited: [Duration::ZERO; 2],
            samples: 20,
            is_long,
            sampled: Duration::from_secs_f64(time / 1e3),
        }
    }

    /// Draws the disturbances of the samples of a launch that is sampled for this time, in ms.
    fn tail(&mut self, time: f64, is_long: bool) -> Tail {
        let random = &mut self.random;
        let mut usual = 0.02 * (LAUNCH / time).sqrt() * (0.7 * random.normal()).exp();
        let mut gets_slower = false;
        if is_long && self.is_clock_unsteady && random.has(UNSTEADY_SHARE) {
            let slowdown = MAX_UNSTEADINESS * (1.0 + 2.0 * random.uniform()) / 3.0;
            usual += slowdown;
            gets_slower = slowdown > MIN_SLOWDOWN && random.has(0.5);
        }
        let burst = if random.has(BURSTS_PER_MS * time) { 5.0 * random.uniform().powf(-0.6) } else { 0.0 };
        Tail { usual, burst: burst.min(50.0) / time, gets_slower }
    }

    /// Returns the time of the expensive calls of a launch that is sampled for this time, in ms.
    fn slow_calls(&mut self, time: f64) -> f64 {
        match self.hidden {
            // Each process counts its calls from the beginning.
            Hidden::Calls { every, cost } => (time / every).floor() * cost,
            Hidden::RandomCalls { every, cost } => cost * self.random.events(time, every),
            Hidden::Later { after, slowdown } => (time - after).max(0.0) * slowdown,
            Hidden::Nothing | Hidden::Launches { .. } => 0.0,
        }
    }

    /// Returns the share of its time for which a launch waits that is sampled for this time, in ms.
    fn waits(&mut self, time: f64) -> f64 {
        let Waiting { load, .. } = self.waiting;
        if load == 0.0 { 0.0 } else { TIME_SLICE * self.random.events(time, TIME_SLICE / load) / time }
    }
}
