//! Which benchmarks are sampled in turn: those that are compared with each other.

/// The benchmarks in teams: each with its baseline, and with all that have the same. For each benchmark there is where its
/// baseline stands among them. Most are a team of one. In order of the first of each.
pub fn comparison_groups(baselines: &[Option<usize>]) -> Vec<Vec<usize>> {
    // The least member of each one's team, as far as it is known.
    let mut least: Vec<usize> = (0..baselines.len()).collect();
    for (this, baseline) in baselines.iter().enumerate() {
        let Some(baseline) = *baseline else { continue };
        let (a, b) = (least[this], least[baseline]);
        let (to, from) = (a.min(b), a.max(b));
        least.iter_mut().filter(|team| **team == from).for_each(|team| *team = to);
    }
    (0..baselines.len())
        .map(|first| (first..baselines.len()).filter(|&i| least[i] == first).collect::<Vec<_>>())
        .filter(|team| !team.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_compared_are_a_team() {
        let baselines = [None, Some(3), None, None, Some(3), Some(1), Some(5)];
        assert_eq!(comparison_groups(&baselines), [vec![0], vec![1, 3, 4, 5, 6], vec![2]]);
        assert_eq!(
            comparison_groups(&[None, Some(0), None, Some(2), Some(3), Some(1)]),
            [vec![0, 1, 5], vec![2, 3, 4]]
        );
    }
}
