//! The files and launches that the benchmarks of a simulated suite share.

use super::noise::Random;
use crate::clusters::{FilesOfBlock, PAIRS_PER_BLOCK};
use crate::renewal::Renewal;
use std::time::Duration;

/// Processes of a block.
pub(super) const PROCESSES: usize = 2 * PAIRS_PER_BLOCK;

/// The kind of files that processes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Files {
    Originals,
    Copies,
    Layouts,
}

/// What files and launches add to the times of benchmarks, as logarithms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effects {
    /// What half of the places of a file in memory add, for as long as it has that place.
    pub(super) place: f64,
    /// The spread of what a layout adds to both sides.
    pub(super) layout: f64,
    /// The spread of what a process adds to all of its benchmarks.
    pub(super) process: f64,
    /// The time that it takes to make new files.
    pub(super) cost: Duration,
}

/// The files of a block, and what its launches share.
#[derive(Debug)]
pub(super) struct BlockFiles {
    pub(super) effects: Effects,
    pub(super) files: FilesOfBlock,
    /// Each side has a single file.
    are_originals: bool,
    /// The place of the files in memory.
    pub(super) place: u64,
    /// The places of these are those that add something.
    pub(super) are_far: [bool; PROCESSES],
    pub(super) of_layouts: [f64; PROCESSES],
    pub(super) of_processes: [f64; PROCESSES],
    /// Numbers between 0 and 1 that decide whether a launch is slow.
    pub(super) seeds: [f64; PROCESSES],
}

impl BlockFiles {
    /// Returns a value for each process, those of files with this function.
    pub(super) fn of_files<T: Copy>(&self, mut of_file: impl FnMut() -> T) -> [T; PROCESSES] {
        let [a, b, c, d] = [(); PROCESSES].map(|()| of_file());
        if self.are_originals { [a, a, c, c] } else { [a, b, c, d] }
    }
}

/// The files of a suite. They are made and moved as those of `cargo nanobench` are.
pub(super) struct SuiteFiles {
    kind: Files,
    pub(super) effects: Effects,
    random: Random,
    /// `None` if new ones are due.
    made: Option<Made>,
    are_of_a_round: bool,
    pub(super) present: BlockFiles,
    /// The time that the last files took. Links take place while the ones before serve.
    pub(super) time: Duration,
    /// Each block counts, as if it had files of its own.
    pub(super) is_naive: bool,
}

struct Made {
    at: Duration,
    rounds: u32,
}

impl SuiteFiles {
    pub(super) fn new(kind: Files, effects: Effects, seed: u64) -> SuiteFiles {
        let files = FilesOfBlock { generation: 0, are_spent: false, are_layouts: kind == Files::Layouts };
        let present = BlockFiles {
            effects,
            files,
            are_originals: kind == Files::Originals,
            place: 0,
            are_far: [false; PROCESSES],
            of_layouts: [0.0; PROCESSES],
            of_processes: [0.0; PROCESSES],
            seeds: [1.0; PROCESSES],
        };
        let random = Random::new(seed);
        SuiteFiles {
            kind,
            effects,
            random,
            made: None,
            are_of_a_round: false,
            present,
            time: Duration::ZERO,
            is_naive: false,
        }
    }

    /// Returns the files of the next block. `now`: the time of the suite so far.
    pub(super) fn next(&mut self, renewal: Renewal, now: Duration) -> &BlockFiles {
        let cost = self.effects.cost;
        self.time = Duration::ZERO;
        let is_due = |made: &Made| made.rounds > 0 && renewal.is_due(now.saturating_sub(made.at), cost);
        if self.made.as_ref().is_none_or(is_due) {
            self.renew(now);
        }
        self.are_of_a_round |= renewal == Renewal::EachRound && cost <= Duration::from_millis(500);
        self.present()
    }

    pub(super) fn end_round(&mut self) {
        self.made.iter_mut().for_each(|made| made.rounds += 1);
        if std::mem::take(&mut self.are_of_a_round) {
            self.made = None;
        }
    }

    fn renew(&mut self, now: Duration) {
        if self.kind == Files::Copies {
            self.time = self.effects.cost;
        }
        self.made = Some(Made { at: now + self.time, rounds: 0 });
        if self.kind == Files::Originals && self.present.place > 0 {
            return;
        }
        if self.kind == Files::Layouts {
            let layouts: [f64; PAIRS_PER_BLOCK] =
                std::array::from_fn(|_| self.effects.layout * self.random.normal());
            // What it does to a function that differs, it does to one side.
            let of_side = self.effects.layout / 3.0;
            self.present.of_layouts = std::array::from_fn(|process| {
                let own = if process < PAIRS_PER_BLOCK { 0.0 } else { of_side * self.random.normal() };
                layouts[process % PAIRS_PER_BLOCK] + own
            });
        }
        self.place();
    }

    /// Moves the files to another place in memory.
    fn place(&mut self) {
        self.present.place += 1;
        self.present.files.generation += 1;
        self.present.are_far = self.present.of_files(|| self.random.has(0.5));
    }

    fn present(&mut self) -> &BlockFiles {
        let (random, spread) = (&mut self.random, self.effects.process);
        self.present.of_processes = std::array::from_fn(|_| spread * random.normal());
        self.present.seeds = std::array::from_fn(|_| random.uniform());
        self.present.files.are_spent = self.is_naive || self.are_of_a_round || self.kind == Files::Originals;
        &self.present
    }
}
