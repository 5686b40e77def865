//! The comparison that a saved benchmark had when it was measured, for reports of saved runs.

use serde::{Deserialize, Serialize};

/// The largest number of ratios that are kept of each kind, several times that of an ordinary run.
const MAX_RATIOS: usize = 400;

/// The paired run in which a saved benchmark was the candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EarlierComparison {
    /// The name of the baseline at that time.
    pub(crate) baseline: String,
    /// The comparison in words, with the verdict first.
    pub(crate) sentence: String,
    /// The change of the typical time, as a share.
    pub(crate) change: Option<f64>,
    /// The 95 % confidence interval of `change`.
    pub(crate) interval: Option<[f64; 2]>,
    /// Largest apparent change of a side against itself, as a share.
    pub(crate) noise_floor: Option<f64>,
    pub(crate) ratios: Ratios,
}

/// The ratios of the typical times of two processes, less 1, one for each pair.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ratios {
    /// Candidate to baseline, in the screening.
    pub(crate) screening: Vec<f64>,
    /// Candidate to baseline, in the fresh pairs of the confirmation. Empty without one.
    pub(crate) confirmation: Vec<f64>,
    /// One process of a side to the other process of that side.
    pub(crate) aa: Vec<f64>,
}

impl Ratios {
    /// Returns the ratios to keep, with as many digits as a plot shows. Of very many, every second,
    /// third or later one is kept.
    pub(crate) fn thinned(&self) -> Ratios {
        let thinned = |ratios: &[f64]| {
            let every = ratios.len().div_ceil(MAX_RATIOS).max(1);
            ratios.iter().step_by(every).map(|ratio| (ratio * 1e6).round() / 1e6).collect()
        };
        let Ratios { screening, confirmation, aa } = self;
        Ratios { screening: thinned(screening), confirmation: thinned(confirmation), aa: thinned(aa) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_ratios_are_thinned_evenly() {
        let aa: Vec<f64> = (0..1_000).map(|i| f64::from(i) / 3e5).collect();
        let ratios = Ratios { screening: aa[..400].to_vec(), confirmation: Vec::new(), aa }.thinned();
        assert_eq!((ratios.screening.len(), ratios.confirmation.len(), ratios.aa.len()), (400, 0, 334));
        assert_eq!(ratios.aa[..3], [0.0, 0.00001, 0.00002]);
    }
}
