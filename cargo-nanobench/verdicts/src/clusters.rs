//! Clusters: what was drawn together, such as the files that pairs of processes ran, counts once.

use crate::findings::Question;
use crate::statistics as stats;
use serde::{Deserialize, Serialize};

/// Pairs of processes in a block.
pub const PAIRS_PER_BLOCK: usize = 2;

/// The files of a block.
#[derive(Debug, Clone, Copy)]
pub struct FilesOfBlock {
    /// Their number, at random: other blocks with this number ran the same files, at the same places of the
    /// block. It is the seed of layouts.
    pub generation: u64,
    /// No other block of the benchmark will run them.
    pub are_spent: bool,
    /// Each has a layout of its own.
    pub are_layouts: bool,
}

/// The clusters of a benchmark.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Clusters {
    /// Complete clusters.
    closed: Vec<Cluster>,
    /// The values of each pair that ran the present files, by the pair's place in its block.
    open: [[Vec<f64>; Question::ALL.len()]; PAIRS_PER_BLOCK],
    generation: u64,
    /// The number of clusters that were closed, with or without values.
    numbered: usize,
}

/// The result of all pairs that ran the same files.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Cluster {
    /// The generation of the files, which is the seed of layouts, and the place of the pairs in their blocks.
    files: (u64, usize),
    /// The signed means over the pairs, by question.
    values: [Option<f64>; Question::ALL.len()],
}

impl Clusters {
    /// Begins a block whose files have this number.
    pub(crate) fn begin_block(&mut self, generation: u64) {
        if generation != self.generation {
            self.close();
            self.generation = generation;
        }
    }

    /// Returns the number of the cluster of the pair at this place of the block.
    pub(crate) fn number(&self, place: usize) -> usize {
        self.numbered + place
    }

    /// Adds the values of the pair at this place of the block.
    pub(crate) fn add(&mut self, place: usize, values: [Option<f64>; Question::ALL.len()]) {
        for (open, value) in self.open[place].iter_mut().zip(values) {
            open.extend(value);
        }
    }

    /// Closes the clusters of the present files.
    pub(crate) fn close(&mut self) {
        self.numbered += PAIRS_PER_BLOCK;
        for (place, values) in std::mem::take(&mut self.open).into_iter().enumerate() {
            let values = values.map(|values| (!values.is_empty()).then(|| stats::mean(&values)));
            if values.iter().any(Option::is_some) {
                self.closed.push(Cluster { files: (self.generation, place), values });
            }
        }
    }

    /// Returns whether an open cluster has a sign so far. Only other files will show whether others agree.
    pub(crate) fn has_open(&self, question: Question) -> bool {
        self.open.iter().any(|cluster| cluster[question as usize].iter().any(|&value| value != 0.0))
    }

    /// Returns the values of the clusters that are closed. Open ones don't count: if one could be
    /// counted at the moment when it looks good, its sign would be no fair coin.
    pub(crate) fn of(&self, question: Question) -> Vec<f64> {
        self.closed.iter().filter_map(|cluster| cluster.values[question as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_the_same_files_count_once() {
        let mut clusters = Clusters::default();
        for (generation, value) in [(1, 1.0), (1, 3.0), (2, 5.0), (3, 7.0)] {
            clusters.begin_block(generation);
            clusters.add(0, [Some(value), None, Some(0.0)]);
            clusters.add(1, [Some(-value), None, None]);
        }
        assert_eq!(clusters.of(Question::Typical), [2.0, -2.0, 5.0, -5.0], "the last one is open");
        assert_eq!(clusters.of(Question::Launches), [0.0; 2]);
        clusters.close();
        assert_eq!(clusters.of(Question::Typical).len(), 6);
        assert!(clusters.of(Question::Average).is_empty());
    }
}
