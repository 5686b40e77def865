//! Several closures compared with the first of them, in interleaved epochs.

use super::measuring::{self, Epochs};
use super::settings::Settings;
use super::{Bench, BenchResult, Measure};
use crate::measure::{Bencher, Count, Engine};
use crate::report::escape;
use crate::rng::Rng;
use crate::stats::{self, Interval};
use std::fmt;

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;
/// Smallest number of rounds. With fewer, an interval of the median hardly excludes anything.
const MIN_ROUNDS: u64 = 16;

pub(super) type Operation<'a> = Box<dyn FnMut(&mut Bencher) + 'a>;

/// Closures that are compared with each other: see [`Bench::compare`].
pub struct Compare<'b, 'a> {
    bench: &'b mut Bench,
    operations: Vec<(String, Operation<'a>)>,
}

impl fmt::Debug for Compare<'_, '_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.operations.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Compare").field("operations", &names).finish_non_exhaustive()
    }
}

/// The comparison of a closure with the first one. Displayed in words.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedTimes {
    /// Name of the closure.
    pub name: String,
    /// Name of the first closure.
    pub baseline: String,
    /// Time of the closure / time of the first one: the median over the rounds.
    pub ratio: f64,
    /// The 95 % interval of `ratio`, as its low and its high end.
    pub interval: (f64, f64),
}

impl fmt::Display for ComparedTimes {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ComparedTimes { ratio, interval: (low, high), .. } = *self;
        let [name, baseline] = [&self.name, &self.baseline].map(|name| escape(name));
        if low <= 1.0 && high >= 1.0 {
            let bound = (high - 1.0).max(1.0 - low) * 100.0;
            return write!(f, "`{name}` and `{baseline}` can't be told apart: within {bound:.1} %");
        }
        // A ratio of speeds or of times, whichever is over 1.
        let (word, ratio, low, high) = if ratio < 1.0 {
            ("fast", 1.0 / ratio, 1.0 / high, 1.0 / low)
        } else {
            ("long", ratio, low, high)
        };
        let verb = if word == "fast" { "is" } else { "takes" };
        write!(f, "`{name}` {verb} {ratio:.3} times as {word} as `{baseline}` (95 %: {low:.3} to {high:.3})")
    }
}

impl<'b, 'a> Compare<'b, 'a> {
    #[inline]
    pub(super) fn new(bench: &'b mut Bench) -> Compare<'b, 'a> {
        Compare { bench, operations: Vec::new() }
    }

    /// Adds a closure. The first one is what the others are compared with.
    #[inline]
    #[must_use = "`run` measures"]
    pub fn with<T: 'a>(
        mut self,
        name: impl Into<String>,
        operation: impl FnMut() -> T + 'a,
    ) -> Compare<'b, 'a> {
        let calls = self.bench.calls_of(operation);
        self.operations.push((name.into(), Box::new(calls)));
        self
    }

    /// Measures the closures in turn, epoch by epoch, so that a disturbance or a change of the
    /// clock rate hits all of them alike. Each closure runs before every other as often as after
    /// it. Prints their rows, and for each but the first a comparison in words. Returns these.
    #[inline]
    pub fn run(self) -> Vec<ComparedTimes> {
        let Compare { bench, mut operations } = self;
        let mut compared = Vec::new();
        measuring::with_engine(|engine| compared = run(engine, bench, &mut operations, &mut Rng::new()));
        let lines: String = compared.iter().map(|one| format!("{one}\n")).collect();
        bench.output.print(&lines);
        compared
    }
}

#[inline]
pub(super) fn run(
    engine: &Engine,
    bench: &mut Bench,
    operations: &mut [(String, Operation<'_>)],
    rng: &mut Rng,
) -> Vec<ComparedTimes> {
    let rounds = bench.settings.epochs.max(MIN_ROUNDS).next_multiple_of(2);
    let settings = Settings { epochs: rounds, ..bench.settings.clone() };
    let mut contenders: Vec<Epochs> = operations
        .iter_mut()
        .map(|(name, operation)| {
            let settings = Settings { name: name.clone(), ..settings.clone() };
            Epochs::calibrate(engine, settings, Count::None, operation)
        })
        .collect();
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    for round in 0..rounds {
        // Each order is followed by its reverse.
        if round % 2 == 0 {
            rng.shuffle(&mut order);
        } else {
            order.reverse();
        }
        for &i in &order {
            contenders[i].measure(round);
        }
    }
    let results: Vec<BenchResult> = contenders.into_iter().map(Epochs::result).collect();
    let compared: Vec<ComparedTimes> = match results.split_first() {
        Some((first, others)) => others.iter().filter_map(|other| compare(first, other)).collect(),
        None => Vec::new(),
    };
    results.into_iter().for_each(|result| bench.add(result));
    compared
}

/// Compares the epochs of the same rounds. `None` if one of the two has no time.
#[inline]
fn compare(baseline: &BenchResult, other: &BenchResult) -> Option<ComparedTimes> {
    let times = |result: &BenchResult| result.values(Measure::Elapsed);
    let ratio = |(baseline, other): (f64, f64)| (other / baseline).ln();
    let ratios: Vec<f64> = times(baseline).into_iter().zip(times(other)).map(ratio).collect();
    if ratios.iter().any(|ratio| !ratio.is_finite()) {
        return None;
    }
    let Interval { low, high } = stats::median_interval(&ratios, CONFIDENCE)?;
    Some(ComparedTimes {
        name: other.name().to_owned(),
        baseline: baseline.name().to_owned(),
        ratio: stats::median(&ratios).exp(),
        interval: (low.exp(), high.exp()),
    })
}
