//! Counts of allocations and of other counters, taken while the clock would run.

use crate::alloc;
use crate::counters::Counters;
use crate::model::Allocations;

/// A set of counters that is started and stopped with the segments of a benchmark.
#[derive(Debug)]
pub(crate) struct Counting {
    /// `None` if only `counters` are read.
    allocations: Option<AllocationTotals>,
    counters: Counters,
    /// Totals of `counters` at the beginning of the iteration.
    counters_before: Vec<u64>,
}

/// Allocations counted so far.
#[derive(Debug, Default)]
struct AllocationTotals {
    total: Allocations,
    /// `total` at the beginning of the iteration.
    before: Allocations,
}

impl Counting {
    /// Creates a set that counts allocations only, if the counting allocator is installed.
    pub(super) fn of_allocations() -> Option<Counting> {
        let allocations = Some(AllocationTotals::default()).filter(|_| alloc::is_installed())?;
        Some(Counting { allocations: Some(allocations), ..Counting::of_events(Counters::default()) })
    }

    /// Creates a set of these counters.
    pub(crate) fn of_events(counters: Counters) -> Counting {
        let counters_before = counters.totals();
        Counting { allocations: None, counters, counters_before }
    }

    /// Sets all totals to zero.
    pub(super) fn clear(&mut self) {
        if let Some(allocations) = &mut self.allocations {
            *allocations = AllocationTotals::default();
        }
        self.counters_before.fill(0);
        self.counters.set_totals(&self.counters_before);
    }

    pub(super) fn begin_iteration(&mut self) {
        if let Some(allocations) = &mut self.allocations {
            allocations.before = allocations.total;
            alloc::begin_iteration();
        }
        self.counters_before = self.counters.totals();
    }

    /// Starts to count. The counters start last, so that they don't count the allocator's start.
    pub(super) fn start(&mut self) {
        if let Some(allocations) = &self.allocations {
            alloc::set_tally(allocations.total);
            alloc::start_tally();
        }
        self.counters.start();
    }

    pub(super) fn stop(&mut self) {
        self.counters.stop();
        if let Some(allocations) = &mut self.allocations {
            alloc::stop_tally();
            allocations.total = alloc::tally();
        }
    }

    /// Discards the counts of this iteration.
    pub(super) fn reset_iteration(&mut self) {
        if let Some(allocations) = &mut self.allocations {
            allocations.total = allocations.before;
            alloc::begin_iteration();
        }
        self.counters.set_totals(&self.counters_before);
    }

    /// Returns the allocations, if they are counted.
    pub(super) fn allocations(&self) -> Option<Allocations> {
        self.allocations.as_ref().map(|allocations| allocations.total)
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn into_counters(self) -> Counters {
        self.counters
    }
}
