//! The average times of the pairs of a block, from the samples of its launches.

use super::benchmark::PROCESSES;
use super::launch_times::{fastest_of_turns, iteration_times, time_of_launch};
use nanobench::model::Launch;
use std::time::Duration;
use verdicts::statistics as stats;
use verdicts::{AveragePair, MIN_EXPENSIVE_SHARE};

/// Largest time of a sample at the beginning of a turn, in multiples of the typical one, that cold
/// caches and predictors explain.
const MAX_COLD_FACTOR: f64 = 3.0;

/// Smallest share by which a launch gets slower after the usual time that isn't noise.
const MIN_SLOWDOWN: f64 = 0.08;

/// The turns of the processes of a block.
#[derive(Debug, Default, Clone)]
pub(super) struct TakenTurns {
    /// Number of samples of a turn, except for those of long launches.
    pub(super) samples_per_turn: u64,
    /// Number of samples of each launch that isn't long.
    pub(super) usual_samples: usize,
    /// Places of the first samples of all turns.
    pub(super) begins: Vec<usize>,
    /// Number of untimed calls at the beginning of each turn.
    pub(super) warmup_iterations: u64,
    /// Time in which all processes took turns.
    pub(super) usual_time: Duration,
    /// Time in which those of long launches took more of them.
    pub(super) long_time: Duration,
}

impl TakenTurns {
    /// Returns the typical times of an iteration in a whole launch, and in as much of it as is usual, from
    /// the times of its samples.
    fn typical_times(&self, times: &[f64]) -> [f64; 2] {
        let usual = &times[..self.usual_samples.min(times.len())];
        [times, usual].map(|times| time_of_launch(&fastest_of_turns(times, self.samples_per_turn)))
    }

    /// Returns the times of samples as they count in the average. Those at the beginnings of turns, when
    /// caches and predictors are as the other processes left them, count like the others without an
    /// expensive call. Expensive calls count wherever they are.
    fn counted_times(&self, times: &[f64], typical: f64) -> Vec<f64> {
        let begins_turn =
            |place: usize| self.samples_per_turn > 1 && self.begins.binary_search(&place).is_ok();
        let is_expensive = |time: f64| time >= MAX_COLD_FACTOR * typical;
        let samples = || times.iter().copied().enumerate();
        let warm = samples().filter(|&(place, time)| !begins_turn(place) && !is_expensive(time));
        let warm: Vec<f64> = warm.map(|(_, time)| time).collect();
        let usual = if warm.is_empty() { typical } else { stats::mean(&warm) };
        let is_cold = |place: usize, time: f64| begins_turn(place) && !is_expensive(time);
        samples().map(|(place, time)| if is_cold(place, time) { usual } else { time }).collect()
    }

    /// Returns the time of expensive calls before the samples of turns. `warmups`: the time of all
    /// calls before the samples of each turn; `typical`: that of a call; `sample`: that of a sample.
    /// Cold caches and predictors take less than a sample.
    fn expensive_warmups(&self, warmups: &[f64], typical: f64, sample: f64) -> f64 {
        let usual = typical * self.warmup_iterations as f64;
        warmups.iter().map(|time| time - usual).filter(|&excess| excess > sample).sum()
    }
}

/// Returns what calls add to an iteration on average. `in_samples`: what they add in samples;
/// `in_warmups`: what those before the samples of turns add, per iteration in a sample; `share`: the
/// share of time in which the process had its turns.
///
/// If a process does something whenever some milliseconds have passed, that is due when its turn begins,
/// before the first sample. It is as frequent as in a program if it is related to all of the time. If
/// it does something after a number of calls, samples show it.
fn excess_of_calls(in_samples: f64, in_warmups: f64, share: f64) -> f64 {
    if in_warmups > 0.0 { in_samples.max(share * (in_samples + in_warmups)) } else { in_samples }
}

/// Returns the waiting times of this number of samples of both processes, or of neither if one can't tell:
/// it waits as well.
fn waits_of_both(waits: [Option<&[u64]>; 2], length: usize) -> [&[u64]; 2] {
    match waits {
        [Some(baseline), Some(candidate)] => [&baseline[..length], &candidate[..length]],
        _ => [&[]; 2],
    }
}

/// Returns the times of an iteration in ns without the waiting times of samples, if these are known.
fn without_waiting(times: &[f64], waits: &[u64], iterations: impl Fn(usize) -> u64) -> Vec<f64> {
    let wait = |place: usize| waits.get(place).map_or(0.0, |&wait| wait as f64);
    let time = |(place, time): (usize, &f64)| time - wait(place) / iterations(place) as f64;
    times.iter().enumerate().map(time).collect()
}

