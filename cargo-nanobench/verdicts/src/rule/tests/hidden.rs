//! The second and the third question: the average time, and slow launches.

use super::noise::Noise;
use super::scenarios::{OTHER_CODE, SAME_CODE, UNKNOWN_CODE};
use super::simulated::{Hidden, Simulated};
use super::suite::{Decided, Suite};
use crate::effort::Effort;
use crate::rules::Rules;
use crate::verdict::Verdict;
use nanobench::stats::quantile;

/// Regressions of 12 % and more on average that the typical time doesn't show.
const HIDDEN: [(&str, Hidden); 8] = [
    ("30 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.3 }),
    ("1 ms every 2 ms", Hidden::Calls { every: 2.0, cost: 1.0 }),
    ("0.2 ms every 0.4 ms at random", Hidden::RandomCalls { every: 0.4, cost: 0.2 }),
    ("0.6 ms every 4 ms", Hidden::Calls { every: 4.0, cost: 0.6 }),
    ("1.5 ms every 10 ms at random", Hidden::RandomCalls { every: 10.0, cost: 1.5 }),
    ("12 ms every 48 ms", Hidden::Calls { every: 48.0, cost: 12.0 }),
    ("1 launch in 4, 50 % slower", Hidden::Launches { one_in: 4.0, slowdown: 0.5 }),
    ("1 launch in 10 twice as slow", Hidden::Launches { one_in: 10.0, slowdown: 1.0 }),
];

/// Regressions of 13 to 30 %: up to 35 calls of a long launch, or all after 5 ms.
const CALLS: [(&str, Hidden); 6] = [
    ("0.25 ms every 1.6 ms", Hidden::Calls { every: 1.6, cost: 0.25 }),
    ("0.6 ms every 4 ms", Hidden::Calls { every: 4.0, cost: 0.6 }),
    ("2 ms every 10 ms", Hidden::Calls { every: 10.0, cost: 2.0 }),
    ("12 ms every 48 ms", Hidden::Calls { every: 48.0, cost: 12.0 }),
    ("13 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.13 }),
    ("30 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.3 }),
];

/// Efforts with long launches.
const EFFORTS: [Effort; 3] = [SAME_CODE, UNKNOWN_CODE, OTHER_CODE];

/// Returns the share of `slower`, and of `same` or `faster`, of this many benchmarks that run alone. Prints
/// them, with the median and the 95th percentile of their times.
fn verdicts(name: &str, effort: Effort, runs: u64, benchmark: impl Fn(u64) -> Simulated) -> [f64; 2] {
    let decide = |seed: u64| Suite::new(effort, &Rules::default(), vec![benchmark(seed)]).run().remove(0);
    let decided: Vec<Decided> = (0..runs).map(decide).collect();
    let share = |wanted: &[Verdict]| {
        decided.iter().filter(|decided| wanted.contains(&decided.verdict)).count() as f64 / runs as f64
    };
    let [slower, same] = [share(&[Verdict::Slower]), share(&[Verdict::Same, Verdict::Faster])];
    let mut seconds: Vec<f64> = decided.iter().map(|decided| decided.spent.as_secs_f64()).collect();
    seconds.sort_unstable_by(f64::total_cmp);
    let [median, most] = [0.5, 0.95].map(|q| quantile(&seconds, q));
    println!("{effort:?}, {name}: {slower:.2} slower, {same:.2} same, {median:.1} s, at most {most:.1} s");
    [slower, same]
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn hidden_regressions_are_slower_in_200_runs() {
    for effort in EFFORTS {
        for (name, hidden) in HIDDEN {
            verdicts(name, effort, 200, |seed| {
                Simulated::new(Noise::Normal, 0.005, 0.0, seed).hiding(hidden)
            });
        }
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn expensive_calls_with_an_unsteady_clock_are_not_the_same_in_1_000_runs() {
    for effort in EFFORTS {
        for (name, hidden) in CALLS {
            let benchmark = |seed: u64| Simulated::new(Noise::Normal, 0.005, 0.0, seed).hiding(hidden);
            let [_, same] = verdicts(name, effort, 1_000, |seed| benchmark(seed).with_unsteady_clock());
            println!("{same}");
        }
    }
}
