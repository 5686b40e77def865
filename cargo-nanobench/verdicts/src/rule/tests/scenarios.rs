//! Suites with all kinds of noise, and with all that files and launches may add.

use super::files::{Effects, Files, SuiteFiles};
use super::noise::{NOISES, Noise};
use super::simulated::Simulated;
use super::suite::Suite;
use crate::effort::{Effort, LAUNCHES_OF_OTHER_CODE, LAUNCHES_OF_SAME_CODE, LAUNCHES_OF_UNKNOWN_CODE};
use crate::rules::Rules;
use std::time::Duration;

pub(super) const OTHER_CODE: Effort = Effort::Named { launches: LAUNCHES_OF_OTHER_CODE };
pub(super) const UNKNOWN_CODE: Effort = Effort::Named { launches: LAUNCHES_OF_UNKNOWN_CODE };
pub(super) const SAME_CODE: Effort = Effort::Named { launches: LAUNCHES_OF_SAME_CODE };

/// Number of benchmarks of a suite: all kinds of noise, some of them twice.
const ROWS: u64 = 13;
/// The spread of the launches of a benchmark.
const SCALE: f64 = 0.01;

/// Kinds of files, the most that the place of one of them adds, and the time in ms to make them.
const NAMED: [(Files, f64, u64); 6] = [
    (Files::Copies, 0.005, 10),
    (Files::Copies, 0.01, 10),
    (Files::Copies, 0.03, 10),
    // Very large executables.
    (Files::Copies, 0.03, 700),
    (Files::Layouts, 0.01, 150),
    (Files::Layouts, 0.03, 700),
];
/// The originals have their places throughout, so what these add must not exceed what is tested.
const BRIEF: [(Files, f64, u64); 3] =
    [(Files::Originals, 0.0, 0), (Files::Originals, 0.005, 0), (Files::Originals, 0.01, 0)];

/// Returns a suite in which files and launches have effects, one of a few kinds after the other. `effect`:
/// the change of a benchmark, as a share. There is no threshold that would hide small errors.
pub(super) fn suite(effort: Effort, run: u64, effect: impl Fn(u64) -> f64) -> Suite {
    let is_brief = effort == Effort::Brief;
    let scenarios: &[(Files, f64, u64)] = if is_brief { &BRIEF } else { &NAMED };
    let (kind, place, cost) = scenarios[run as usize % scenarios.len()];
    let process = if (run / scenarios.len() as u64).is_multiple_of(2) { 0.0 } else { 0.01 };
    let effects = Effects { place, layout: 0.03, process, cost: Duration::from_millis(cost) };
    let rules = match is_brief {
        true => Rules { threshold: 0.01, tests_threshold: true, ..Rules::default() },
        false => Rules { threshold: 1e-9, ..Rules::default() },
    };
    let seed = (100 * run + effort.limits().min_launches as u64) * 1_000;
    let row = |i: u64| {
        let noise = match NOISES[i as usize % NOISES.len()] {
            // With the same file throughout, that would be a change.
            Noise::SlowFiles(_) if is_brief => Noise::Normal,
            noise => noise,
        };
        Simulated::new(noise, SCALE, effect(i).ln_1p(), seed + i)
    };
    let files = SuiteFiles::new(kind, effects, seed + ROWS);
    let suite = Suite::with_files(effort, &rules, (0..ROWS).map(row).collect(), files);
    if is_brief { suite.with_own_figures() } else { suite }
}
