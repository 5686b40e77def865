//! Evidence that may be looked at any time, from the signs of values whose sizes are known.
//!
//! If a value is as likely to have the opposite sign, whatever its size and whatever the values before it
//! were, a bet on its sign is a fair game. A player who begins with 1 and bets a share of the capital, which
//! depends on the size of the value and on the past alone, multiplies it by `1 + share` or `1 - share`. The
//! capital is the *evidence* against that hypothesis, an e-value: it ever reaches `1 / level` with a
//! probability of at most `level` (Ville 1939). So it may be looked at after each value, and more values may
//! be added at any time. (De la Peña 1999 has the symmetric tests; Ramdas, Grünwald, Vovk and Shafer 2023,
//! "Game-theoretic statistics and safe anytime-valid inference", the whole theory.)
//!
//! The share is `tanh(k |value| / scale)`, the best one for normal noise around a centre of `k` scales. As
//! `k` is unknown, the capital is divided among several.

use super::order::ascending;
use nanobench::stats::Interval;

/// The centres that are bet on, in multiples of the typical size of the values so far. Each is twice as far
/// as the one before.
const CENTRES: [f64; 6] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0];
/// The largest share of the capital that is bet, so that no value can take all of it.
const MAX_SHARE: f64 = 0.98;
/// The share that is bet on the first value, whose size says nothing yet.
const FIRST_SHARE: f64 = 0.5;
/// Size beyond which a value is taken for an outlier, in multiples of the typical one.
const OUTLIER: f64 = 4.0;
/// Number of values after which the capital is kept as a logarithm. It fits in a number until then.
const SETTLED_VALUES: usize = 64;
/// Number of steps from the median to the farthest value, each of which doubles the distance.
const STEPS: u32 = 12;
/// Number of further steps, each of which halves the error of an end.
const PRECISION: usize = 7;

/// Share of the capital that bets on an expected centre, and the share of it that is bet on a value of about
/// that size.
const EXPECTED_WEIGHT: f64 = 0.8;
const EXPECTED_SHARE: f64 = 0.95;

/// How much is bet on a value of some size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bets {
    /// Outliers are disturbances: from four typical sizes on, less is bet on larger values.
    OnTypical,
    /// Like that, but most is bet on values of about this size, a centre that was known before the first one.
    OnExpected(f64),
    /// The largest values matter most, as when few of them make up the mean.
    OnLargest,
}

impl Bets {
    /// Returns the shares of their capitals that several players bet. `typical`: the typical size so far.
    fn shares(self, size: f64, typical: Option<f64>) -> [f64; CENTRES.len()] {
        let Some(typical) = typical else { return [FIRST_SHARE; CENTRES.len()] };
        let relative = match size / typical {
            outlier if outlier > OUTLIER && self != Bets::OnLargest => OUTLIER * OUTLIER / outlier,
            relative => relative,
        };
        // That of a centre twice as far: a hyperbolic tangent takes many times as long.
        let next = |share: &f64| Some(2.0 * share / (1.0 + share * share));
        let mut shares = std::iter::successors(Some((CENTRES[0] * relative).tanh()), next);
        CENTRES.map(|_| shares.next().unwrap_or(MAX_SHARE).min(MAX_SHARE))
    }
}

/// The capital of a player: what betting on each of the two sides has multiplied it by.
#[derive(Debug, Clone, Copy)]
struct Capital {
    factors: [f64; 2],
    /// The logarithms of former factors.
    logarithms: [f64; 2],
}

impl Capital {
    const NEW: Capital = Capital { factors: [1.0; 2], logarithms: [0.0; 2] };

    /// Bets this share on a value that is above the centre, or below it.
    fn bet(&mut self, share: f64, is_above: bool) {
        let share = if is_above { share } else { -share };
        self.factors[0] *= 1.0 - share;
        self.factors[1] *= 1.0 + share;
    }

    /// Makes room for further factors: a logarithm of each would take many times as long.
    fn settle(&mut self) {
        for (logarithm, factor) in self.logarithms.iter_mut().zip(&mut self.factors) {
            *logarithm += std::mem::replace(factor, 1.0).ln();
        }
    }
}

