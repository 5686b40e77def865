//! Comparison groups: benchmarks that are compared with each other within a run, and so are sampled
//! in turn.

/// Groups benchmarks by their baselines: a benchmark is in a group with its baseline and with all
/// that have the same baseline.
///
/// `baselines` has the index of the baseline of each benchmark. A benchmark that is compared with
/// nothing forms a separate group. Groups are ordered by their first member.
#[inline]
pub fn comparison_groups(baselines: &[Option<usize>]) -> Vec<Vec<usize>> {
    // The first known member of the group of each benchmark.
    let mut first_members: Vec<usize> = (0..baselines.len()).collect();
    for (benchmark, baseline) in baselines.iter().enumerate() {
        let Some(baseline) = *baseline else { continue };
        let (a, b) = (first_members[benchmark], first_members[baseline]);
        let (kept, merged) = (a.min(b), a.max(b));
        first_members.iter_mut().filter(|first| **first == merged).for_each(|first| *first = kept);
    }
    (0..baselines.len())
        .map(|first| (first..baselines.len()).filter(|&i| first_members[i] == first).collect::<Vec<_>>())
        .filter(|group| !group.is_empty())
        .collect()
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
