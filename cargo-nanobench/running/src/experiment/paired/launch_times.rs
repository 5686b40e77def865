//! Times of the samples of a launch, and ratios between two launches.

use super::benchmark::PROCESSES;
use nanobench::model::{ClockInfo, Launch, Sample};
use verdicts::statistics as stats;

/// Returns the time of an iteration in each sample of a launch, in ns.
pub(super) fn iteration_times(launch: &Launch) -> Vec<f64> {
    let time = |sample| iteration_time(sample, &launch.clock, launch.segment_cost);
    launch.samples.iter().map(time).collect()
}

/// Returns the fastest of the times of each turn, which has this many samples.
pub(super) fn fastest_of_turns(times: &[f64], samples_per_turn: u64) -> Vec<f64> {
    let turns = times.chunks(usize::try_from(samples_per_turn.max(1)).unwrap_or(usize::MAX));
    turns.map(|turn| turn.iter().copied().fold(f64::INFINITY, f64::min)).collect()
}

/// Returns the time of an iteration in ns, without the clock's cost.
fn iteration_time(sample: &Sample, clock: &ClockInfo, segment_cost: f64) -> f64 {
    let elapsed = sample.elapsed as f64 * 1e9 / clock.frequency;
    (elapsed - segment_cost * sample.segments as f64) / sample.iterations as f64
}

/// Returns the median logarithm of the ratio of times of `b` to times of `a`. Each sample is paired
/// with those of the same round and of both adjacent rounds: three times as many ratios are less
/// noisy, and a disturbance of the machine still affects both of their samples.
pub(super) fn median_log_ratio(a: &[f64], b: &[f64]) -> f64 {
    let near = |round: usize| round.saturating_sub(1)..b.len().min(round + 2);
    let pairs = (0..a.len()).flat_map(|i| near(i).map(move |j| (i, j)));
    stats::median(&pairs.map(|(i, j)| (b[j] / a[i]).ln()).collect::<Vec<f64>>())
}

/// Returns the logarithms of the ratio of times of `b` to times of `a` in the same round.
pub(super) fn turn_ratios(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (b / a).ln()).collect()
}

/// Returns the logarithms of the times of two pairs of processes that share no process, relative to
/// the fastest process of the block. `times`: the times of the turns of each process.
pub(super) fn launch_pairs(times: &[Vec<f64>; PROCESSES], unit_ratio: f64) -> [[f64; 2]; 2] {
    let mut of_launches = times.each_ref().map(|times| time_of_launch(times).ln());
    of_launches[2..].iter_mut().for_each(|candidate| *candidate += unit_ratio.ln());
    let fastest = of_launches.into_iter().fold(f64::INFINITY, f64::min);
    [[0, 2], [1, 3]].map(|pair| pair.map(|process| of_launches[process] - fastest))
}

/// Returns the time of a launch: the lower quartile of the times of its turns. A slow launch is slow
/// from beginning to end, whereas a disturbance may spoil most turns of a short launch.
pub(super) fn time_of_launch(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[sorted.len().saturating_sub(1) / 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_paired_with_the_same_round_and_both_adjacent_ones() {
        // The median ratio of equal rounds is 4, that of all pairs 2.
        assert_eq!(median_log_ratio(&[1.0, 4.0, 1.0], &[4.0, 1.0, 8.0]), 0.0);
        let (a, b) = ([1.0, 1.1, 1.3, 0.9], [1.2, 1.0, 1.5, 1.1]);
        let sum = median_log_ratio(&a, &b) + median_log_ratio(&b, &a);
        assert!(sum.abs() < 1e-12, "the roles are exchangeable");
        assert_eq!(median_log_ratio(&[2.0], &[6.0]), 3.0_f64.ln());
    }

    #[test]
    fn the_fastest_sample_of_a_turn_is_its_time() {
        assert_eq!(fastest_of_turns(&[5.0, 3.0, 4.0, 7.0, 2.0], 2), [3.0, 4.0, 2.0]);
        assert_eq!(fastest_of_turns(&[5.0, 3.0], 1), [5.0, 3.0]);
    }

    #[test]
    fn a_disturbance_makes_no_launch_slow() {
        assert_eq!(time_of_launch(&[1.0, 300.0, 250.0]), 1.0);
        assert_eq!(time_of_launch(&[1.5; 3]), 1.5);
        assert_eq!(time_of_launch(&[9.0, 1.0, 3.0, 4.0, 2.0, 5.0]), 2.0);
        let pairs = launch_pairs(&[vec![2.0; 3], vec![1.0; 3], vec![3.0; 3], vec![0.5, 80.0]], 2.0);
        assert_eq!(pairs, [[2.0_f64.ln(), 6.0_f64.ln()], [0.0, 0.0]]);
    }
}
