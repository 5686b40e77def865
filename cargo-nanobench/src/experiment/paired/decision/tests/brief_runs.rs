//! Changes that recur in brief runs.

use super::simulated::Hidden;
use super::*;

#[test]
fn a_brief_run_finds_clear_changes_with_few_launches() {
    for (change, verdict, expected_blocks) in [(0.3, Verdict::Slower, 4.0), (-0.3, Verdict::Faster, 6.0)] {
        let mut blocks = Vec::new();
        for run in 0..20 {
            let clear = |i: usize| Simulated::new(NOISES[i], 0.012, change, run * 10 + i as u64);
            let decided = suite_with(Effort::Brief, (0..4).map(clear).collect(), &Rules::default());
            let verdicts: Vec<Verdict> = decided.iter().map(|decided| decided.verdict).collect();
            assert_eq!(verdicts, [verdict; 4], "run {run}");
            blocks.extend(decided.iter().map(|decided| decided.blocks));
        }
        assert_eq!(stats::median(&blocks), expected_blocks, "of four launches, {change}");
    }
}

#[test]
fn a_brief_run_calls_little_faster_that_has_slow_launches() {
    // They are three times as slow, so the others save less than they add.
    let hidden = Hidden::Launches { one_in: 4.0, slowdown: 2.0 };
    let decided = |seed: u64| {
        let benchmark = Simulated::new(Noise::Normal, 0.02, -0.4, seed).hiding(hidden);
        suite_with(Effort::Brief, vec![benchmark], &Rules::default()).remove(0).verdict
    };
    let faster = (0..300).filter(|&seed| decided(seed) == Verdict::Faster).count();
    assert!(faster <= 12, "{faster} of 300: 3 % have no slow launch");
}
