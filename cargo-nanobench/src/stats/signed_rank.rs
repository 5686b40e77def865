//! Where the middle of a symmetric distribution lies, from the signs and the ranks of a few values: exact whatever the
//! distribution, as long as each value could as well have come with the other sign.
//!
//! That is so for the logarithm of the ratio of two times whose roles were dealt at random: Wilcoxon's signed-rank test and
//! the interval that belongs to it (Hollander and Wolfe, *Nonparametric Statistical Methods*, 3.1 to 3.3). Ranks above a
//! share of the number of values count as that share ("winsorised" scores: Policello and Hettmansperger 1976, "Adaptive
//! robust procedures for the one-sample location problem"), so that values from far out weigh no more than others.

use nanobench::stats::Interval;

/// Ranks count up to this share of the number of values: 1 would be Wilcoxon's test, 0 the sign test. Chosen by what
/// simulation and measured launches say (`docs/method.md`).
const SHARE: f64 = 0.4;

/// The middle of the distribution that `values` come from: the generalisation of the Hodges-Lehmann estimate to these
/// scores. NaN for no values.
pub(crate) fn hodges_lehmann(values: &[f64]) -> f64 {
    Signed::new(values, SHARE).map_or(f64::NAN, |signed| signed.middle())
}

/// An interval that holds the middle of the distribution with at least `confidence` (0 to 1). `None` where there are too
/// few values for that confidence.
pub(crate) fn signed_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    Signed::new(values, SHARE)?.interval((1.0 - confidence) / 2.0)
}

/// How probable it is that values around 0 lie as far to one side as these or farther, both sides taken together. 1 for no
/// values.
pub(crate) fn signed_rank_p(values: &[f64]) -> f64 {
    Signed::new(values, SHARE).map_or(1.0, |signed| signed.p())
}

/// Values ready to be asked.
struct Signed {
    values: Vec<f64>,
    /// The means of all pairs of them, each with itself too, in order (Walsh averages): the only places where a rank or a
    /// sign changes.
    means: Vec<f64>,
    /// By rank from 0.
    scores: Vec<usize>,
}

impl Signed {
    fn new(values: &[f64], share: f64) -> Option<Signed> {
        let n = values.len();
        if n == 0 || values.iter().any(|x| x.is_nan()) {
            return None;
        }
        let pairs = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
        let mut means: Vec<f64> = pairs.map(|(i, j)| (values[i] + values[j]) / 2.0).collect();
        means.sort_unstable_by(f64::total_cmp);
        let most = ((share * n as f64).ceil() as usize).max(1);
        Some(Signed { values: values.to_vec(), means, scores: (1..=n).map(|rank| rank.min(most)).collect() })
    }

    fn total(&self) -> usize {
        self.scores.iter().sum()
    }

    /// The scores of the values below `place`, together. Grows with `place`.
    fn below(&self, place: f64) -> usize {
        let mut from: Vec<f64> = self.values.iter().map(|x| x - place).collect();
        from.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
        from.iter().zip(&self.scores).filter(|(x, _)| **x < 0.0).map(|(_, score)| score).sum()
    }

    /// The first place beyond which the scores below are together more than `least`.
    fn first_with_more(&self, least: usize) -> f64 {
        let beyond = |i: usize| match self.means.get(i + 1) {
            // Between the two no rank and no sign changes.
            Some(next) => self.below(self.means[i] + (next - self.means[i]) / 2.0),
            None => self.total(),
        };
        let (mut low, mut high) = (0, self.means.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if beyond(middle) > least { high = middle } else { low = middle + 1 }
        }
        self.means[low]
    }

    fn mirrored(&self) -> Signed {
        let negative = |values: &[f64]| values.iter().map(|x| -x).collect::<Vec<f64>>();
        let mut means = negative(&self.means);
        means.reverse();
        Signed { values: negative(&self.values), means, scores: self.scores.clone() }
    }

    fn middle(&self) -> f64 {
        // Half of the total, and where that is no whole number, the one below.
        let half = (self.total() - 1) / 2;
        (self.first_with_more(half) - self.mirrored().first_with_more(half)) / 2.0
    }

    /// The probabilities that the scores below the true middle are together 0, 1, 2 and so on: each value is below or
    /// above it with the same probability, whatever its rank.
    fn probabilities(&self) -> Vec<f64> {
        let mut probabilities = vec![0.0; self.total() + 1];
        probabilities[0] = 1.0;
        let mut most = 0;
        for &score in &self.scores {
            most += score;
            for sum in (0..=most).rev() {
                let with = if sum >= score { probabilities[sum - score] } else { 0.0 };
                probabilities[sum] = 0.5 * (probabilities[sum] + with);
            }
        }
        probabilities
    }

