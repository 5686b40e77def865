//! The effort that paired runs may take.

use super::evidence::MIN_PAIRS;
use super::look_schedule::Levels;
use super::questions::EVIDENT_P;
use super::rules::TimeLimits;
use std::time::Duration;

/// If one launch in four is slow, this many launches contain none of them with a probability of 1 %,
/// and six launches with one of 18 %.
const LAUNCHES_THAT_SHOW_ONE_IN_FOUR: usize = 16;

/// Number of pairs after which a screening may end without a result once its time is up.
pub(super) const SUFFICIENT_PAIRS: usize = 16;

/// The effort that paired runs may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Enough to find a change of 1 %, even if launches differ by several per cent.
    Thorough,
    /// For benchmarks of whose code nothing is known to differ, although that isn't certain.
    Moderate,
    /// For benchmarks whose code is the same. They run only if that is requested.
    Light,
    /// Little more than the benchmark's own sampling takes. Blocks are short, because a verdict
    /// needs a number of pairs rather than precise ones.
    Brief,
}

impl Effort {
    /// Returns the time that one benchmark may take.
    pub(super) fn limits(self) -> TimeLimits {
        let time = Duration::from_millis;
        match self {
            Effort::Thorough => TimeLimits {
                screening: time(2_000),
                average: time(2_000),
                total: time(6_000),
                sufficient_pairs: SUFFICIENT_PAIRS,
                // If one launch in ten is slow, 66 launches have none of them with a probability of 0.1 %.
                min_launches: 66,
                // On a busy machine, the time of the screening may end after a few.
                sufficient_launches: LAUNCHES_THAT_SHOW_ONE_IN_FOUR,
                // If a disturbance of the baseline's hides what the candidate's shows, a second one tells.
                min_long_launches: 2,
                is_persistent: true,
                clear_p: EVIDENT_P,
                levels: Levels::Doubling,
                expects_same: false,
            },
            Effort::Moderate => TimeLimits {
                screening: time(800),
                average: time(1_500),
                total: time(3_000),
                // If one launch in ten is slow, 30 launches have none of them with a probability of 4 %.
                min_launches: 30,
                sufficient_launches: 0,
                min_long_launches: 1,
                is_persistent: false,
                expects_same: true,
                ..Effort::Thorough.limits()
            },
            Effort::Light => TimeLimits {
                sufficient_pairs: MIN_PAIRS,
                min_launches: LAUNCHES_THAT_SHOW_ONE_IN_FOUR,
                ..Effort::Moderate.limits()
            },
            Effort::Brief => TimeLimits {
                screening: time(200),
                average: time(200),
                total: time(600),
                sufficient_pairs: SUFFICIENT_PAIRS,
                min_launches: 0,
                sufficient_launches: 0,
                min_long_launches: 0,
                is_persistent: false,
                // That of as many pairs as any decision needs, if they agree.
                clear_p: 0.5_f64.powi(MIN_PAIRS as i32),
                levels: Levels::Equal,
                expects_same: false,
            },
        }
    }

    /// Returns the time that long launches sample. Calls that are expensive once in that time are
    /// seen, even if each process begins to count anew. `None` if no launch is long.
    pub(super) fn long_launch(self) -> Option<Duration> {
        match self {
            Effort::Thorough | Effort::Moderate | Effort::Light => Some(Duration::from_millis(55)),
            Effort::Brief => None,
        }
    }

    /// Returns the shortest time of a turn of a long launch. What recovers while others have their turns,
    /// such as a limit on the rate of calls or a queue that a thread empties, must not recover all the
    /// time. But the machine's pace may change from one turn to the next, so turns are short if the code is
    /// the same on both sides.
    pub(super) fn min_long_turn(self) -> Duration {
        match self {
            Effort::Thorough | Effort::Moderate => Duration::from_millis(10),
            Effort::Light | Effort::Brief => Duration::ZERO,
        }
    }

