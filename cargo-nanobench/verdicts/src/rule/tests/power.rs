//! That changes are found, and in how many blocks.

use super::files::{Effects, Files, SuiteFiles};
use super::noise::Noise;
use super::scenarios::{OTHER_CODE, UNKNOWN_CODE};
use super::simulated::Simulated;
use super::suite::{Decided, Suite};
use crate::effort::Effort;
use crate::rules::Rules;
use crate::verdict::Verdict;
use std::time::Duration;

fn suite(effort: Effort, changed: u64, rows: u64, (scale, effect): (f64, f64), run: u64) -> Vec<Decided> {
    let is_brief = effort == Effort::Brief;
    let rules = match is_brief {
        true => Rules { threshold: 0.02, tests_threshold: true, ..Rules::default() },
        false => Rules::default(),
    };
    let kind = if is_brief { Files::Originals } else { Files::Copies };
    let effects = Effects { place: 0.003, layout: 0.0, process: 0.0, cost: Duration::from_millis(10) };
    let row = |i: u64| {
        let seed = run * 1_000 + i;
        match i < changed {
            true => Simulated::new(Noise::Normal, scale, effect.ln_1p(), seed),
            false => Simulated::new(Noise::Normal, 0.002, 0.0, seed),
        }
    };
    let files = SuiteFiles::new(kind, effects, run);
    let suite = Suite::with_files(effort, &rules, (0..rows).map(row).collect(), files);
    if is_brief { suite.with_own_figures().run() } else { suite.run() }
}

#[test]
fn a_regression_of_1_percent_is_found_beside_unchanged_benchmarks() {
    for (effort, scale) in [(OTHER_CODE, 0.002), (OTHER_CODE, 0.005), (UNKNOWN_CODE, 0.005)] {
        for run in 0..2 {
            let verdicts: Vec<Verdict> =
                suite(effort, 1, 8, (scale, 0.01), run).iter().map(|decided| decided.verdict).collect();
            assert_eq!(verdicts[0], Verdict::Slower, "{effort:?}, {scale}: {verdicts:?}");
            let same = verdicts[1..].iter().filter(|verdict| **verdict == Verdict::Same).count();
            assert!(same >= 6, "{effort:?}, {scale}: {verdicts:?}");
        }
    }
}

#[test]
fn a_change_of_the_size_of_a_set_threshold_is_not_called() {
    for effort in [Effort::Brief, OTHER_CODE] {
        let called = (0..12).filter(|&run| {
            let threshold = 0.05;
            let rules = Rules { threshold, tests_threshold: true, ..Rules::default() };
            let sign = if run % 2 == 0 { 1.0 } else { -1.0 };
            let row = Simulated::new(Noise::Normal, 0.002, sign * f64::ln_1p(threshold), 1 + 2 * run);
            let suite = Suite::new(effort, &rules, vec![row]);
            let suite = if effort == Effort::Brief { suite.with_own_figures() } else { suite };
            suite.run().remove(0).is_called()
        });
        let called = called.count();
        assert!(called <= 1, "{effort:?}: {called} of 12");
    }
}