    fn interval(&self, tail: f64) -> Option<Interval> {
        let mut below = 0.0;
        let within = |probability: &&f64| {
            below += **probability;
            below <= tail
        };
        let probabilities = self.probabilities();
        // So small a sum of scores has so small a probability: what makes it that small is outside.
        let least = probabilities.iter().take_while(within).count().checked_sub(1)?;
        Some(Interval { low: self.first_with_more(least), high: -self.mirrored().first_with_more(least) })
    }

    fn p(&self) -> f64 {
        let (below, above) = (self.below(0.0), self.mirrored().below(0.0));
        let tail: f64 = self.probabilities()[..=below.min(above)].iter().sum();
        (2.0 * tail).min(1.0)
    }
}

/// How many values it takes at least for a test at this level, one-sided, with some room for a value that lies on the
/// other side.
pub(crate) fn signed_least(level: f64) -> usize {
    (4.0 / level).log2().ceil().max(4.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wilcoxon(values: &[f64]) -> Signed {
        Signed::new(values, 1.0).unwrap()
    }

    /// Hollander and Wolfe, example 3.1: Hamilton's depression scale, before and after; the differences.
    const DEPRESSION: [f64; 9] = [-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010];

    #[test]
    fn with_all_ranks_it_is_the_published_signed_rank_test() {
        // scipy.stats.wilcoxon gives T = 5 and p = 0.0390625; the book an estimate of -0.46 and, at 96.1 %, the interval
        // from -0.786 to -0.010.
        let signed = wilcoxon(&DEPRESSION);
        assert!((signed.p() - 0.039_062_5).abs() < 1e-12, "{}", signed.p());
        assert!((signed.middle() + 0.46).abs() < 1e-9, "{}", signed.middle());
        let interval = signed.interval(0.0196).unwrap();
        assert!((interval.low + 0.786).abs() < 1e-9, "{interval:?}");
        assert!((interval.high + 0.010).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn probabilities_are_those_of_the_tables() {
        // P(T <= 8) of ten values is 25 / 1024, P(T <= 0) of eight 1 / 256 (Hollander and Wolfe, table A.4).
        let tail = |n: usize, at: usize| -> f64 {
            let values: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            wilcoxon(&values).probabilities()[..=at].iter().sum()
        };
        assert!((tail(10, 8) - 25.0 / 1024.0).abs() < 1e-12);
        assert!((tail(8, 0) - 1.0 / 256.0).abs() < 1e-12);
    }

    #[test]
    fn with_one_score_it_is_the_sign_test_and_the_median() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let sign = Signed::new(&values, 0.0).unwrap();
        // Ranks 2 and 9 of ten, as tabulated, and 2 x 2^-10.
        let interval = sign.interval(0.025).unwrap();
        assert_eq!((interval.low, interval.high), (2.0, 9.0));
        assert_eq!(sign.p(), 2.0 / 1024.0);
        assert_eq!(sign.middle(), 5.5);
    }

    #[test]
    fn the_interval_holds_what_the_test_does_not_reject() {
        let values = [0.3, -0.1, 0.7, 0.4, 0.9, 0.2, 1.4, 0.05, 0.6, 0.8, 0.35, 0.45];
        let interval = signed_interval(&values, 0.95).unwrap();
        let moved = |by: f64| signed_rank_p(&values.map(|x| x - by));
        assert!(moved(interval.low + 1e-6) > 0.05 && moved(interval.high - 1e-6) > 0.05, "{interval:?}");
        assert!(moved(interval.low - 1e-6) <= 0.05 && moved(interval.high + 1e-6) <= 0.05, "{interval:?}");
        assert!((interval.low..interval.high).contains(&hodges_lehmann(&values)));
    }

    #[test]
    fn few_values_say_nothing() {
        assert!(signed_interval(&[1.0, 2.0, 3.0, 4.0], 0.95).is_none());
        assert!(signed_interval(&[], 0.95).is_none());
        assert_eq!(signed_rank_p(&[]), 1.0);
        assert!(hodges_lehmann(&[]).is_nan());
        let six: Vec<f64> = (1..=6).map(f64::from).collect();
        assert_eq!(signed_interval(&six, 0.95).map(|i| (i.low, i.high)), Some((1.0, 6.0)));
    }

    #[test]
    fn values_from_far_out_weigh_no_more_than_others() {
        let mut values: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        values.extend([-50.0, -60.0]);
        assert!(signed_rank_p(&values) < 1e-4, "{}", signed_rank_p(&values));
        assert!((hodges_lehmann(&values) - 1.13).abs() < 0.05);
    }
}
