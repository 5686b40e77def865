//! The comparison that a saved benchmark had when it was measured, for reports of saved runs.

use serde::{Deserialize, Serialize};

/// The largest number of ratios that are kept of each kind, several times that of an ordinary run.
const MAX_RATIOS: usize = 400;

/// The paired run in which a saved benchmark was the candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlierComparison {
    /// The name of the baseline at that time.
    pub baseline: String,
    /// The comparison in words, with the verdict first.
    pub sentence: String,
    /// The change of the typical time, as a share.
    pub change: Option<f64>,
    /// The 95 % confidence interval of `change`.
    pub interval: Option<[f64; 2]>,
    /// Typical difference of two processes of the same side, as a share.
    pub launch_noise: Option<f64>,
    /// The ratios that the comparison rests on.
    pub ratios: Ratios,
}

/// The ratios of the typical times of two processes, less 1, one for each pair.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ratios {
    /// Candidate to baseline.
    pub changes: Vec<f64>,
    /// One process of a side to the other process of that side.
    pub aa: Vec<f64>,
}

impl Ratios {
    /// Returns the ratios to keep, with as many digits as a plot shows. Of very many, every second,
    /// third or later one is kept.
    pub fn thinned(&self) -> Ratios {
        let thinned = |ratios: &[f64]| {
            let every = ratios.len().div_ceil(MAX_RATIOS).max(1);
            ratios.iter().step_by(every).map(|ratio| (ratio * 1e6).round() / 1e6).collect()
        };
        let Ratios { changes, aa } = self;
        Ratios { changes: thinned(changes), aa: thinned(aa) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_ratios_are_thinned_evenly() {
        let aa: Vec<f64> = (0..1_000).map(|i| f64::from(i) / 3e5).collect();
        let ratios = Ratios { changes: aa[..400].to_vec(), aa }.thinned();
        assert_eq!((ratios.changes.len(), ratios.aa.len()), (400, 334));
        assert_eq!(ratios.aa[..3], [0.0, 0.00001, 0.00002]);
    }
}
