//! The times and the noise of the blocks of a benchmark so far, from which the length of the next one
//! follows.

use super::block::Block;
use super::launch_times::turn_ratios;
use std::time::Duration;
use verdicts::MIN_PAIRS;
use verdicts::statistics as stats;

/// The times of the blocks of a benchmark so far, and the noise of their turns.
#[derive(Debug, Default)]
pub(crate) struct BlockStatistics {
    /// Number of all blocks.
    blocks: u32,
    /// Time of all blocks that tell about the typical time.
    pub of_typical_time: Duration,
    /// The part of it in which long launches were sampled.
    pub of_long_launches: Duration,
    /// Time of all blocks.
    all: Duration,
    /// The part of it that is not sampling.
    overhead: Duration,
    pub(super) noise: TurnNoise,
}

/// The noise of the turns of a benchmark: of those parts of the noise that more turns reduce.
#[derive(Debug, Default)]
pub(super) struct TurnNoise {
    /// The variance of the log ratio of a turn, for each pair of launches with enough turns.
    variances: Vec<f64>,
    /// Number of the usual rounds in which all processes took a turn, and their time.
    rounds: u32,
    time: Duration,
    blocks: u32,
}

impl BlockStatistics {
    /// Adds a block. `adds_evidence`: it tells about the typical time.
    pub(super) fn add(&mut self, block: &Block, adds_evidence: bool) {
        self.blocks += 1;
        self.all += block.elapsed;
        self.overhead += block.elapsed.saturating_sub(block.sampling_time + block.long_time);
        if adds_evidence {
            self.of_typical_time += block.elapsed;
            self.of_long_launches += block.long_time;
        }
    }

    /// Returns the time of a block on average.
    pub(crate) fn mean(&self) -> Duration {
        self.all / self.blocks.max(1)
    }

    /// Returns the sampling time of a block with which blocks tell most about these changes in a given
    /// time. `None` if too little is known.
    pub(super) fn efficient_sampling_time(&self, changes: &[f64]) -> Option<Duration> {
        self.noise.efficient_sampling_time(changes, self.overhead / self.blocks.max(1))
    }
}

impl TurnNoise {
    /// Adds the turns of a block. Four or more of a pair of launches tell how noisy they are.
    pub(super) fn add(&mut self, block: &Block) {
        let [a, b, c, d] = &block.turn_times;
        let ratios = [turn_ratios(a, c), turn_ratios(b, d)].into_iter();
        self.variances.extend(ratios.filter(|ratios| ratios.len() >= 4).map(|ratios| variance(&ratios)));
        self.rounds += block.usual_rounds;
        self.time += block.sampling_time;
        self.blocks += 1;
    }

    /// Returns the efficient time: the noisier the turns are, relative to the launches, the longer it is.
    /// (Cochran 1977, 10.6: sampling in two stages.) `overhead`: the time of a block that is not sampling.
    /// Few changes tell little about the launches, so 5 % of the variance are theirs at least.
    fn efficient_sampling_time(&self, changes: &[f64], overhead: Duration) -> Option<Duration> {
        if changes.len() < MIN_PAIRS || self.variances.is_empty() || self.rounds == 0 {
            return None;
        }
        let (of_turn, of_pair) = (stats::median(&self.variances), variance(changes));
        let turns = f64::from(self.rounds) / f64::from(self.blocks);
        let of_launches = (of_pair - of_turn / turns).max(of_pair * 0.05);
        let round = self.time.as_secs_f64() / f64::from(self.rounds);
        let time = (overhead.as_secs_f64() * round * of_turn / of_launches).sqrt();
        Duration::try_from_secs_f64(time).ok()
    }
}

/// Returns a measure of the variance of these values, with little regard for outliers.
fn variance(values: &[f64]) -> f64 {
    let median = stats::median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
    stats::median(&distances).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise of turns of 2 ms with this standard deviation, in blocks of eight.
    fn noise(deviation: f64) -> TurnNoise {
        let time = Duration::from_millis(2 * 24);
        TurnNoise { variances: vec![(deviation / 1.4826).powi(2); 6], rounds: 24, time, blocks: 3 }
    }

    /// The efficient time in ms of changes with this median absolute deviation and 8 ms of overhead.
    fn efficient(noise: &TurnNoise, deviation: f64) -> Option<u128> {
        let changes = [-deviation, deviation, -deviation, deviation, -deviation, deviation];
        let time = noise.efficient_sampling_time(&changes, Duration::from_millis(8));
        time.map(|time| time.as_millis())
    }

    #[test]
    fn the_noisier_the_turns_the_longer_the_sampling() {
        assert_eq!(efficient(&noise(0.001), 0.02), Some(0), "the launches alone differ");
        assert_eq!(efficient(&noise(0.02), 0.02), Some(2));
        assert_eq!(efficient(&noise(0.08), 0.02), Some(35));
        assert_eq!(efficient(&noise(0.2), 0.02), Some(120), "the turns alone differ");
    }

    #[test]
    fn too_little_evidence_says_nothing() {
        assert_eq!(efficient(&TurnNoise::default(), 0.02), None);
        assert_eq!(noise(0.02).efficient_sampling_time(&[0.1; 5], Duration::from_millis(8)), None);
        assert_eq!(efficient(&noise(0.02), 0.0), None, "no changes at all");
    }
}
