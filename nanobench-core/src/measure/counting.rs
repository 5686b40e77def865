//! What a benchmark does beside taking time: what it asks of the allocator, and what counters of the operating system and
//! the processor say.

use crate::alloc::{self, Tally};
use crate::counters::Counters;
use crate::model::Allocations;

/// Counts while the clock would run.
#[derive(Debug)]
pub(crate) struct Counting {
    /// Where the counting allocator is installed.
    allocations: Option<Account>,
    counters: Counters,
    /// What the counters had when the iteration began.
    before: Vec<u64>,
}

/// What was asked of the allocator.
#[derive(Debug, Default)]
struct Account {
    total: Tally,
    /// The total when the iteration began.
    before: Tally,
}

impl Counting {
    /// Counts with `counters`, and what is asked of the allocator where it can be told.
    pub(super) fn new(counters: Counters) -> Counting {
        let allocations = alloc::is_installed().then(Account::default);
        let before = counters.totals();
        Counting { allocations, counters, before }
    }

    /// Forgets all that was counted.
    pub(super) fn clear(&mut self) {
        if let Some(account) = &mut self.allocations {
            *account = Account::default();
        }
        self.before.fill(0);
        self.counters.set_totals(&self.before);
    }

    pub(super) fn begin_iteration(&mut self) {
        if let Some(account) = &mut self.allocations {
            account.before = account.total;
            alloc::begin_iteration();
        }
        self.before = self.counters.totals();
    }

    /// Counts from now on. What is nearest to the benchmark is started last, so that it does not count the rest.
    pub(super) fn start(&mut self) {
        if let Some(account) = &self.allocations {
            alloc::set_tally(account.total);
            alloc::start();
        }
        self.counters.start();
    }

    pub(super) fn stop(&mut self) {
        self.counters.stop();
        if let Some(account) = &mut self.allocations {
            alloc::stop();
            account.total = alloc::tally();
        }
    }

    /// Forgets this iteration.
    pub(super) fn forget(&mut self) {
        if let Some(account) = &mut self.allocations {
            account.total = account.before;
            alloc::begin_iteration();
        }
        self.counters.set_totals(&self.before);
    }

    /// What was asked of the allocator, where that can be told.
    pub(super) fn allocations(&self) -> Option<Allocations> {
        let Tally { allocations, deallocations, reallocations, bytes, peak } =
            self.allocations.as_ref()?.total;
        Some(Allocations { allocations, deallocations, reallocations, bytes, peak })
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }
}
