//! A simulated confirmation, block by block.

use super::*;

/// A confirmation in progress.
pub(in super::super) struct Confirmation {
    suspicions: Suspicions,
    looks: LookSchedule,
    times: BlockTimes,
    long_pairs: usize,
    pair_time: Duration,
    /// Time of the screening.
    begin: Duration,
    pub(in super::super) fresh: Evidence,
}

impl Confirmation {
    pub(in super::super) fn new(
        simulated: &Simulated,
        screening: &Evidence,
        suspicions: Suspicions,
        tests: usize,
        (rules, limits): (&Rules, &TimeLimits),
    ) -> Confirmation {
        let blocks = ConfirmationBlocks::new(&suspicions, screening, rules);
        let (times, long_pairs) = match blocks {
            ConfirmationBlocks::Usual if simulated.is_brief => (BRIEF_BLOCK, 0),
            ConfirmationBlocks::Usual => (USUAL_BLOCK, 0),
            ConfirmationBlocks::Launches => (SHORT_BLOCK, 0),
            ConfirmationBlocks::LongLaunches => (FIRST_BLOCK, PAIRS_PER_BLOCK),
        };
        let pair_time = times.0 / 2 + Duration::from_secs_f64(LONG_LAUNCH / 1e3) * long_pairs as u32;
        let begin = simulated.spent;
        let looks = LookSchedule::new(tests, pair_time, limits.total.saturating_sub(begin), *limits);
        let fresh = Evidence::for_confirmation(screening);
        Confirmation { suspicions, looks, times, long_pairs, pair_time, begin, fresh }
    }

    /// Runs a block. Returns the verdicts if they are known.
    pub(in super::super) fn advance(
        &mut self,
        simulated: &mut Simulated,
        screening: &Evidence,
        rules: &Rules,
    ) -> Option<Verdicts> {
        simulated.block_with(&mut self.fresh, self.times, self.long_pairs);
        let spent = simulated.spent - self.begin;
        decide_confirmation(screening, &self.fresh, &self.suspicions, &mut self.looks, spent, rules)
    }

    /// Returns the evidence of the screening and of all blocks so far.
    pub(in super::super) fn all(&self, screening: &Evidence) -> Evidence {
        screening.and(&self.fresh)
    }

    pub(in super::super) fn has_begun(&self) -> bool {
        self.looks.has_begun()
    }

    pub(in super::super) fn block_time(&self) -> Duration {
        self.pair_time * 2
    }

    pub(in super::super) fn time_to_first_look(&self) -> Duration {
        self.looks.time_to_look(0, self.pair_time, |_, _| true)
    }
}