/// Returns the logarithms of the evidence that the values lie below `centre`, and that they lie above it.
pub fn log_evidence(values: &[f64], centre: f64, bets: Bets) -> [f64; 2] {
    let mut capitals = [Capital::NEW; CENTRES.len()];
    let mut of_expected = Capital::NEW;
    let mut past: Vec<f64> = Vec::with_capacity(values.len());
    for chunk in values.chunks(SETTLED_VALUES) {
        for value in chunk.iter().map(|value| value - centre).filter(|value| *value != 0.0) {
            let (size, is_above) = (value.abs(), value > 0.0);
            let shares = bets.shares(size, past.get(past.len() / 2).copied());
            capitals.iter_mut().zip(shares).for_each(|(capital, share)| capital.bet(share, is_above));
            if let Bets::OnExpected(expected) = bets {
                let ratio = size / (expected - centre).abs();
                of_expected.bet(EXPECTED_SHARE * (2.0 * ratio.min(1.0 / ratio)).min(1.0), is_above);
            }
            past.insert(past.partition_point(|other| *other < size), size);
        }
        capitals.iter_mut().chain([&mut of_expected]).for_each(Capital::settle);
    }
    [0, 1].map(|side: usize| {
        let usual = log_mean(&capitals.map(|capital| capital.logarithms[side]));
        match bets {
            Bets::OnExpected(_) => log_sum([
                EXPECTED_WEIGHT.ln() + of_expected.logarithms[side],
                (1.0 - EXPECTED_WEIGHT).ln() + usual,
            ]),
            Bets::OnTypical | Bets::OnLargest => usual,
        }
    })
}

/// Returns the logarithm of the mean of numbers with these logarithms.
fn log_mean<const N: usize>(logarithms: &[f64; N]) -> f64 {
    log_sum(*logarithms) - (N as f64).ln()
}

/// Returns the logarithm of the sum of numbers with these logarithms.
pub fn log_sum<const N: usize>(logarithms: [f64; N]) -> f64 {
    let max = logarithms.into_iter().fold(f64::NEG_INFINITY, f64::max);
    max + logarithms.into_iter().map(|logarithm| (logarithm - max).exp()).sum::<f64>().ln()
}

/// Returns an interval that contains the centre of the values with at least `confidence` (0 to 1) at all
/// times, if they lie symmetrically around it: the centres against which there is little evidence
/// (Howard, Ramdas, McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence
/// sequences"). Its ends are the nearest centres to the median that are rejected. `None` if there are too few
/// values.
pub fn betting_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(ascending);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let median = sorted[sorted.len() / 2];
    let limit = (2.0 / (1.0 - confidence)).ln();
    // Beyond the farthest value, all lie on one side, also if all are equal.
    let smallest = f64::EPSILON * f64::from(1 << STEPS) * median.abs();
    let farthest = 2.0 * (max - min).max(smallest).max(f64::MIN_POSITIVE);
    let distance = |side: usize, sign: f64| {
        let is_outside =
            |distance: f64| log_evidence(values, median + sign * distance, Bets::OnTypical)[side] >= limit;
        let mut outside = farthest / f64::from(1 << STEPS);
        while !is_outside(outside) {
            outside *= 2.0;
            if outside > farthest {
                return None;
            }
        }
        let mut inside = outside / 2.0;
        for _ in 0..PRECISION {
            let between = (inside + outside) / 2.0;
            if is_outside(between) { outside = between } else { inside = between }
        }
        Some(outside)
    };
    Some(Interval { low: median - distance(1, -1.0)?, high: median + distance(0, 1.0)? })
}

/// A hypothesis among several, all of which are tested.
#[derive(Debug, Clone, Copy)]
pub struct Hypothesis {
    /// The logarithm of the evidence against it.
    pub log_evidence: f64,
    /// Its share of the error. Those of all hypotheses add up to any number, which was fixed beforehand.
    pub weight: f64,
}

/// Returns which of these hypotheses are rejected, if the probability that any of those that are true ever
/// is must be at most `level`, however they depend on each other.
///
/// A set of hypotheses is rejected if the weighted mean of the evidence against them is at least `1 / level`,
/// and a hypothesis if each set is that it belongs to (closed testing: Vovk and Wang 2021, "E-values:
/// calibration, combination and applications"). The set that is hardest to reject has all those against
/// which there is less evidence than that.
pub fn rejected(hypotheses: &[Hypothesis], level: f64) -> Vec<bool> {
    let excess = |hypothesis: &Hypothesis| hypothesis.weight * (hypothesis.log_evidence.exp() - 1.0 / level);
    let missing: f64 = hypotheses.iter().map(excess).filter(|excess| *excess < 0.0).sum();
    hypotheses
        .iter()
        .map(|hypothesis| excess(hypothesis) > 0.0 && excess(hypothesis) + missing >= 0.0)
        .collect()
}

#[cfg(test)]
mod tests;
