//! The noise of turns, and the sampling time of blocks with which it costs least.

use super::block::Block;
use super::launch_times::turn_ratios;
use std::time::Duration;
use verdicts::MIN_PAIRS;
use verdicts::statistics as stats;

/// Number of turns of a pair of launches from which on they tell how noisy they are.
const MIN_TURNS: usize = 4;
/// Smallest share of the variance of changes that is attributed to the launches. Few changes tell
/// little about it.
const MIN_LAUNCH_SHARE: f64 = 0.05;
/// Standard deviation of a normal distribution, as a multiple of the median absolute deviation.
const MAD_TO_DEVIATION: f64 = 1.4826;

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

impl TurnNoise {
    /// Adds the turns of a block.
    pub(super) fn add(&mut self, block: &Block) {
        let [a, b, c, d] = &block.turn_times;
        let ratios = [turn_ratios(a, c), turn_ratios(b, d)].into_iter();
        self.variances
            .extend(ratios.filter(|ratios| ratios.len() >= MIN_TURNS).map(|ratios| variance(&ratios)));
        self.rounds += block.usual_rounds;
        self.time += block.sampling_time;
        self.blocks += 1;
    }

    /// Returns the sampling time of a block with which blocks tell most about these changes in a given
    /// time: the noisier the turns are, relative to the launches, the longer it is. (Cochran 1977, 10.6:
    /// sampling in two stages.) `overhead`: the time of a block that is not sampling. `None` if too
    /// little is known.
    pub(super) fn efficient_sampling_time(&self, changes: &[f64], overhead: Duration) -> Option<Duration> {
        if changes.len() < MIN_PAIRS || self.variances.is_empty() || self.rounds == 0 {
            return None;
        }
        let (of_turn, of_pair) = (stats::median(&self.variances), variance(changes));
        let turns = f64::from(self.rounds) / f64::from(self.blocks);
        let of_launches = (of_pair - of_turn / turns).max(of_pair * MIN_LAUNCH_SHARE);
        let round = self.time.as_secs_f64() / f64::from(self.rounds);
        let time = (overhead.as_secs_f64() * round * of_turn / of_launches).sqrt();
        Duration::try_from_secs_f64(time).ok()
    }
}

/// Returns the variance of these values, with little regard for outliers.
fn variance(values: &[f64]) -> f64 {
    let median = stats::median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
    (stats::median(&distances) * MAD_TO_DEVIATION).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise of turns of 2 ms with this standard deviation, in blocks of eight.
    fn noise(deviation: f64) -> TurnNoise {
        let time = Duration::from_millis(2 * 24);
        TurnNoise { variances: vec![deviation.powi(2); 6], rounds: 24, time, blocks: 3 }
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
