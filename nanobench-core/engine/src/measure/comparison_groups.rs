//! Comparison groups: benchmarks that are compared with each other within a run, and so are sampled
//! in turn.

/// Groups benchmarks by their baselines: a benchmark is in a group with its baseline and with all
/// that have the same baseline.
///
/// `baselines` has the index of the baseline of each benchmark. A benchmark that is compared with
/// nothing forms a separate group. Groups are ordered by their first member.
#[inline]
pub fn comparison_groups(baselines: &[Option<usize>]) -> Vec<Vec<usize>> {
    // An earlier member of the group of each benchmark. The first member refers to itself.
    let mut earlier: Vec<usize> = (0..baselines.len()).collect();
    for (benchmark, baseline) in baselines.iter().enumerate() {
        let Some(baseline) = *baseline else { continue };
        let (a, b) = (first_member(&mut earlier, benchmark), first_member(&mut earlier, baseline));
        earlier[a.max(b)] = a.min(b);
    }
    let mut groups = vec![Vec::new(); baselines.len()];
    for benchmark in 0..baselines.len() {
        groups[first_member(&mut earlier, benchmark)].push(benchmark);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the first member of a benchmark's group. Shortens the way to it for the next call.
#[inline]
fn first_member(earlier: &mut [usize], mut benchmark: usize) -> usize {
    while earlier[benchmark] != benchmark {
        earlier[benchmark] = earlier[earlier[benchmark]];
        benchmark = earlier[benchmark];
    }
    benchmark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compared_benchmarks_are_a_group() {
        let baselines = [None, Some(3), None, None, Some(3), Some(1), Some(5)];
        assert_eq!(comparison_groups(&baselines), [vec![0], vec![1, 3, 4, 5, 6], vec![2]]);
        assert_eq!(
            comparison_groups(&[None, Some(0), None, Some(2), Some(3), Some(1)]),
            [vec![0, 1, 5], vec![2, 3, 4]]
        );
    }
}
