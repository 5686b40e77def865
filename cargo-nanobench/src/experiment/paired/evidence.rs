//! What the blocks so far say.

use crate::stats::{self, Interval};

/// Confidence of the intervals that are shown.
pub(crate) const CONFIDENCE: f64 = 0.95;
/// What a confirmation has looked at is shown in one of two ways, as called or as not, and that it came to be shown so says something
/// about it. Each has half of the error, so that both together hold what [`CONFIDENCE`] promises (Bonferroni).
const CONFIDENCE_OF_EITHER: f64 = 1.0 - (1.0 - CONFIDENCE) / 2.0;

/// Logarithms of ratios, one for each pair of processes that ran in the same rounds. Which process of the block played
/// which role was dealt at random, so that each could as well have come with the other sign had nothing changed.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Candidate over baseline.
    pub(super) changes: Vec<f64>,
    /// Each side over itself.
    pub(super) aa_ratios: Vec<f64>,
    /// Some of it is of a confirmation.
    is_of_confirmation: bool,
}

impl Evidence {
    /// What a confirmation begins with.
    pub(super) fn of_confirmation() -> Evidence {
        Evidence { is_of_confirmation: true, ..Evidence::default() }
    }

    pub(super) fn add(&mut self, changes: &[f64], aa_ratios: &[f64]) {
        self.changes.extend(changes);
        self.aa_ratios.extend(aa_ratios);
    }

    /// Of both together.
    pub(super) fn and(&self, other: &Evidence) -> Evidence {
        let mut all = self.clone();
        all.add(&other.changes, &other.aa_ratios);
        all.is_of_confirmation |= other.is_of_confirmation && other.pairs() > 0;
        all
    }

    /// Number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.changes.len()
    }

    pub(super) fn estimate(&self) -> f64 {
        stats::hodges_lehmann(&self.changes)
    }

    /// Where the change lies, as the only one that is looked at: with 95 % confidence in the end, however it comes to be shown.
    pub(super) fn interval(&self) -> Option<Interval> {
        let confidence = if self.is_of_confirmation { CONFIDENCE_OF_EITHER } else { CONFIDENCE };
        stats::signed_interval(&self.changes, confidence)
    }

    /// How well the change is known: half of the width of what it lies in with 95 % confidence, however it came to be looked at.
    pub(super) fn precision(&self) -> f64 {
        stats::signed_interval(&self.changes, CONFIDENCE).map_or(f64::INFINITY, half_width)
    }

    /// How probable such changes are, in the direction that they have, where nothing changed.
    pub(super) fn p(&self) -> f64 {
        stats::signed_rank_p(&self.changes) / 2.0
    }

    /// What a comparison of each side with itself may show at this moment, for nothing: the farther end of the 95 % interval.
    pub(super) fn noise_floor(&self) -> Option<f64> {
        stats::signed_interval(&self.aa_ratios, CONFIDENCE).map(farthest)
    }
}

/// The distance from no change to the farther end.
pub(super) fn farthest(interval: Interval) -> f64 {
    interval.low.abs().max(interval.high.abs())
}

/// Half of the width.
pub(super) fn half_width(interval: Interval) -> f64 {
    (interval.high - interval.low) / 2.0
}
