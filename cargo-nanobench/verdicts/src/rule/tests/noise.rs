//! The noise of simulated launches.

use nanobench::Rng;
use std::f64::consts::TAU;

/// Random numbers, always the same ones for a seed.
pub(super) struct Random(Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(Rng::with_seed(seed))
    }

    /// Returns a number between 0 and 1.
    pub(super) fn uniform(&mut self) -> f64 {
        (f64::from(self.0.bounded(u32::MAX)) + 0.5) / f64::from(u32::MAX)
    }

    pub(super) fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    pub(super) fn has(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Returns a number with Student's t distribution of two degrees of freedom.
    fn student(&mut self) -> f64 {
        self.normal() / self.uniform().ln().abs().sqrt()
    }

    /// Returns the number of events in this time, in ms, if there is one in `every` ms on average.
    pub(super) fn events(&mut self, time: f64, every: f64) -> f64 {
        let mut number = 0.0;
        let mut at = -self.uniform().ln() * every;
        while at < time {
            number += 1.0;
            at -= self.uniform().ln() * every;
        }
        number
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}

/// The noise between launches of one benchmark.
#[derive(Debug, Clone, Copy)]
pub(super) enum Noise {
    Normal,
    /// Long to one side.
    Skewed,
    /// Far out, now and then (Student's t with two degrees of freedom).
    Heavy,
    /// One in ten is eight times as far out.
    Outliers,
    /// Later launches are slower.
    Drifting,
    /// Launches resemble the ones before them.
    Autocorrelated,
    /// One launch in so many takes half as long again.
    SlowLaunches(f64),
    /// One file in so many does, as long as it exists.
    SlowFiles(f64),
}

pub(super) const NOISES: [Noise; 9] = [
    Noise::Normal,
    Noise::Skewed,
    Noise::Heavy,
    Noise::Outliers,
    Noise::Drifting,
    Noise::Autocorrelated,
    Noise::SlowLaunches(4.0),
    Noise::SlowLaunches(10.0),
    Noise::SlowFiles(4.0),
];

/// Draws the times of launches one after another.
pub(super) struct LaunchNoise {
    pub(super) noise: Noise,
    pub(super) scale: f64,
    launches: f64,
    mood: f64,
}

impl LaunchNoise {
    pub(super) fn new(noise: Noise, scale: f64) -> LaunchNoise {
        LaunchNoise { noise, scale, launches: 0.0, mood: 0.0 }
    }

    /// Returns the logarithm of the time of the next launch, without slow launches.
    pub(super) fn next(&mut self, random: &mut Random) -> f64 {
        self.launches += 1.0;
        self.scale
            * match self.noise {
                Noise::Normal | Noise::SlowLaunches(_) | Noise::SlowFiles(_) => random.normal(),
                Noise::Skewed => (random.normal() * 0.8).exp(),
                Noise::Heavy => random.student(),
                Noise::Outliers => random.normal() * if random.has(0.1) { 8.0 } else { 1.0 },
                Noise::Drifting => random.normal() + self.launches / 20.0,
                Noise::Autocorrelated => {
                    self.mood = 0.9 * self.mood + 0.4 * random.normal();
                    self.mood
                }
            }
    }
}