    /// Returns the longest time of a long launch, as a multiple of the time that it is sampled: most of a
    /// call may be set-up. If code differs, rare calls matter more than the time that they take to see.
    pub(super) fn max_time_per_sampled_time(self) -> u32 {
        match self {
            Effort::Thorough => 12,
            Effort::Moderate | Effort::Light | Effort::Brief => 3,
        }
    }

    /// Returns the shortest and the longest time that a block of the screening samples. Where no code is
    /// known to differ, layouts are no reason to differ, so many short blocks may share them.
    /// `has_launches`: no more launches are needed.
    pub(super) fn screening_times(self, has_launches: bool) -> [Duration; 2] {
        let longest = if has_launches { self.sampling_time() } else { self.first_sampling_time() };
        let shortest = match self {
            Effort::Moderate | Effort::Light => self.short_sampling_time(),
            Effort::Thorough | Effort::Brief => self.first_sampling_time(),
        };
        [shortest, longest]
    }

    /// Returns the time that a block samples while more launches are needed anyway. With so many
    /// blocks, each may be short.
    pub(super) fn first_sampling_time(self) -> Duration {
        match self {
            Effort::Thorough | Effort::Moderate | Effort::Light => Duration::from_millis(12),
            Effort::Brief => self.sampling_time(),
        }
    }

    /// Returns the time that a block samples, unless starting its processes takes very long. Unless
    /// the run is brief, it is long relative to the usual start.
    pub(super) fn sampling_time(self) -> Duration {
        match self {
            Effort::Thorough | Effort::Moderate | Effort::Light => Duration::from_millis(25),
            Effort::Brief => Duration::from_millis(3),
        }
    }

    /// Returns the length of a sample in ns, unless the plan sets one. Samples are short, so that a
    /// disturbance of the machine affects both sides.
    pub(super) fn sample_time(self) -> f64 {
        match self {
            Effort::Thorough | Effort::Moderate | Effort::Light => 200_000.0,
            Effort::Brief => 100_000.0,
        }
    }

    /// Returns the time that a block samples if it only adds launches.
    pub(super) fn short_sampling_time(self) -> Duration {
        Duration::from_millis(4)
    }

    /// Returns the usual time of a whole run, with a confirmation: a multiple of the time of its
    /// calibration and first block, except for long launches. The factors were measured on the lab's
    /// kinds of work, with 5 % more work if code differs. Brief runs are selected by their time
    /// before. `long_launches`: the part of the first block's time that long launches took.
    pub(super) fn time_of_run(self, first_block: Duration, long_launches: Duration) -> Duration {
        let factor = match self {
            Effort::Thorough => 24,
            Effort::Moderate | Effort::Light => 8,
            Effort::Brief => 1,
        };
        first_block.saturating_sub(long_launches) * factor + long_launches
    }

    /// Returns the additional sampling time of a block during a confirmation. One that is not brief needs
    /// many blocks: fewer, longer blocks start fewer processes.
    pub(super) fn extra_confirmation_time(self) -> Duration {
        match self {
            Effort::Thorough | Effort::Moderate | Effort::Light => Duration::from_millis(15),
            Effort::Brief => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_launches_have_short_turns_if_the_code_is_the_same() {
        let turn = |effort: Effort| effort.min_long_turn().as_millis();
        assert_eq!([Effort::Thorough, Effort::Moderate, Effort::Light].map(turn), [10, 10, 0]);
    }

    #[test]
    fn the_first_block_alone_has_long_launches() {
        let [first_block, long_launches] = [200, 110].map(Duration::from_millis);
        let time = |effort: Effort| effort.time_of_run(first_block, long_launches).as_millis();
        let efforts = [Effort::Thorough, Effort::Moderate, Effort::Brief];
        assert_eq!(efforts.map(time), [24 * 90 + 110, 8 * 90 + 110, 200]);
    }
}
