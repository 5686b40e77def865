//! What is kept of a paired run, so that another command can go on with it.

use serde::{Deserialize, Serialize};
use verdicts::{Evidence, OfHypotheses, Rules};

/// What is kept of a benchmark's paired run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptRun {
    pub is_unsure: bool,
    /// The loop count on both sides.
    pub(super) count: u64,
    /// The sizes of changes that the comparison distinguishes.
    pub(super) rules: Rules,
    pub(super) evidence: Evidence,
    /// The changes that are shown.
    pub(super) shown: OfHypotheses<bool>,
}

impl KeptRun {
    /// Returns the shares of the error of its hypotheses, and the logarithms of the evidence against them.
    pub fn hypotheses(&self) -> (OfHypotheses<f64>, OfHypotheses<f64>) {
        (self.evidence.weights(), self.evidence.of_hypotheses())
    }
}
