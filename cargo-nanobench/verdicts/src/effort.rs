//! The effort that paired runs may take.

use crate::evidence::MIN_PAIRS;
use crate::rules::TimeLimits;
use std::time::Duration;

/// Launches of each side that `same` requires if the code differs: if one launch in ten is slow, so many have
/// none of them with a probability of 0.1 %.
pub const LAUNCHES_OF_OTHER_CODE: usize = 66;
/// Likewise if some of the code can't be compared: with a probability of 4 %.
pub const LAUNCHES_OF_UNKNOWN_CODE: usize = 30;
/// Likewise if the code is the same: if one launch in four is slow, with a probability of 1 %.
pub const LAUNCHES_OF_SAME_CODE: usize = 16;

/// Time for which a usual block is sampled, long relative to the start of its processes.
const USUAL_BLOCK: Duration = Duration::from_millis(25);
/// Likewise while more launches are needed anyway. With so many blocks, each may be short.
const FIRST_BLOCK: Duration = Duration::from_millis(12);
/// Likewise if nothing but the number of launches counts.
const SHORT_BLOCK: Duration = Duration::from_millis(4);
/// Likewise in a brief run, whose verdicts need a number of pairs rather than precise ones.
const BRIEF_BLOCK: Duration = Duration::from_millis(3);
/// Time for which a long launch is sampled. Calls that are expensive once in that time are seen, even if each
/// process begins to count anew.
const LONG_LAUNCH: Duration = Duration::from_millis(55);
/// Number of pairs after which a run may end without a verdict once its time is up.
pub const SUFFICIENT_PAIRS: usize = 16;

/// Launches that are sampled for longer than usual, so that calls are seen that are expensive less
/// often than once in the usual time.
#[derive(Debug, Clone, Copy)]
pub struct LongLaunches {
    /// Number of pairs of a block whose launches are long.
    pub pairs: usize,
    /// Time for which each of them is sampled.
    pub time: Duration,
    /// Longest time of each of them, with all that is not timed.
    pub max_time: Duration,
    /// Shortest time of a turn of theirs.
    pub min_turn: Duration,
}

/// The effort that paired runs may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Somebody named a baseline: enough to find a change of 1 %, even if launches differ by several per
    /// cent.
    Named {
        /// Number of launches of each side that `same` requires, by what is known of the code.
        launches: usize,
    },
    /// Nobody asked: little more than the benchmark's own sampling takes.
    Brief,
}

impl Effort {
    /// Returns whether nothing is known to differ.
    pub fn expects_same(self) -> bool {
        matches!(self, Effort::Named { launches } if launches < LAUNCHES_OF_OTHER_CODE)
    }

    /// Returns the time that one benchmark may take.
    pub fn limits(self) -> TimeLimits {
        let expects_same = self.expects_same();
        match self {
            Effort::Named { launches } => TimeLimits {
                usual: Duration::from_millis(1_500),
                total: Duration::from_secs(6),
                sufficient_pairs: if expects_same { MIN_PAIRS } else { SUFFICIENT_PAIRS },
                min_launches: launches,
                // If a disturbance of the baseline's hides what the candidate's shows, a second one tells.
                min_long_launches: if expects_same { 1 } else { 2 },
                expects_same,
            },
            Effort::Brief => TimeLimits {
                usual: Duration::from_millis(200),
                total: Duration::from_millis(600),
                sufficient_pairs: SUFFICIENT_PAIRS,
                min_launches: 0,
                min_long_launches: 0,
                expects_same,
            },
        }
    }

    /// Returns the long launches of a block in which those of this many pairs are long. What recovers while
    /// others have their turns, such as a limit on the rate of calls or a queue that a thread empties, must
    /// not recover all the time, so turns are long. But the machine's pace may change from one turn to the
    /// next, so they are short if the code is the same on both sides. Most of a call may be set-up, and if
    /// code differs, rare calls matter more than the time that they take to see.
    pub fn long_launches(self, pairs: usize) -> Option<LongLaunches> {
        let (set_up, min_turn) = if self.expects_same() { (3, 0) } else { (12, 10) };
        (pairs > 0 && self != Effort::Brief).then(|| LongLaunches {
            pairs,
            time: LONG_LAUNCH,
            max_time: LONG_LAUNCH * set_up,
            min_turn: Duration::from_millis(min_turn),
        })
    }

    /// Returns the shortest and the longest time that a block samples. Where no code is known to differ,
    /// layouts are no reason to differ, so many short blocks may share them. `has_launches`: no more launches
    /// are needed; `only_adds_launches`: nothing else counts.
    pub fn sampling_times(self, has_launches: bool, only_adds_launches: bool) -> [Duration; 2] {
        match self {
            _ if only_adds_launches => [SHORT_BLOCK; 2],
            Effort::Brief => [BRIEF_BLOCK; 2],
            Effort::Named { .. } => {
                let shortest = if self.expects_same() { SHORT_BLOCK } else { FIRST_BLOCK };
                [shortest, if has_launches { USUAL_BLOCK } else { FIRST_BLOCK }]
            }
        }
    }

    /// Returns the length of a sample in ns, unless the plan sets one. Samples are short, so that a
    /// disturbance of the machine affects both sides.
    pub fn sample_time(self) -> f64 {
        if self == Effort::Brief { 100_000.0 } else { 200_000.0 }
    }

    /// Returns the usual time of a whole run: a multiple of the time of its calibration and first block,
    /// except for long launches. The factors were measured on the lab's kinds of work, with 5 % more work if
    /// code differs. Brief runs are selected by their time before. `long_launches`: the part of the first
    /// block's time that long launches took.
    pub fn time_of_run(self, first_block: Duration, long_launches: Duration) -> Duration {
        let factor = match self {
            Effort::Brief => 1,
            Effort::Named { .. } if self.expects_same() => 8,
            Effort::Named { .. } => 24,
        };
        first_block.saturating_sub(long_launches) * factor + long_launches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER_CODE: Effort = Effort::Named { launches: LAUNCHES_OF_OTHER_CODE };
    const SAME_CODE: Effort = Effort::Named { launches: LAUNCHES_OF_SAME_CODE };

    #[test]
    fn long_launches_have_short_turns_if_the_code_is_the_same() {
        let turn = |effort: Effort| effort.long_launches(1).map(|long| long.min_turn.as_millis());
        assert_eq!([OTHER_CODE, SAME_CODE, Effort::Brief].map(turn), [Some(10), Some(0), None]);
        assert!(OTHER_CODE.long_launches(0).is_none());
    }

    #[test]
    fn the_first_block_alone_has_long_launches() {
        let [first_block, long_launches] = [200, 110].map(Duration::from_millis);
        let time = |effort: Effort| effort.time_of_run(first_block, long_launches).as_millis();
        let efforts = [OTHER_CODE, SAME_CODE, Effort::Brief];
        assert_eq!(efforts.map(time), [24 * 90 + 110, 8 * 90 + 110, 200]);
    }
}