/// Returns by how much the times of expensive samples exceed the typical one, in all. `least`: the time in
/// ns by which such a sample is longer than usual.
fn expensive_time(times: &[f64], typical: f64, least: f64, iterations: impl Fn(usize) -> u64) -> f64 {
    let longer = times.iter().map(|time| time - typical).enumerate();
    longer
        .filter(|&(place, longer)| longer * iterations(place) as f64 > least)
        .map(|(_, longer)| longer)
        .sum()
}

/// Returns the average times of two pairs of processes that share no process. They are relative to
/// the median of all samples of the block, because the machine may be slower during some blocks.
/// `waited`: the waiting time of each process's samples in ns, if it is known. `warmups`: the time of
/// the calls before the samples of each turn in ns, as far as it is known. `unit_ratio`: the number of
/// units per iteration in the baseline, relative to the candidate.
pub(super) fn average_pairs(
    launches: &[Launch; PROCESSES],
    waited: &[Option<Vec<u64>>; PROCESSES],
    warmups: &[Vec<f64>; PROCESSES],
    unit_ratio: f64,
    turns: &TakenTurns,
) -> [AveragePair; 2] {
    let times = launches.each_ref().map(iteration_times);
    let level = stats::median(&times.concat());
    [[0, 2], [1, 3]].map(|pair| {
        let samples = pair.map(|process| &launches[process].samples);
        let length = samples[0].len().min(samples[1].len());
        let waits = waits_of_both(pair.map(|process| waited[process].as_deref()), length);
        // Both processes have the same number of iterations in each sample.
        let iterations = |place: usize| samples[0][place].iterations;
        let units = [1.0, unit_ratio];
        let times = [0, 1].map(|side: usize| {
            let times = without_waiting(&times[pair[side]][..length], waits[side], iterations);
            times.into_iter().map(|time| units[side] * time).collect::<Vec<f64>>()
        });
        // A launch that gets slower after the usual time counts as fast: what it takes then is an excess,
        // which counts by the number of calls.
        let typical_times = times.each_ref().map(|times| turns.typical_times(times));
        let gets_slower = typical_times.map(|[whole, usual]| whole > usual * (1.0 + MIN_SLOWDOWN));
        let typical = [0, 1].map(|side| typical_times[side][usize::from(gets_slower[side])]);
        let all_iterations = (0..length).map(iterations).sum::<u64>();
        let sampled = times.each_ref().map(|times| {
            times.iter().enumerate().map(|(place, time)| time * iterations(place) as f64).sum::<f64>()
        });
        let is_long = length > turns.usual_samples;
        let duration = turns.usual_time + if is_long { turns.long_time } else { Duration::ZERO };
        let begun = turns.begins.partition_point(|&begin| begin < length);
        let in_warmups = [0, 1].map(|side: usize| {
            let warmups: Vec<f64> =
                warmups[pair[side]].iter().take(begun).map(|time| units[side] * time).collect();
            turns.expensive_warmups(&warmups, typical[side], sampled[side] / length as f64)
        });
        let of_calls = |side: usize, in_samples: f64| {
            let share = sampled[side] / 1e9 / duration.as_secs_f64();
            excess_of_calls(in_samples, in_warmups[side] / all_iterations as f64, share.min(1.0)) / level
        };
        let counted = [0, 1].map(|side: usize| turns.counted_times(&times[side], typical[side]));
        let excess = [0, 1].map(|side: usize| of_calls(side, stats::mean(&counted[side]) - typical[side]));
        let expensive = [0, 1].map(|side: usize| {
            if gets_slower[side] {
                return excess[side];
            }
            let least = MIN_EXPENSIVE_SHARE * sampled[side];
            let sum = expensive_time(&counted[side], typical[side], least, iterations);
            of_calls(side, sum / length as f64)
        });
        AveragePair {
            typical: typical.map(|time| time / level),
            excess,
            expensive,
            waiting: [0, 1].map(|side| {
                units[side] * waits[side].iter().sum::<u64>() as f64 / all_iterations as f64 / level
            }),
            iterations: all_iterations,
            interrupted: waits.map(|waits| waits.iter().filter(|&&time| time > 0).count() as u64),
            waited: waits.map(|waits| Duration::from_nanos(waits.iter().sum())),
            samples: length as u64,
            is_long,
            sampled: Duration::try_from_secs_f64(sampled[0].min(sampled[1]) / 1e9).unwrap_or_default(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::Sample;

    /// Returns the places of turns of one sample each.
    fn turns(usual_samples: usize) -> TakenTurns {
        TakenTurns {
            samples_per_turn: 1,
            usual_samples,
            begins: (0..usual_samples).collect(),
            ..TakenTurns::default()
        }
    }

    /// Returns the average times of the pairs of these launches, in which the beginnings of turns are
    /// not known.
    fn pairs(
        launches: &[Launch; PROCESSES],
        waited: &[Option<Vec<u64>>; PROCESSES],
        unit_ratio: f64,
        turns: &TakenTurns,
    ) -> [AveragePair; 2] {
        average_pairs(launches, waited, &Default::default(), unit_ratio, turns)
    }

    /// Returns the average times of a pair.
    fn average(pair: &AveragePair) -> [f64; 2] {
        [0, 1].map(|side| pair.typical[side] + pair.excess[side])
    }

    fn launch(times: &[u64]) -> Launch {
        let clock = project::fixtures::clock();
        let sample = |(round, &time): (usize, &u64)| Sample {
            iterations: 10,
            elapsed: 10 * time,
            round: round as u64,
            ..Sample::default()
        };
        let samples = times.iter().enumerate().map(sample).collect();
        Launch { clock, segment_cost: 0.0, empty_loop: 0.5, samples }
    }

    #[test]
    fn waiting_times_are_subtracted_and_slow_calls_stay() {
        let launches = [[100, 100, 100, 900], [100; 4], [100, 700, 100, 800], [100; 4]].map(|t| launch(&t));
        let waited = [vec![0, 0, 0, 8_000], vec![0; 4], vec![0, 0, 0, 7_000], vec![0; 4]].map(Some);
        let [first, second] = pairs(&launches, &waited, 1.0, &turns(4));
        assert_eq!(average(&first), [1.0, 2.5], "the slow call of the candidate counts");
        assert_eq!(first.relative(false), [1.0, 2.5]);
        assert_eq!(first.interrupted, [1, 1]);
        assert_eq!(first.waited, [8, 7].map(Duration::from_micros));
        assert_eq!(first.waiting, [2.0, 1.75]);
        assert_eq!(first.relative(true), [3.0, 4.25]);
        assert_eq!((average(&second), second.interrupted), ([1.0; 2], [0, 0]));
        assert_eq!((first.samples, first.sampled), (4, Duration::from_nanos(4_000)));
    }

    #[test]
    fn a_slow_call_counts_even_if_it_is_always_interrupted() {
        // Twenty times as long as usual, and then interrupted for as long.
        let launches = [[100; 4], [100; 4], [100, 4_000, 100, 100], [100; 4]].map(|t| launch(&t));
        let waited = [vec![0; 4], vec![0; 4], vec![0, 20_000, 0, 0], vec![0; 4]].map(Some);
        let [first, _] = pairs(&launches, &waited, 1.0, &turns(4));
        assert_eq!(average(&first), [1.0, 5.75]);
    }

    #[test]
    fn nothing_is_subtracted_if_one_process_of_a_pair_cannot_tell() {
        let launches = [[100, 900], [100, 900], [100; 2], [100; 2]].map(|t| launch(&t));
        let waited = [Some(vec![0, 8_000]), Some(vec![0, 8_000]), None, Some(vec![0; 2])];
        let [first, second] = pairs(&launches, &waited, 1.0, &turns(4));
        assert_eq!((average(&first), first.interrupted), ([5.0, 1.0], [0, 0]));
        assert_eq!((average(&second), second.interrupted), ([1.0; 2], [1, 0]));
    }

    #[test]
    fn processes_that_ran_longer_are_compared_over_the_same_rounds() {
        let launches = [&[100; 6][..], &[100; 2], &[200; 4], &[300; 2]].map(launch);
        let [first, _] = pairs(&launches, &[const { None }; PROCESSES], 0.5, &turns(2));
        assert_eq!((first.samples, first.is_long), (4, true));
        let [baseline, candidate] = average(&first);
        assert!((candidate / baseline - 1.0).abs() < 1e-12, "twice the units: {first:?}");
    }

    #[test]
    fn a_cold_beginning_of_a_turn_does_not_count() {
        let cold = [200, 100, 290, 160, 100, 100];
        let launches = [[100; 6], [100; 6], cold, [100; 6]].map(|times| launch(&times));
        let turns = TakenTurns {
            samples_per_turn: 2,
            usual_samples: 6,
            begins: vec![0, 2, 4],
            ..TakenTurns::default()
        };
        let change = |candidate: &Launch| {
            let launches = [&launches[0], &launches[1], candidate, &launches[3]].map(Clone::clone);
            let [first, _] = pairs(&launches, &[const { None }; PROCESSES], 1.0, &turns);
            assert_eq!((first.samples, first.iterations), (6, 60));
            let [baseline, candidate] = average(&first);
            [candidate - baseline, first.expensive[1]].map(|share| (100.0 * share).round())
        };
        assert_eq!(change(&launches[2]), [20.0; 2], "as 100, 160 and 100");
        assert_eq!(change(&launch(&[200, 100, 980, 100, 100, 100])), [147.0; 2], "880 in six samples");
    }

    #[test]
    fn a_launch_that_gets_slower_does_not_count_as_slow_from_the_beginning() {
        let slow_later = [[100; 2].as_slice(), &[150; 8]].concat();
        let launches = [vec![100; 10], vec![100; 2], slow_later, vec![100; 2]].map(|times| launch(&times));
        let [first, _] = pairs(&launches, &[const { None }; PROCESSES], 1.0, &turns(2));
        assert_eq!(first.typical, [1.0; 2]);
        assert_eq!(first.relative(false), [1.0, 1.4]);
        assert_eq!(first.expensive, first.excess);
    }

    #[test]
    fn few_samples_that_add_much_are_expensive() {
        let expensive = |candidate: &[u64]| {
            let baseline = [100, 100, 160].repeat(candidate.len() / 3);
            let launches = [&baseline[..], &baseline, candidate, &baseline].map(launch);
            let [first, _] = pairs(&launches, &[const { None }; PROCESSES], 1.0, &turns(candidate.len()));
            first.expensive
        };
        let unsteady = [100, 100, 160].repeat(100);
        assert_eq!(expensive(&unsteady), [0.0; 2], "each adds 0.2 % at most");
        let with_call = [&unsteady[..299], &[3_100]].concat();
        assert_eq!(expensive(&with_call), [0.0, 0.1]);
        assert_eq!(expensive(&[100, 100, 160]), [0.2; 2], "a third of the samples");
    }

    #[test]
    fn waiting_does_not_make_a_launch_slow() {
        let launches = [[100; 4], [100; 4], [300, 250, 100, 300], [100; 4]].map(|times| launch(&times));
        let waited = [vec![0; 4], vec![0; 4], vec![2_000, 1_500, 0, 2_000], vec![0; 4]].map(Some);
        let [first, _] = pairs(&launches, &waited, 1.0, &turns(4));
        assert_eq!((first.typical, first.excess), ([1.0; 2], [0.0; 2]));
    }

    #[test]
    fn expensive_calls_at_the_beginnings_of_turns_count_by_their_share_of_all_time() {
        // Three turns of 2,000 ns within 24,000 ns.
        let launches = [(); PROCESSES].map(|()| launch(&[100; 6]));
        let turns = TakenTurns {
            samples_per_turn: 2,
            usual_samples: 6,
            begins: vec![0, 2, 4],
            warmup_iterations: 1,
            usual_time: Duration::from_nanos(24_000),
            long_time: Duration::ZERO,
        };
        let unknown = [const { None }; PROCESSES];
        let change = |candidate: &[f64], launches: &[Launch; PROCESSES]| {
            let warmups = [vec![100.0; 3], vec![100.0; 3], candidate.to_vec(), vec![100.0; 3]];
            let [pair, _] = average_pairs(launches, &unknown, &warmups, 1.0, &turns);
            let [baseline, candidate] = average(&pair);
            (1_000.0 * (candidate - baseline)).round()
        };
        assert_eq!(change(&[900.0, 1_000.0, 1_100.0], &launches), 0.0, "cold caches");
        assert_eq!(change(&[9_100.0, 100.0, 6_100.0], &launches), 625.0, "15,000 of 24,000 ns");
        let mut slow_samples = launches;
        slow_samples[2] = launch(&[100, 100, 100, 400, 100, 100]);
        assert_eq!(change(&[100.0; 3], &slow_samples), 500.0);
        assert_eq!(change(&[1_300.0, 100.0, 100.0], &slow_samples), 500.0, "most are in samples");
    }
}
