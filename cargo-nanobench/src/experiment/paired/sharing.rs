//! Launches that serve several benchmarks of the same executables.

use super::benchmark::PairedBenchmark;
use super::calibration::Calibrators;
use super::error::BlockError;
use super::processes::Launches;
use super::shared::{ExecutablePair, Shared};
use super::state::PairedState;
use nanobench::model::ClockCalibration;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

/// Largest number of benchmarks that the same launches serve. Starting them takes little of the time of so
/// many, and the first of a large suite are decided soon.
pub(super) const MAX_SHARING: usize = 64;

/// Divides benchmarks into groups of those with the same shared launches, in their order. `launches`:
/// returns which those are, if a benchmark shares any.
pub(super) fn groups_of<L: Eq + Hash>(
    benchmarks: Vec<usize>,
    launches: impl Fn(usize) -> Option<L>,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: HashMap<L, usize> = HashMap::new();
    for i in benchmarks {
        let launches = launches(i);
        let group =
            launches.as_ref().and_then(|launches| open.get(launches)).map(|&group| &mut groups[group]);
        match group.filter(|group| group.len() < MAX_SHARING) {
            Some(group) => group.push(i),
            None => {
                open.extend(launches.map(|launches| (launches, groups.len())));
                groups.push(vec![i]);
            }
        }
    }
    groups
}

/// Calibrates those of these benchmarks that need it, all in the same processes.
pub(super) fn calibrate(
    states: &mut [PairedState<'_>],
    group: &[usize],
    executables: &mut ExecutablePair<'_>,
    shared: &mut Shared,
) -> Result<(), (usize, BlockError)> {
    let new: Vec<usize> = group.iter().copied().filter(|&i| states[i].needs_calibration()).collect();
    let Some(&first) = new.first() else { return Ok(()) };
    shared.exiting.clear();
    let benchmarks: Vec<&PairedBenchmark<'_>> = new.iter().map(|&i| &states[i].benchmark).collect();
    let calibrators = Calibrators::start(&benchmarks, &mut executables.clock);
    let mut calibrators = calibrators.map_err(|error| (first, error))?;
    new.into_iter().try_for_each(|i| states[i].calibrate(&mut calibrators).map_err(|error| (i, error)))
}

/// Starts the launches of a block for these benchmarks.
pub(super) fn start(
    states: &[PairedState<'_>],
    group: &[usize],
    ExecutablePair { files, .. }: &mut ExecutablePair<'_>,
    Shared { rng, exiting, .. }: &mut Shared,
) -> Result<Launches, BlockError> {
    let begin = Instant::now();
    if cfg!(windows) {
        // The files of running processes can't be deleted there.
        exiting.clear();
    }
    let states = || group.iter().map(|&i| &states[i]);
    let benchmarks: Vec<&PairedBenchmark<'_>> = states().map(|state| &state.benchmark).collect();
    // The place of a file makes no launch a slow one.
    let paths = match states().all(PairedState::only_adds_launches) {
        true => files.ready_paths(states().any(PairedState::may_show_change), rng),
        false => {
            let are_equal = benchmarks.iter().all(|benchmark| benchmark.limits().expects_same);
            files.paths(are_equal, states().any(PairedState::needs_new_files), rng)
        }
    };
    let clock = states().find_map(PairedState::clock).expect("calibrated before");
    let of_only_row = clock.prepared_segment.filter(|_| group.len() == 1);
    let clock = ClockCalibration { prepared_segment: of_only_row, ..clock.clone() };
    let launches = Launches::start(&benchmarks, &clock, &paths, begin, rng)?;
    exiting.clear();
    Ok(launches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_share_launches_in_groups_of_a_limited_size() {
        let launches = |i: usize| [Some("a"), None, Some("b")][i % 3];
        assert_eq!(groups_of(vec![3, 1, 2, 0, 5, 4], launches), [vec![3, 0], vec![1], vec![2, 5], vec![4]]);
        let sizes = groups_of((0..150).collect(), |_| Some(())).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes, [MAX_SHARING, MAX_SHARING, 150 - 2 * MAX_SHARING]);
    }
}
